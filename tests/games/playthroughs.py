"""The golden playthroughs of all games. To write them anew, after a change of rules that is meant:

    python -m tests.games.playthroughs [GAME…]

The matches are between casual and beginner bots, so that they look like play. Read the difference before you commit it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import cast

import games
from games import registry
from games.kit.checks import play_match, read_playthrough, write_playthrough
from games.kit.protocol import Game, State
from games.kit.record import Record, replay

WITH_OPTIONS = {"blokus": {"classic-4-free-corners": ("classic-4", ("free-corners",))}}
"""Per game the matches that are played beside one of each variant, as variant and options."""


def folder(key: str) -> Path:
    return Path(games.__file__).parent / key / "playthroughs"


def matches(game: Game) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Variant and options of each playthrough of a game, by its name."""
    return {variant.key: (variant.key, ()) for variant in game.variants} | WITH_OPTIONS.get(game.key, {})


def picture(key: str) -> Callable[[State], str]:
    """What draws the positions of a game: `picture` in the `<key>_positions.py` of its tests."""
    return cast("Callable[[State], str]", import_module(f"tests.games.{key}_positions").picture)


def told(key: str, name: str) -> Record:
    """The match of a playthrough."""
    return read_playthrough((folder(key) / f"{name}.txt").read_text())


def positions(key: str, name: str) -> list[State]:
    """The positions of a playthrough, the start first."""
    return list(replay(told(key, name)))


def write(game: Game) -> None:
    for name, (variant, options) in matches(game).items():
        bots = [game.bot(("casual", "beginner")[seat % 2]) for seat in range(game.variant(variant).seats)]
        record = play_match(game, variant, bots, sha256(f"{game.key} {name}".encode()).digest(), options)
        (folder(game.key) / f"{name}.txt").write_text(write_playthrough(record, picture(game.key)))


if __name__ == "__main__":
    for key in sys.argv[1:] or games.KEYS:
        write(registry.get(key))
