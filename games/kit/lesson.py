"""Lessons: positions of real matches in which the reader makes the move, and the rules themselves judge it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.kit.protocol import Game, InvalidMove, Move, RuleError, State, is_chance

Wanted = frozenset[str] | Callable[[State, Move, State], bool]
"""The moves that a step asks for: their canonical texts, or a test of the position before, the move, the one after."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a lesson. Its texts are English and marked with `N_`."""

    title: str
    text: str
    """What to see and what to do."""
    variant: str
    plies: tuple[str, ...]
    """The plies that lead to the position, chance plies written out."""
    seat: int
    """Whose view is shown; in a step that asks for a move, the seat to move."""
    wanted: Wanted = frozenset()
    """Empty for a step that is only read."""
    hint: str = ""
    """Said to a legal move that this step does not ask for."""
    praise: str = ""
    """Said when the step is done."""
    options: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether the reader is to move."""
        return callable(self.wanted) or bool(self.wanted)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a step answers to a move."""

    done: bool
    message: str | RuleError
    """The hint or the praise, or the rules' own reason for a move that is not legal."""
    after: State | None = None
    """The position after a legal move."""


def position(game: Game, step: Step) -> State:
    """The position that the step shows. Raises `RuleError` if its plies cannot be played."""
    state = game.start(step.variant, step.options)
    for text in step.plies:
        state = state.play(game.parse_move(text))
    return state


def answer(game: Game, step: Step, text: str) -> Verdict:
    """Judge the move `text`: done, legal but not asked for, or refused with the rules' own reason."""
    before = position(game, step)
    try:
        if is_chance(text):
            raise InvalidMove("chance", "Nobody moves for chance.")
        move = game.parse_move(text)
        after = before.play(move)
    except RuleError as reason:
        return Verdict(False, reason)
    done = step.wanted(before, move, after) if callable(step.wanted) else str(move) in step.wanted
    return Verdict(done, step.praise if done else step.hint, after)
