"""The draws of a match that is over, made again from its secret with every step kept, for people who want to see them."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.chance import Number, TracedSource
from games.kit.protocol import CHANCE
from matches.models import Match, Move, Secret
from matches.replay import fold


@dataclass(frozen=True, slots=True)
class Draw:
    """A chance ply as it was stored, and as the secret gives it."""

    ply: int
    label: str
    blocks: tuple[bytes, ...]
    """The HMAC-SHA-256 of the label with `:0`, `:1`, … under the secret, in order."""
    numbers: tuple[Number, ...]
    drawn: str
    stored: str

    @property
    def agrees(self) -> bool:
        return self.drawn == self.stored


def draws_of(match: Match) -> list[Draw]:
    """Every draw of the match, in order. Only for a match that is over: raises `ValueError` for a running one."""
    if match.running:
        raise ValueError(f"{match} still runs, so its secret is nobody's to see")
    secret = Secret.of(match)
    moves = list(Move.objects.filter(match=match, ply__lte=match.ply))
    draws = []
    for position, move in zip(fold(match, (move.text for move in moves)), moves, strict=False):
        if position.state.to_move is CHANCE:
            source = TracedSource(secret, position.state.chance_label)
            drawn = str(position.state.draw(source))
            draws.append(Draw(move.ply, position.state.chance_label, tuple(source.blocks), tuple(source.numbers), drawn, move.text))
    return draws
