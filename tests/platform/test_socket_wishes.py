"""What else a seat may ask for over its socket: offers, choosing ahead, another seat, a look at the clock."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async as in_db
from django.utils import timezone

from matches.clock import TimeControl
from matches.models import Match
from matches.services import Person, start_match
from tests.platform.conftest import legal, now_at
from tests.platform.test_socket import opened

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def duel(cast, table):
    """A match of alice, to move, against bob, with their browsers."""
    match = table("cards-2", cast.alice, cast.bob)
    match.alice, match.bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    return match


async def test_offers_are_made_agreed_to_and_declined_over_the_socket(duel):
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob, opened(duel) as watcher:
        await alice.position()
        await bob.position()
        await watcher.send(type="offer", id=str(uuid4()), kind="abort")
        assert (await watcher.get("refused"))["code"] == "not_seated"
        await alice.send(type="offer", id=str(uuid4()), kind="sandwich")
        assert (await alice.get("refused"))["code"] == "no_offer"
        await alice.send(type="offer", id=str(uuid4()), kind="abort")
        await alice.get("ack")
        assert (await bob.get("position"))["offers"]["abort"]["by"] == 0
        await bob.send(type="decline", id=str(uuid4()), kind="abort")
        await bob.get("ack")
        await bob.send(type="decline", id=str(uuid4()), kind="abort")
        assert (await bob.get("refused"))["code"] == "no_offer"
        for socket in (alice, bob):
            await socket.send(type="offer", id=str(uuid4()), kind="abort")
            await socket.get("ack")
    assert (await in_db(now_at)(duel)).status == "aborted"


async def test_a_bots_seat_is_taken_over_by_who_is_somebody(cast, table):
    match = await in_db(lambda: table("cards-2", cast.alice, "low", open_seats=True))()
    carol = await in_db(lambda: cast.at_browser(cast.carol))()
    async with opened(match) as nobody, opened(match, carol) as socket:
        await nobody.send(type="take_over", id=str(uuid4()), seat=1)
        assert (await nobody.get("refused"))["message"].startswith("Sign in")
        assert (await socket.position())["seat"] is None
        await socket.send(type="take_over", id=str(uuid4()), seat=1)
        await socket.get("ack")
        assert (await socket.position())["seat"] == 1


async def test_nobody_calls_time_on_somebody_who_is_there(duel):
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob):
        await alice.send(type="call_time", id=str(uuid4()), seat=1)
        assert (await alice.get("refused"))["code"] == "not_now"
        await alice.send(type="call_time", id=str(uuid4()), seat=7)
        assert (await alice.get("refused"))["code"] == "not_seated"
        await alice.send(type="resume", id=str(uuid4()))
        await alice.get("ack")


async def test_the_plies_that_a_seat_was_shown_are_kept_and_only_grow(duel):
    async def seen() -> list[int]:
        return [seat.seen_ply for seat in (await in_db(now_at)(duel)).seats.all()]

    async with opened(duel, duel.alice) as alice, opened(duel) as watcher:
        for socket, ply in ((watcher, duel.ply), (alice, duel.ply), (alice, 0), (alice, duel.ply + 1), (alice, -1)):
            await socket.send(type="seen", ply=ply)
            await socket.position()  # answered in turn, so the frame before was done
    assert await seen() == [duel.ply, 0]


async def test_a_seat_chooses_ahead_from_its_own_cards_and_nobody_from_anothers(duel):
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob, opened(duel) as watcher:
        hand = (await bob.position())["view"]["hand"]
        answers = {}
        for name, socket in (("alice", alice), ("bob", bob), ("watcher", watcher)):
            intent = str(uuid4())
            await socket.send(type="ahead", id=intent)
            answers[name] = await socket.get("ahead")
            assert (answers[name]["id"], answers[name]["ply"]) == (intent, duel.ply)
        assert (answers["alice"]["offer"], answers["watcher"]["offer"]) == (None, None)
        assert sorted(map(int, answers["bob"]["offer"])) == sorted(hand)
        await alice.send(type="resign", id=str(uuid4()))
        await alice.get("ack")
        await bob.send(type="ahead", id=str(uuid4()))
        assert (await bob.get("ahead"))["offer"] is None


# --- Clocks


@pytest.fixture
def blitz(cast):
    """A live match of alice against bob that begins now."""
    match = start_match(
        "cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], control=TimeControl.parse("5m+8s"), now=timezone.now()
    )
    match.alice, match.bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    return match


async def test_a_browser_is_given_back_the_lag_of_its_echoes_and_nothing_for_invented_ones(blitz):
    async with opened(blitz, blitz.alice) as alice:
        for mark in range(50, 60):
            await alice.send(type="echo", mark=mark)
        await alice.move(await in_db(legal)(blitz), blitz.ply)
        await alice.get("ack")
    async with opened(blitz, blitz.bob) as bob:
        match = await in_db(now_at)(blitz)
        await bob.send(type="beat", version=-1)
        await bob.send(type="echo", mark=(await bob.get("beat"))["mark"])
        await bob.move(await in_db(legal)(match), match.ply)
        await bob.get("ack")
    first, second = await in_db(lambda: list(blitz.moves.filter(seat__isnull=False)))()
    assert first.lag_ms == 0
    assert 0 < second.lag_ms < 1000


async def test_a_clock_that_a_page_shows_at_nothing_is_looked_at_by_the_server(blitz):
    def set_back(seconds: int) -> None:
        stored = now_at(blitz)
        span = timedelta(seconds=seconds)
        Match.objects.filter(pk=blitz.pk).update(since=stored.since - span, deadline=stored.deadline - span)

    async with opened(blitz, blitz.bob) as bob:
        await bob.position()
        await bob.send(type="flag")
        assert (await bob.position())["status"] == "running"
        await in_db(set_back)(70)
        await bob.send(type="flag")
        assert (await bob.get("position"))["status"] == "aborted"


async def test_a_private_matchs_clock_is_looked_at_for_its_table_only(cast):
    def set_up() -> Any:
        match = start_match("cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], private=True, now=timezone.now())
        match.carol = cast.at_browser(cast.carol)
        return match

    match = await in_db(set_up)()
    for frame in ({"type": "flag"}, {"type": "beat", "version": -1}, {"type": "ahead", "id": str(uuid4())}):
        async with opened(match, match.carol) as carol:
            await carol.send(**frame)
            assert await carol.closed() == 4404
