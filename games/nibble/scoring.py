"""What wins: all of a colour, three colours in a row on the table, and majorities (rules: Nibble)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.nibble.board import Board

FEW: Final = 3
"""A threat is a win for which a seat needs at most so many more blocks."""


class Win(NamedTuple):
    """Why a seat has won."""

    kind: str
    """`all`, `triple` or `majorities`."""
    colours: str
    """The letters of the colours it rests on."""


class Threat(NamedTuple):
    """A win at once that a seat can still reach with few blocks."""

    seat: int
    kind: str
    """`all` or `triple`."""
    colours: str
    needs: tuple[int, ...]
    """How many more blocks of each of the colours; at least one in all."""


def immediate_win(board: Board, counts: Sequence[int], colour: int) -> Win | None:
    """The win of a seat that has just taken blocks of `colour` and now has `counts` blocks of each colour."""
    if counts[colour] == board.each:
        return Win("all", board.colours[colour])
    if counts[colour] < board.triple:
        return None
    for first in range(max(colour - 2, 0), min(colour, board.each - 3) + 1):
        if min(counts[first : first + 3]) >= board.triple:
            return Win("triple", board.colours[first : first + 3])
    return None


def majorities(board: Board, counts: Sequence[int]) -> str:
    """The letters of the colours in which a seat with these counts has the majority."""
    return "".join(letter for letter, count in zip(board.colours, counts, strict=True) if count >= board.majority)


def threats(board: Board, counts: Sequence[Sequence[int]]) -> list[Threat]:
    """The wins at once that `FEW` more blocks would bring either seat, the nearest first.

    `counts` are per seat the blocks of each colour, of a match that goes on.
    """
    found = [threat for seat in (0, 1) for threat in _threats_of(board, seat, counts[seat], counts[1 - seat])]
    return sorted(found, key=lambda threat: sum(threat.needs))


def _threats_of(board: Board, seat: int, own: Sequence[int], rival: Sequence[int]) -> Iterator[Threat]:
    for colour, letter in enumerate(board.colours):
        if not rival[colour] and 0 < board.each - own[colour] <= FEW:
            yield Threat(seat, "all", letter, (board.each - own[colour],))
    spare = board.each - board.triple
    for first in range(board.each - 2):
        needs = tuple(max(0, board.triple - count) for count in own[first : first + 3])
        if 0 < sum(needs) <= FEW and max(rival[first : first + 3]) <= spare:
            yield Threat(seat, "triple", board.colours[first : first + 3], needs)
