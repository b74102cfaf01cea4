"""Nibble: take blocks from the corners and never cut what remains in two."""

from games.kit.levels import LEVELS
from games.kit.protocol import N_, Game, Json, Variant
from games.nibble.board import COLOUR_NAMES, board_of
from games.nibble.notation import cell_name, opening, parse_ply
from games.nibble.picture import draw
from games.nibble.reasons import reason
from games.nibble.rules import initial_position
from games.nibble.story import events


def board_data(variant: str) -> dict[str, Json]:
    """What the board in the browser must know once.

    `cells` are the cells by index, rows from the bottom, with the place of their middle in cell widths, y up; `colours`
    the colour table with a letter each, `names` what they are called; `all`, `triple` and `majority` the numbers of
    blocks that count: all of a colour, of each of three in a row, and for a majority. `size` is the length of a side.
    """
    board = board_of(variant)
    places = [board.centre(cell) for cell in board.cells]
    return {
        "shape": "hex" if board.hex else "square",
        "size": board.size,
        "colours": board.colours,
        "names": dict(zip(board.colours, COLOUR_NAMES, strict=False)),
        "cells": [
            {"name": cell_name(cell), "x": round(x, 4), "y": round(y, 4)}
            for cell, (x, y) in zip(board.cells, places, strict=True)
        ],
        "majority": board.majority,
        "all": board.each,
        "triple": board.triple,
    }


GAME = Game(
    key="nibble",
    name=N_("Nibble"),
    tagline=N_("Take corner after corner and leave the rest in one piece."),
    version=1,
    variants=(
        Variant(
            key="square-9",
            name=N_("Nine colours"),
            seats=2,
            description=N_("A square of 9 by 9 blocks: the quick game."),
            colours=((), ()),
        ),
        Variant(
            key="square-13",
            name=N_("Thirteen colours"),
            seats=2,
            description=N_("A square of 13 by 13 blocks: more colours, more plans."),
            colours=((), ()),
        ),
        Variant(
            key="hex-13",
            name=N_("Hexagon"),
            seats=2,
            description=N_("169 six-sided blocks in thirteen colours; a corner has three free sides."),
            colours=((), ()),
        ),
    ),
    levels=LEVELS,
    initial_state=initial_position,
    parse_move=parse_ply,
    board_data=board_data,
    bots_module="games.nibble.bots",
    picture=draw,
    opening=opening,
    events=events,
    reason=reason,
)
