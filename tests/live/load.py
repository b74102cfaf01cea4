"""How fast live play is on this machine: `python -m tests.live.load` or `make load`, in about a minute and a half.

Server, database and clients share the machine, over loopback. `L1` are paced moves, from a move to its ack and to the other seat's
position; `L2` a closed loop, everybody as fast as answers come; `L3` one match and many spectators; `L4` all sockets at once after
`kill -9` of the web process. The floor beside L1 and L2 is a bare relay in the same run: a Python WebSocket that stores each message with
one durable commit in the same Postgres and sends it on, with no rules, no views and no sessions. Compare the ratios, not the figures,
from one day to another.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from tests.live.stack import OwnSite, own_site

if TYPE_CHECKING:
    from tests.live.player import Player


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="make load", description="Latency and throughput of live play on this machine.")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--sockets", type=int, default=50, help="in L1 and L2; two sit at each match")
    parser.add_argument("--watchers", type=int, default=100, help="in L3")
    parser.add_argument("--storm", type=int, default=200, help="sockets in L4")
    asked = parser.parse_args()
    with own_site() as own:
        from tests.live import arena

        arena.run(lambda: _all(own, asked))
    return 0


async def _all(own: OwnSite, asked: argparse.Namespace) -> None:
    chance = random.Random(1)
    for name, think in (("L1 paced, 4 moves/s a match", 0.25), ("L2 closed loop", 0.0)):
        floor = await _floor(own, asked.sockets // 2, think, asked.seconds)
        ours = await _ours(own, chance, asked.sockets // 2, think, asked.seconds)
        print(f"{name}, {asked.sockets} sockets")
        _show("durable relay", floor, asked.seconds)
        _show("site", ours, asked.seconds)
        if floor and ours:
            print(f"    site / relay: p50 × {_p(ours, 50) / _p(floor, 50):.1f}, moves/s × {len(ours) / len(floor):.2f}", flush=True)
    await _fan_out(own, chance, asked.watchers, asked.seconds)
    await _storm(own, chance, asked.storm)


def _p(values: Sequence[float], share: int) -> float:
    return quantiles(values, n=100, method="inclusive")[share - 1] if len(values) > 1 else values[0]


def _show(name: str, values: Sequence[float], seconds: float) -> None:
    """One line of figures in ms."""
    if values:
        figures = ", ".join(f"p{share} {1000 * _p(values, share):.1f}" for share in (50, 95, 99))
        print(f"    {name:<14} {len(values) / seconds:7.0f} moves/s   {figures} ms", flush=True)
    else:
        print(f"    {name:<14} nothing came through", flush=True)


async def _ours(own: OwnSite, chance: random.Random, matches: int, think: float, seconds: float) -> list[float]:
    """Seconds from each move to its ack."""
    from tests.live import arena

    clients: list[Player] = []
    for _ in range(matches):
        board = await arena.fresh(chance, "nibble", "hex-13", control="60m+30s")
        clients += arena.players(own.site.url, board, chance, think=think)
    async with arena.running(clients):
        # A process that has just begun is slow at first.
        await arena.until(lambda: all(len(client.ledger.echoes) > 2 for client in clients), 60, "all warm")
        for client in clients:
            client.ledger.echoes.clear()
        await asyncio.sleep(seconds)
        return [echo for client in clients for echo in client.ledger.echoes]


async def _floor(own: OwnSite, pairs: int, think: float, seconds: float) -> list[float]:
    """The same of a relay that does nothing but store and send on."""
    from websockets.asyncio.client import connect

    heard: list[float] = []

    async def play(port: int) -> None:
        async with connect(f"ws://127.0.0.1:{port}", compression=None) as one, connect(f"ws://127.0.0.1:{port}", compression=None) as other:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for mover in (one, other):
                    await asyncio.sleep(think)
                    sent = time.monotonic()
                    await mover.send(json.dumps({"type": "move", "text": "a1" * 20, "at": sent}))
                    await mover.recv()
                    heard.append(time.monotonic() - sent)

    async with _relay(own) as port, asyncio.TaskGroup() as group:
        for _ in range(pairs):
            group.create_task(play(port))
    return heard


@asynccontextmanager
async def _relay(own: OwnSite) -> AsyncIterator[int]:
    from psycopg_pool import AsyncConnectionPool
    from websockets.asyncio.server import ServerConnection, serve

    settings = own.postgres.django()
    where = f"host={settings['HOST']} user={settings['USER']} dbname={settings['NAME']}"
    async with AsyncConnectionPool(where, min_size=4, max_size=8, open=False) as pool:
        async with pool.connection() as connection:
            await connection.execute("CREATE TABLE IF NOT EXISTS floor_of_load (id bigserial PRIMARY KEY, body text)")

        async def echo(socket: ServerConnection) -> None:
            async for text in socket:
                async with pool.connection() as connection:
                    await connection.execute("INSERT INTO floor_of_load (body) VALUES (%s)", [text])
                await socket.send(text)

        async with serve(echo, "127.0.0.1", 0, compression=None) as server:
            yield server.sockets[0].getsockname()[1]


async def _fan_out(own: OwnSite, chance: random.Random, watchers: int, seconds: float) -> None:
    """From a move's ack to the last spectator's position."""
    from tests.live import arena

    board = await arena.fresh(chance, "nibble", "hex-13", control="60m+30s")
    seats = arena.players(own.site.url, board, chance, think=1.0)
    crowd = [arena.spectator(own.site.url, board) for _ in range(watchers)]
    last: dict[int, float] = {}
    first: dict[int, float] = {}
    for client in crowd:
        _clock(client, last.__setitem__)
    for client in seats:
        _clock(client, first.setdefault)
    async with arena.running([*seats, *crowd]):
        await arena.until(lambda: all(client.ledger.last for client in crowd), 60, "all watching")
        began = time.monotonic()
        await asyncio.sleep(seconds)
    late = [last[version] - at for version, at in first.items() if version in last and at > began]
    print(f"L3 one match, {watchers} spectators: the last of them after the first of the two seats")
    _show("site", late, seconds)


def _clock(client: Player, note: Callable[[int, float], object]) -> None:
    """Note when each version was heard of."""
    take = client._take

    def noted(frame: dict[str, Any]) -> None:
        note(frame["version"], time.monotonic())
        take(frame)

    client._take = noted  # type: ignore[method-assign]


async def _storm(own: OwnSite, chance: random.Random, sockets: int) -> None:
    """Everybody at once after the web process was killed."""
    from tests.live import arena

    clients: list[Player] = []
    for _ in range(sockets // 2):
        clients += arena.players(own.site.url, await arena.fresh(chance, "nibble", "square-9", plies=2), chance, upto=0)
    async with arena.running(clients):
        await arena.until(lambda: all(client.ledger.opened for client in clients), 120, "all connected")
        began = time.monotonic()
        await asyncio.to_thread(own.site.restart, "web")
        await arena.until(lambda: all(len(client.ledger.opened) > 1 for client in clients), 120, "all back")
    back = sorted(client.ledger.opened[1] - began for client in clients)
    print(f"L4 {sockets} sockets, kill -9 of the web process: half are back after {back[len(back) // 2]:.1f} s, all after {back[-1]:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
