"""Processes and servers that are killed in the middle of many matches: nobody loses a move, a match on time, or the connection for long."""

from __future__ import annotations

import asyncio
import os
import random
from datetime import timedelta
from typing import Any

import redis
from django.utils import timezone

from matches import outages, timekeeping
from matches.clock import GRACE_MS
from matches.models import Event, FollowUp, Match, Outage
from matches.replay import position_of
from tests.live.arena import (
    GAMES,
    Board,
    at_rest,
    fresh,
    hold,
    in_a_loop,
    players,
    plies,
    rest,
    running,
    spectator,
    stored_everything,
    strain,
    times,
    to_the_end,
    until,
)
from tests.live.player import Player

BACK = 10
"""Seconds within which all play again."""


async def hall(site: Any, chance: random.Random, matches: int, **more: Any) -> tuple[list[Board], list[Player]]:
    """Many matches of all games, with a client at each seat."""
    boards = [await fresh(chance, *GAMES[at % len(GAMES)], **more) for at in range(matches)]
    return boards, [client for board in boards for client in players(site.url, board, chance, think=chance.uniform(0.1, 0.4))]


def acked(clients: list[Player]) -> int:
    return sum(len(client.ledger.acks) for client in clients)


async def off(act: Any, *args: Any) -> Any:
    """Something that blocks, beside the loop, so that the clients go on."""
    return await asyncio.to_thread(act, *args)


@in_a_loop
async def test_a_killed_web_process_costs_nobody_a_move_or_time_and_all_are_back_in_ten_seconds(site, hints, chance):
    boards, clients = await hall(site, chance, times(20), plies=24)
    store = redis.Redis(unix_socket_path=str(hints.socket_path))
    async with running(clients):
        # Everybody's clock runs: the first moves, which have a window of their own, are made.
        await until(lambda: min(plies(boards)) >= 3, 60, "the first moves")
        # In half of the matches nobody moves just now, so that the newest thing on their pages will be the time given back.
        calm = [client for client in clients if client.match in [board.match for board in boards[::2]]]
        for client in calm:
            client.upto = 0
        await rest(calm, 30)
        began = timezone.now()
        site.kill("web")
        await until(lambda: not store.pubsub_channels(), 10, "hints for a process that is gone")
        # Whoever had little time left would have lost by now.
        short = timezone.now() + timedelta(seconds=1)
        ids = [board.match for board in boards]
        Match.objects.filter(pk__in=ids[:5], status="running").update(deadline=short)
        await until(lambda: outages.silent(timezone.now()), 15, "the silence")
        assert timekeeping.flag_overdue(timezone.now()) == 0
        gone = [len(client.ledger.opened) for client in clients]
        await off(site.start, "web")
        took = await until(
            lambda: all(len(client.ledger.opened) > before for client, before in zip(clients, gone, strict=True)), 30, "all back"
        )
        assert took < BACK * strain()
        assert not Event.objects.filter(match__in=ids, kind__in=("left", "called_off")).exists()
        credited = set(Event.objects.filter(match__in=ids, kind="credit").values_list("match", flat=True))
        still = set(Match.objects.filter(pk__in=ids, status="running").values_list("pk", flat=True))
        assert still
        assert credited >= still
        assert Outage.objects.filter(ended_at__gt=began).exists()
        told = [client for client in calm if client.match in still]
        assert told
        await until(lambda: all("credit" in client.ledger.notes for client in told), 15, "the credit on every page")
        for client in calm:
            client.upto = 20
        await to_the_end(clients, 60)


@in_a_loop
async def test_with_its_hints_killed_moves_go_on_and_afterwards_they_are_live_again(site, hints, chance):
    boards, clients = await hall(site, chance, times(6), plies=20)
    async with running(clients):
        await until(lambda: acked(clients) > 4 * len(boards), 30, "the first moves")
        os.kill(hints.pid(), 9)
        await until(lambda: not hints.alive(), 10, "the end of the hints")
        before = plies(boards)
        # Without any hint the beats carry the match.
        await until(lambda: all(ply >= then + 2 for ply, then in zip(plies(boards), before, strict=True)), 30, "moves without hints")
        await off(hints.revive)
        await to_the_end(clients, 40)
    quiet = await fresh(chance, plies=12)
    pair = players(site.url, quiet, chance, beats=False)
    async with running(pair):
        await until(lambda: all(client.ledger.last for client in pair), 10, "the start")
        await until(at_rest(pair), 20, "moves told by hints alone")
    hold(pair)


