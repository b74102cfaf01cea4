"""A whole match as a picture that moves, WebP or GIF: some seconds of work and never more than so many bytes."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from typing import Literal, TypeVar

from PIL import Image, ImageDraw

from games.kit.record import Record
from games.kit.svg import BED, GLAZES, GROUT, INK, TABLE
from matches.lettering import write
from matches.pictures import drawn, size_of
from matches.scenes import Scene, Sitter, scenes

Item = TypeVar("Item")
Kind = Literal["webp", "gif"]
KINDS: tuple[Kind, ...] = ("webp", "gif")
MEDIA_TYPES: dict[str, str] = {"webp": "image/webp", "gif": "image/gif"}
WIDTH, TALLEST = 480, 520
"""Pixels: of the whole, and of the board in it."""
MOST_FRAMES = 120
FEWEST = 12
SECONDS = 25
"""For drawing, which is most of the work: a busy machine leaves positions out, down to so few."""
LARGEST = 1_500_000
"""Bytes; where they do not suffice, every other position is left out."""
STEP, LAST, LONGEST = 700, 4000, 60_000
"""Milliseconds: per position, the last one, and all others together."""
COLOURS = 128
SAMPLES = 6
"""Of how many positions a GIF takes its colours."""
LINE = 34
BAR = 5
SOFT = "#5c584d"


def animated(record: Record, kind: Kind) -> bytes:
    """The match from its start to its end. Raises `RecordError` where the record cannot be played."""
    frames = _thinned([scene for scene in scenes(record) if not scene.drawing or scene.ply == scene.plies], MOST_FRAMES)
    pictures = [_frame(scene) for scene in _affordable(frames)]
    while True:
        made = _encoded(pictures, kind)
        if len(made) <= LARGEST or len(pictures) <= 2:
            return made
        pictures = _thinned(pictures, (len(pictures) + 1) // 2)


def _affordable(frames: list[Scene]) -> list[Scene]:
    """As many as this machine, as busy as it is now, draws in time."""
    began = time.monotonic()
    _frame(frames[-1])
    return _thinned(frames, max(FEWEST, int(SECONDS / (time.monotonic() - began))))


def _thinned(items: Sequence[Item], most: int) -> list[Item]:
    """At most so many, at even distances, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[round(number * (len(items) - 1) / (most - 1))] for number in range(most)]


def _encoded(pictures: list[Image.Image], kind: Kind) -> bytes:
    each = min(STEP, LONGEST // len(pictures))
    pace = [*[each] * (len(pictures) - 1), LAST]
    out = io.BytesIO()
    if kind == "webp":
        first, *others = pictures
        # Without loss, which suits flat colours: half the bytes of the other way, and sharp.
        first.save(out, "WEBP", save_all=True, append_images=others, duration=pace, loop=0, lossless=True, method=2, quality=30)
    else:
        palette = _samples(pictures).quantize(COLOURS, dither=Image.Dither.NONE)
        first, *others = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
        first.save(out, "GIF", save_all=True, append_images=others, duration=pace, loop=0)
    return out.getvalue()


def _samples(pictures: list[Image.Image]) -> Image.Image:
    """Some of the pictures in one, for the colours that they all share."""
    chosen = _thinned(pictures, SAMPLES)
    strip = Image.new("RGB", (chosen[0].width, chosen[0].height * len(chosen)))
    for number, picture in enumerate(chosen):
        strip.paste(picture, (0, picture.height * number))
    return strip


def _frame(scene: Scene) -> Image.Image:
    """A position with names and scores below it, and how far the match has come."""
    wide, high = size_of(scene.picture)
    width = min(WIDTH, round(TALLEST * wide / high))
    board = Image.open(io.BytesIO(drawn(scene.picture, width))).convert("RGBA")
    lines = (len(scene.sitters) + 1) // 2
    height = board.height + lines * LINE + 8 + BAR
    frame = Image.new("RGB", (WIDTH, height + height % 2), BED)
    frame.paste(TABLE, (0, 0, WIDTH, board.height))
    frame.paste(board, ((WIDTH - width) // 2, 0), board)
    draw = ImageDraw.Draw(frame)
    for number, sitter in enumerate(scene.sitters):
        x, y = (number % 2) * WIDTH // 2, board.height + 4 + (number // 2) * LINE
        _seat(draw, x, y, number, sitter, turn=number == scene.to_move and scene.ply < scene.plies)
    draw.rectangle((0, frame.height - BAR, WIDTH, frame.height), fill=GROUT)
    draw.rectangle((0, frame.height - BAR, WIDTH * scene.ply / max(scene.plies, 1), frame.height), fill=INK)
    return frame


def _seat(draw: ImageDraw.ImageDraw, x: int, y: int, number: int, sitter: Sitter, *, turn: bool) -> None:
    if turn:
        draw.rectangle((x + 2, y + 2, x + WIDTH // 2 - 3, y + LINE - 3), fill=TABLE)
    chip, at = 14, x + 10.0
    for colour in sitter.colours:
        glaze = GLAZES[colour]
        draw.rounded_rectangle((at, y + 10, at + chip, y + 10 + chip), 2, fill=glaze.face, outline=glaze.edge)
        at += chip + 4
    if not sitter.colours:
        at += write(draw, (at, y + 23), f"{number + 1}", 15, SOFT, weight=700) + 4
    base, right = y + 23, x + WIDTH // 2 - 10
    score = write(draw, (right, base), f"{sitter.score}", 17, INK, weight=700, side="right")
    write(draw, (at + 4, base), sitter.name, 17, INK, weight=700 if sitter.won else 450, room=right - score - at - 12)
