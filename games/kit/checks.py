"""Ways to put a game through its paces: perft, random playouts, matches between bots, and playthroughs.

A *playthrough* is a golden text of a whole match: each ply with whose it was and how many moves were legal, the
position now and then, and the outcome. It is written once, read by people, and a test compares it from then on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from games.kit.chance import KeyedSource, Source, commitment
from games.kit.protocol import CHANCE, Bot, Game, Move, State
from games.kit.record import Record, Result, replay

VIEW_EVERY: Final = 20
"""A playthrough shows the position after so many plies each time, and at the end."""
_HEADER: Final = re.compile(r"(?m)^(game|variant|options): ?(.*)$")
_PLY: Final = re.compile(r"(?m)^ *\d+\. .*: (.+)$")


def perft(state: State, depth: int) -> int:
    """The number of ways to make `depth` moves from `state`. Raises `ValueError` when a draw is due on the way.

    A way that ends the match sooner is not counted.
    """
    if depth == 0:
        return 1
    if state.to_move is CHANCE:
        raise ValueError("perft counts moves, but a draw is due")
    legal = state.legal_moves()
    if depth == 1:
        return len(legal)
    return sum(perft(state.play(move), depth - 1) for move in legal)


def breakdown(state: State, depth: int) -> dict[str, int]:
    """`perft` by the text of the first move: where two engines differ, it leads to the position at fault."""
    return {str(move): perft(state.play(move), depth - 1) for move in state.legal_moves()}


def play_out(state: State, source: Source) -> Iterator[tuple[Move, State]]:
    """A match from `state` to its end by random moves: each ply and the position after it."""
    while state.to_move is not None:
        if state.to_move is CHANCE:
            move = state.draw(source)
        else:
            legal = state.legal_moves()
            move = legal[source.below(len(legal))]
        state = state.play(move)
        yield move, state


def random_record(game: Game, variant: str, source: Source, options: Sequence[str] = ()) -> Record:
    """The record of a whole match of random moves."""
    start = game.start(variant, options)
    steps = list(play_out(start, source))
    return _finished(game, variant, options, [str(move) for move, _ in steps], steps[-1][1] if steps else start)


def play_match(game: Game, variant: str, bots: Sequence[Bot], secret: bytes, options: Sequence[str] = ()) -> Record:
    """The record of a whole match between `bots`, one per seat. Equal secrets give equal matches."""
    state = game.start(variant, options)
    thinking = KeyedSource(secret, "bots")
    plies = []
    while state.to_move is not None:
        if state.to_move is CHANCE:
            move = state.draw(KeyedSource(secret, state.chance_label))
        else:
            move = bots[state.to_move].choose(state.determinize(state.to_move, thinking), thinking)
        plies.append(str(move))
        state = state.play(move)
    return _finished(game, variant, options, plies, state, secret)


def _finished(
    game: Game, variant: str, options: Sequence[str], plies: Sequence[str], end: State, secret: bytes | None = None
) -> Record:
    outcome = end.outcome()
    return Record(
        game=game.key,
        variant=variant,
        plies=tuple(plies),
        options=tuple(options),
        result=None if outcome is None else Result(outcome.scores, outcome.ranks, "complete"),
        commitment=None if secret is None else commitment(secret),
        secret=secret,
    )


def write_playthrough(record: Record, picture: Callable[[State], str]) -> str:
    """The playthrough of a match; `picture` draws a position. Raises `RecordError` for a ply that cannot be played."""
    states = list(replay(record))
    lines = [f"game: {record.game}", f"variant: {record.variant}", f"options: {' '.join(record.options)}".rstrip(), ""]
    for number, (before, after, text) in enumerate(zip(states, states[1:], record.plies, strict=False), start=1):
        lines.append(f"{number:3}. {_turn(before)}: {text}")
        if number % VIEW_EVERY == 0 or number == len(record.plies):
            lines += ["", picture(after), f"scores {_spaced(after.scores())}", ""]
    outcome = states[-1].outcome()
    lines.append("not finished" if outcome is None else f"ranks {_spaced(outcome.ranks)}")
    return "\n".join(lines) + "\n"


def read_playthrough(text: str) -> Record:
    """The match of a playthrough, without its result. Raises `KeyError` when its header is incomplete."""
    header = dict(_HEADER.findall(text))
    plies = tuple(_PLY.findall(text))
    return Record(header["game"], header["variant"], plies, options=tuple(header["options"].split()))


def _turn(state: State) -> str:
    if state.to_move is CHANCE:
        return f"draw ({state.chance_label})"
    return f"seat {state.to_move} of {len(state.legal_moves())}"


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