@in_a_loop
async def test_sockets_that_were_open_while_the_hints_died_hear_them_again(site, hints, chance):
    board = await fresh(chance, plies=20)
    pair = [*players(site.url, board, chance, upto=4), spectator(site.url, board)]
    async with running(pair):
        await to_the_end(pair, 20)
        opened = [len(client.ledger.opened) for client in pair]
        os.kill(hints.pid(), 9)
        await until(lambda: not hints.alive(), 10, "the end of the hints")
        await off(hints.revive)
        for client in pair:
            client.upto = 10
        await to_the_end(pair, 30)  # by beats, be it that nobody was told yet
        for client in pair:
            client.beats, client.upto = False, 20
        await pair[board.now().to_move or 0].wire.send('{"type":"beat","version":-1}')
        await to_the_end(pair, 20)
        assert [len(client.ledger.opened) for client in pair] == opened
    assert stored_everything(board)


@in_a_loop
async def test_with_its_memory_wiped_nothing_is_lost_and_a_bot_whose_wake_up_was_in_it_moves(site, hints, chance):
    boards, clients = await hall(site, chance, times(4), plies=16)
    board = await fresh(chance, "blokus", "duo-2", bots=(None, "beginner"))
    (person,) = players(site.url, board, chance)
    site.kill("bots")
    person.script = {1: str(next(iter(position_of(board.now()).state.legal_moves())))}
    async with running([*clients, person]):
        await until(lambda: len(person.ledger.acks) == 1, 20, "the move of the person")
        assert FollowUp.objects.filter(match=board.match, kind="think", done_at=None).exists()
        redis.Redis(unix_socket_path=str(hints.socket_path)).flushall()
        await off(site.start, "bots")
        await until(lambda: board.now().ply >= 2, 40, "the move of the bot")
        await until(at_rest([*clients, person]), 60, "not all came to rest")
    hold([*clients, person])
    assert all(stored_everything(each) for each in boards)


@in_a_loop
async def test_killed_workers_cost_seconds_and_no_bot_moves_twice(site, chance):
    board = await fresh(chance, "blokus", "duo-2", bots=("beginner", "beginner"))
    watcher = spectator(site.url, board)
    async with running([watcher]):
        for name in ("bots", "default", "bots"):
            ply = board.now().ply
            await until(lambda ply=ply: board.now().ply >= ply + 2 or not board.now().running, 40, "moves of the bots")
            await off(site.restart, name)
        await until(lambda: not board.now().running, 90, "the end")
        await to_the_end([watcher], 15)


@in_a_loop
async def test_nobody_is_connected_and_the_flag_falls_all_the_same(site, chance):
    board = await fresh(chance, plies=4)
    clients = players(site.url, board, chance)
    async with running(clients):
        await to_the_end(clients, 20)
    deadline = timezone.now() + timedelta(seconds=0.5)
    Match.objects.filter(pk=board.match).update(deadline=deadline)
    await until(lambda: not board.now().running, 10, "the flag")
    match = board.now()
    assert match.termination == "timeout"
    assert match.finished_at is not None
    assert timedelta(milliseconds=GRACE_MS) < match.finished_at - deadline < timedelta(seconds=3 * strain())


@in_a_loop
async def test_the_killed_seat_is_shown_away_and_then_here_again(site, chance):
    board = await fresh(chance, plies=1)
    near, far = players(site.url, board, chance)
    async with running([near]):
        async with running([far]):
            await until(lambda: near.here == [True, True], 10, "both here")
            await off(site.restart, "web")
        # The other page is gone for good with the process that would have seen it go: only its lease tells.
        await until(lambda: near.here == [True, False], 25, "one away")
        async with running([far]):
            await until(lambda: near.here == [True, True], 15, "both here again")


