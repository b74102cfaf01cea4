"""What a figure shows: the numbers that `partials/chart.html` writes out as a table and `static/js/chart.js` draws. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

NOTHING = _("There is nothing to draw yet.")
Text = str | Promise


@dataclass(frozen=True)
class Series:
    """One line, or the bars of one colour: a value for each x, `None` where there is none."""

    name: Text
    y: Sequence[float | None]


@dataclass(frozen=True)
class Chart:
    """A figure. `{% include "partials/chart.html" with chart=chart %}` shows it, scripts and styles included.

    `name` is unique in the page. `x` ascends: moments (shown as days, UTC), numbers, or words. Up to five series, each as long as `x`,
    which is checked (`ValueError`). `across` heads the first column of the table. `reverse` puts the least on top, as for ranks.
    """

    name: str
    title: Text
    across: Text
    x: Sequence[datetime] | Sequence[float] | Sequence[Text]
    series: Sequence[Series]
    kind: Literal["line", "bars", "steps"] = "line"
    unit: str = ""
    decimals: int = 0
    reverse: bool = False
    empty: Text = NOTHING

    def __post_init__(self) -> None:
        if any(len(series.y) != len(self.x) for series in self.series):
            raise ValueError("Each series of a chart has as many values as there are points.")

    @property
    def source(self) -> str:
        """The id of the element with the data."""
        return f"{self.name}-data"

    @property
    def data(self) -> dict[str, Any]:
        """What the script draws."""
        data: dict[str, Any] = {
            "series": [{"name": str(series.name), "y": list(series.y)} for series in self.series],
            "unit": self.unit,
            "decimals": self.decimals,
            "reverse": self.reverse,
        }
        first = self.x[0] if self.x else 0
        if isinstance(first, datetime):
            return data | {"x_kind": "time", "x": [at.timestamp() for at in self.x if isinstance(at, datetime)]}
        if isinstance(first, int | float):
            return data | {"x_kind": "number", "x": list(self.x)}
        return data | {"x_kind": "label", "x": list(range(len(self.x))), "labels": [str(label) for label in self.x]}

    @property
    def head(self) -> list[Text]:
        """The heads of the table's columns."""
        return [self.across, *(series.name for series in self.series)]

    @property
    def rows(self) -> list[list[str]]:
        """The table's rows, as the reader's language writes numbers and days."""
        columns = [[self._cell(value) for value in series.y] for series in self.series]
        return [[_where(at), *values] for at, *values in zip(self.x, *columns, strict=True)]

    def _cell(self, value: float | None) -> str:
        if value is None:
            return "–"
        written = str(formats.number_format(value, self.decimals, force_grouping=abs(value) >= 10_000))
        return f"{written}\N{NO-BREAK SPACE}{self.unit}" if self.unit else written


def _where(at: datetime | float | Text) -> str:
    if isinstance(at, datetime):
        return str(formats.date_format(at.astimezone(UTC), "DATE_FORMAT"))
    return str(formats.number_format(at)) if isinstance(at, int | float) else str(at)
