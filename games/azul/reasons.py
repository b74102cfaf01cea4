"""Why one move of Azul is better than another, in a sentence: points, floor, bonuses, the next player's chances.

Each difference between the two moves is weighed in points, roughly as `games.azul.judgement` does, and the greatest is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from games.azul.boards import FULL_LINE, Board, forecast
from games.azul.notation import CENTRE, FLOOR, SIZE, Column, Take
from games.azul.rules import Position
from games.azul.scoring import (
    COLOUR_BONUS,
    COLUMN_BONUS,
    PENALTIES,
    WALL_COLUMNS,
    bonus,
    coloured_column,
    occupied,
    points,
    rows,
    runs,
)
from games.azul.tiles import COLOURS, LABELS, count, size
from games.kit.protocol import N_, Move, Remark, State
from games.kit.story import Merit, most

_LEAST: Final = 0.2
"""Less is not worth a sentence."""
_BEGUN: Final = 0.7
"""What a line that is not full counts of its tile's points, as far as it is filled."""
_GROWTH: Final = (0.0, 0.0, 0.06, 0.18, 0.4, 1.0)
"""What so many tiles of a column or a colour count of its bonus."""
_FIRST: Final = 1.2
"""The first choice of the next round."""
_LAST_ROUND: Final = 6.0
"""To end the match when ahead, or not to when behind."""
_RIVAL: Final = 0.6
"""A point of the next player's, who may be no rival of many and may have something else as good."""
_WAITS: Final = 0.5
"""A line that is done with, and free for another colour in the next round, rather than waiting for tiles."""
_TILE: Final = 0.3
"""A tile more on the lines, which cost nothing there."""
_SHUT_OUT: Final = 1.5
"""A colour that has no column left in a row of a grey wall."""


class Outlook(NamedTuple):
    """What a move does to the mover's board."""

    move: Take | Column
    board: Board
    """With the round not ended yet."""
    end: Board
    """As it would be if the round ended now, see `forecast`."""
    points: int
    """What the tile scores that goes to the wall: of the line just filled, or in the column just chosen; else 0."""
    after: Position

    @property
    def cost(self) -> int:
        """What the floor would cost now."""
        return -PENALTIES[len(self.board.floor)]

    @property
    def marker(self) -> bool:
        return "*" in self.board.floor


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    position = cast("Position", state)
    seat = position.to_move
    if not isinstance(seat, int):
        return None
    one, other = (_outlook(position, seat, cast("Take | Column", move)) for move in (better, played))
    merits = [*_grown(one, other), *_last_round(position, seat, one, other)]
    if isinstance(one.move, Column):
        merits += _column(one, other)
    else:
        merits += [*_line(position, one, other), *_tiles(one, other), *_floor(one, other), *_next(seat, one, other)]
    told = most(merits, _LEAST)
    return None if told is None else told._replace(seat=seat)


def _outlook(position: Position, seat: int, move: Take | Column) -> Outlook:
    board, grey = position.boards[seat], position.table.grey
    if isinstance(move, Column):
        after, tile, _ = board.tile(*move)
        return Outlook(move, after, forecast(after, grey)[0], tile.points, position.play(move))
    marker = move.source == CENTRE and position.marker is None
    after, _ = board.put(move.colour, count(position.sources[move.source], move.colour), move.line, marker=marker)
    end, tiles = forecast(after, grey)
    scored = 0
    if _full(after, move.line):
        scored = next((tile.points for tile in tiles if tile.line == move.line), 0)
    return Outlook(move, after, end, scored, position.play(move))


def _remark(kind: str, text: str, **names: object) -> Remark:
    return Remark(kind, text, tuple((name, value if isinstance(value, str) else str(value)) for name, value in names.items()))


def _floor(better: Outlook, played: Outlook) -> Iterator[Merit]:
    saved = played.cost - better.cost
    yield saved, _remark("floor", N_("The floor costs less: {less} instead of {more}."), less=better.cost, more=played.cost)
    if better.marker and not played.marker:
        yield _FIRST, _remark("start", N_("It takes the starting marker, and with it the first choice of the next round."))


