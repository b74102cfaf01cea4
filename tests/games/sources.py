"""Randomness and matches that tests of games share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games.kit.chance import KeyedSource

DATA = Path(__file__).parent / "data"
SECRET = bytes(range(32))


def source(label: str) -> KeyedSource:
    """Random numbers that are the same in every run."""
    return KeyedSource(SECRET, label)


def lines(name: str) -> list[dict[str, Any]]:
    """The objects of a JSON lines file in `data/`."""
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]
