"""The picture that a messenger shows for a link to a position: the board, who sits there, the score. A PNG of 1200 by 630."""

from __future__ import annotations

import io
from collections.abc import Iterator

from PIL import Image, ImageDraw

from games.kit.svg import BED, GLAZES, GROUT, INK, TABLE, group, path, rect
from matches.lettering import width_of, write
from matches.pictures import canvas, emblem, inside, logo, png
from matches.scenes import Scene, Sitter

WIDTH, HEIGHT = 1200, 630
MARGIN = 45
BOARD = (690, 540)
LEFT = MARGIN + BOARD[0] + MARGIN
"""Where the words begin, beside the plaster that the board lies on,"""
TEXT, RIGHT = LEFT + 34, WIDTH - 34
"""and between which edges they stand."""
SOFT = "#5c584d"
GOLD, GOLD_EDGE = "#d9a531", "#856011"
CHIP = 30
ROWS = (212, 500)
"""Between which heights the seats stand."""
ROW = 66
SIZES = (36, 32, 28, 24)
"""Of letters: a long name is written smaller before it is cut."""
CROWN = "M0 4l6 5 5-9 5 9 6-5-2 13H2z"


def poster(scene: Scene) -> bytes:
    """The PNG of a scene. Raises `Busy`."""
    picture = Image.open(io.BytesIO(png(_background(scene), WIDTH))).convert("RGB")
    draw = ImageDraw.Draw(picture)
    room = RIGHT - TEXT
    write(draw, (TEXT, 100), scene.title, 54, INK, face="display", room=room - 84)
    write(draw, (TEXT, 146), scene.subtitle, 28, SOFT, room=room)
    for (top, height), number, sitter in _rows(scene.sitters):
        base = top + height / 2 + 13
        score = write(draw, (RIGHT, base), f"{sitter.score}", SIZES[0], INK, weight=700, side="right")
        if not sitter.colours:
            write(draw, (TEXT + CHIP / 2, top + height / 2 + 8), f"{number + 1}", 22, SOFT, weight=700, side="middle")
        start = TEXT + _chips_wide(sitter) + 16
        left = RIGHT - score - 18 - (40 if sitter.won else 0) - start
        weight = 600 if sitter.won else 450
        size = next((size for size in SIZES if width_of(sitter.name, size, weight=weight) <= left), SIZES[-1])
        write(draw, (start, base), sitter.name, size, INK, weight=weight, room=left)
    write(draw, (TEXT + 62, HEIGHT - 50), "Tessera", 34, INK, face="display")
    write(draw, (RIGHT, HEIGHT - 50), f"{scene.ply} / {scene.plies}", 28, SOFT, side="right")
    out = io.BytesIO()
    # Few colours, since a board has few: a quarter of the bytes.
    picture.quantize(192, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _rows(sitters: tuple[Sitter, ...]) -> Iterator[tuple[tuple[float, float], int, Sitter]]:
    """Per seat where its row begins and how high it is, its number and who sits there."""
    height = min(ROW, (ROWS[1] - ROWS[0]) / max(len(sitters), 1))
    for number, sitter in enumerate(sitters):
        yield (ROWS[0] + number * height, height), number, sitter


def _background(scene: Scene) -> str:
    """All but the letters, as an SVG."""
    parts = [
        rect(0, 0, WIDTH, HEIGHT, fill=BED),
        rect(0, 0, LEFT, HEIGHT, fill=TABLE),
        inside(scene.picture, MARGIN, MARGIN, BOARD),
        inside(emblem(scene.game), RIGHT - 68, 40, (68, 68)),
        rect(TEXT, 176, RIGHT - TEXT, 2, fill=GROUT),
        group(*logo(), x=TEXT, y=HEIGHT - 89, scale=1.45),
    ]
    for (top, height), number, sitter in _rows(scene.sitters):
        middle = top + height / 2
        if number == scene.to_move and scene.ply < scene.plies:
            parts.append(rect(LEFT, top + 5, WIDTH - LEFT, height - 10, fill=TABLE, opacity=0.65))
            parts.append(rect(LEFT, top + 5, 6, height - 10, fill=INK))
        parts += [_chip(colour, TEXT + place * (CHIP + 6), middle - CHIP / 2) for place, colour in enumerate(sitter.colours or ("",))]
        if sitter.won:
            wide = width_of(f"{sitter.score}", SIZES[0], weight=700)
            crown = path(CROWN, fill=GOLD, stroke=GOLD_EDGE, stroke_width=1.2, stroke_linejoin="round")
            parts.append(group(crown, x=RIGHT - wide - 44, y=middle - 11, scale=1.35))
    return canvas(WIDTH, HEIGHT, *parts)


def _chip(colour: str, x: float, y: float) -> str:
    """The colour of a seat; a plain one where seats have none, for its number."""
    if colour not in GLAZES:
        return rect(x, y, CHIP, CHIP, rx=4, fill=TABLE, stroke=GROUT, stroke_width=2)
    return rect(x, y, CHIP, CHIP, rx=4, fill=GLAZES[colour].face, stroke=GLAZES[colour].edge, stroke_width=2)


def _chips_wide(sitter: Sitter) -> float:
    return max(len(sitter.colours), 1) * (CHIP + 6) - 6
