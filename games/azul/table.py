"""What never changes in a variant of Azul: seats, factories, and which side of the boards is up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final


class Table:
    """A variant's constants."""

    def __init__(self, variant: str) -> None:
        side, seats = variant.split("-")
        self.variant: Final = variant
        self.grey: Final = side == "grey"
        self.seats: Final = int(seats)
        self.factories: Final = 2 * self.seats + 1

    def __repr__(self) -> str:
        return f"Table({self.variant!r})"

    def __reduce__(self) -> tuple[Callable[[str], Table], tuple[str]]:
        """Copies and pickles are the same table, so that positions stay equal."""
        return table_of, (self.variant,)


@cache
def table_of(variant: str) -> Table:
    """The one table of a variant, made when first asked for."""
    return Table(variant)
