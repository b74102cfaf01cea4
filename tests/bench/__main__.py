"""How fast the rules are, beside a peer where one is installed, and then the ladders: `python -m tests.bench`.

`python -m tests.bench rules` and `python -m tests.bench ladder` do one of the two; what the second does, `tests.bench.ladder` says.
`python -m tests.bench archive` measures searching among a million matches, which takes long and much room: see `tests.bench.archive`.
`python -m tests.bench replay` measures how fast a replay opens: see `tests.bench.replay`.

All figures of the rules are CPU time of one thread. Each figure is the median of 5 rounds of at least 0.4 s; ours and the peer's
rounds alternate, so that a busy machine slows down both. Random numbers are keyed, so every run plays the same matches;
both sides draw them from the same kind of source, whose cost is part of both figures.

- *Legal moves of a mid-game position*: ours is ply 24 of a match that Pentobi played, the moves found afresh each time;
  "counted" is `len`, "listed" makes every move. The peer's board cannot be set up, so it stands at ply 24 of a random
  match.
- *Random matches*: from the empty board until no colour can place, the legal moves found before each ply.

Azul has a peer for its coloured side; its legal moves are those of the sixth ply of a match of another engine.

Nibble has no peer: its figures are of the middle position of a match that another engine played, and of random matches
from that match's layout, since drawing one is measured for itself. Blockers! has none either; what its rules remember
of sets of cells is forgotten before legal moves are found, but not in the random matches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from games.blokus import GAME
from games.blokus.rules import Position
from games.kit.checks import play_out
from games.kit.record import Record, replay
from tests.bench import archive, azul, blockers, ladder, nibble, peers
from tests.bench import replay as replay_page
from tests.bench.rates import rates
from tests.games.sources import lines, source

PLY = 24


def middle_game() -> tuple[Position, int]:
    """The fixed position, and the colour to move in it."""
    match = next(line for line in lines("blokus_pentobi.jsonl") if line["variant"] == "classic-4")
    position = list(replay(Record("blokus", "classic-4", tuple(match["plies"]))))[PLY]
    if not isinstance(position, Position) or position.colour is None:
        raise RuntimeError("the match is too short")
    return position, position.colour


def report_legal_moves(peer: object | None) -> None:
    position, colour = middle_game()
    actions: list[Callable[[], object]] = [
        lambda: len(position.placements(colour)),
        lambda: list(position.placements(colour)),
    ]
    if peer is not None:
        peers.play_out(peer, source("peer position"), PLY)
        actions.append(lambda: peers.legal_moves(peer).count(1))
    counted, listed, *others = rates(*actions)
    moves = len(position.placements(colour))
    print(
        f"legal moves of a mid-game classic-4 position: {1000 / counted:.3f} ms counted, {1000 / listed:.3f} ms listed"
    )
    print(f"  ({moves} moves; {counted * moves:,.0f} moves a second counted, {listed * moves:,.0f} listed)")
    for other in others:
        found = peers.legal_moves(peer).count(1)
        print(f"  blokus-rl: {1000 / other:.3f} ms for {found} moves; we need {other / counted:.2f} times as long")


def report_matches(peer: object | None) -> None:
    randomness = source("bench")
    for variant in GAME.variants:
        start = GAME.start(variant.key)

        def ours(start: object = start) -> None:
            for _ in play_out(start, randomness):  # type: ignore[arg-type]
                pass

        compared = peer is not None and variant.key == "classic-4"
        own, *others = rates(ours, *([lambda: peers.play_out(peer, randomness)] if compared else []))
        line = f"random whole matches of {variant.key}: {own:.0f} a second"
        for other in others:
            line += f"; blokus-rl {other:.0f} a second; we play {own / other:.2f} times as many"
        print(line)


def main(what: str = "all", *arguments: str) -> None:
    if what not in ("all", "rules", "ladder", "archive", "replay"):
        sys.exit("Say “rules”, “ladder”, “archive” or “replay”, or nothing for the first two.")
    if what == "replay":
        replay_page.main(*arguments)
        return
    if what == "archive":
        archive.main(*arguments)
        return
    if what != "ladder":
        report_rules()
    if what != "rules":
        ladder.main(*arguments)


def report_rules() -> None:
    try:
        peer = peers.blokus_rl()
    except peers.PeerMissing as missing:
        peer = None
        print(f"no peer to compare with: {missing}")
    report_legal_moves(peer)
    report_matches(peer)
    azul.report()
    blockers.report()
    nibble.report()


if __name__ == "__main__":
    main(*sys.argv[1:])
