"""Sockets that are cut off, frames that come late or twice: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async as in_db
from django.db import connection

from matches.replay import position_of
from tests.platform.conftest import held, legal, now_at, play_on
from tests.platform.test_socket import Socket, opened

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def duel(cast, table):
    """A match of alice, to move, against bob, with their browsers."""
    match = table("cards-2", cast.alice, cast.bob)
    match.alice, match.bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    return match


def waiting_for_a_lock() -> bool:
    """Whether somebody waits for a lock; asked for until somebody does."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return True
    return False


@pytest.mark.long
async def test_a_move_whose_socket_died_before_the_answer_is_there_and_its_repeat_gets_the_first_answer(duel):
    frame = {"type": "move", "id": str(uuid4()), "ply": duel.ply, "text": await in_db(legal)(duel)}
    dying = Socket(duel.pk, duel.alice)
    await dying.wire.connect()
    with held(duel):
        await dying.send(**frame)
        await dying.get("received")
        assert await in_db(waiting_for_a_lock)()
        dying.wire.future.cancel()
        with suppress(asyncio.CancelledError):
            await dying.wire.future
    async with opened(duel, duel.alice) as socket:
        await socket.send(**frame)
        ack = await socket.get("ack")
    assert (ack["ply"], ack["repeated"]) == (duel.ply + 1, True)
    assert await in_db(duel.moves.filter(seat=0).count)() == 1


async def test_a_double_click_on_two_sockets_is_one_move_with_one_answer(duel):
    frame = {"type": "move", "id": str(uuid4()), "ply": duel.ply, "text": await in_db(legal)(duel)}
    async with opened(duel, duel.alice) as one, opened(duel, duel.alice) as other:
        for socket in (one, other, one, other):
            await socket.send(**frame)
        answers = [await socket.get("ack") for socket in (one, one, other, other)]
    assert sorted(answer.pop("repeated") for answer in answers) == [False, True, True, True]
    assert all(answer == answers[0] for answer in answers)
    assert await in_db(duel.moves.filter(seat=0).count)() == 1


async def test_a_move_that_was_late_by_a_turn_is_stale_although_it_would_be_legal_again(duel):
    text = await in_db(legal)(duel, 1)
    match = await in_db(play_on)(duel, 2)
    assert match.to_move == 0
    assert text in [str(move) for move in (await in_db(position_of)(match)).state.legal_moves()]
    async with opened(match, duel.alice) as alice:
        await alice.move(text, duel.ply)
        refused = await alice.get("refused")
        assert (refused["code"], refused["version"]) == ("stale", match.version)
        await alice.move(text, match.ply)
        await alice.get("ack")


@pytest.mark.parametrize("moves", [0, 1, 3])
async def test_what_happens_between_the_page_and_its_socket_is_shown_with_the_first_beat(duel, moves):
    page = await in_db(duel.bob.get)(f"/match/{duel.pk}/")
    shown = page.context["page"]["position"]["version"]
    await in_db(play_on)(duel, moves)
    async with opened(duel, duel.bob) as bob:
        await in_db(play_on)(duel, 1)
        await bob.send(type="beat", version=shown)
        await bob.get("beat")
        assert (await bob.get("position"))["version"] == shown + moves + 1


async def test_moves_played_while_a_socket_opens_are_never_missed(duel):
    async def play() -> None:
        for _ in range(4):
            await in_db(play_on)(duel, 1)

    playing = asyncio.create_task(play())
    for _ in range(6):
        async with opened(duel, duel.bob) as bob:
            version = (await bob.position())["version"]
            await bob.send(type="beat", version=version)
            assert (await bob.get("beat"))["version"] >= version
    await playing
    async with opened(duel, duel.bob) as bob:
        assert (await bob.position())["version"] == (await in_db(now_at)(duel)).version == duel.version + 4
