"""Who is at a match: leases that beats renew, and that run out by themselves."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async as in_db
from channels.layers import get_channel_layer
from django.db import connection
from django.db.models import F
from django.utils import timezone

from matches import announce, consumers, crier, presence, tasks
from matches.announce import group_of
from matches.models import Connection
from matches.services import play_move, resign
from tests.platform.conftest import NOW, held, legal, now_at
from tests.platform.test_socket import Socket, opened
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.long]

BEAT = timedelta(seconds=5)
SILENCE = timedelta(seconds=consumers.SILENCE_SECONDS)
"""As the site has it; the other tests of the platform have more patience."""


@pytest.fixture
def duel(cast, table):
    match = table("cards-2", cast.alice, cast.bob)
    match.alice, match.bob = map(cast.at_browser, (cast.alice, cast.bob))
    return match


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def at(match: Any, now: datetime) -> tuple[list[bool], int]:
    return presence.here(match, now), presence.watching(match, now)


# --- Leases


def test_a_lease_holds_while_it_is_renewed_and_runs_out_by_itself(duel):
    lease = presence.opened(duel, 0, NOW)
    assert at(duel, after(9)) == ([True, False], 0)
    assert presence.renewed(lease, duel, 0, 0, after(9)) == lease
    assert at(duel, after(18)) == ([True, False], 0)
    assert at(duel, after(19)) == ([False, False], 0)


def test_who_is_cut_off_is_shown_away_fifteen_seconds_later_at_most():
    assert timedelta(seconds=15) >= presence.LEASE + BEAT


def test_bots_are_always_here_and_each_spectator_counts_once_a_socket(cast, table):
    match = table("cards-3", cast.alice, "low", "any")
    presence.opened(match, None, NOW)
    second = presence.opened(match, None, NOW)
    other = table("cards-2", cast.alice, cast.bob)
    presence.opened(other, None, NOW)
    assert at(match, NOW) == ([False, True, True], 2)
    assert presence.watching_each([match.pk, other.pk, 10**9], NOW) == {match.pk: 2, other.pk: 1}
    presence.closed(second, NOW)
    assert presence.at(match, NOW) == presence.Presence((False, True, True), 1)


def test_two_tabs_of_a_seat_are_one_person_who_is_away_when_both_are_closed(duel):
    one, other = presence.opened(duel, 0, NOW), presence.opened(duel, 0, NOW)
    presence.closed(one, after(1))
    assert presence.here(duel, after(2)) == [True, False]
    presence.closed(other, after(3))
    assert presence.here(duel, after(3)) == [False, False]


def test_a_seat_keeps_its_connections_and_a_spectator_leaves_none(duel):
    seated, watching = presence.opened(duel, 0, NOW), presence.opened(duel, None, NOW)
    presence.renewed(seated, duel, 0, 37, after(5))
    for lease in (seated, watching, None):
        presence.closed(lease, after(7))
        presence.closed(lease, after(9))
    (row,) = Connection.objects.all()
    assert (row.seat, row.opened_at, row.closed_at, row.lag_ms) == (0, NOW, after(7), 37)


def test_a_beat_after_the_sweep_opens_the_lease_anew_and_the_gap_is_kept(duel):
    lease = presence.opened(duel, 0, NOW)
    assert presence.sweep(after(61)) == 1
    again = presence.renewed(lease, duel, 0, 0, after(62))
    assert again != lease
    assert [(row.opened_at, row.closed_at) for row in Connection.objects.all()] == [(NOW, NOW), (after(62), None)]
    assert presence.here(duel, after(62)) == [True, False]


def test_who_watched_and_then_sits_down_has_a_lease_of_the_seat(duel):
    lease = presence.opened(duel, None, NOW)
    presence.renewed(lease, duel, 1, 0, after(5))
    assert at(duel, after(6)) == ([False, True], 0)
    assert Connection.objects.count() == 1


def test_the_sweep_closes_what_was_cut_off_and_leaves_the_living_alone(duel):
    for seat in (0, None):
        presence.opened(duel, seat, NOW)
        presence.renewed(presence.opened(duel, seat, NOW), duel, seat, 0, after(30))
    assert presence.sweep(after(59)) == 0
    assert presence.sweep(after(70)) == 2
    assert [(row.seat, row.closed_at) for row in Connection.objects.all()] == [(0, NOW), (0, None), (None, None)]
    tasks.leases()
    assert [row.seat for row in Connection.objects.filter(closed_at=None)] == []


def test_who_is_away_has_been_so_since_the_last_sign_of_life(duel):
    assert presence.away(duel, [0, 1], after(30)) == {0: NOW, 1: NOW}
    lease = presence.opened(duel, 0, after(30))
    assert presence.away(duel, [0, 1], after(31)) == {1: NOW}
    presence.renewed(lease, duel, 0, 0, after(35))
    assert presence.away(duel, [0], after(50)) == {0: after(35)}
    other = presence.opened(duel, 0, after(60))
    presence.closed(other, after(64))
    assert presence.away(duel, [0, 1], after(65)) == {0: after(64), 1: NOW}
    play_move(duel.pk, 0, legal(duel), ply=duel.ply, client_id=uuid4(), now=after(80))
    assert presence.away(duel, [0, 1], after(90)) == {0: after(80), 1: NOW}
    assert presence.away(duel, [], after(90)) == {}


# --- At once


@pytest.mark.django_db(transaction=True)
def test_a_beat_and_the_sweep_at_once_leave_the_living_with_a_lease(duel):
    late = after(61)
    for _ in range(8):
        lease = presence.opened(duel, 0, NOW)
        at_once(lambda lease=lease: presence.renewed(lease, duel, 0, 0, late), lambda: presence.sweep(late))
        assert presence.here(duel, late) == [True, False]
        Connection.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_leases_are_renewed_while_a_move_holds_the_match(duel):
    lease = presence.opened(duel, 0, NOW)
    with held(duel):
        assert presence.renewed(lease, duel, 0, 0, after(5)) == lease
        presence.closed(lease, after(6))


@pytest.mark.django_db(transaction=True)
def test_a_lease_does_not_wait_for_the_disk_and_what_follows_on_the_connection_does(duel):
    def setting() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            (value,) = cursor.fetchone()
        return value

    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    with presence._hurried():
        assert setting() == "off"
    presence.opened(duel, 0, NOW)
    assert setting() == "on"


# --- Sockets


def age(seconds: float) -> None:
    """Let so much time have passed for all leases."""
    passed = timedelta(seconds=seconds)
    Connection.objects.update(seen_at=F("seen_at") - passed, opened_at=F("opened_at") - passed)


async def presence_of(socket: Socket, **wanted: Any) -> dict[str, Any]:
    """The next frame that says what is wanted about who is here."""
    while True:
        frame = await socket.get("presence")
        if wanted.items() <= frame.items():
            return frame


@pytest.mark.django_db(transaction=True)
async def test_who_comes_and_goes_is_said_to_the_others(duel, monkeypatch):
    monkeypatch.setattr(crier, "MOMENT_SECONDS", 0.01)
    async with opened(duel, duel.alice) as alice:
        await alice.position()
        async with opened(duel, duel.bob):
            await presence_of(alice, here=[True, True], watching=0)
        await presence_of(alice, here=[True, False], watching=0)
        async with opened(duel):
            await presence_of(alice, here=[True, False], watching=1)
        await presence_of(alice, here=[True, False], watching=0)


@pytest.mark.django_db(transaction=True)
async def test_a_process_that_was_killed_leaves_a_seat_that_is_shown_away_by_its_lease(duel):
    async with opened(duel, duel.alice) as alice:
        bob = Socket(duel.pk, duel.bob)
        await bob.wire.connect()
        await bob.position()
        await alice.send(type="beat", version=duel.version)
        assert (await alice.get("beat"))["here"] == [True, True]
        bob.wire.future.cancel()  # it never gets to say goodbye
        with suppress(asyncio.CancelledError):
            await bob.wire.future
        await in_db(age)((presence.LEASE - timedelta(seconds=2)).total_seconds())
        await alice.send(type="beat", version=duel.version)
        assert (await alice.get("beat"))["here"] == [True, True]
        await in_db(age)(2)
        await alice.send(type="beat", version=duel.version)
        assert (await alice.get("beat"))["here"] == [True, False]


@pytest.mark.django_db(transaction=True)
async def test_forty_who_come_at_once_are_said_in_a_few_frames(duel, monkeypatch):
    readings: Counter[int] = Counter()
    say = announce.presence

    def counted(match_id: int, here: Any, watching: int) -> None:
        readings[match_id] += 1
        say(match_id, here, watching)

    monkeypatch.setattr(announce, "presence", counted)
    monkeypatch.setattr(crier, "MOMENT_SECONDS", 0.2)
    async with opened(duel, duel.alice) as alice:
        await presence_of(alice, watching=0)
        readings.clear()
        began = asyncio.get_running_loop().time()
        crowd = [Socket(duel.pk, None) for _ in range(40)]
        for socket in crowd:
            await socket.wire.connect()
        frames = 1
        while (await alice.get("presence"))["watching"] < len(crowd):
            frames += 1
        moments = (asyncio.get_running_loop().time() - began) / crier.MOMENT_SECONDS
        assert frames <= readings[duel.pk] <= moments + 1
        for socket in crowd:
            await socket.wire.disconnect()
        await presence_of(alice, watching=0)


@pytest.mark.django_db(transaction=True)
async def test_a_reload_within_the_moment_is_not_said_at_all(duel, monkeypatch):
    monkeypatch.setattr(crier, "MOMENT_SECONDS", 0.01)
    async with opened(duel, duel.alice) as alice:
        async with opened(duel, duel.bob):
            await presence_of(alice, here=[True, True])
            hints = await listen(duel)
            monkeypatch.setattr(crier, "MOMENT_SECONDS", 3600)  # ended by hand below, however slow the machine is
        async with opened(duel, duel.bob) as bob:
            await bob.position()
            moment = crier._tasks[duel.pk]
            await in_db(crier._say)(duel.pk)
            message = await hints()
            assert (message["here"], message["watching"]) == ([True, True], 0)
            assert await alice.wire.receive_nothing(0.1)
        assert crier._tasks[duel.pk] is moment
    moment.cancel()


async def listen(match: Any) -> Any:
    """Hear the hints to a match's sockets from now on."""
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(group_of(match.pk), channel)
    return lambda: asyncio.wait_for(layer.receive(channel), 5)


