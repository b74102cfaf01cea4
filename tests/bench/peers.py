"""Blokus engines of others, driven as ours is: random whole matches, with the legal moves found before each ply.

`blokus-rl` 0.4.0 (Rust) plays the four-player board. Its Python layer needs numpy, pygame and more, and would slow it
down, so its compiled module is loaded alone. Other packages were looked at and left out: `blokus-engine` 0.3.6 has only
functions that train its own network, and none to ask for legal moves; `blokus-gym` needs a gym that is long gone.
"""

from __future__ import annotations

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

from games.kit.chance import Source


class PeerMissing(ImportError):
    """The peer is not installed; the text says how to get it."""


def blokus_rl() -> Any:
    """A match of blokus-rl at its start. Raises `PeerMissing`."""
    for folder in sys.path:
        for path in Path(folder or ".", "blokus_rl").glob("_blokus.*.so"):
            loader = ExtensionFileLoader("_blokus", str(path))
            spec = spec_from_loader("_blokus", loader)
            if spec is not None:
                module = module_from_spec(spec)
                loader.exec_module(module)
                return module.PyBlokus()
    raise PeerMissing("blokus-rl is not installed: pip install --no-deps -r requirements-bench.txt")


def legal_moves(match: Any) -> bytes:
    """A byte per thinkable move, 1 where it is legal for the colour to move."""
    mask: bytes = match.observe(match.agent_selection).action_mask
    return mask


def play_out(match: Any, source: Source, plies: int = 10_000) -> None:
    """A new match to its end, or `plies` long, by random moves. A colour that cannot place passes."""
    match.reset()
    while not match.is_over and match.ply < plies:
        mask = legal_moves(match)
        count = mask.count(1)
        if not count:
            match.step(None)
            continue
        move = -1
        for _ in range(source.below(count) + 1):
            move = mask.find(1, move + 1)
        match.step(move)
