"""What the games' stories share: choosing the remark that matters most, and remarks as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.kit.protocol import Label, Remark

Merit = tuple[float, Remark]
"""What a difference between two moves is worth, in points or whatever the game weighs by, and the sentence that tells it."""


def most(merits: Iterable[Merit], least: float = 0.0) -> Remark | None:
    """The remark that is worth most, the first of equals; `None` when none is worth more than `least`."""
    worth, remark = max(merits, key=lambda merit: merit[0], default=(least, None))
    return remark if worth > least else None


def to_json(remark: Remark) -> dict[str, Any]:
    """A remark to be stored; `from_json` is the inverse. A word of the game is marked, so that it can be translated later."""
    names = {name: {"label": str(value)} if isinstance(value, Label) else value for name, value in remark.names}
    return {"kind": remark.kind, "text": remark.text, "names": names, "seat": remark.seat}


def from_json(data: dict[str, Any]) -> Remark:
    """The remark that `to_json` wrote."""
    names = tuple((name, Label(value["label"]) if isinstance(value, dict) else value) for name, value in data["names"].items())
    return Remark(data["kind"], data["text"], names, data["seat"])
