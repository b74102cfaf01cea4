"""Many matches while everything is killed in turn: `python -m tests.live.chaos` or `make chaos`.

    make chaos ARGS="--matches 60 --kills 12 --seed 7"

Each round kills one of web, bots, default, Valkey (or wipes it) and Postgres with -9 at a moment that chance gives, and starts it
again; a fifth of the clients sit behind a link that drops, repeats, delays and swaps. Afterwards the ledger of every client is
held against the database. The run ends with 1 and the seed when any promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from typing import Any

from tests.live.stack import OwnSite, own_site

VICTIMS = ("web", "postgres", "valkey", "bots", "default", "wipe")
BACK_SECONDS = 60


def main() -> int:
    """Run, and say what came out of it; 1 when a promise was broken."""
    parser = argparse.ArgumentParser(prog="make chaos", description="Kill everything in turn under many matches, and look what was lost.")
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--kills", type=int, default=len(VICTIMS), help="the victims come in turn: " + ", ".join(VICTIMS))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    asked = parser.parse_args()
    print(f"seed {asked.seed}, {asked.matches} matches, {asked.kills} kills", flush=True)
    with own_site() as own:
        from tests.live import arena

        found: list[str] = []
        arena.run(lambda: _run(own, asked, found))
    for fault in found:
        print(fault)
    print(f"{len(found)} broken promises; seed {asked.seed}")
    return 1 if found else 0


async def _run(own: OwnSite, asked: argparse.Namespace, found: list[str]) -> None:
    from tests.live import arena
    from tests.live.ledger import faults
    from tests.live.proxy import Faults, Proxy

    chance = random.Random(asked.seed)
    bad = Faults(drop=0.05, repeat=0.05, swap=0.05, delay=0.05)
    async with Proxy(own.site.port, bad, asked.seed) as proxy:
        clients = []
        for at in range(asked.matches):
            board = await arena.fresh(chance, *arena.GAMES[at % len(arena.GAMES)])
            way = {"port": proxy.port} if at % 5 == 4 else {}
            clients += arena.players(own.site.url, board, chance, think=chance.uniform(0.3, 1.5), **way)
        async with arena.running(clients):
            for at in range(asked.kills):
                await _blow(own, VICTIMS[at % len(VICTIMS)], chance, clients)
            for client in clients:
                client.upto = 0
            await arena.rest(clients, BACK_SECONDS)
    found += faults(arena.ledgers(clients))
    acks = sum(len(client.ledger.acks) for client in clients)
    again, lost = sum(client.ledger.repeated for client in clients), sum(len(client.ledger.closed) for client in clients)
    print(f"{acks} moves acknowledged, {again} answers given again, {lost} connections lost", flush=True)
    if not acks:
        found.append("nobody moved")


async def _blow(own: OwnSite, victim: str, chance: random.Random, clients: list[Any]) -> None:
    """Let all play, kill the victim, start it again, and see everybody get an answer."""
    from tests.live import arena

    async def all_move(what: str) -> float:
        playing = [client for client in clients if client.ledger.last is None or client.ledger.last["status"] == "running"]
        before = {client.match: 0 for client in playing}
        for client in playing:
            before[client.match] += len(client.ledger.acks)

        def moved() -> bool:
            now = dict.fromkeys(before, 0)
            for client in playing:
                now[client.match] += len(client.ledger.acks)
            over = {client.match for client in playing if client.ledger.last and client.ledger.last["status"] != "running"}
            return all(now[match] > before[match] or match in over for match in before)

        return await arena.until(moved, BACK_SECONDS, what)

    await all_move(f"moves before {victim} is killed")
    await asyncio.sleep(chance.uniform(0, 1))  # the moment is a matter of chance
    began = time.monotonic()
    if victim == "wipe":
        import redis

        redis.Redis(unix_socket_path=str(own.valkey.socket_path)).flushall()
    elif victim in ("postgres", "valkey"):
        own.kill_server(victim)
        await asyncio.to_thread(own.server(victim).revive)
    else:
        await asyncio.to_thread(own.site.restart, victim)
    up = time.monotonic() - began
    again = await all_move(f"moves after {victim} was killed")
    print(f"  {victim:<9} up again after {up:4.1f} s, a move in every match {again:4.1f} s later", flush=True)


if __name__ == "__main__":
    sys.exit(main())
