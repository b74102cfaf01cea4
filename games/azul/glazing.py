"""Tiles of Azul as SVG in a square of `PITCH`, all of a colour in a few paths so that pictures stay small."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.azul.boards import MARKER
from games.azul.tiles import KEYS, LETTERS
from games.kit.svg import BED, GLAZES, GROUT, group, path

PITCH: Final = 10.6
"""From a tile to the next; a tile is ten units wide, in the middle."""

_ORNAMENTS: Final = {
    "B": "m5 1.8a3.2 3.2 0 1 0 .01 0zm0 1.2a2 2 0 1 0 .01 0zm0 .9a1.1 1.1 0 1 0 .01 0z",
    "Y": "m1.8 4.1h6.4v1.8h-6.4zm1.6-1.9h3.2v.9h-3.2zm0 4.7h3.2v.9h-3.2z",
    "R": "m5 2.4l2.6 2.6-2.6 2.6-2.6-2.6zm-3.8-1.2h1.7l-1.7 1.7zm7.6 0v1.7l-1.7-1.7zm-7.6 7.6v-1.7l1.7 1.7z"
    "m7.6 0h-1.7l1.7-1.7z",
    "K": "m2.4 2.4h5.2v5.2h-5.2zm1 1h3.2v3.2h-3.2zm1 1h1.2v1.2h-1.2z",
    "W": "m5 2.6l2.7 4.6h-5.4z",
    MARKER: "m3.7 2.7h1.9v4h.8v1h-2.8v-1h.8v-3h-.7z",
}
"""What tells the colours apart without colour, filled by the even-odd rule; each part starts from the last one's start."""

_PRINTED: Final = {
    "B": "#c0cfdf",
    "Y": "#efdba8",
    "R": "#ecc8ba",
    "K": "#c3bfb8",
    "W": "#fdfbf6",
}
_MARKER_GLAZE: Final = ("#1d4c86", "#143862", "#fdfaf3")


def beds(spots: Iterable[tuple[float, float]]) -> str:
    """Empty places by their top left corners."""
    d = "".join(_square(x, y) for x, y in spots)
    return path(d, BED, stroke=GROUT, stroke_width=0.7)


def printed(placed: Iterable[tuple[str, float, float]]) -> str:
    """Places of the wall that wait for a colour: its letter and the top left corner of each."""
    by_letter = _sorted(placed)
    return "".join(path("".join(_square(*at) for at in spots), _PRINTED[letter]) for letter, spots in by_letter.items())


def tiles(placed: Iterable[tuple[str, float, float]]) -> str:
    """Tiles and perhaps the starting marker: the letter and the top left corner of each."""
    return "".join(_of_one_colour(letter, spots) for letter, spots in _sorted(placed).items())


def _sorted(placed: Iterable[tuple[str, float, float]]) -> dict[str, list[tuple[float, float]]]:
    by_letter: dict[str, list[tuple[float, float]]] = {}
    for letter, x, y in sorted(placed):
        by_letter.setdefault(letter, []).append((x, y))
    return by_letter


def _of_one_colour(letter: str, spots: list[tuple[float, float]]) -> str:
    face, edge, ink = _MARKER_GLAZE if letter == MARKER else GLAZES[KEYS[LETTERS.index(letter)]]
    outline = "".join((_round if letter == MARKER else _square)(x, y) for x, y in spots)
    ornaments = "".join(f"M{x + 0.3:g} {y + 0.3:g}{_ORNAMENTS[letter]}" for x, y in spots)
    return group(
        path(outline, edge, transform="translate(0 .5)"),
        path(outline, face, stroke=edge, stroke_width=0.7),
        path(ornaments, ink, fill_rule="evenodd"),
    )


def _square(x: float, y: float) -> str:
    """Ten units less a margin, its corners cut round."""
    return f"M{x + 1.5:g} {y + 0.7:g}h7.6q.8 0 .8.8v7.6q0 .8-.8.8h-7.6q-.8 0-.8-.8v-7.6q0-.8.8-.8z"


def _round(x: float, y: float) -> str:
    return f"M{x + 5.3:g} {y + 0.7:g}a4.6 4.6 0 1 0 .01 0z"
