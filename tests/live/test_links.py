"""Links that lose, repeat, delay and swap, that go silent or flap, and clients that never read: all ends show the same in the end."""

from __future__ import annotations

import asyncio
import json
import socket
import time
import urllib.request
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import psutil
import pytest
import redis
from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from matches import consumers, sockets
from matches.models import Connection, Match
from tests.live.arena import (
    GAMES,
    SCALE,
    Board,
    at_rest,
    fresh,
    hold,
    in_a_loop,
    players,
    running,
    spectator,
    stored_everything,
    strain,
    times,
    to_the_end,
    until,
)
from tests.live.player import GONE, SILENCE, Player
from tests.live.proxy import Faults, Proxy
from tests.platform.conftest import held


def daphne(site: Any) -> psutil.Process:
    return psutil.Process(site.processes["web"].pid)


@in_a_loop
async def test_after_drops_repeats_delays_and_swaps_every_client_shows_what_the_server_has(site, chance):
    faults = Faults(drop=0.05, repeat=0.05, swap=0.05, delay=0.05, delay_seconds=0.2)
    async with Proxy(site.port, faults, chance.randrange(2**32)) as proxy:
        clients: list[Player] = []
        for game, variant in GAMES:
            for _ in range(times(1)):
                board = await fresh(chance, game, variant, plies=8)
                clients += [*players(site.url, board, chance, port=proxy.port), spectator(site.url, board, port=proxy.port)]
        async with running(clients):
            await to_the_end(clients, 90 * SCALE)


@in_a_loop
async def test_who_comes_and_goes_all_the_time_disturbs_nobody_who_stays(site, chance):
    boards = [await fresh(chance, *GAMES[at % 2]) for at in range(times(2))]
    staying = [client for board in boards for client in players(site.url, board, chance, think=0.05)]
    async with Proxy(site.port) as proxy:
        flapping = [spectator(site.url, board, port=proxy.port) for board in boards for _ in range(3)]
        async with running(flapping):
            async with running(staying):
                while not at_rest(staying)():
                    proxy.cut()
                    await asyncio.sleep(chance.uniform(0.05, 0.5))
                hold(staying)
            assert all(stored_everything(board) for board in boards)
            assert not any(client.ledger.closed for client in staying)
            await to_the_end(flapping, 20)
            assert all(client.ledger.closed for client in flapping)


@in_a_loop
async def test_what_is_played_between_the_page_and_its_socket_is_on_the_page_in_the_end(site, chance):
    board = await fresh(chance, "nibble", "square-9", plies=16)
    clients = players(site.url, board, chance)
    late = [spectator(site.url, board) for _ in range(times(12))]
    async with running(clients):
        for newcomer in late:
            async with running([newcomer]):
                await until(lambda newcomer=newcomer: newcomer.version >= 0, 10, "the position of a newcomer")
                await until(lambda newcomer=newcomer: newcomer.version >= board.now().version, 10, "a newcomer up to date")
        await to_the_end(clients, 40)
    for newcomer in late:
        newcomer.ledger.last = None  # it went before the end; what it was shown on the way must be so all the same
    hold([*clients, *late])


@in_a_loop
async def test_a_link_that_leads_nowhere_without_a_word_is_given_up_and_the_move_arrives(site, chance):
    board = await fresh(chance, plies=6)
    async with Proxy(site.port) as proxy:
        clients = players(site.url, board, chance, port=proxy.port, upto=2)
        async with running(clients):
            await to_the_end(clients, 15)
            proxy.freeze()
            for client in clients:
                client.upto = 6
            took = await until(lambda: all(len(client.ledger.opened) > 1 for client in clients), SILENCE + 8, "back again")
            assert took > SILENCE - 6
            await to_the_end(clients, 15)
    assert stored_everything(board)


