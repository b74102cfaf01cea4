"""What is worth telling of a ply of Nibble: majorities won, wins that come near or are stopped, and how the match was decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from games.kit.protocol import N_, Label, Move, Remark, State
from games.nibble.board import COLOUR_NAMES, Board
from games.nibble.endgame import settled
from games.nibble.notation import Take
from games.nibble.rules import Position
from games.nibble.scoring import Threat, Win, majorities, threats

Names = tuple[tuple[str, str], ...]
MANY_BLOCKS: Final = 4
"""A take of so many blocks is told of."""


def events(before: State, ply: Move, after: State) -> tuple[Remark, ...]:
    """Big takes, majorities, new threats and those that were stopped, and the end; see `Game.events`."""
    old, new = cast("Position", before), cast("Position", after)
    if not isinstance(ply, Take):
        return ()
    return (*_many(old, new), *_majorities(old, new), *_threats(old, new), *_decided(old, new))


def colour_name(board: Board, letter: str) -> Label:
    """What people call the colour of that letter."""
    return Label(COLOUR_NAMES[board.colours.index(letter)])


def three(board: Board, letters: str) -> Names:
    """The names of three colours in a row, and how many blocks of each win."""
    names = [colour_name(board, letter) for letter in letters]
    return ("count", str(board.triple)), ("first", names[0]), ("second", names[1]), ("third", names[2])


def _many(before: Position, after: Position) -> Iterator[Remark]:
    count = after.last.bit_count()
    if count >= MANY_BLOCKS:
        colour = Label(COLOUR_NAMES[before.colour_of(after.last)])
        yield Remark("many", N_("Takes {count} {colour} blocks at once"), (("count", str(count)), ("colour", colour)), before.seat)


def _majorities(before: Position, after: Position) -> Iterator[Remark]:
    board, seat = before.board, before.seat
    for letter in majorities(board, after.counts(seat)):
        if letter not in majorities(board, before.counts(seat)):
            yield Remark("majority", N_("Majority in {colour}"), (("colour", colour_name(board, letter)),), seat)


def _threats(before: Position, after: Position) -> Iterator[Remark]:
    """A threat is told of when it first comes up, and once more when the rival stops it."""
    board = before.board
    had = {(one.seat, one.kind, one.colours) for one in _threats_in(before)}
    has = {(one.seat, one.kind, one.colours): one for one in _threats_in(after)}
    for key, threat in has.items():
        if key not in had:
            yield _threatens(board, threat)
    if not after.over:
        for seat, kind, colours in sorted(had - has.keys()):
            if seat != before.seat:
                yield _stopped(board, kind, colours, before.seat)


def _threats_in(position: Position) -> list[Threat]:
    return [] if position.over else threats(position.board, [position.counts(0), position.counts(1)])


def _threatens(board: Board, threat: Threat) -> Remark:
    needs = ("needs", str(sum(threat.needs)))
    if threat.kind == "all":
        names = (needs, ("colour", colour_name(board, threat.colours)))
        return Remark("threat", N_("Only {needs} short of all {colour} blocks"), names, threat.seat)
    text = N_("Only {needs} short of {count} blocks each of {first}, {second} and {third}")
    return Remark("threat", text, (needs, *three(board, threat.colours)), threat.seat)


def _stopped(board: Board, kind: str, colours: str, seat: int) -> Remark:
    if kind == "all":
        return Remark("block", N_("Stops the threat of all {colour} blocks"), (("colour", colour_name(board, colours)),), seat)
    text = N_("Stops the threat of {count} blocks each of {first}, {second} and {third}")
    return Remark("block", text, three(board, colours), seat)


def _decided(before: Position, after: Position) -> Iterator[Remark]:
    """A win at once, or the ply after which the majorities could not be turned over any more."""
    if after.win is not None:
        yield won(after.board, after.win, before.seat)
        return
    winner = settled(after)
    if winner is not None and settled(before) is None:
        yield Remark("decided", N_("Certain of most majorities"), (), winner)


def won(board: Board, win: Win, seat: int) -> Remark:
    """How a seat has won at once."""
    if win.kind == "all":
        return Remark("win", N_("Wins at once: all {colour} blocks"), (("colour", colour_name(board, win.colours)),), seat)
    text = N_("Wins at once: {count} blocks each of {first}, {second} and {third}")
    return Remark("win", text, three(board, win.colours), seat)
