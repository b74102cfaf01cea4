"""Watching: what is listed, in which order, what TV shows and when it moves on; and that nothing hidden is shown."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches import payloads, presence, services
from matches.clock import TimeControl
from matches.models import Match
from matches.services import BotSeat, Person, start_match
from tests.platform.conftest import now_at, play_on

pytestmark = pytest.mark.django_db


def started(game: str, variant: str, *people: Any, rating: int | None = None, control: str = "5m+5s", **more: Any) -> Match:
    """A running match whose people are rated `rating` in the mean."""
    seats = [BotSeat(person) if isinstance(person, str) else Person(person) for person in people]
    match = start_match(game, variant, seats=seats, control=TimeControl.parse(control), now=timezone.now(), **more)
    Match.objects.filter(pk=match.pk).update(rating=rating)
    return now_at(match)


def duo(*people: Any, **more: Any) -> Match:
    return started("blokus", "duo-2", *people, **more)


def listed(client: Client, **query: str) -> list[int]:
    return [card["id"] for card in client.get(reverse("watch"), query).context["cards"]]


def on_air(client: Client, game: str = "blokus") -> dict[str, Any]:
    return client.get(reverse("tv", args=[game])).context["page"]


# --- The list


def test_running_public_matches_are_listed_the_best_rated_first(cast, client):
    low, high, none = duo(cast.alice, cast.bob, rating=1400), duo(cast.alice, cast.bob, rating=1700), duo(cast.alice, cast.bob)
    duo(cast.alice, cast.bob, rating=2000, private=True)
    services.resign(duo(cast.alice, cast.bob, rating=1900).pk, 0, now=timezone.now())
    assert listed(client) == [high.pk, low.pk, none.pk]
    assert listed(cast.at_browser(cast.alice)) == [high.pk, low.pk, none.pk]


def test_the_list_is_narrowed_by_game_and_pace_and_nonsense_does_no_harm(cast, client):
    live, slow = duo(cast.alice, cast.bob), duo(cast.alice, cast.bob, control="3d")
    nibble = started("nibble", "square-9", cast.alice, cast.bob, control="none")
    assert set(listed(client, game="blokus")) == {live.pk, slow.pk}
    assert listed(client, game="blokus", pace="correspondence") == [slow.pk]
    assert listed(client, pace="none") == [nibble.pk]
    for nonsense in ({"game": "chess"}, {"pace": "x"}, {"game": "\x00", "pace": "9" * 999}):
        assert len(listed(client, **nonsense)) == 3


def test_matches_without_a_clock_that_nobody_moves_in_any_more_are_in_no_list_to_watch(cast, client):
    lively, forgotten = duo(cast.guest(), "casual", control="none"), duo(cast.guest(), "casual", control="none", rating=1900)
    live, slow = duo(cast.alice, cast.bob), duo(cast.carol, cast.dave, control="3d")
    duo(cast.ann, cast.ben, private=True)
    over = duo(cast.ann, cast.ben)
    services.resign(over.pk, 0, now=timezone.now())
    hours_ago = timezone.now() - timedelta(hours=1, seconds=1)
    Match.objects.filter(pk__in=[forgotten.pk, live.pk, slow.pk]).update(moved_at=hours_ago)
    watched = {lively.pk, live.pk, slow.pk}
    assert set(Match.objects.alive(timezone.now()).values_list("pk", flat=True)) == watched
    assert set(listed(client)) == watched
    for page in ("home", "lobby"):
        assert {card["id"] for card in client.get(reverse(page)).context["watch"]} == watched


def test_a_card_tells_how_many_are_watching(cast, client):
    match = duo(cast.alice, cast.bob)
    for _ in range(2):
        presence.opened(match, None, timezone.now())
    presence.opened(match, 0, timezone.now())
    response = client.get(reverse("watch"))
    assert response.context["cards"][0]["watching"] == 2
    assert "2 are watching" in response.content.decode()


def test_spectators_are_shown_what_everybody_may_see_and_people_their_own(cast, client):
    match = started("blockers", "basic-2", cast.alice, cast.bob, control="3d")
    started("blockers", "basic-2", cast.carol, cast.dave, control="3d")

    def drawn(seat: int | None) -> str:
        return match.rules.picture("basic-2", payloads.for_seat(now_at(match), seat)["view"])

    def pictures(browser: Client) -> dict[int, str]:
        return {card["id"]: card["picture"] for card in browser.get(reverse("watch")).context["cards"]}

    assert pictures(client)[match.pk] == pictures(cast.at_browser(cast.carol))[match.pk] == drawn(None)
    assert pictures(cast.at_browser(cast.bob))[match.pk] == drawn(1)


def test_the_list_needs_the_same_queries_for_few_and_many(cast, client, django_assert_max_num_queries):
    for _ in range(12):
        duo(cast.alice, cast.bob)
    with django_assert_max_num_queries(8):
        client.get(reverse("watch"))


# --- TV


def test_tv_shows_the_best_rated_live_match_and_names_the_way_back(cast, client):
    duo(cast.alice, cast.bob, rating=1500)
    best = duo(cast.alice, cast.bob, rating=1600)
    duo(cast.alice, cast.bob, rating=2400, control="3d")
    duo(cast.alice, cast.bob, rating=2500, private=True)
    started("nibble", "square-9", cast.alice, cast.bob, rating=2600)
    page = on_air(client)
    assert (page["match"], page["tv"], page["position"]["seat"]) == (best.pk, "/tv/blokus/", None)


def test_tv_moves_on_when_a_match_ends_to_any_other_with_people_and_then_to_the_last_replay(cast, client):
    live, slow = duo(cast.alice, cast.bob, rating=1500), duo(cast.alice, cast.bob, control="3d")
    left_to_bots = started("blokus", "classic-3", cast.alice, "casual", "casual", control="none")
    services.resign(left_to_bots.pk, 0, now=timezone.now())
    assert now_at(left_to_bots).running
    assert on_air(client)["match"] == live.pk
    services.resign(live.pk, 0, now=timezone.now())
    assert on_air(client)["match"] == slow.pk
    services.resign(slow.pk, 0, now=timezone.now() + timedelta(minutes=1))
    silent = client.get(reverse("tv", args=["blokus"]))
    assert silent.context["last"]["id"] == slow.pk
    assert reverse("replay", args=[slow.pk]) in silent.content.decode()


def test_tv_does_not_show_a_match_that_was_forgotten(cast, client):
    match = started("nibble", "square-9", cast.guest(), "casual", control="none")
    assert on_air(client, "nibble")["match"] == match.pk
    Match.objects.update(moved_at=timezone.now() - timedelta(hours=1, seconds=1))
    assert client.get(reverse("tv", args=["nibble"])).context["last"] is None


def test_tv_of_a_game_that_nobody_ever_played_says_so(client):
    response = client.get(reverse("tv", args=["blokus"]))
    assert (response.status_code, response.context["last"]) == (200, None)
    assert "Nobody is playing just now." in response.content.decode()
    assert client.get(reverse("tv", args=["chess"])).status_code == 404


def test_who_sits_at_the_match_on_tv_sees_the_own_seat_and_everybody_else_nothing_hidden(cast, client):
    match = started("blockers", "basic-2", cast.alice, cast.bob)
    started("blockers", "basic-2", cast.carol, cast.dave, control="3d")
    for browser, seat in ((cast.at_browser(cast.bob), 1), (cast.at_browser(cast.carol), None), (client, None)):
        page = on_air(browser, "blockers")
        assert (page["match"], page["position"]["seat"]) == (match.pk, seat)
        assert page["position"]["view"] == payloads.for_seat(now_at(match), seat)["view"]


def test_a_finished_private_match_is_not_the_last_of_tv(cast, client):
    play_on(started("cards", "cards-2", cast.alice, cast.bob, control="none", private=True))
    assert client.get(reverse("tv", args=["cards"])).context["last"] is None
