"""What the board in the browser is told: positions, legal moves with what follows from each, and constants.

Numbers of factories, lines, rows and columns count from 1 here, as people read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.azul.boards import FULL_LINE, Board, Bonus, Charged, Step, forecast
from games.azul.notation import CENTRE, FLOOR, SIZE, Column, Take
from games.azul.scoring import FLOOR_COSTS, PENALTIES, bonus, coloured_column, complete, place, rows
from games.azul.table import table_of
from games.azul.tiles import COLOURS, KEYS, LETTERS, count, letters
from games.kit.protocol import Json

if TYPE_CHECKING:
    from games.azul.rules import Position

EMPTY = "."


def board_data(variant: str) -> dict[str, Json]:
    """What the board must know once.

    `wall` shows which colour goes where, row by row from the top; it is `None` on the grey side. `floor` is what each
    place costs.
    """
    table = table_of(variant)
    colour_at = {(row, coloured_column(row, colour)): LETTERS[colour] for row in range(SIZE) for colour in COLOURS}
    rows = ["".join(colour_at[row, column] for column in range(SIZE)) for row in range(SIZE)]
    return {
        "seats": table.seats,
        "factories": table.factories,
        "grey": table.grey,
        "wall": None if table.grey else rows,
        "colours": LETTERS,
        "names": dict(zip(LETTERS, KEYS, strict=True)),
        "floor": list(FLOOR_COSTS),
    }


def view(position: Position) -> dict[str, Json]:
    """The whole position.

    Heaps are texts like `BBRY`; the bag and the lid are counted by colour, since their order is not known to anyone.
    `marker` is the seat that took it, `None` while it lies in the centre. `tiling` tells what the latest round end did,
    in order, until the next take. A board's `forecast` is its score if the round ended now.
    """
    forecasts = forecast_scores(position, position.boards)
    return {
        "round": position.round,
        "phase": "over" if position.to_move is None else "take" if position.line is None else "place",
        "factories": [letters(heap) for heap in position.sources[1:]],
        "centre": letters(position.sources[CENTRE]),
        "marker": position.marker,
        "starter": position.starter,
        "bag": _counts(position.bag),
        "lid": _counts(position.lid),
        "boards": [_board(position, seat, forecasts[seat]) for seat in range(len(position.boards))],
        "tiling": [_step(seat, step) for seat, step in position.tiling],
        "last": _last(position),
    }


def forecast_scores(position: Position, boards: tuple[Board, ...]) -> list[int]:
    """Each seat's score if the round ended with these boards; with the bonuses if that would be the last round.

    Of two or more columns a tile is taken to go where it scores most at once.
    """
    if position.to_move is None:
        return [board.score for board in boards]
    ends = [forecast(board, position.table.grey)[0] for board in boards]
    over = any(rows(end.wall) for end in ends)
    return [end.score + (bonus(end.wall) if over else 0) for end in ends]


def _counts(heap: int) -> dict[str, int]:
    return {letter: count(heap, colour) for colour, letter in enumerate(LETTERS)}


def _board(position: Position, seat: int, score_then: int) -> dict[str, Json]:
    board = position.boards[seat]
    full_rows, full_columns, full_colours = complete(board.wall)
    choose = None
    if position.line is not None and position.to_move == seat:
        choose = {
            "line": position.line + 1,
            "columns": [column + 1 for column in position.choices(board, position.line)],
        }
    return {
        "seat": seat,
        "score": board.score,
        "lines": [_line(board, line) for line in range(SIZE)],
        "wall": _wall(board),
        "floor": board.floor,
        "penalty": PENALTIES[len(board.floor)],
        "forecast": score_then,
        "rows": full_rows,
        "columns": full_columns,
        "colours": full_colours,
        "choose": choose,
    }


def _line(board: Board, line: int) -> dict[str, Json]:
    colour = board.line_colour(line)
    if colour is None:
        return {"colour": None, "count": 0}
    return {"colour": LETTERS[colour], "count": count(board.lines[line], colour)}


def _wall(board: Board) -> list[str]:
    def tile(row: int, column: int) -> str:
        there = (LETTERS[colour] for colour in COLOURS if board.wall[colour] & place(row, column))
        return next(there, EMPTY)

    return ["".join(tile(row, column) for column in range(SIZE)) for row in range(SIZE)]


def _step(seat: int, step: Step) -> dict[str, Json]:
    """A tile's `across` and `down` are the runs that were counted, 0 where it stands alone."""
    if isinstance(step, Charged):
        return {"seat": seat, "floor": step.floor, "points": step.points}
    if isinstance(step, Bonus):
        return {"seat": seat, "bonus": step.kind, "count": step.complete, "points": step.points}
    return {
        "seat": seat,
        "line": step.line + 1,
        "colour": LETTERS[step.colour],
        "column": step.column + 1,
        "across": step.across,
        "down": step.down,
        "points": step.points,
    }


def _last(position: Position) -> dict[str, Json] | None:
    """The move that led here; a chosen column has no source."""
    if position.last is None:
        return None
    seat, move, colour, tiles = position.last
    return {
        "seat": seat,
        "source": str(move)[0] if isinstance(move, Take) else None,
        "colour": LETTERS[colour],
        "line": _target(move.line),
        "count": tiles,
        "column": move.column + 1 if isinstance(move, Column) else None,
    }


def _target(line: int) -> int | str:
    return "f" if line == FLOOR else line + 1


def offer(position: Position) -> list[dict[str, Json]]:
    """Every legal move with what follows from it.

    Of a take: `fills` tiles go on the line and `falls` beside it, `cost` is what the floor's penalty changes by,
    `points` what the line's tile will score when the round ends if the line is now full (`None` if not, or on the grey
    side), and `forecast` the own score if the round ended after this move. Of a column: the `points` at once.
    """
    seat = position.to_move
    if not isinstance(seat, int):
        return []
    board = position.boards[seat]
    offers: list[dict[str, Json]] = []
    for move in position.legal_moves():
        if isinstance(move, Column):
            step = board.tile(*move)[1]
            offers.append({"move": str(move), "line": move.line + 1, "column": move.column + 1, "points": step.points})
        else:
            offers.append(_take(position, seat, move))
    return offers


def _take(position: Position, seat: int, move: Take) -> dict[str, Json]:
    boards = position.boards
    before = boards[seat]
    tiles = count(position.sources[move.source], move.colour)
    marker = move.source == CENTRE and position.marker is None
    fills = 0 if move.line == FLOOR else min(tiles, before.room(move.line, move.colour))
    after, _ = before.put(move.colour, tiles, move.line, marker=marker)
    forecasts = forecast_scores(position, (*boards[:seat], after, *boards[seat + 1 :]))
    return {
        "move": str(move),
        "source": str(move)[0],
        "colour": LETTERS[move.colour],
        "line": _target(move.line),
        "count": tiles,
        "fills": fills,
        "falls": tiles - fills,
        "marker": marker,
        "cost": PENALTIES[len(after.floor)] - PENALTIES[len(before.floor)],
        "points": _points(after, move, grey=position.table.grey),
        "forecast": forecasts[seat],
    }


def _points(board: Board, move: Take, *, grey: bool) -> int | None:
    """What the tile of the line that `move` filled will score, the full lines above it counted first."""
    if grey or move.line == FLOOR or board.lines[move.line] not in FULL_LINE[move.line]:
        return None
    return next(tile.points for tile in forecast(board, grey)[1] if tile.line == move.line)
