"""Avatars: small mosaics of glazed tiles, drawn from a short code such as `p3-2-17f`; the same code is always the same picture.

A code names a pattern, a palette and a number. The pattern says of which shapes one quarter of the picture is laid and how it
is repeated, the palette is a set of the site's glazes, and the number chooses among the many ways to lay it. All of it is made
here, so there is nothing that anybody could upload.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

CELL = 12
"""Side of a tile, in the picture's own units."""
NUMBERS = 4096
_CODE = re.compile(r"p([1-9])-([1-9])-([0-9a-f]{3})")


class Palette(NamedTuple):
    """Ground, two glazes that share the picture, one for single tiles, and the edge; as in `static/css/tokens.css`."""

    ground: str
    first: str
    second: str
    spark: str
    edge: str


PALETTES = (
    Palette("#f3eee3", "#3a70b8", "#1b3e6f", "#e3aa2c", "#1b3e6f"),
    Palette("#1b3e6f", "#f3eee3", "#3a70b8", "#e3aa2c", "#143862"),
    Palette("#f3eee3", "#c24d38", "#7a2518", "#3a70b8", "#7a2518"),
    Palette("#17543a", "#e3aa2c", "#2f8a5f", "#f3eee3", "#17543a"),
    Palette("#f3eee3", "#2f8a5f", "#17543a", "#c24d38", "#17543a"),
    Palette("#4c3266", "#f3eee3", "#8460ab", "#e3aa2c", "#4c3266"),
    Palette("#e3aa2c", "#7a2518", "#c24d38", "#f3eee3", "#8f6207"),
    Palette("#34373c", "#f3eee3", "#c24d38", "#e3aa2c", "#34373c"),
    Palette("#f3eee3", "#8460ab", "#3a70b8", "#2f8a5f", "#4c3266"),
)

# Shapes within a tile of side 12, each turned by quarters. The first ones of a row are used most.
_ROUND = (
    "M0 0A12 12 0 0 1 12 12A12 12 0 0 1 0 0Z",  # a leaf from corner to corner
    "M0 0H12A12 12 0 0 1 0 12Z",  # a quarter of a disc
    "M0 6A6 6 0 0 0 6 0H12A12 12 0 0 1 0 12Z",  # a bow between two sides
    "M6 1.5A4.5 4.5 0 0 1 6 10.5A4.5 4.5 0 0 1 6 1.5Z",  # a disc
    "M0 0A6 6 0 0 0 12 0Z",  # half a disc
)
_SHARP = (
    "M0 0H12L0 12Z",  # half a tile
    "M6 0L12 6L6 12L0 6Z",  # a lozenge
    "M0 0L6 6L12 0Z",  # a quarter of a tile
    "M0 0L12 6L6 12Z",  # a kite
    "M3 3H9V9H3Z",  # a small tile
    "M0 0H6V6H12V12H6V6H0Z",  # two small tiles
)
_MIXED = (*_ROUND[:4], *_SHARP[:4])


class Pattern(NamedTuple):
    """How many tiles a quarter has in a row, their shapes, and whether the quarters mirror each other or turn around the middle."""

    cells: int
    shapes: tuple[str, ...]
    mirrored: bool


_WAYS = ((3, True), (2, True), (2, False))
PATTERNS = tuple(Pattern(cells, shapes, mirrored) for cells, mirrored in _WAYS for shapes in (_ROUND, _SHARP, _MIXED))


def is_code(code: str) -> bool:
    """Whether a text is the code of a mosaic."""
    return _CODE.fullmatch(code) is not None


def code_of(pattern: int, palette: int, number: int) -> str:
    """The code of pattern and palette, both from 0 and wrapped, and a number."""
    return f"p{pattern % len(PATTERNS) + 1}-{palette % len(PALETTES) + 1}-{number % NUMBERS:03x}"


def default(person: int) -> str:
    """The code that somebody has from the start: it follows from the person's id."""
    digest = hashlib.sha256(f"person {person}".encode()).digest()
    return code_of(digest[0], digest[1], int.from_bytes(digest[2:4]))


