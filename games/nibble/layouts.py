"""Start layouts: drawing one, reading one, and why one is refused (rules: Nibble, Layout ply)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kit.chance import Source, shuffled
from games.kit.protocol import IllegalMove, Label
from games.nibble.board import COLOUR_NAMES, Board
from games.nibble.notation import Layout, cell_name

_TRIES: Final = 16
"""So often, per cell, two blocks are asked to change places; a bit more than half of the tries are allowed."""
_SLANT: Final = 10
"""The stripes rise by so much from row to row: on each of the boards every colour then is there equally often."""


def draw_layout(board: Board, source: Source) -> Layout:
    """A random layout in which every colour is equally often and equal colours are never side by side.

    It starts from stripes whose colours are shuffled, and two cells, drawn evenly, change places again and again
    wherever that leaves no equal colours side by side. Since a change and its reverse are equally likely, the
    distribution that this tends to has every layout that can be reached equally likely, and no colour or place is
    favoured. It stops after `_TRIES` tries a cell, when a block has moved some ten times: so it always ends, and close
    to even chances, which it reaches exactly only with more and more tries.
    """
    paint = shuffled(range(board.each), source)
    colours = [paint[(x + _SLANT * y) % board.each] for x, y in board.cells]
    count = len(colours)
    for _ in range(_TRIES * count):
        one, other = source.below(count), source.below(count)
        colours[one], colours[other] = colours[other], colours[one]
        if _clashes(board, colours, one) or _clashes(board, colours, other):
            colours[one], colours[other] = colours[other], colours[one]
    return layout_of(board, colours)


def _clashes(board: Board, colours: Sequence[int], index: int) -> bool:
    """Whether a neighbour of the cell has its colour."""
    colour = colours[index]
    return any(colours[near] == colour for near in board.neighbours[index])


def layout_of(board: Board, colours: Sequence[int]) -> Layout:
    """The layout with these colours, in the order of the cells."""
    letters = iter([board.colours[colour] for colour in colours])
    return Layout(tuple("".join(next(letters) for _ in row) for row in board.rows)[::-1])


def blocks_of(board: Board, layout: Layout) -> tuple[int, ...]:
    """Per colour the bitboard of its blocks. Raises `IllegalMove` for a layout that the rules forbid."""
    _check_rows(board, layout)
    letters = "".join(reversed(layout.rows))
    for colour, letter in enumerate(board.colours):
        if letters.count(letter) != board.each:
            raise IllegalMove(
                "layout_counts",
                "There must be {expected} blocks of each colour; this layout has {count} of {colour}.",
                expected=board.each,
                count=letters.count(letter),
                colour=Label(COLOUR_NAMES[colour]),
            )
    for index, near in enumerate(board.neighbours):
        for other in near:
            if letters[index] == letters[other]:
                raise IllegalMove(
                    "layout_neighbours",
                    "Equal colours may not be side by side, as {colour} is at {first} and {second}.",
                    colour=Label(COLOUR_NAMES[board.colours.index(letters[index])]),
                    first=cell_name(board.cells[index]),
                    second=cell_name(board.cells[other]),
                )
    masks = [0] * board.each
    for cell, letter in zip(board.cells, letters, strict=True):
        masks[board.colours.index(letter)] |= 1 << board.bit(cell)
    return tuple(masks)


def _check_rows(board: Board, layout: Layout) -> None:
    lengths = [len(row) for row in layout.rows]
    expected = [len(row) for row in reversed(board.rows)]
    if lengths != expected:
        raise IllegalMove(
            "layout_rows",
            "The rows of this board have {expected} cells from the top; those of the layout have {lengths}.",
            expected=", ".join(map(str, expected)),
            lengths=", ".join(map(str, lengths)),
        )
