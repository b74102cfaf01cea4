"""The bots of Blockers!, weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from games.blockers.notation import Placement
from games.blockers.rules import Position
from games.kit.chance import Source, choose
from games.kit.protocol import Bot, State


class Anywhere:
    """Places any tile anywhere."""

    def choose(self, state: State, source: Source) -> Placement:
        return choose(list(cast("Position", state).legal_moves()), source)


BOTS: Final[Mapping[str, Bot]] = dict.fromkeys(("beginner", "casual", "skilled", "strong"), Anywhere())