@pytest.mark.django_db(transaction=True)
async def test_nobody_hears_who_is_at_a_private_match_without_being_at_it(cast, table, monkeypatch):
    monkeypatch.setattr(crier, "MOMENT_SECONDS", 0.01)
    match = await in_db(lambda: table("cards-2", cast.alice, cast.bob, private=True))()
    carol = await in_db(lambda: cast.at_browser(cast.carol))()
    for client in (carol, None):
        async with opened(match, client) as socket:
            await get_channel_layer().group_send(group_of(match.pk), {"type": "match.presence", "here": [True, True], "watching": 0})
            output = await socket.wire.receive_output(timeout=5)
            assert (output["type"], output["code"]) == ("websocket.close", 4404)
    assert not await in_db(Connection.objects.filter(match=match).exists)()


@pytest.mark.django_db(transaction=True)
async def test_a_socket_without_a_lease_gets_one_with_its_next_beat(duel):
    async with opened(duel, duel.alice) as alice:
        await alice.position()
        await in_db(Connection.objects.all().delete)()
        await alice.send(type="beat", version=duel.version)
        assert (await alice.get("beat"))["here"] == [True, False]
        row = await in_db(Connection.objects.get)()
        assert (row.seat, row.closed_at) == (0, None)
        assert timezone.now() - row.seen_at < presence.LEASE


