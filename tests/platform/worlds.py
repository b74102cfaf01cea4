"""Pairs of matches that differ only in what one viewer cannot know, for any game.

The first world is a random match. The second one has the same moves, and draws that this viewer cannot tell from the
first one's: a draw that is hidden from it is exchanged for another after which it sees the same, and later draws make
good what then no longer fits, so that all moves of the match stay legal.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

from games.kit.protocol import CHANCE, Game, Move, State, is_chance

MATCHES, ATTEMPTS = 12, 60
"""First worlds that are tried, and changes to each."""
OTHERS = 40
"""Other draws that are tried in the place of one."""
ENOUGH = 6
"""Draws that differ."""


class Retold:
    """A source that tells the numbers of another again, some of them changed."""

    def __init__(self, numbers: list[tuple[int, int]], chance: random.Random) -> None:
        first = chance.randrange(len(numbers))
        changed = range(first, first + chance.choice((1, 1, 2, 4, len(numbers))))
        self._numbers = [chance.randrange(n) if index in changed else number for index, (n, number) in enumerate(numbers)]
        self._chance = chance

    def below(self, n: int) -> int:
        number = self._numbers.pop(0) if self._numbers else n
        return number if number < n else self._chance.randrange(n)


class Noted:
    """A source that notes what it gave: how many were possible, and which one it was."""

    def __init__(self, chance: random.Random) -> None:
        self.numbers: list[tuple[int, int]] = []
        self._chance = chance

    def below(self, n: int) -> int:
        self.numbers.append((n, self._chance.randrange(n)))
        return self.numbers[-1][1]


@dataclass(frozen=True)
class Worlds:
    """Two lists of plies that `viewer` cannot tell apart."""

    game: Game
    variant: str
    viewer: int | None
    plies: tuple[tuple[Move, ...], tuple[Move, ...]]

    @property
    def differ(self) -> int:
        """How many draws differ."""
        return sum(one != other for one, other in zip(*self.plies, strict=True))

    def states(self, world: int) -> Iterator[State]:
        """The position before each ply of a world, and the last one."""
        state = self.game.start(self.variant)
        yield state
        for ply in self.plies[world]:
            state = state.play(ply)
            yield state


def two_worlds(game: Game, variant: str, viewer: int | None, seed: str = "") -> Worlds:
    """A random match and another that `viewer` cannot tell from it; the same twice where nothing is hidden from it."""
    chance = random.Random(f"{game.key} {variant} {viewer} {seed}")
    for _ in range(MATCHES):
        plies, numbers = _first(game, variant, chance)
        hidden = _hidden(game, variant, plies, viewer)
        other = plies
        for _ in range(ATTEMPTS if hidden else 0):
            found = _changed(game.start(variant), viewer, plies, other, numbers, chance.choice(hidden), chance)
            if found is not None and _distance(plies, found) > _distance(plies, other):
                other = found
            if _distance(plies, other) >= ENOUGH:
                break
        if other != plies or not hidden:
            break
    return Worlds(game, variant, viewer, (plies, other))


def _distance(one: tuple[Move, ...], other: tuple[Move, ...]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def _first(game: Game, variant: str, chance: random.Random) -> tuple[tuple[Move, ...], list[list[tuple[int, int]]]]:
    state, plies, numbers = game.start(variant), [], []
    while state.to_move is not None:
        source = Noted(chance)
        if state.to_move is CHANCE:
            ply = state.draw(source)
        else:
            legal = state.legal_moves()
            ply = legal[chance.randrange(len(legal))]
        numbers.append(source.numbers)
        plies.append(ply)
        state = state.play(ply)
    return tuple(plies), numbers


def _hidden(game: Game, variant: str, plies: tuple[Move, ...], viewer: int | None) -> list[int]:
    """The indices of the plies that the viewer does not read."""
    state, hidden = game.start(variant), []
    for index, ply in enumerate(plies):
        state = state.play(ply)
        if state.visible(ply, viewer) != str(ply):
            hidden.append(index)
    return hidden


def _changed(
    start: State, viewer: int | None, plies: tuple[Move, ...], other: tuple[Move, ...], numbers: list[list[tuple[int, int]]],
    target: int, chance: random.Random,
) -> tuple[Move, ...] | None:
    """`other` with its draw at `target` exchanged and the later ones mended; `None` where that leads nowhere."""
    first = second = start
    made = []
    for index, (ply, present) in enumerate(zip(plies, other, strict=True)):
        first = first.play(ply)
        if is_chance(str(ply)):
            found = None if index == target else _like(second, first, [present], ply, viewer)
            if found is None:
                options = [option for option in _others(second, numbers[index], chance) if index != target or option != present]
                found = _like(second, first, options, ply, viewer)
        else:
            found = (ply, second.play(ply)) if ply in second.legal_moves() else None
        if found is None:
            return None
        made.append(found[0])
        second = found[1]
    return tuple(made)


def _others(state: State, numbers: list[tuple[int, int]], chance: random.Random) -> list[Move]:
    return [state.draw(Retold(numbers, chance)) for _ in range(OTHERS)] if numbers else []


def _like(state: State, wanted: State, options: list[Move], ply: Move, viewer: int | None) -> tuple[Move, State] | None:
    """One of the draws after which the viewer sees what it sees in `wanted`; best one that brings the worlds together again."""
    text, view = wanted.visible(ply, viewer), None
    met: tuple[Move, State] | None = None
    for option in options:
        try:
            after = state.play(option)
        except ValueError:
            continue
        if after == wanted:
            return option, after
        if met is None and after.visible(option, viewer) == text:
            view = view or _bytes(wanted, viewer)
            met = (option, after) if _bytes(after, viewer) == view else None
    return met


def _bytes(state: State, viewer: int | None) -> str:
    return json.dumps([state.view(viewer), list(state.scores()), repr(state.to_move)])
