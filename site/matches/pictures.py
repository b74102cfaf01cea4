"""Pictures that the server draws: an SVG as PNG within limits, and the parts that our pictures have in common.

A PNG is made once and kept in the process that made it, which is enough: many people ask for the same few, and one takes some
hundredths of a second.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict

import resvg_py
from django.contrib.staticfiles import finders

from games.kit.svg import GLAZES, INK, element

WIDEST = 1600
"""Pixels."""
LONGEST_SVG = 400_000
"""Characters: ten times what a full board takes."""
PATIENCE = 5.0
"""For how many seconds a picture waits for its turn."""
KEPT_BYTES = 16_000_000
_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_turn = threading.Lock()
"""One picture at a time: drawing holds the interpreter's lock, and a row of pictures would keep all else in the process waiting."""


class Busy(RuntimeError):
    """Too many pictures are being drawn; ask again in a moment."""


class _Kept:
    """The pictures drawn last, shared by the threads of a process, up to a number of bytes."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._bytes = 0
        self._lock = threading.Lock()
        self._held: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def put(self, key: str, picture: bytes) -> None:
        with self._lock:
            self._bytes += len(picture) - len(self._held.pop(key, b""))
            self._held[key] = picture
            while self._bytes > self._size:
                self._bytes -= len(self._held.popitem(last=False)[1])


kept = _Kept(KEPT_BYTES)


def png(svg: str, width: int) -> bytes:
    """The picture `width` pixels wide. Raises `ValueError` beyond the limits or for what is no SVG, and `Busy`."""
    if not 0 < width <= WIDEST or len(svg) > LONGEST_SVG:
        raise ValueError("This picture is too large to be drawn.")
    key = hashlib.sha256(f"{width} {svg}".encode()).hexdigest()
    found = kept.get(key)
    if found is None:
        if not _turn.acquire(timeout=PATIENCE):
            raise Busy
        try:
            found = drawn(svg, width)
        finally:
            _turn.release()
        kept.put(key, found)
    return found


def drawn(svg: str, width: int) -> bytes:
    """The same without waiting for a turn and without keeping it: for workers, who draw one after the other."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a picture as `games.kit.svg` makes it, in its own units."""
    box = _BOX.search(svg)
    if box is None:
        raise ValueError("This picture does not say how large it is.")
    return float(box[1]), float(box[2])


def canvas(width: int, height: int, *parts: str) -> str:
    """A picture of that many pixels around parts that may be whole pictures.

    Not made with `games.kit.svg`, which has no size of its own and forbids what emblems may have.
    """
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'


def inside(picture: str, x: float, y: float, size: tuple[float, float]) -> str:
    """A whole picture as a part of another, as large as fits into a frame of that size."""
    _, _, picture = picture.partition("<svg")
    return f'<svg x="{x:g}" y="{y:g}" width="{size[0]:g}" height="{size[1]:g}" {picture}' if picture else ""


def emblem(game: str) -> str:
    """The emblem of a game as an SVG; empty where there is none."""
    path = finders.find(f"{game}/emblem.svg")
    if not isinstance(path, str):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def logo() -> list[str]:
    """The mark of the site, 32 units wide and high."""
    stones = (("blue", "M0 0h20v10H0z"), ("yellow", "M22 0h10v20H22z"), ("red", "M12 22h20v10H12z"), ("green", "M0 12h10v20H0z"))
    return [element("path", fill=GLAZES[name].face, d=line) for name, line in stones] + [element("path", fill=INK, d="M12 12h8v8h-8z")]
