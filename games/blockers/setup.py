"""What never changes in a variant of Blockers!: colours, who plays them, and how many tiles there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from games.blockers.notation import COLOURS, TILES

RACK: Final = 5
DEAL: Final = -1
"""Stands for a colour where the draw that is due is the deal."""
PLACED: Final = len(TILES) - RACK + 1
"""A colour stops when it has placed so many tiles: its pile is empty and its rack down to four."""


class Setup:
    """The colours of a variant in order, and the seat that plays each."""

    def __init__(self, variant: str) -> None:
        kind, _, number = variant.rpartition("-")
        self.variant: Final = variant
        self.seat_count: Final = int(number)
        self.named: Final = kind == "double"
        """Whether a seat plays more than one colour, so that moves name it."""
        colours = self.seat_count * (2 if self.named else 1)
        self.colours: Final = COLOURS[:colours]
        self.seats: Final = tuple(colour % self.seat_count for colour in range(colours))
        self.colours_of: Final = tuple(tuple(range(seat, colours, self.seat_count)) for seat in range(self.seat_count))

    def __repr__(self) -> str:
        return f"Setup({self.variant!r})"

    def __reduce__(self) -> tuple[Callable[[str], Setup], tuple[str]]:
        """Copies and pickles are the same setup, so that positions stay equal."""
        return setup_of, (self.variant,)


@cache
def setup_of(variant: str) -> Setup:
    """The one setup of a variant, made when first asked for."""
    return Setup(variant)