def of(code: str, person: int) -> str:
    """The code to draw for somebody: the chosen one, or the one from the start."""
    return code if is_code(code) else default(person)


def choices(person: int, page: int, how_many: int) -> list[str]:
    """Codes to choose from: every pattern and palette about equally often, other ones on each page, the same for a person and page."""
    found: dict[str, None] = {}
    for turn in range(how_many * 2):
        digest = hashlib.sha256(f"choice {person} {page} {turn}".encode()).digest()
        found[code_of(turn + page, turn // len(PATTERNS) + turn + 2 * page, int.from_bytes(digest[:2]))] = None
    return list(found)[:how_many]


@lru_cache(maxsize=512)
def svg(code: str) -> str:
    """The picture, an SVG document of some 2 kB. Raises `ValueError` for a text that is no code."""
    if not (parts := _CODE.fullmatch(code)):
        raise ValueError(f"“{code}” is not the code of a mosaic.")
    pattern, palette = PATTERNS[int(parts[1]) - 1], PALETTES[int(parts[2]) - 1]
    half = CELL * pattern.cells
    side = 2 * half
    turns = ("scale(-1 1)", "scale(1 -1)", "scale(-1 -1)") if pattern.mirrored else ("rotate(90)", "rotate(180)", "rotate(270)")
    copies = "".join(f'<use href="#q" transform="{turn}"/>' for turn in turns)
    grout = "".join(f"M{at} {-half}V{half}M{-half} {at}H{half}" for at in range(CELL - half, half, CELL))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-half} {-half} {side} {side}">'
        f'<path fill="{palette.ground}" d="M{-half} {-half}H{half}V{half}H{-half}Z"/>'
        f'<g id="q">{"".join(_quarter(code, pattern, palette))}</g>{copies}'
        f'<path d="{grout}" stroke="{palette.ground}" stroke-width="{side / 90:g}" opacity=".55"/>'
        f'<path d="M{-half} {-half}H{half}V{half}H{-half}Z" fill="none" stroke="{palette.edge}" stroke-width="{side / 24:g}"/></svg>'
    )


def _quarter(code: str, pattern: Pattern, palette: Palette) -> Iterator[str]:
    """The tiles of the upper left quarter. A mirrored one is the same on both sides of its diagonal, which makes rosettes."""
    digest = hashlib.sha512(code.encode()).digest()
    for row in range(pattern.cells):
        for column in range(pattern.cells):
            first, then = sorted((row, column)) if pattern.mirrored else (row, column)
            start = 6 * (first * pattern.cells + then)
            place = f"translate({(column - pattern.cells) * CELL} {(row - pattern.cells) * CELL})"
            if pattern.mirrored and row > column:
                place += " matrix(0 1 1 0 0 0)"
            straight = pattern.mirrored and row == column
            yield _tile(int.from_bytes(digest[start : start + 6]), place, pattern.shapes, palette, straight)


def _tile(number: int, place: str, shapes: tuple[str, ...], palette: Palette, straight: bool) -> str:
    """One tile as its number has it; `straight` for one on the diagonal, which only half a turn leaves alike on both sides."""
    number, shape = divmod(number, len(shapes))
    number, quarters = divmod(number, 4)
    ink = number % 8
    ground, first, second = palette.ground, palette.first, palette.second
    pairs = ((first, second), (first, ground), (second, ground), (ground, first), (first, second), (ground, second), (first, ground))
    figure, field = (palette.spark, second) if ink == len(pairs) else pairs[ink]
    if straight:
        quarters -= quarters % 2
    spin = f" rotate({90 * quarters} 6 6)" if quarters else ""
    back = "" if field == ground else f'<path d="M0 0H12V12H0Z" fill="{field}"/>'
    return f'<g transform="{place}{spin}">{back}<path d="{shapes[shape]}" fill="{figure}"/></g>'