@pytest.mark.django_db(transaction=True)
async def test_lag_is_measured_by_echoes_and_kept_with_the_connection(duel):
    async with opened(duel, duel.alice) as alice:
        for _ in range(3):
            await alice.send(type="beat", version=duel.version)
            beat = await alice.get("beat")
            await alice.send(type="echo", mark=beat["mark"])
            await alice.send(type="echo", mark=beat["mark"] + 1000)
        await alice.send(type="beat", version=duel.version)
        await alice.get("beat")
    (row,) = await in_db(lambda: list(Connection.objects.filter(match=duel, seat=0)))()
    assert 1 <= row.lag_ms < 1000
    assert row.closed_at is not None


def test_who_left_is_here_as_long_as_the_page_is_open(cast, table):
    match = table("cards-3", cast.alice, cast.bob, cast.carol)
    presence.opened(match, 0, NOW)
    resign(match.pk, 0, now=NOW)
    assert presence.here(now_at(match), NOW) == [True, False, False]


@pytest.mark.django_db(transaction=True)
async def test_a_page_in_the_background_that_hardly_beats_is_asked_and_stays_here_by_its_echoes(duel, monkeypatch):
    monkeypatch.setattr(consumers, "SILENCE_SECONDS", 0.2)
    async with opened(duel, duel.bob) as bob:
        await bob.position()
        before = await in_db(Connection.objects.get)(seat=1)
        for _ in range(2):
            asked = await bob.get("beat")
            assert (asked["version"], asked["here"]) == (duel.version, [False, True])
            await bob.send(type="echo", mark=asked["mark"])
        await bob.get("beat")
        after_echoes = await in_db(Connection.objects.get)(seat=1)
    assert after_echoes.pk == before.pk
    assert after_echoes.seen_at > before.seen_at
    assert after_echoes.lag_ms is not None


@pytest.mark.django_db(transaction=True)
async def test_whoever_is_asked_and_does_not_answer_keeps_no_lease(duel, monkeypatch):
    monkeypatch.setattr(consumers, "SILENCE_SECONDS", 0.05)
    async with opened(duel, duel.bob) as bob:
        await bob.position()
        before = await in_db(Connection.objects.get)(seat=1)
        for _ in range(3):
            await bob.get("beat")
        assert (await in_db(Connection.objects.get)(seat=1)).seen_at == before.seen_at


def test_the_silent_are_asked_before_their_lease_runs_out_and_those_who_beat_are_not():
    assert BEAT < SILENCE < presence.LEASE - timedelta(seconds=2)