@in_a_loop
async def test_who_goes_silent_is_shown_away_within_fifteen_seconds(site, chance):
    board = await fresh(chance, plies=1)
    async with Proxy(site.port) as proxy:
        near, far = players(site.url, board, chance)
        far.port = proxy.port
        async with running([near]), running([far]):
            await until(lambda: near.here == [True, True], 10, "both here")
            proxy.freeze()
            proxy.refuses = True  # its page would be back before everybody is told that it was away
            took = await until(lambda: near.here == [True, False], 16, "one away")
            assert took > 4


@in_a_loop
async def test_one_match_that_is_held_for_two_seconds_holds_up_no_other(site, chance):
    stuck, *others = [await fresh(chance, "nibble", "square-9", plies=12) for _ in range(4)]
    waiting = players(site.url, stuck, chance)
    moving = [client for board in others for client in players(site.url, board, chance)]
    async with running(waiting):
        await until(lambda: stuck.now().ply > 2, 15, "the first moves")
        with held(stuck.now()):
            before = stuck.now().ply
            async with running(moving):
                await until(lambda: min(len(client.ledger.acks) for client in moving) >= 2, 9, "other moves")
                assert stuck.now().ply == before
        async with running(moving):
            await to_the_end([*waiting, *moving], 40)
    assert stored_everything(stuck)


@in_a_loop
async def test_whoever_never_reads_is_closed_and_costs_no_memory(site, chance):
    board = await fresh(chance)
    wires, before = [deaf(site, board) for _ in range(times(10))], daphne(site).memory_info().rss
    await until(lambda: Connection.objects.filter(match=board.match, closed_at=None).count() == len(wires), 20, "all there")
    asked = time.monotonic()
    for wire in wires:
        wire.setblocking(False)
    while left := Connection.objects.filter(match=board.match, closed_at=None).count():
        for wire in wires:
            with suppress(OSError):  # it was closed, or takes no more
                wire.send(ASKS)
        assert time.monotonic() - asked < 150 * strain(), f"{left} are still served"
        await asyncio.sleep(0.25)
    assert daphne(site).memory_info().rss - before < 50 * 2**20
    for wire in wires:
        wire.settimeout(5)
        got = 0
        with suppress(ConnectionResetError):
            while chunk := wire.recv(2**16):  # to the end that the server has made
                got += len(chunk)
        assert got < consumers.MOST_UNSEEN + 2**16
        wire.close()


BEAT = b'{"type":"beat","version":-1}'
ASKS = bytes([0x81, 0x80 | len(BEAT), 0, 0, 0, 0]) + BEAT
"""A frame that asks for the whole position, under a mask that changes nothing."""


def deaf(site: Any, board: Board) -> socket.socket:
    """The socket of the seat to move, whose page never reads."""
    wire = socket.create_connection(("127.0.0.1", site.port))
    wire.sendall(
        f"GET /ws/match/{board.match}/ HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.url}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Cookie: {board.cookies[0]}\r\n\r\n".encode()
    )
    return wire


@in_a_loop
async def test_thousands_of_fragments_and_ten_megabytes_close_the_socket_and_cost_no_memory(site, chance):
    board = await fresh(chance)
    before = daphne(site).memory_info().rss

    async def fragments() -> Any:
        for _ in range(100_000):
            yield "x"

    for message in ("x" * (17 * 1024), "x" * 10_000_000, fragments()):
        async with spectator(site.url, board).dial() as wire:
            with pytest.raises(ConnectionClosed) as closed:
                await wire.send(message)
                while True:
                    await asyncio.wait_for(wire.recv(), 10)
            assert closed.value.rcvd is None or closed.value.rcvd.code == sockets.TOO_BIG
    assert daphne(site).memory_info().rss - before < 20 * 2**20


