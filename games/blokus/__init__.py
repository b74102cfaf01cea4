"""Blokus: place all your pieces, corner to corner and never edge to edge."""

from games.blokus import blksgf
from games.blokus.board import board_of
from games.blokus.notation import COLUMNS, opening, parse_placement
from games.blokus.picture import draw
from games.blokus.pieces import ORIENTATIONS, PIECES, SQUARES
from games.blokus.reasons import reason
from games.blokus.rules import FREE_CORNERS, initial_position
from games.blokus.story import events
from games.kit.levels import LEVELS
from games.kit.protocol import N_, Game, Json, Option, Variant


def board_data(variant: str) -> dict[str, Json]:
    """What the board in the browser must know once.

    `columns` are the column letters, `colours` the colours in turn order, `starts` the start cells of each (cell =
    row·size + column, rows from the bottom), `pieces` the 21 pieces by index, `orientations` their 91 orientations,
    cells as [x, y] with y up and the bounding box at (0, 0). An offer names orientations by their index.
    """
    board = board_of(variant)
    return {
        "size": board.size,
        "columns": COLUMNS[: board.size],
        "colours": list(board.colours),
        "starts": {key: board.cells(start) for key, start in zip(board.colours, board.starts, strict=True)},
        "pieces": [{"key": key, "squares": squares} for key, squares in zip(PIECES, SQUARES, strict=True)],
        "orientations": [
            {"piece": shape.piece, "cells": [list(cell) for cell in shape.cells]} for shape in ORIENTATIONS
        ],
    }


GAME = Game(
    key="blokus",
    name=N_("Blokus"),
    tagline=N_("Touch corners, never edges, and find room for every piece."),
    version=1,
    variants=(
        Variant(
            key="classic-4",
            name=N_("Classic, four players"),
            seats=4,
            description=N_("The full board, one colour each."),
            colours=(("blue",), ("yellow",), ("red",), ("green",)),
        ),
        Variant(
            key="classic-3",
            name=N_("Classic, three players"),
            seats=3,
            description=N_("One colour each; the three take turns with green, which scores for nobody."),
            colours=(("blue",), ("yellow",), ("red",)),
        ),
        Variant(
            key="classic-2",
            name=N_("Classic, two players"),
            seats=2,
            description=N_("Two colours each on the full board; your score is their sum."),
            colours=(("blue", "red"), ("yellow", "green")),
        ),
        Variant(
            key="duo-2",
            name=N_("Duo"),
            seats=2,
            description=N_("A small board and a start near its middle: contact from the first moves."),
            colours=(("blue",), ("green",)),
        ),
    ),
    levels=LEVELS,
    initial_state=initial_position,
    parse_move=parse_placement,
    board_data=board_data,
    bots_module="games.blokus.bots",
    picture=draw,
    opening=opening,
    events=events,
    reason=reason,
    options=(
        Option(
            key=FREE_CORNERS,
            name=N_("Free corners"),
            description=N_("Start in any corner that is still free instead of your own."),
        ),
    ),
    formats=(blksgf.FORMAT,),
)
