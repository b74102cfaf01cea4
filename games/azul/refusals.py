"""Why a ply of Azul is refused, naming the rule and the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.azul import deals
from games.azul.notation import CENTRE, FLOOR, Column, Deal, Take
from games.azul.scoring import WALL_COLUMNS, occupied, place
from games.azul.tiles import FIELD, LABELS
from games.kit.protocol import CHANCE, IllegalMove, Move

if TYPE_CHECKING:
    from games.azul.boards import Board
    from games.azul.rules import Position


def refusal(position: Position, move: Move) -> IllegalMove:
    """The reason why `move`, which is not legal in `position`, is refused."""
    seat = position.to_move
    if not isinstance(move, Take | Column | Deal):
        return IllegalMove("not_a_move", "“{move}” is not a move of Azul.", move=move)
    if seat is None:
        return IllegalMove("match_over", "The match is over; nothing can be taken any more.")
    if isinstance(move, Deal):
        wrong = deals.refusal(position.bag, position.lid, position.table.factories, move) if seat is CHANCE else None
        return wrong or IllegalMove("no_deal_due", "No deal is due; the factories are filled when a round begins.")
    if seat is CHANCE:
        return IllegalMove("deal_due", "The factories are filled first; then the round begins.")
    assert isinstance(seat, int)
    board = position.boards[seat]
    if isinstance(move, Column):
        return _column_refusal(position, board, move)
    if position.line is not None:
        return IllegalMove(
            "column_due",
            "First choose the column to which the tile of your line {line} goes.",
            line=position.line + 1,
        )
    return _source_refusal(position, move) or _line_refusal(board, move)


def _source_refusal(position: Position, move: Take) -> IllegalMove | None:
    """Why nothing of that colour can be taken there; `None` when it can."""
    factories, number, colour = position.table.factories, move.source, LABELS[move.colour]
    if number > factories:
        return IllegalMove(
            "no_factory",
            "There is no factory {number} here; the factories are 1 to {factories}.",
            number=number,
            factories=factories,
        )
    heap = position.sources[number]
    if heap & FIELD[move.colour]:
        return None
    if number == CENTRE:
        if not heap:
            return IllegalMove("empty_centre", "There are no tiles in the centre.")
        return IllegalMove("not_in_centre", "There is no {colour} tile in the centre.", colour=colour)
    if not heap:
        return IllegalMove("empty_factory", "Factory {number} is empty.", number=number)
    return IllegalMove("not_on_factory", "There is no {colour} tile on factory {number}.", colour=colour, number=number)


def _line_refusal(board: Board, move: Take) -> IllegalMove:
    """Why that colour cannot go to that line; to the floor it always can."""
    assert move.line != FLOOR
    line, colour = move.line + 1, LABELS[move.colour]
    there = board.line_colour(move.line)
    if there is not None and there != move.colour:
        return IllegalMove(
            "other_colour",
            "A line holds tiles of one colour; your line {line} has {there} already, so no {colour} fits there.",
            line=line,
            there=LABELS[there],
            colour=colour,
        )
    if there is not None:
        return IllegalMove(
            "line_full", "Your line {line} is full of {colour} until the round ends.", line=line, colour=colour
        )
    return IllegalMove(
        "colour_on_wall",
        "Row {line} of your wall has its {colour} tile already, so line {line} takes no more of that colour.",
        line=line,
        colour=colour,
    )


def _column_refusal(position: Position, board: Board, move: Column) -> IllegalMove:
    line, column = move.line + 1, move.column + 1
    if position.line is None:
        return IllegalMove(
            "no_column_due", "There is no column to choose now; take tiles from a factory or the centre."
        )
    if move.line != position.line:
        return IllegalMove(
            "wrong_line",
            "Line {due} is next to go to the wall, not line {line}.",
            due=position.line + 1,
            line=line,
        )
    if occupied(board.wall) & place(move.line, move.column):
        return IllegalMove(
            "place_taken", "Row {line} of your wall has a tile in column {column} already.", line=line, column=column
        )
    colour = board.line_colour(move.line)
    assert colour is not None
    assert board.wall[colour] & WALL_COLUMNS[move.column]
    return IllegalMove(
        "colour_in_column",
        "Column {column} of your wall has a {colour} tile already, and a colour stands only once in a column.",
        column=column,
        colour=LABELS[colour],
    )
