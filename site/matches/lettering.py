"""Letters on the server's pictures: in our own typefaces, and in the system's for the writings that ours do not have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.utils.translation import get_language, override
from PIL import Image, ImageDraw, ImageFont

Face = Literal["display", "body"]
Side = Literal["left", "middle", "right"]
_FOLDER = settings.BASE_DIR / "static" / "fonts"
_OURS: dict[Face, tuple[Path, ...]] = {
    "display": tuple(_FOLDER / "marcellus" / f"marcellus-{part}-400-normal.woff2" for part in ("latin", "latin-ext")),
    "body": tuple(
        _FOLDER / "atkinson-hyperlegible-next" / f"atkinson-hyperlegible-next-{part}-wght-normal.woff2" for part in ("latin", "latin-ext")
    ),
}
_PLACES = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts")
_SYSTEM = (
    "NotoSansTC-Regular.*", "NotoSansCJK-Regular.*", "PingFang.*", "DroidSansFallbackFull.*", "wqy-*.*", "NotoSerifCJK-Regular.*",
    "NotoSerifCJK-*.*", "DejaVuSans.ttf", "NotoSans-Regular.*", "NotoSans[A-Z]*-Regular.*", "Arial Unicode.*",
)  # fmt: skip
"""Typefaces of the system in the order in which we like them; those with Chinese first."""
_TRADITIONAL = 3
"""Which face of Noto's collections draws Chinese as it is written in Taiwan."""
_MOST_SYSTEM = 60
_NOWHERE = "\U0010fffe"
"""A letter that no typeface has."""
ELLIPSIS = "…"


def write(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, fill: str,
    *, face: Face = "body", weight: int = 400, side: Side = "left", room: float | None = None,
) -> float:  # fmt: skip
    """Write one line and say how wide it is; what is longer than `room` is cut.

    `at` is on the line that the letters stand on, at that `side` of the text.
    """
    if room is not None:
        text = _cut(text, size, face, weight, room)
    width = width_of(text, size, face=face, weight=weight)
    x, y = at[0] - {"left": 0.0, "middle": width / 2, "right": width}[side], at[1]
    for font, part in _parts(text, size, face, weight):
        draw.text((x, y), part, font=font, fill=fill, anchor="ls")
        x += font.getlength(part)
    return width


def width_of(text: str, size: int, *, face: Face = "body", weight: int = 400) -> float:
    """How wide a line is, in pixels."""
    return sum(font.getlength(part) for font, part in _parts(text, size, face, weight))


def can_write(text: str) -> bool:
    """Whether this machine has a typeface for each of the letters."""
    return all(_path_for(char, "body") is not None for char in text if not char.isspace())


@contextmanager
def legible() -> Iterator[None]:
    """The reader's language for what is written on a picture, or our own where this machine has no letters for it."""
    language = get_language() or settings.LANGUAGE_CODE
    with override(language if can_write(dict(settings.LANGUAGES).get(language, "")) else settings.LANGUAGE_CODE):
        yield


def _cut(text: str, size: int, face: Face, weight: int, room: float) -> str:
    if width_of(text, size, face=face, weight=weight) <= room:
        return text
    while text and width_of(text + ELLIPSIS, size, face=face, weight=weight) > room:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


def _parts(text: str, size: int, face: Face, weight: int) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
    """The text in pieces that one typeface can write; letters that none has are left to ours, which draws a box."""
    for path, chars in groupby(text, lambda char: _path_for(char, face) or _OURS[face][0]):
        yield _font(path, size, weight), "".join(chars)


@lru_cache(maxsize=4096)
def _path_for(char: str, face: Face) -> Path | None:
    """The first typeface that has the letter; a space goes with ours."""
    return next((path for path in _typefaces(face) if char.isspace() or _has(path, char)), None)


def _typefaces(face: Face) -> Iterator[Path]:
    yield from _OURS[face]
    yield from _of_the_system()  # looked for only where ours do not suffice


def _has(path: Path, char: str) -> bool:
    font = _font(path, 24, 400)
    return _image(font, char) != _image(font, _NOWHERE)


def _image(font: ImageFont.FreeTypeFont, char: str) -> tuple[tuple[int, int], bytes]:
    canvas = Image.new("L", (64, 64))
    ImageDraw.Draw(canvas).text((12, 44), char, font=font, fill=255, anchor="ls")
    return canvas.size, canvas.tobytes()


@lru_cache(maxsize=64)
def _font(path: Path, size: int, weight: int) -> ImageFont.FreeTypeFont:
    index = _TRADITIONAL if path.suffix == ".ttc" and "CJK" in path.name else 0
    font = ImageFont.truetype(str(path), size, index=index)
    if "wght" in path.name:
        font.set_variation_by_axes([weight])
    return font


@lru_cache(maxsize=1)
def _of_the_system() -> tuple[Path, ...]:
    found: dict[Path, None] = {}
    for pattern in _SYSTEM:
        for place in _PLACES:
            for path in sorted(Path(place).rglob(pattern)):
                if path.suffix in {".ttf", ".otf", ".ttc"} and _opens(path):
                    found[path] = None
    return tuple(found)[:_MOST_SYSTEM]


def _opens(path: Path) -> bool:
    try:
        _font(path, 24, 400)
    except OSError:
        return False
    return True
