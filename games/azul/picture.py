"""A small picture of a position of Azul: the factories and the centre, and each seat's lines, wall and floor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Final

from games.azul import glazing
from games.azul.boards import MARKER
from games.azul.display import EMPTY, board_data
from games.azul.glazing import PITCH
from games.azul.notation import SIZE
from games.azul.scoring import FLOOR_PLACES
from games.kit.protocol import Json
from games.kit.svg import BED, GROUT, TABLE, circle, group, rect, svg

Placed = tuple[str, float, float]

_PAD: Final = 4.0
_ARROW: Final = 5.0
"""Between the lines and the wall."""
_SMALL: Final = 0.76
"""A place of the floor beside one of the wall."""
_ROWS: Final = SIZE * PITCH
_WALL_X: Final = _ROWS + _ARROW
_MAT: Final = (_WALL_X + _ROWS + 2 * _PAD, _ROWS + 3 + _SMALL * PITCH + 2 * _PAD)
"""Width and height of a seat's board."""
_GAP: Final = 5.0
_WIDTH: Final = 2 * _MAT[0] + 3 * _GAP
_SURFACE: Final = "#fbf8f2"
_RIM: Final = "#bfae8d"
_WELL: Final = "#ece3d2"
_FAINT: Final = "#efe7d9"


def draw(variant: str, view: dict[str, Json]) -> str:
    """The position as `games.azul.display.view` describes it: boards in pairs, the market above or in a fourth place."""
    boards = view["boards"]
    width, height = _MAT
    wide = len(boards) != 3
    market_height = min(36.0, (_WIDTH - 2 * _GAP) / (len(view["factories"]) + 2)) if wide else height
    top = market_height + 2 * _GAP if wide else _GAP
    printed: list[str] | None = board_data(variant)["wall"]
    parts = []
    for seat, board in enumerate(boards):
        row, column = divmod(seat, 2)
        parts.append(group(_mat(board, printed), x=_GAP + column * (width + _GAP), y=top + row * (height + _GAP)))
    if wide:
        market = group(_market(view, _WIDTH - 2 * _GAP, market_height), x=_GAP, y=_GAP)
    else:
        market = group(_market(view, width, height), x=2 * _GAP + width, y=2 * _GAP + height)
    whole = top + ceil(len(boards) / 2) * (height + _GAP)
    return svg(_WIDTH, whole, rect(0, 0, _WIDTH, whole, TABLE, rx=6), market, *parts)


def _mat(board: dict[str, Json], printed: list[str] | None) -> str:
    """A seat's board; `printed` is the coloured side's wall."""
    width, height = _MAT
    spots = [*_line_spots(), *((_WALL_X + x * PITCH, y * PITCH) for y in range(SIZE) for x in range(SIZE))]
    wall = list(_on_wall(board["wall"]))
    taken = {(x, y) for _, x, y in wall}
    waiting = [spot for spot in _on_wall(printed or ()) if spot[1:] not in taken]
    parts = [glazing.beds(spots), glazing.printed(waiting), glazing.tiles([*_on_lines(board["lines"]), *wall])]
    floor = [(tile, place * PITCH, 0.0) for place, tile in enumerate(board["floor"])]
    floor_parts = [glazing.beds([(place * PITCH, 0.0) for place in range(FLOOR_PLACES)]), glazing.tiles(floor)]
    parts.append(group(*floor_parts, y=_ROWS + 3, scale=_SMALL))
    back = rect(0, 0, width, height, _SURFACE, rx=4, stroke=GROUT)
    return back + group(*parts, x=_PAD, y=_PAD)


def _line_spots() -> Iterator[tuple[float, float]]:
    for line in range(SIZE):
        for place in range(line + 1):
            yield (SIZE - 1 - place) * PITCH, line * PITCH


def _on_lines(lines: list[dict[str, Json]]) -> Iterator[Placed]:
    """Lines fill from the right."""
    for line, held in enumerate(lines):
        for place in range(held["count"]):
            yield held["colour"], (SIZE - 1 - place) * PITCH, line * PITCH


def _on_wall(rows: Iterable[str]) -> Iterator[Placed]:
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            if tile != EMPTY:
                yield tile, _WALL_X + x * PITCH, y * PITCH


def _market(view: dict[str, Json], width: float, height: float) -> str:
    """The factories and, twice as wide as one, the centre, in as few rows as make the plates large."""
    factories: list[str] = view["factories"]
    places = len(factories) + 2
    rows = max(range(1, 4), key=lambda rows: min(height / rows, width / ceil(places / rows)))
    columns = ceil(places / rows)
    cell = min(height / rows, width / columns)
    across, down = width / columns, height / rows
    parts = []
    for index, tiles in enumerate(factories):
        row, column = divmod(index, columns)
        parts.append(group(_plate(tiles), x=(column + 0.5) * across, y=(row + 0.5) * down, scale=cell / 40))
    centre = view["centre"] + ("" if view["marker"] is not None else MARKER)
    wide, high = width - (len(factories) % columns) * across, 0.9 * cell
    left, top = width - wide, (rows - 0.5) * down - high / 2
    parts.append(group(_centre(centre, wide, high), x=left, y=top))
    return "".join(parts)


def _plate(tiles: str) -> str:
    """A factory around its middle, 36 across."""
    if not tiles:
        return circle(0, 0, 17.5, _FAINT, stroke=GROUT, stroke_width=1)
    parts = [circle(0, 0, 17.5, BED, stroke=_RIM, stroke_width=1.4), circle(0, 0, 14.8, _WELL, stroke=GROUT)]
    spots = [(tile, index % 2 * PITCH, index // 2 * PITCH) for index, tile in enumerate(tiles)]
    return "".join([*parts, group(glazing.tiles(spots), x=-PITCH, y=-PITCH)])


def _centre(tiles: str, width: float, height: float) -> str:
    """The middle of the table, its tiles in as few rows as make them large."""
    back = rect(0, 0, width, height, _WELL, rx=height / 5, stroke=GROUT, stroke_width=0.8)
    if not tiles:
        return back
    inner_width, inner_height = width - 6, height - 4
    rows = max(range(1, 6), key=lambda rows: min(inner_height / rows, inner_width / ceil(len(tiles) / rows)))
    columns = ceil(len(tiles) / rows)
    scale = min(inner_height / rows, inner_width / columns, PITCH) / PITCH
    spots = [(tile, index % columns * PITCH, index // columns * PITCH) for index, tile in enumerate(tiles)]
    x, y = (width - columns * PITCH * scale) / 2, (height - rows * PITCH * scale) / 2
    return back + group(glazing.tiles(spots), x=x, y=y, scale=scale)
