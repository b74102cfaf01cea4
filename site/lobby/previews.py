"""The picture that a messenger shows for the link of a table: the game as it begins, and who sits there. A PNG of 1200 by 630."""

from __future__ import annotations

from functools import lru_cache

import resvg_py
from django.contrib.staticfiles import finders

from games import registry
from games.kit.chance import KeyedSource
from games.kit.protocol import CHANCE
from games.kit.svg import BED, GLAZES, INK, TABLE, element, group, rect
from lobby.models import Seek

WIDTH, HEIGHT = 1200, 630
MARGIN = 45
BOARD = (690, 540)
EMBLEM = (170, 170)
SEAT = 58
_GLAZES = ("blue", "yellow", "red", "green", "purple")
_SAMPLE = b"a start like any other"
"""Not a match's secret: the picture shows an example."""


def preview(seek: Seek) -> bytes:
    """The PNG of a table as it stands; load it with its places."""
    return _drawn(seek.game, seek.variant, tuple(not place.free for place in seek.places.all()))


@lru_cache(maxsize=128)
def start_picture(game: str, variant: str) -> str:
    """The SVG of a position in which a match of the variant could begin, as a spectator sees it."""
    rules = registry.get(game)
    state = rules.start(variant)
    while state.to_move is CHANCE:
        state = state.play(state.draw(KeyedSource(_SAMPLE, state.chance_label)))
    return rules.picture(variant, state.view(None))


@lru_cache(maxsize=256)
def _drawn(game: str, variant: str, taken: tuple[bool, ...]) -> bytes:
    right = MARGIN + BOARD[0] + MARGIN
    middle = (right + WIDTH) / 2
    parts = [
        rect(0, 0, WIDTH, HEIGHT, fill=BED),
        rect(0, 0, right, HEIGHT, fill=TABLE),
        _inside(start_picture(game, variant), MARGIN, MARGIN, BOARD),
        _inside(_emblem(game), middle - EMBLEM[0] / 2, 95, EMBLEM),
        *(_seat(sits, number, middle + (number - len(taken) / 2) * (SEAT + 14) + 7) for number, sits in enumerate(taken)),
        group(*_logo(), x=middle - 40, y=HEIGHT - MARGIN - 80, scale=2.5),
    ]
    # Made here and not with `svg`, which has no size of its own and forbids what emblems may have.
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{"".join(parts)}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, skip_system_fonts=True))


def _inside(picture: str, x: float, y: float, size: tuple[int, int]) -> str:
    """A whole picture as a part of another, as large as fits into a frame of that size."""
    _, _, picture = picture.partition("<svg")
    return f'<svg x="{x}" y="{y}" width="{size[0]}" height="{size[1]}" {picture}' if picture else ""


def _emblem(game: str) -> str:
    path = finders.find(f"{game}/emblem.svg")
    if not isinstance(path, str):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def _seat(sits: bool, number: int, x: float) -> str:
    glaze = GLAZES[_GLAZES[number % len(_GLAZES)]]
    y = 345
    if sits:
        return rect(x, y, SEAT, SEAT, rx=3, fill=glaze.face, stroke=glaze.edge, stroke_width=3)
    return rect(x, y, SEAT, SEAT, rx=3, fill=TABLE, stroke=glaze.edge, stroke_width=3, stroke_dasharray="9 7")


def _logo() -> list[str]:
    stones = (("blue", "M0 0h20v10H0z"), ("yellow", "M22 0h10v20H22z"), ("red", "M12 22h20v10H12z"), ("green", "M0 12h10v20H0z"))
    return [element("path", fill=GLAZES[name].face, d=line) for name, line in stones] + [element("path", fill=INK, d="M12 12h8v8h-8z")]
