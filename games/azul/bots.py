"""The Azul bots, weakest first. They see what a player sees, and a position and source give one move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from games.azul.notation import Column, Take
from games.azul.rules import Position
from games.kit.chance import Source, choose
from games.kit.protocol import Bot, State


class AnyMove:
    """Takes anything anywhere."""

    def choose(self, state: State, source: Source) -> Take | Column:
        moves: Sequence[Take | Column] = cast("Position", state).legal_moves()
        return choose(moves, source)


BOTS: Final[Mapping[str, Bot]] = {key: AnyMove() for key in ("beginner", "casual", "skilled", "strong")}
