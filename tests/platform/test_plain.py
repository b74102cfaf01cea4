"""A match without JavaScript: whole matches played through the plain forms alone, and what these forms refuse."""

from __future__ import annotations

import random
from html.parser import HTMLParser
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import registry
from games.kit.record import check
from matches import payloads, services
from matches.clock import TimeControl
from matches.models import ChatLine, Match
from matches.services import Person, start_match
from pages.views.plain import MOST_MOVES, grouped
from tests.platform.conftest import legal, now_at, play_on

pytestmark = pytest.mark.django_db

DAYS = TimeControl.parse("3d")
OPENING = 6
"""Plies in which it is looked whether the other one is offered no move."""


class Forms(HTMLParser):
    """The forms of a page's plain section: per address the values that a browser would send, and the choices of its lists."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, dict[str, str]] = {}
        self.choices: dict[str, dict[str, list[str]]] = {}
        self._form = self._list = ""
        self.feed(html[html.index('<div class="plain-page">') : html.rindex("</noscript>")])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = given["action"]
            self.fields[self._form], self.choices[self._form] = {}, {}
        elif tag == "input" and "name" in given:
            self.fields[self._form][given["name"]] = given.get("value", "")
        elif tag == "select":
            self._list = given["name"]
            self.choices[self._form][self._list] = []
        elif tag == "option" and given["value"]:
            self.choices[self._form][self._list].append(given["value"])


def started(game: str, variant: str, *people: Any, **more: Any) -> Match:
    match = start_match(game, variant, seats=[Person(person) for person in people], now=timezone.now(), **({"control": DAYS} | more))
    return now_at(match)


def page(client: Client, match: Match, **query: str) -> Any:
    return client.get(reverse("match", args=[match.pk]), query)


def forms(client: Client, match: Match, **query: str) -> Forms:
    return Forms(page(client, match, **query).content.decode())


def posted(client: Client, match: Match, **more: str) -> Any:
    values = {"id": str(uuid4()), "ply": str(match.ply), "move": legal(match)} | more
    return client.post(reverse("match_play", args=[match.pk]), values)


def said(client: Client, response: Any) -> list[str]:
    return [str(message) for message in client.get(response.url).context["messages"]]


# --- Whole matches


SHORT = [("nibble", "square-9"), ("blokus", "duo-2"), ("azul", "coloured-2"), ("blockers", "basic-2")]


@pytest.mark.long
@pytest.mark.parametrize(("game", "variant"), SHORT)
def test_two_people_play_a_whole_match_over_days_through_the_plain_forms(cast, game, variant):
    match = started(game, variant, cast.alice, cast.bob)
    browsers, chance = [cast.at_browser(cast.alice), cast.at_browser(cast.bob)], random.Random(variant)
    play = reverse("match_play", args=[match.pk])
    while match.running:
        mover = browsers[match.to_move]
        shown = forms(mover, match)
        moves = shown.choices[play].get("move") or forms(mover, match, moves="all").choices[play]["move"]
        assert sorted(moves) == sorted(payloads.moves_for(match, match.to_move))
        if match.ply < OPENING:
            assert play not in forms(browsers[1 - match.to_move], match).fields
        response = mover.post(play, shown.fields[play] | {"move": chance.choice(moves), "typed": ""})
        assert response.url == reverse("match", args=[match.pk])
        before, match = match, now_at(match)
        assert match.ply > before.ply
    assert match.termination == "complete"
    assert check(payloads.record_of(match, None)) == []
    last = page(browsers[0], match)
    assert "This match is over." in last.context["plain"]["turn"]
    assert play not in Forms(last.content.decode()).fields


def test_resigning_offers_and_the_chat_work_through_the_forms_of_the_page(cast):
    match = started("blokus", "duo-2", cast.alice, cast.bob)
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    posted(alice, match)
    match = now_at(match)
    ask = reverse("match_offer", args=[match.pk, "takeback"])
    assert ask in forms(alice, match).fields
    alice.post(ask, forms(alice, match).fields[ask])
    assert "alice proposes taking a move back." in page(bob, match).content.decode()
    decline = reverse("match_decline", args=[match.pk, "takeback"])
    assert {ask, decline} <= set(forms(bob, match).fields)
    bob.post(ask)
    assert now_at(match).ply == 0
    chat = reverse("match_chat", args=[match.pk])
    talk = forms(bob, match)
    assert "hello" in talk.choices[chat]["phrase"]
    bob.post(chat, talk.fields[chat] | {"text": "Well well."})
    bob.post(chat, talk.fields[chat] | {"text": "Well well."})
    assert [line.text for line in ChatLine.objects.all()] == ["Well well."]
    assert "Well well." in page(alice, match).content.decode()
    resign = reverse("match_resign", args=[match.pk])
    alice.post(resign, forms(alice, match).fields[resign])
    assert now_at(match).termination == "resigned"
    again = reverse("match_offer", args=[match.pk, "rematch"])
    alice.post(again, forms(alice, match).fields[again])
    bob.post(again, forms(bob, match).fields[again])
    following = Match.objects.get(previous=match)
    assert reverse("match", args=[following.pk]) in page(alice, match).content.decode()


def test_a_pause_is_agreed_and_ended_through_the_forms(cast):
    match = started("nibble", "square-9", cast.alice, cast.bob)
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    pause, resume = reverse("match_offer", args=[match.pk, "pause"]), reverse("match_resume", args=[match.pk])
    alice.post(pause)
    bob.post(pause, forms(bob, match).fields[pause])
    assert now_at(match).paused_at is not None
    bob.post(resume, forms(bob, match).fields[resume])
    assert now_at(match).paused_at is None


# --- What the page shows


def test_who_waits_is_told_news_by_itself_and_who_is_to_move_is_not_disturbed(cast):
    match = started("nibble", "square-9", cast.alice, cast.bob)
    waits, moves = page(cast.at_browser(cast.bob), match), page(cast.at_browser(cast.alice), match)
    assert '<meta http-equiv="refresh" content="60">' in waits.content.decode()
    assert "http-equiv" not in moves.content.decode()
    services.resign(match.pk, 0, now=timezone.now())
    assert "http-equiv" not in page(cast.at_browser(cast.bob), match).content.decode()


def test_the_picture_is_drawn_from_the_seats_own_view(cast):
    match = started("blockers", "basic-2", cast.alice, cast.bob)
    rules = registry.get("blockers")
    for client, seat in ((cast.at_browser(cast.alice), 0), (cast.at_browser(cast.bob), 1), (Client(), None)):
        shown = page(client, match)
        assert shown.context["plain"]["picture"] == rules.picture("basic-2", payloads.for_seat(match, seat)["view"])
        assert shown.context["plain"]["picture"] in shown.content.decode()


def test_a_long_list_of_moves_is_shown_to_who_asks_and_a_move_can_be_written_instead(cast):
    match = started("blokus", "duo-2", cast.alice, cast.bob)
    alice, play = cast.at_browser(cast.alice), reverse("match_play", args=[match.pk])
    shown = forms(alice, match)
    assert "typed" in shown.fields[play]
    assert not shown.choices[play]
    assert len(forms(alice, match, moves="all").choices[play]["move"]) > MOST_MOVES
    assert all(example in payloads.moves_for(match, 0) for example in page(alice, match).context["plain"]["examples"])
    posted(alice, match, move="", typed=" e10,e9 ")
    assert now_at(match).ply == 1


def test_the_deadline_and_the_live_clocks_are_shown(cast):
    over_days = started("nibble", "square-9", cast.alice, cast.bob)
    assert "3 days left" in page(Client(), over_days).content.decode()
    live = started("nibble", "square-9", cast.alice, cast.bob, control=TimeControl.parse("5m+5s"))
    assert [seat["time"] for seat in page(Client(), live).context["plain"]["seats"]][1] == "5:00"


def test_moves_are_grouped_whatever_their_game():
    assert grouped(["b2", "a1"]) == [("", ["a1", "b2"])]
    letters = [f"{source}B{line}" for source in "12c" for line in range(1, 9)]
    assert [(heading, len(moves)) for heading, moves in grouped(letters)] == [("1 …", 8), ("2 …", 8), ("c …", 8)]
    squares = [f"a{row}" for row in range(1, 21)] + ["a1,a2", "a2,a3"]
    assert [(heading, len(moves)) for heading, moves in grouped(squares)] == [("1 place", 20), ("2 places", 2)]


# --- Refusals


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"move": ""}, "Choose a move"),
        ({"id": "x"}, "Load the page again"),
        ({"ply": "x"}, "Load the page again"),
        ({"ply": "9" * 5000}, "Load the page again"),
        ({"ply": "7"}, "has changed"),
        ({"move": "zz"}, "is not a"),
        ({"typed": "b5"}, ""),
        ({"typed": "x" * 600}, "at most"),
    ],
)
def test_a_form_that_cannot_be_played_leads_back_with_a_sentence(cast, more, sentence):
    match = started("nibble", "square-9", cast.alice, cast.bob)
    alice = cast.at_browser(cast.alice)
    response = posted(alice, match, **more)
    assert response.url == reverse("match", args=[match.pk])
    assert sentence in " ".join(said(alice, response)) != ""
    assert now_at(match).ply == match.ply


def test_nobody_moves_for_another_and_nobody_moves_twice(cast):
    match = started("nibble", "square-9", cast.alice, cast.bob)
    bob, carol = cast.at_browser(cast.bob), cast.at_browser(cast.carol)
    assert said(bob, posted(bob, match)) == ["It is not your turn."]
    assert said(carol, posted(carol, match)) == ["You have no seat in this match."]
    alice, intent = cast.at_browser(cast.alice), str(uuid4())
    for _ in range(2):
        assert said(alice, posted(alice, match, id=intent)) == ["Your move is played."]
    assert now_at(match).ply == match.ply + 1


def test_a_private_match_is_not_there_for_others(cast):
    match = started("nibble", "square-9", cast.alice, cast.bob, private=True)
    for client in (Client(), cast.at_browser(cast.carol)):
        assert posted(client, match).status_code == 404
        assert client.get(reverse("match_since", args=[match.pk]), {"ply": 0}).status_code == 404
        assert page(client, match).status_code == 404
    assert page(cast.at_browser(cast.alice), match).status_code == 200


# --- Since the last visit, and the next match


def test_the_plies_one_missed_come_as_the_seat_may_see_them(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 3)
    for client, seat in ((cast.at_browser(cast.alice), 0), (cast.at_browser(cast.bob), 1), (Client(), None)):
        answer = client.get(reverse("match_since", args=[match.pk]), {"ply": 2}).json()
        assert (answer["match"], answer["ply"], answer["version"]) == (match.pk, match.ply, match.version)
        assert [step["ply"] for step in answer["steps"]] == list(range(2, match.ply + 1))
        assert answer["steps"] == payloads.steps_for(match, seat, 2)
        assert answer["steps"][-1]["view"] == payloads.for_seat(match, seat)["view"]


@pytest.mark.parametrize("asked", ["", "-1", "x", "99", "1e3", "²", "9" * 5000])
def test_a_ply_that_is_not_there_is_refused_with_the_bounds(cast, table, asked):
    match = table("cards-2", cast.alice, cast.bob)
    response = Client().get(reverse("match_since", args=[match.pk]), {"ply": asked})
    assert (response.status_code, response.json()) == (400, {"message": "The ply must be a number from 0 to 1."})


def test_the_page_tells_what_the_viewer_has_seen_and_what_else_waits(cast):
    match, other = started("nibble", "square-9", cast.alice, cast.bob), started("nibble", "square-9", cast.alice, cast.carol)
    alice = cast.at_browser(cast.alice)
    posted(alice, match)
    match = now_at(match)
    mine = page(alice, match).context["page"]
    assert (mine["seen_ply"], mine["waiting"], mine["next_url"]) == (match.ply, 1, f"/next/?after={match.pk}")
    theirs = page(cast.at_browser(cast.bob), match).context["page"]
    assert (theirs["seen_ply"], theirs["waiting"], theirs["tv"]) == (0, 0, None)
    assert page(Client(), match).context["page"]["seen_ply"] is None
    assert page(alice, other).context["page"]["waiting"] == 0