def _line(position: Position, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """A line that is filled, or a line that is begun and worth more."""
    assert isinstance(better.move, Take)
    line, gain = better.move.line, better.points - played.points
    if played.points:
        text = N_("It fills line {line}, whose tile scores more: {points} instead of {other}.")
        yield gain, _remark("line", text, line=line + 1, points=better.points, other=played.points)
    elif better.points:
        yield gain, _remark("line", N_("It fills line {line}, whose tile scores {points}."), line=line + 1, points=better.points)
    if better.points or line == FLOOR:
        return
    hope = _hope(better.board, position.table.grey) - _hope(played.board, position.table.grey) - played.points
    filled = count(better.board.lines[line], better.move.colour)
    text = N_("It brings line {line} nearer to its tile: {count} of {size} are there.")
    yield hope, _remark("line", text, line=line + 1, count=filled, size=line + 1)


def _tiles(better: Outlook, played: Outlook) -> Iterator[Merit]:
    """What is on the lines, whatever it will score."""
    assert isinstance(better.move, Take) and isinstance(played.move, Take)
    line, other = better.move.line, played.move.line
    if _full(better.board, line) and other != FLOOR and not _full(played.board, other):
        names = {"line": line + 1, "other": other + 1, "colour": LABELS[played.move.colour]}
        yield _WAITS, _remark("line", N_("It fills line {line}, while line {other} would go on waiting for {colour} tiles."), **names)
    more, fewer = (sum(size(heap) for heap in outlook.board.lines) for outlook in (better, played))
    text = N_("It puts more tiles on the lines: in all they hold {more} then instead of {fewer}.")
    yield _TILE * (more - fewer), _remark("tiles", text, more=more, fewer=fewer)


def _full(board: Board, line: int) -> bool:
    return line != FLOOR and board.lines[line] in FULL_LINE[line]


def _hope(board: Board, grey: bool) -> float:
    """What the lines that are not full yet promise."""
    end = forecast(board, grey)[0]
    places, hope = occupied(end.wall), 0.0
    for line in range(SIZE):
        colour = end.line_colour(line)
        if colour is not None:
            worth = 2.2 if grey else points(*runs(places, line, coloured_column(line, colour)))
            hope += _BEGUN * worth * count(end.lines[line], colour) / (line + 1)
    return hope


def _grown(better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Columns and colours that come nearer to their bonus."""
    mine, theirs = occupied(better.end.wall), occupied(played.end.wall)
    for number, column in enumerate(WALL_COLUMNS, start=1):
        have, instead = (mine & column).bit_count(), (theirs & column).bit_count()
        text = N_("It brings column {column} to {count} of five tiles.")
        if have == SIZE:
            text = N_("It completes column {column}, for {points} points at the end.")
        worth = COLUMN_BONUS * (_GROWTH[have] - _GROWTH[instead])
        yield worth, _remark("column", text, column=number, count=have, points=COLUMN_BONUS)
    for colour in COLOURS:
        have, instead = better.end.wall[colour].bit_count(), played.end.wall[colour].bit_count()
        text = N_("It brings {colour} to {count} of five tiles on the wall.")
        if have == SIZE:
            text = N_("It completes all five {colour} tiles, for {points} points at the end.")
        worth = COLOUR_BONUS * (_GROWTH[have] - _GROWTH[instead])
        yield worth, _remark("colour", text, colour=LABELS[colour], count=have, points=COLOUR_BONUS)


def _last_round(position: Position, seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Whether the match ends with this round, which a complete row brings about."""
    ends, others = rows(better.end.wall) > 0, rows(played.end.wall) > 0
    rivals = [forecast(board, position.table.grey)[0] for rival, board in enumerate(position.boards) if rival != seat]
    if ends == others or any(rows(end.wall) for end in rivals):
        return
    best = max(end.score + bonus(end.wall) for end in rivals)
    if ends and better.end.score + bonus(better.end.wall) > best:
        yield _LAST_ROUND, _remark("row", N_("It completes a row, so that the match ends while this seat is ahead."))
    if others and played.end.score + bonus(played.end.wall) < best:
        yield _LAST_ROUND, _remark("row", N_("It does not complete a row yet, which would end the match while this seat is behind."))


def _next(seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """What the next player can do after the other move and not after this one."""
    after, instead = better.after, played.after
    rival = instead.to_move
    if not isinstance(rival, int) or rival == seat or after.to_move != rival or after.line is not None or instead.line is not None:
        return
    now, then = _best_take(after, rival), _best_take(instead, rival)
    if then is None or then.points == 0 or (now is not None and _worth(now) >= _worth(then)):
        return
    assert isinstance(then.move, Take)
    text = N_("The move that was made leaves {colour} tiles to the next player, who can fill line {line} with them for {points}.")
    remark = _remark("deny", text, colour=LABELS[then.move.colour], line=then.move.line + 1, points=then.points)
    yield _RIVAL * (then.points if now is None else _worth(then) - _worth(now)), remark


def _best_take(position: Position, seat: int) -> Outlook | None:
    """The take that brings the seat most at once."""
    takes = (move for move in position.legal_moves() if isinstance(move, Take) and move.line != FLOOR)
    return max((_outlook(position, seat, take) for take in takes), key=_worth, default=None)


def _worth(outlook: Outlook) -> float:
    """What a take brings at once, and nearer to the bonuses."""
    wall = outlook.end.wall
    columns = sum(_GROWTH[(occupied(wall) & column).bit_count()] for column in WALL_COLUMNS)
    colours = sum(_GROWTH[mask.bit_count()] for mask in wall)
    return outlook.points - outlook.cost + COLUMN_BONUS * columns + COLOUR_BONUS * colours


def _column(better: Outlook, played: Outlook) -> Iterator[Merit]:
    """The choice of a column of the grey wall."""
    gain = better.points - played.points
    yield gain, _remark("points", N_("The tile scores more there: {points} instead of {other}."), points=better.points, other=played.points)
    less, more = _shut_out(better.board), _shut_out(played.board)
    text = N_("It leaves more colours a place in their rows: without one are {less} instead of {more}.")
    yield _SHUT_OUT * (more - less), _remark("room", text, less=less, more=more)


def _shut_out(board: Board) -> int:
    """How many times a colour that a row of the grey wall lacks has no column left there."""
    return sum(not board.has_colour(row, colour) and not board.columns(row, colour, grey=True) for row in range(SIZE) for colour in COLOURS)
