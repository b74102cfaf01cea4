"""Writes the golden playthroughs of Blokus anew, after a change of rules that is meant:

    python -m tests.games.playthroughs

The matches are between casual and beginner bots, so that they look like play. Read the difference before you commit it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import games
from games.blokus import GAME
from games.kit.checks import play_match, write_playthrough
from tests.games.blokus_positions import picture

FOLDER = Path(games.__file__).parent / "blokus" / "playthroughs"
MATCHES = {
    "classic-4": ("classic-4", ()),
    "classic-3": ("classic-3", ()),
    "classic-2": ("classic-2", ()),
    "duo-2": ("duo-2", ()),
    "classic-4-free-corners": ("classic-4", ("free-corners",)),
}


def main() -> None:
    for name, (variant, options) in MATCHES.items():
        bots = [GAME.bot(("casual", "beginner")[seat % 2]) for seat in range(GAME.variant(variant).seats)]
        record = play_match(GAME, variant, bots, sha256(name.encode()).digest(), options)
        (FOLDER / f"{name}.txt").write_text(write_playthrough(record, picture))


if __name__ == "__main__":
    main()
