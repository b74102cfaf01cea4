"""Matches with everything a client needs to play them, and ways to run many clients and wait for them."""

from __future__ import annotations

import asyncio
import functools
import os
import random
import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import connections
from django.utils import timezone

from accounts.models import User
from accounts.players import SESSION_KEY
from games.kit.protocol import CHANCE
from matches.clock import TimeControl
from matches.commands import find
from matches.models import Match, Secret
from matches.replay import start_of
from matches.services import BotSeat, Person, drawn_by_secret, start_match
from tests.live.ledger import Ledger, faults
from tests.live.player import Player

CHOICES = 12
"""Among so many legal moves the script chooses, so that it is quickly written."""
PATIENCE = 150
"""Seconds that a whole scenario may take, on a machine that has other things to do as well."""
SCALE = float(os.environ.get("CHAOS_SCALE", "1"))
"""The counts of a quick run are multiplied by this."""
GAMES = (("blokus", "duo-2"), ("nibble", "square-9"), ("azul", "coloured-2"), ("blockers", "basic-2"))


def times(count: int) -> int:
    """A count, scaled."""
    return max(1, round(count * SCALE))


@dataclass(slots=True)
class Board:
    """A match that was set up, with the cookie of each seat (`None` for a bot) and a script of its moves by ply."""

    match: int
    cookies: list[str | None]
    script: dict[int, str]
    secret: str

    def now(self) -> Match:
        """The match as it is stored, with its seats."""
        return find(self.match)


def guest() -> tuple[User, str]:
    """Somebody new, and the cookie of the browser."""
    user = User(username=f"live-{secrets.token_hex(8)}", is_guest=True)
    user.set_unusable_password()
    user.save()
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = user.pk
    session.save()
    return user, f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def set_up(
    chance: random.Random, game: str = "blokus", variant: str = "duo-2", *,
    control: str = "5m+8s", bots: Sequence[str | None] = (None, None), plies: int = 1000,
) -> Board:
    """A match between new people, and bots of a level where `bots` names one, with a script of at most so many plies."""
    people = [None if level else guest() for level in bots]
    seats = [Person(person[0]) if person else BotSeat(str(level)) for person, level in zip(people, bots, strict=True)]
    match = start_match(game, variant, seats=seats, control=TimeControl.parse(control), now=timezone.now(), secret=chance.randbytes(32))
    cookies = [person and person[1] for person in people]
    script = {} if any(bots) else script_of(match, chance, plies)
    return Board(match.pk, cookies, script, Secret.of(match).hex())


async def fresh(chance: random.Random, *args: Any, **more: Any) -> Board:
    """`set_up` from within a loop, where it must not tell its own sockets itself."""
    return await database_sync_to_async(set_up, thread_sensitive=False)(chance, *args, **more)


def script_of(match: Match, chance: random.Random, plies: int = 1000) -> dict[int, str]:
    """Random moves from the start of the match on, its own draws between them: the text of each ply that is a seat's."""
    position, script = start_of(match), {}
    while position.state.outcome() is None and position.ply < plies:
        if position.state.to_move is CHANCE:
            position = position.after(drawn_by_secret(match, position.state))
        else:
            move = chance.choice(list(islice(position.state.legal_moves(), CHOICES)))
            position = position.after(move)
            script[position.ply] = str(move)
    return script


def players(site: str, board: Board, chance: random.Random, **more: Any) -> list[Player]:
    """A client for each person of a match."""
    return [
        Player(site, board.match, seat, cookie, board.script, board.secret, chance=random.Random(chance.random()), **more)
        for seat, cookie in enumerate(board.cookies)
        if cookie is not None
    ]


def spectator(site: str, board: Board, **more: Any) -> Player:
    """A client that looks on."""
    return Player(site, board.match, None, None, {}, board.secret, **more)


@asynccontextmanager
async def running(clients: Sequence[Player]) -> AsyncIterator[None]:
    """All of them at work while the context is open; an error of one is an error here."""
    tasks = [asyncio.create_task(client.live()) for client in clients]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for end in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(end, Exception):
                raise end  # before what the test makes of it: a client that broke explains it


def strain() -> float:
    """How much longer all takes on this machine now, because of what else runs on it; 1 when nothing does."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


async def until(check: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until something is so; how long it took. Raises `AssertionError` when it takes longer than that on a calm machine."""
    began, bound = time.monotonic(), seconds * strain()
    while not check():
        assert time.monotonic() - began < bound, f"{what}: not within {bound:.0f} s"
        await asyncio.sleep(0.1)
    return time.monotonic() - began


def at_rest(clients: Sequence[Player]) -> Callable[[], bool]:
    """Whether nobody waits for an answer or has a move left, and all show the newest version of their match."""

    def check() -> bool:
        if any(client.intent or client.ledger.last is None or due(client) for client in clients):
            return False
        versions = dict(Match.objects.filter(pk__in={client.match for client in clients}).values_list("pk", "version"))
        return all(client.version == versions[client.match] for client in clients)

    return check


def due(client: Player) -> bool:
    """Whether this client would move now."""
    last = client.ledger.last
    mine = last is not None and last["status"] == "running" and last["to_move"] == client.seat is not None
    return mine and last is not None and last["ply"] + 1 in client.script and last["ply"] < client.upto


async def to_the_end(clients: Sequence[Player], seconds: float) -> None:
    """Wait until every match is played as far as its script goes and everybody has seen it; the ledger must then hold."""
    await rest(clients, seconds)
    hold(clients)


async def rest(clients: Sequence[Player], seconds: float) -> None:
    """The same without a look at the ledger."""
    try:
        await until(at_rest(clients), seconds, "not all came to rest")
    except AssertionError as late:
        late.add_note("\n".join(str(client) for client in clients if not at_rest([client])()))
        raise


def plies(boards: Sequence[Board]) -> list[int]:
    """How many plies each match has stored, in one query: a test that asks for more keeps its own clients waiting."""
    found = dict(Match.objects.filter(pk__in=[board.match for board in boards]).values_list("pk", "ply"))
    return [found[board.match] for board in boards]


def hold(clients: Sequence[Player]) -> None:
    """The database bears out what all were told."""
    assert faults(ledgers(clients)) == []


def ledgers(clients: Sequence[Player]) -> list[Ledger]:
    return [client.ledger for client in clients]


def stored_everything(board: Board) -> bool:
    """Whether the whole script is stored."""
    return set(board.script) <= set(board.now().moves.values_list("ply", flat=True))


Scenario = Callable[..., Coroutine[Any, Any, None]]


def in_a_loop(scenario: Scenario) -> Callable[..., None]:
    """Makes an async test a plain one that runs in a thread with a loop of its own: Playwright leaves one running in the main thread."""

    @functools.wraps(scenario)
    def test(*args: Any, **more: Any) -> None:
        run(lambda: scenario(*args, **more))

    return test


def run(act: Callable[[], Awaitable[None]]) -> None:
    """Run a coroutine to its end in a thread of its own, whose database connection is given back."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the checks of a test may read the database where they stand
    troubles: list[BaseException] = []

    async def whole() -> None:
        try:
            async with asyncio.timeout(PATIENCE * max(1, SCALE) * min(2, strain())):
                await act()
        finally:
            connections.close_all()  # here, since a loop has connections of its own

    def work() -> None:
        try:
            asyncio.run(whole())
        except BaseException as trouble:  # handed to the thread that waits
            troubles.append(trouble)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if troubles:
        raise troubles[0]
