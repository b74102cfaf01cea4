"""Reads the frames that a browser sends over a match's socket: a closed schema, nothing else gets in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

Frame = dict[str, Any]
LARGEST_NUMBER = 2**31 - 1


class BadFrame(ValueError):
    """Not a frame of the protocol; the text says why."""


def _whole(value: object) -> int:
    if type(value) is int and -1 <= value <= LARGEST_NUMBER:
        return value
    raise ValueError


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError


def _intent(value: object) -> UUID:
    return UUID(_text(value))


FIELDS: dict[str, dict[str, Callable[[object], Any]]] = {
    "beat": {"version": _whole},
    "move": {"id": _intent, "ply": _whole, "text": _text},
    "why": {"id": _intent, "text": _text},
    "resign": {"id": _intent},
    "abort": {"id": _intent},
    "offer": {"id": _intent, "kind": _text},
    "decline": {"id": _intent, "kind": _text},
    "resume": {"id": _intent},
    "call_time": {"id": _intent, "seat": _whole},
    "take_over": {"id": _intent, "seat": _whole},
    "flag": {},
    "chat": {"id": _intent, "room": _text, "text": _text, "phrase": _text},
    "seen": {"ply": _whole},
    "echo": {"mark": _whole},
    "ahead": {"id": _intent},
}
"""Per type the fields that it has, all of them, and how each is read."""


def read(text: str, *, kind: str | None = None) -> Frame:
    """A frame with its values read. `kind` is the type of a text that does not say it itself. Raises `BadFrame`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFrame("This is not JSON.") from None
    if not isinstance(data, dict):
        raise BadFrame("A frame is a JSON object.")
    if kind is None:
        kind = data.pop("type", None)
    fields = FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise BadFrame(f"There is no such frame; there are {', '.join(FIELDS)}.")
    if data.keys() != fields.keys():
        wanted = f"the fields {', '.join(fields)}, and no others" if fields else "no fields"
        raise BadFrame(f"A {kind} has {wanted}.")
    frame: Frame = {"type": kind}
    for name, reads in fields.items():
        try:
            frame[name] = reads(data[name])
        except ValueError:
            raise BadFrame(f"The field {name} of a {kind} has a wrong value.") from None
    return frame
