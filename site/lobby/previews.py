"""The picture that a messenger shows for the link of a table: the game as it begins, and who sits there. A PNG of 1200 by 630."""

from __future__ import annotations

from functools import lru_cache

from games import registry
from games.kit.chance import KeyedSource
from games.kit.protocol import CHANCE
from games.kit.svg import BED, GLAZES, TABLE, group, rect
from lobby.models import Seek
from matches.pictures import canvas, emblem, inside, logo, png

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


def _drawn(game: str, variant: str, taken: tuple[bool, ...]) -> bytes:
    right = MARGIN + BOARD[0] + MARGIN
    middle = (right + WIDTH) / 2
    parts = [
        rect(0, 0, WIDTH, HEIGHT, fill=BED),
        rect(0, 0, right, HEIGHT, fill=TABLE),
        inside(start_picture(game, variant), MARGIN, MARGIN, BOARD),
        inside(emblem(game), middle - EMBLEM[0] / 2, 95, EMBLEM),
        *(_seat(sits, number, middle + (number - len(taken) / 2) * (SEAT + 14) + 7) for number, sits in enumerate(taken)),
        group(*logo(), x=middle - 40, y=HEIGHT - MARGIN - 80, scale=2.5),
    ]
    return png(canvas(WIDTH, HEIGHT, *parts), WIDTH)


def _seat(sits: bool, number: int, x: float) -> str:
    glaze = GLAZES[_GLAZES[number % len(_GLAZES)]]
    y = 345
    if sits:
        return rect(x, y, SEAT, SEAT, rx=3, fill=glaze.face, stroke=glaze.edge, stroke_width=3)
    return rect(x, y, SEAT, SEAT, rx=3, fill=TABLE, stroke=glaze.edge, stroke_width=3, stroke_dasharray="9 7")
