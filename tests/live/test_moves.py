"""Moves on bad ways: lost, repeated, raced, cut off after the commit. Each is stored once, and whoever sent it is told."""

from __future__ import annotations

import asyncio
import json
from itertools import islice
from typing import Any
from uuid import uuid4

from matches.models import ChatLine, Move
from matches.replay import position_of
from tests.live.arena import fresh, hold, in_a_loop, players, running, stored_everything, to_the_end
from tests.live.player import Player
from tests.live.proxy import Proxy


async def answers(player: Player, *frames: dict[str, Any], wires: int = 1) -> list[dict[str, Any]]:
    """Send the frames at once, in turn over so many sockets; the final answer to each."""
    async with asyncio.TaskGroup() as group:
        dials = [group.create_task(_opened(player)) for _ in range(wires)]
    sockets = [dial.result() for dial in dials]
    try:
        for at, frame in enumerate(frames):
            await sockets[at % wires].send(json.dumps(frame))
        heard = []
        for at in range(len(frames)):
            heard.append(await _answer(sockets[at % wires]))
        return heard
    finally:
        for socket in sockets:
            await socket.close()


async def _opened(player: Player) -> Any:
    return await player.dial()


async def _answer(socket: Any) -> dict[str, Any]:
    while True:
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 10))
        if frame["type"] in ("ack", "refused"):
            return frame


def move(text: str, ply: int = 0) -> dict[str, Any]:
    return {"type": "move", "id": str(uuid4()), "ply": ply, "text": text}


@in_a_loop
async def test_the_same_frame_within_a_millisecond_on_one_and_on_two_sockets_is_one_row(site, chance):
    for wires in (1, 2, 2, 2):
        board = await fresh(chance)
        (one, _) = players(site.url, board, chance)
        frame = move(board.script[1])
        heard = await answers(one, frame, frame, frame, frame, wires=wires)
        assert [answer["type"] for answer in heard] == ["ack"] * 4
        assert sorted(answer["repeated"] for answer in heard) == [False, True, True, True]
        assert len({(answer["ply"], answer["version"]) for answer in heard}) == 1
        assert Move.objects.filter(match=board.match).count() == 1


@in_a_loop
async def test_sixteen_different_moves_at_one_base_get_one_ack_and_fifteen_hear_that_they_are_stale(site, chance):
    board = await fresh(chance)
    (one, _) = players(site.url, board, chance)
    texts = [str(legal) for legal in islice(position_of(board.now()).state.legal_moves(), 16)]
    heard = await answers(one, *map(move, texts), wires=16)
    codes = sorted(answer.get("code", "ack") for answer in heard)
    # A lock that was waited for too long is said so, and the page sends that move again.
    assert codes.count("ack") == 1
    assert set(codes) <= {"ack", "stale", "busy"}
    assert codes.count("stale") >= 12
    assert all(answer["version"] == board.now().version for answer in heard if answer.get("code") == "stale")
    assert Move.objects.filter(match=board.match).count() == 1


@in_a_loop
async def test_an_answer_that_was_cut_off_after_the_commit_comes_again_as_a_repeat(site, chance):
    board = await fresh(chance, plies=8)
    async with Proxy(site.port) as proxy:
        clients = players(site.url, board, chance, port=proxy.port, upto=0)
        async with running(clients):
            for ply in sorted(board.script):
                proxy.cut_before = b'"ply":%d,"version"' % ply
                for client in clients:
                    client.upto = ply
                await to_the_end(clients, 20)
                assert proxy.cut_before is None
                assert board.now().ply == ply
    assert sum(client.ledger.repeated for client in clients) >= len(board.script)
    assert stored_everything(board)


@in_a_loop
async def test_a_move_that_is_lost_once_or_thrice_and_an_answer_that_is_lost_end_as_one_row_each(site, chance):
    board = await fresh(chance, plies=3)
    async with Proxy(site.port) as proxy:
        proxy.lose = [b'"ply": 0', b'"ply": 1', b'"ply": 1', b'"ply": 1', b'"ack","id"']
        clients = players(site.url, board, chance, port=proxy.port)
        async with running(clients):
            await to_the_end(clients, 25)
        assert not proxy.lose
    assert sum(client.ledger.repeated for client in clients) >= 1
    assert stored_everything(board)


@in_a_loop
async def test_a_frame_of_the_last_turn_that_arrives_in_the_next_one_is_stale_even_where_it_would_be_legal(site, chance):
    board = await fresh(chance, plies=2)
    one, other = players(site.url, board, chance)
    late = [str(legal) for legal in islice(position_of(board.now()).state.legal_moves(), 3)]
    async with running([one, other]):
        await to_the_end([one, other], 15)
    heard = await answers(one, *(move(text, ply=0) for text in late))
    assert {answer["code"] for answer in heard} == {"stale"}
    assert board.now().ply == 2
    hold([one, other])


@in_a_loop
async def test_a_chat_line_that_is_clicked_twice_on_two_sockets_is_said_once(site, chance):
    board = await fresh(chance)
    (one, _) = players(site.url, board, chance)
    line = {"type": "chat", "id": str(uuid4()), "room": "players", "text": "good luck", "phrase": ""}
    heard = await answers(one, line, line, wires=2)
    assert sorted(answer["repeated"] for answer in heard) == [False, True]
    assert ChatLine.objects.filter(match=board.match).count() == 1
