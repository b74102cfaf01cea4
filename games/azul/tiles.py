"""The tiles of Azul and heaps of them.

A *heap* is one whole number with seven bits per colour: how many tiles of that colour lie there. No colour has more
than 20 tiles, so heaps can be added and taken apart like numbers, and each colour's highest bit stays clear.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from games.kit.protocol import N_, Label

LETTERS: Final = "BYRKW"
KEYS: Final = ("blue", "yellow", "red", "black", "white")
"""What the stylesheets call the colours."""
LABELS: Final = (Label(N_("blue")), Label(N_("yellow")), Label(N_("red")), Label(N_("black")), Label(N_("white")))
"""The colours inside a sentence."""

COLOURS: Final = range(len(LETTERS))
EACH: Final = 20
"""Tiles of each colour in the box."""

_BITS: Final = 7
_BASE: Final = 1 << _BITS
ONE: Final = tuple(1 << _BITS * colour for colour in COLOURS)
"""The heap of one tile of a colour."""
FIELD: Final = tuple((_BASE - 1) << _BITS * colour for colour in COLOURS)
"""The bits of a colour in a heap."""
ALL_TILES: Final = sum(EACH * one for one in ONE)
NO_TILE: Final = 0
_GUARDS: Final = sum((_BASE >> 1) * one for one in ONE)


def count(heap: int, colour: int) -> int:
    """How many tiles of `colour` lie in the heap."""
    return heap >> _BITS * colour & _BASE - 1


def size(heap: int) -> int:
    """How many tiles lie in the heap."""
    # The sum of a number's digits is its rest by the base minus one; there are 100 tiles, so it is less than that.
    return heap % (_BASE - 1)


def letters(heap: int) -> str:
    """The tiles of a heap as text, in the order of `LETTERS`."""
    return "".join(letter * count(heap, colour) for colour, letter in enumerate(LETTERS))


def heap_of(tiles: Iterable[str]) -> int:
    """The heap of the tiles that a text lists; every other character in it is passed over."""
    heap = NO_TILE
    for tile in tiles:
        heap += _ONE_OF.get(tile, NO_TILE)
    return heap


_ONE_OF: Final = dict(zip(LETTERS, ONE, strict=True))


def colour_of(heap: int) -> int | None:
    """The colour of a heap whose tiles are all alike; `None` when there are none."""
    return (heap.bit_length() - 1) // _BITS if heap else None


@lru_cache(maxsize=1 << 12)
def colours_in(heap: int) -> tuple[int, ...]:
    """The colours of which the heap has tiles."""
    return tuple(colour for colour in COLOURS if heap & FIELD[colour])


def holds(heap: int, part: int) -> bool:
    """Whether `part` can be taken from the heap."""
    # A colour that is too few borrows the guard above it.
    return (heap + _GUARDS - part) & _GUARDS == _GUARDS
