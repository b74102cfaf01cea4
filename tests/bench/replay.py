"""How fast a replay opens: `python -m tests.bench replay`, and in a browser with `--url http://localhost:8000/match/7/replay/`.

The first part makes the file of two long matches from nothing, as for the first reader after a match: Blockers! with five
players, in which everything is placed, and an Azul in which three of four tiles go to the floor, so that it hardly ends. The second
part opens a page of a running site in Chromium: the time from the click to the drawn board, as the page's own clock has it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import time
from typing import Any

from games import registry
from games.kit.chance import KeyedSource
from games.kit.protocol import CHANCE, Move, State
from games.kit.record import Record

ROUNDS = 7
KEY = b"replays"


def main(*arguments: str) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench replay")
    parser.add_argument("--url", help="the page of a replay on a running site")
    options = parser.parse_args(arguments)
    if options.url:
        report_opening(options.url)
        return
    for record in (long_match("blockers", "basic-5", to_floor=0), long_match("azul", "grey-4", to_floor=3)):
        report_making(record)


def long_match(game: str, variant: str, *, to_floor: int) -> Record:
    """A match of random moves, of which so many in four go to the floor where they may."""
    rules = registry.get(game)
    state, plies = rules.start(variant), list[str]()
    while state.to_move is not None:
        move = state.draw(source(plies, "draw")) if state.to_move is CHANCE else choose(state, plies, to_floor)
        plies.append(str(move))
        state = state.play(move)
    return Record(game, variant, tuple(plies))


def choose(state: State, plies: list[str], to_floor: int) -> Move:
    legal = list(state.legal_moves())
    floor = [move for move in legal if str(move).endswith("f")]
    among = floor if floor and source(plies, "which").below(4) < to_floor else legal
    return among[source(plies, "move").below(len(among))]


def source(plies: list[str], label: str) -> KeyedSource:
    return KeyedSource(KEY, f"{label} {len(plies)}")


def report_making(record: Record) -> None:
    """What making the file costs, in CPU time of one thread, and how large it is."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    import django

    django.setup()
    from matches import payloads, replays

    def file() -> tuple[int, int]:
        text = json.dumps(replays.packed(payloads.replay_of_record(record)), separators=(",", ":")).encode()
        return len(text), len(gzip.compress(text, replays.EFFORT))

    times = []
    for _ in range(ROUNDS):
        since = time.process_time()
        packed, compressed = file()
        times.append(time.process_time() - since)
    whole = len(json.dumps(payloads.replay_of_record(record)))
    print(
        f"{record.game} {record.variant}, {len(record.plies)} plies: made in {1000 * statistics.median(times):.0f} ms; "
        f"{whole / 1000:.0f} kB as it is, {packed / 1000:.0f} kB packed, {compressed / 1000:.1f} kB compressed"
    )


def report_opening(url: str) -> None:
    """How long a browser takes that has been here before, and one that has not."""
    from playwright.sync_api import sync_playwright

    from tests.conftest import chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium())
        known = browser.new_context()
        opened(known, url)
        rows = [("which knows the site", [opened(known, url) for _ in range(ROUNDS)])]
        rows.append(("which never was here", [opened(browser.new_context(), url) for _ in range(ROUNDS)]))
        for which, found in rows:
            print(
                f"a browser {which}: board drawn after {statistics.median(one['drawn'] for one in found):.0f} ms "
                f"(the best {min(one['drawn'] for one in found):.0f}); {found[0]['asked']} request for data, "
                f"{statistics.median(one['sent'] for one in found) / 1000:.1f} kB"
            )
        browser.close()


def opened(context: Any, url: str) -> dict[str, float]:
    """Open the page once: when the board stood, in ms from the start of the navigation, and what the data took."""
    if not context.pages:  # the same tab again, as for who comes by a link
        context.new_page().add_init_script("addEventListener('replay:ply', () => { window.drawn ??= performance.now(); }, true)")
    page = context.pages[0]
    page.goto(url)
    page.wait_for_selector("#replay-page[data-ply]")
    found: dict[str, float] = page.evaluate(
        "() => { const asked = performance.getEntriesByType('resource').filter(({ name }) => name.includes('replay.json'));"
        " return { drawn: window.drawn, asked: asked.length, sent: asked.reduce((sum, one) => sum + one.transferSize, 0) }; }"
    )
    return found