@in_a_loop
async def test_hundreds_of_connects_and_aborts_leak_nothing_and_stall_nobody(site, hints, chance):
    board = await fresh(chance)
    (mover, _) = players(site.url, board, chance)
    store = redis.Redis(unix_socket_path=str(hints.socket_path))

    def held_now() -> tuple[int, int, int]:
        return store.info("clients")["connected_clients"], daphne(site).num_fds(), len(store.pubsub_channels())

    async def crowd() -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(20):
                group.create_task(aborted(mover, board))

    await crowd()  # the first one fills the pool of database connections
    await until(lambda: held_now()[2] == 0, 30, "the first ones gone")
    before = held_now()
    worst = 0.0
    for _ in range(times(8)):
        await crowd()
        began = time.monotonic()
        await asyncio.to_thread(lambda: urllib.request.urlopen(f"{site.url}/healthz", timeout=10).close())
        worst = max(worst, time.monotonic() - began)
    await until(lambda: all(now <= then + 5 for now, then in zip(held_now(), before, strict=True)), 30, f"as few as before: {before}")
    assert worst < 5 * strain()
    assert "took too long to shut down" not in site.log("web").read_text()
    assert board.now().ply == 1


async def aborted(player: Player, board: Board) -> None:
    """Connect, send a move, and reset the line while it is being decided."""
    with suppress(*GONE):
        wire = await player.dial()
        await wire.send(json.dumps({"type": "move", "id": str(uuid4()), "ply": 0, "text": board.script[1]}))
        wire.transport.abort()
        await wire.wait_closed()


@in_a_loop
async def test_a_move_made_while_the_own_clock_shows_something_is_in_time_over_a_slow_link(site, chance):
    board = await fresh(chance, plies=3)
    async with Proxy(site.port, Faults(latency=0.1, jitter=0.05), chance.randrange(2**32)) as proxy:
        clients = players(site.url, board, chance, port=proxy.port, upto=2)
        async with running(clients):
            await to_the_end(clients, 20)
            await until(lambda: lag(board) is not None, 15, "a measured lag")
            await shorten(board, 4.0)
            one = clients[0]
            await until(lambda: bool(one.ledger.last and one.ledger.last["version"] == board.now().version), 10, "the short clock")
            shown = await clock_shown(one, board)
            assert one.wire is not None
            await asyncio.sleep(shown - 0.15)  # so long does the person think
            await one.wire.send(json.dumps({"type": "move", "id": str(uuid4()), "ply": 2, "text": board.script[3]}))
            await until(lambda: board.now().version > one.version, 10, "what became of the move")
    row = board.now().moves.filter(ply=3).first()
    assert row is not None, "it came too late"
    assert row.left_ms is not None
    assert row.left_ms < 9000  # the clock stood at nothing, and eight seconds came on top


def lag(board: Board) -> int | None:
    return Connection.objects.filter(match=board.match, seat=0, closed_at=None).values_list("lag_ms", flat=True).first()


async def shorten(board: Board, seconds: float) -> None:
    """Set the clock of the seat to move, as if it had long thought before."""
    match, now = board.now(), timezone.now()
    match.clock["left"][match.to_move] = round(seconds * 1000)
    Match.objects.filter(pk=match.pk).update(
        clock=match.clock, since=now, deadline=now + timedelta(seconds=seconds), version=match.version + 1
    )


async def clock_shown(player: Player, board: Board) -> float:
    """Seconds on the mover's clock as its page reckons them, by the deadline and the server's time with half a round trip."""
    async with player.dial() as wire:
        best = (9.9, 0.0)
        for _ in range(5):
            sent = time.monotonic()
            await wire.send(json.dumps({"type": "beat", "version": player.version}))
            while (frame := json.loads(await wire.recv()))["type"] != "beat":
                pass
            heard = time.monotonic()
            trip = heard - sent
            best = min(best, (trip, datetime.fromisoformat(frame["now"]).timestamp() + trip / 2 - heard))
    deadline = board.now().deadline
    assert deadline is not None
    return float(deadline.timestamp() - (time.monotonic() + best[1]))
