"""How well an Azul position stands and how good a move looks, for the bots.

A board promises its score if the round ended now, and more for lines that are begun, for columns, colours and rows that
grow, and for the first take of the next round. The weights are in points and set by judgement;
`python -m tests.bench.duel` tells what a change of one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from heapq import nlargest
from math import exp
from operator import itemgetter
from typing import Final

from games.azul.boards import Board, forecast
from games.azul.notation import CENTRE, SIZE, Column, Take
from games.azul.rules import Position
from games.azul.scoring import COLUMN_BONUS, WALL_COLUMNS, Wall, bonus, coloured_column, occupied, points, rows, runs
from games.azul.scoring import ROWS as WALL_ROWS
from games.azul.tiles import count
from games.kit.standing import likely

# What so many tiles of a column, a colour or a row are worth before the match ends.
_COLUMN: Final = (0.0, 0.1, 0.5, 1.5, 3.8, float(COLUMN_BONUS))
_COLOUR: Final = (0.0, 0.1, 0.5, 1.6, 4.5, 10.0)
_ROW: Final = (0.0, 0.0, 0.1, 0.3, 0.8, 2.0)
_BEGUN: Final = 0.7
"""What a line counts of its tile's points when it is all but full; a part of that when less is on it."""
_UNPLACED: Final = 2.2
"""The points that a tile of the grey side may hope for, whose column is not chosen yet."""
_FIRST: Final = 1.2
"""The first take of the next round."""
_LONG: Final = 9
"""After so many rounds only points count, so that a match does not drag on for hopes."""
_LEAD: Final = 9.0
"""A lead of so many points is a value of about 0.73."""
_SHARPNESS: Final = 0.6
"""How much the search prefers what looks good: a point more is 1.8 times the prior."""


@lru_cache(maxsize=1 << 14)
def _growth(wall: Wall) -> float:
    """What a wall is worth for the bonuses that may come of it."""
    places = occupied(wall)
    return (
        sum([_COLUMN[(places & column).bit_count()] for column in WALL_COLUMNS])
        + sum([_COLOUR[mask.bit_count()] for mask in wall])
        + sum([_ROW[(places & row).bit_count()] for row in WALL_ROWS])
    )


@lru_cache(maxsize=1 << 15)
def _promise(board: Board, grey: bool) -> tuple[float, float, bool]:
    """What a board promises if the match goes on, its points if this round is the last, and whether it makes it so."""
    end = forecast(board, grey)[0]
    hope = 0.0
    places = occupied(end.wall)
    for line in range(SIZE):
        colour = end.line_colour(line)
        if colour is None:
            continue
        tiles = count(end.lines[line], colour)
        worth = _UNPLACED if grey else points(*runs(places, line, coloured_column(line, colour)))
        hope += _BEGUN * worth * tiles / (line + 1)
    return end.score + hope + _growth(end.wall), float(end.score + bonus(end.wall)), rows(end.wall) > 0


def promises(position: Position) -> list[float]:
    """The points that each seat may hope for."""
    if position.to_move is None:
        return [float(score) for score in position.scores()]
    boards = [_promise(board, position.table.grey) for board in position.boards]
    if position.round > _LONG or any(last for _, _, last in boards):
        return [final for _, final, _ in boards]
    hopes = [hope for hope, _, _ in boards]
    if position.marker is not None:
        hopes[position.marker] += _FIRST
    elif position.last is None:
        hopes[position.starter] += _FIRST
    return hopes


@lru_cache(maxsize=1 << 16)
def _gain(board: Board, colour: int, tiles: int, line: int, marker: bool, grey: bool) -> float:
    """How much more a board promises after a take. Hope lost by ending the match does not count, so matches end."""
    after, _ = board.put(colour, tiles, line, marker=marker)
    return _promise(after, grey)[0] - _promise(board, grey)[0]


def appeals(position: Position) -> list[tuple[float, Take | Column]]:
    """Each legal move with how good it looks, in points; a match that is over has none."""
    seat = position.to_move
    if not isinstance(seat, int):
        return []
    board, grey, sources = position.boards[seat], position.table.grey, position.sources
    looks: list[tuple[float, Take | Column]] = []
    for move in position.legal_moves():
        if isinstance(move, Column):
            looks.append((_promise(board.tile(*move)[0], grey)[0], move))
            continue
        source, colour, line = move
        marker = source == CENTRE and position.marker is None
        gain = _gain(board, colour, count(sources[source], colour), line, marker, grey)
        looks.append((gain + _FIRST if marker else gain, move))
    return looks


def standing(position: Position) -> list[float]:
    """Per seat how it stands by what each is promised, from 0 to 1."""
    return likely(promises(position), _LEAD)


class Judgement:
    """Steers the tree search (`games.kit.search.Guide`) through the `width` best-looking moves."""

    def __init__(self, width: int) -> None:
        self.width = width

    def candidates(self, state: Position) -> Sequence[tuple[Take | Column, float]]:
        best = nlargest(self.width, appeals(state), key=itemgetter(0))
        weights = [exp(_SHARPNESS * (appeal - best[0][0])) for appeal, _ in best]
        total = sum(weights)
        return [(move, weight / total) for weight, (_, move) in zip(weights, best, strict=True)]

    def values(self, state: Position) -> Sequence[float]:
        """Per seat by how much its promise is ahead of the best of the others."""
        totals = promises(state)
        leads = [total - max(totals[:seat] + totals[seat + 1 :]) for seat, total in enumerate(totals)]
        return [1 / (1 + exp(-lead / _LEAD)) for lead in leads]
