"""The home page of somebody who has matches: what waits first, with pictures, in few queries; the next match; the form to play."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from matches import gallery, offers, payloads, replay, services
from matches.clock import TimeControl
from matches.models import Match
from matches.services import BotSeat, Person, start_match
from tests.platform.conftest import legal, now_at, play_on

pytestmark = pytest.mark.django_db

CHOICE = {"game": "blokus", "variant": "classic-4", "level": "casual", "seat": "first"}


def started(*people: Any, control: str = "3d", ago: timedelta = timedelta(), **more: Any) -> Match:
    """A match of the test cards, or of another game by `game` and `variant`."""
    game, variant = more.pop("game", "cards"), more.pop("variant", "cards-2")
    seats = [BotSeat(person) if isinstance(person, str) else Person(person) for person in people]
    match = start_match(game, variant, seats=seats, control=TimeControl.parse(control), now=timezone.now() - ago, **more)
    return now_at(match)


def home(client: Client) -> Any:
    return client.get(reverse("home"))


def ids(cards: list[dict[str, Any]]) -> list[int]:
    return [card["id"] for card in cards]


# --- What waits


def test_what_waits_comes_first_the_nearest_deadline_in_front(cast):
    slow = started(cast.alice, cast.bob, control="7d")
    casual = started(cast.alice, "low", control="none")
    soon = started(cast.alice, cast.bob, control="3d", ago=timedelta(days=2, hours=22))
    theirs = started(cast.bob, cast.alice)
    paused = started(cast.alice, cast.bob)
    for seat in (0, 1):
        offers.offer(paused.pk, seat, "pause", now=timezone.now())
    shown = home(cast.at_browser(cast.alice)).context
    assert ids(shown["turns"]) == [soon.pk, slow.pk, casual.pk]
    assert sorted(ids(shown["waiting"])) == sorted([theirs.pk, paused.pk])
    assert [(card["left"], card["urgent"], card["your_turn"]) for card in shown["turns"]] == [
        ("2 h left", True, True), ("7 days left", False, True), ("", False, True),
    ]  # fmt: skip
    assert [card["waits_for"] for card in shown["waiting"] if card["id"] == theirs.pk] == [["bob"]]
    assert [card["paused"] for card in shown["waiting"] if card["id"] == paused.pk] == [True]


def test_a_match_that_one_left_waits_for_nobody(cast):
    match = started(cast.alice, cast.bob, cast.carol, variant="cards-3")
    services.resign(match.pk, 0, now=timezone.now())
    shown = home(cast.at_browser(cast.alice)).context
    assert (shown["turns"], shown["waiting"], shown["watch"]) == ([], [], [])


def test_an_offer_that_waits_for_an_answer_is_on_the_card(cast):
    match = started(cast.alice, cast.bob)
    offers.offer(match.pk, 1, "pause", now=timezone.now())
    assert home(cast.at_browser(cast.alice)).context["turns"][0]["asked"] == ["Pause?"]
    assert home(cast.at_browser(cast.bob)).context["waiting"][0]["asked"] == []


def test_each_picture_shows_what_that_person_may_see(cast):
    match = started(cast.alice, cast.bob, game="blockers", variant="basic-2")

    def drawn(seat: int | None) -> str:
        return match.rules.picture("basic-2", payloads.for_seat(now_at(match), seat)["view"])

    assert home(cast.at_browser(cast.alice)).context["turns"][0]["picture"] == drawn(0)
    assert home(cast.at_browser(cast.bob)).context["waiting"][0]["picture"] == drawn(1)
    for other in (Client(), cast.at_browser(cast.carol)):
        assert home(other).context["watch"][0]["picture"] == drawn(None)


def test_private_matches_are_seen_at_their_own_table_only(cast):
    running = started(cast.alice, cast.bob, private=True)
    over = play_on(started(cast.alice, cast.bob, private=True, control="none"))
    for other in (Client(), cast.at_browser(cast.carol)):
        shown = home(other).context
        assert (shown["watch"], shown["recent"]) == ([], [])
        assert f"/match/{over.pk}/" not in home(other).content.decode()
    assert ids(home(cast.at_browser(cast.alice)).context["turns"]) == [running.pk]


def test_a_newcomer_is_asked_to_take_a_seat_and_shown_the_lobby(client):
    page = home(client).content.decode()
    assert "Take a seat." in page
    assert "Nothing waits for you" not in page
    assert 'href="/lobby/"' in page


# --- Cost


def queries_of(client: Client) -> int:
    replay.recent.clear()
    with CaptureQueriesContext(connection) as captured:
        assert home(client).status_code == 200
    return len(captured)


def test_thirty_matches_need_the_queries_of_three(cast):
    alice = cast.at_browser(cast.alice)

    def some() -> None:
        started(cast.alice, cast.bob)
        started(cast.bob, cast.alice)
        started(cast.carol, cast.bob)
        play_on(started(cast.carol, cast.bob, control="none"))

    some()
    queries_of(alice)  # the first visit of the day notes the browser
    few = queries_of(alice)
    for _ in range(9):
        some()
    assert queries_of(alice) == few <= 14
    assert len(home(alice).context["yours"]) == 20


def test_a_match_whose_plies_were_tampered_with_has_no_picture_and_harms_no_other(cast):
    broken, whole = started(cast.alice, cast.bob), started(cast.alice, cast.bob)
    Match.objects.filter(pk=broken.pk).update(chain="0" * 64)
    shown = {card["id"]: card["picture"] for card in home(cast.at_browser(cast.alice)).context["turns"]}
    assert shown[broken.pk] == ""
    assert shown[whole.pk].startswith("<svg")


def test_positions_are_read_ahead_from_what_is_known_already(cast, django_assert_num_queries):
    known, new = started(cast.alice, cast.bob), started(cast.alice, cast.bob)
    replay.position_of(known)
    services.play_move(known.pk, 0, legal(known), ply=known.ply, now=timezone.now())
    matches = [now_at(known), now_at(new)]
    replay.recent.clear()
    replay.remember(known, replay.position_of(known))
    with django_assert_num_queries(1):
        replay.warm(matches)
    with django_assert_num_queries(0):
        replay.warm(matches)
        assert [replay.position_of(match).ply for match in matches] == [match.ply for match in matches]


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=3, seconds=-1), "3 days left"),
        (timedelta(days=2), "2 days left"),
        (timedelta(hours=47), "47 h left"),
        (timedelta(hours=2), "2 h left"),
        (timedelta(minutes=119), "2 h left"),
        (timedelta(minutes=89), "89 min left"),
        (timedelta(seconds=60), "1 min left"),
        (timedelta(seconds=59), "less than a minute left"),
        (timedelta(0), "time is up"),
        (timedelta(days=-1), "time is up"),
    ],
)
def test_the_time_left_is_said_as_people_say_it(left, words):
    assert gallery.time_left(left) == words


# --- The next match


def test_next_goes_round_all_that_waits_by_deadline_and_never_to_where_one_came_from(cast):
    first, second, third = (started(cast.alice, cast.bob, control=control) for control in ("1d", "3d", "7d"))
    alice = cast.at_browser(cast.alice)

    def after(match: Match | str) -> str:
        return alice.get(reverse("next"), {"after": match.pk if isinstance(match, Match) else match}).url

    assert [after(match) for match in (first, second, third)] == [f"/match/{match.pk}/" for match in (second, third, first)]
    for nonsense in ("", "x", "-1", "9" * 5000):
        assert after(nonsense) == f"/match/{first.pk}/"
    services.play_move(first.pk, 0, legal(first), ply=first.ply, now=timezone.now())
    assert after(first) == f"/match/{second.pk}/"


def test_next_says_kindly_that_nothing_waits(cast):
    match = started(cast.alice, cast.bob)
    for client in (cast.at_browser(cast.bob), Client(), cast.at_browser(cast.alice)):
        response = client.get(reverse("next"), {"after": match.pk}, follow=True)
        assert response.redirect_chain == [(reverse("home"), 302)]
        assert "No other match waits" in response.content.decode()


def test_a_move_by_form_leads_on_to_the_next_match_when_asked(cast):
    first, second = started(cast.alice, cast.bob, control="1d"), started(cast.alice, cast.bob)
    alice = cast.at_browser(cast.alice)

    def play(match: Match, intent: str) -> str:
        values = {"id": intent, "ply": match.ply, "move": legal(match), "then": "next"}
        return alice.post(reverse("match_play", args=[match.pk]), values).url

    assert play(first, "00000000-0000-4000-8000-000000000001") == f"/match/{second.pk}/"
    assert play(second, "00000000-0000-4000-8000-000000000002") == f"/match/{second.pk}/"


# --- The form to play


def test_clock_and_open_seats_are_chosen_and_remembered(client):
    client.post(reverse("play"), CHOICE | {"clock": "5m+5s", "open_seats": "1"})
    match = Match.objects.get()
    assert (match.time_control, match.open_seats, match.pace) == ("5m+5s", True, "live")
    choice = home(client).context["choice"]
    assert (choice["clock"], choice["open_seats"]) == ("5m+5s", True)


def test_one_click_means_no_clock_and_a_closed_table(client):
    client.post(reverse("play"), CHOICE)
    match = Match.objects.get()
    assert (match.time_control, match.open_seats) == ("none", False)


def test_a_table_of_two_has_no_seat_for_people_to_join(client):
    client.post(reverse("play"), CHOICE | {"variant": "duo-2", "open_seats": "1"})
    assert not Match.objects.get().open_seats


def test_a_clock_that_does_not_exist_starts_nothing_and_says_so(client):
    response = client.post(reverse("play"), CHOICE | {"clock": "4d"}, follow=True)
    assert [str(message) for message in response.context["messages"]] == ["A correspondence move has 1, 2, 3, 5, 7, 14 days."]
    assert not Match.objects.exists()


def test_who_starts_too_many_matches_is_asked_to_finish_some(client, monkeypatch):
    monkeypatch.setattr(services, "MOST_STARTED", 2)
    for _ in range(2):
        client.post(reverse("play"), CHOICE)
    response = client.post(reverse("play"), CHOICE, follow=True)
    (message,) = response.context["messages"]
    assert (message.level_tag, "Finish some" in str(message)) == ("warning", True)
    assert Match.objects.count() == 2
