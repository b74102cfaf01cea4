"""What the tree search thinks of a position: its best moves with their values per seat, and what is likely to follow them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.kit.chance import Source
from games.kit.protocol import CHANCE, Analysis, Candidate, IllegalMove, Move, State
from games.kit.search.tree import Guide, Node, judge, play_out, worlds_of
from games.kit.standing import placed

TOLD_EACH: Final = 50
"""Playouts between two words about how far it is."""
LONGEST_LINE: Final = 8


@dataclass(frozen=True, slots=True)
class Ranks:
    """A guide that follows the candidates of another one, and values a position by the ranks that its seats may expect."""

    guide: Guide[Any]
    standing: Callable[[Any], Sequence[float]]
    """Per seat from 0 to 1 in a position that is not over, see `games.kit.standing`."""

    def candidates(self, state: State) -> Sequence[tuple[Move, float]]:
        return self.guide.candidates(state)

    def values(self, state: State) -> Sequence[float]:
        outcome = state.outcome()
        return self.standing(state) if outcome is None else placed(outcome.ranks)


@dataclass(frozen=True, slots=True)
class TreeAnalyst:
    """An `Analyst` that searches as the game's bots do."""

    guide: Ranks
    worlds: int = 0
    """As for `games.kit.search.best_move`."""

    def analyse(
        self,
        state: State,
        source: Source,
        *,
        playouts: int,
        also: Move | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> Analysis:
        return analyse(state, self.guide, source, playouts=playouts, worlds=self.worlds, also=also, tell=tell)


def analyse(
    state: State,
    guide: Guide[Any],
    source: Source,
    *,
    playouts: int,
    worlds: int = 0,
    also: Move | None = None,
    tell: Callable[[int], None] | None = None,
) -> Analysis:
    """Search as `best_move` does, with at least one playout; then follow `also`, a legal move, until it is known as well as the best.

    The first candidate is the one that most playouts followed, unless `also` turns out to be better; then come the others by how
    often they were followed.
    """
    root: Node[Any] = Node(state)
    root.open(guide)
    _admit(root, also)
    search = _Search(root, guide, source, worlds_of(state, worlds, source), tell)
    for _ in range(max(playouts, 1)):
        search.go()
    followed = list(root.tries)
    index = None if also is None else root.moves.index(also)
    if index is not None:
        for _ in range(max(followed) - followed[index]):
            search.go(index)
    return search.found(followed, index)


def _admit(root: Node[Any], also: Move | None) -> None:
    """Make `also` one of the candidates."""
    if also is not None and also not in root.moves:
        root.moves.append(also)
        root.priors.append(min(root.priors))
        root.tries.append(0)
        root.totals.append(0.0)


class _Search:
    """The playouts from a root, in several worlds in turn, and the values per seat that they found for each candidate."""

    def __init__(
        self, root: Node[Any], guide: Guide[Any], source: Source, dealt: Sequence[State], tell: Callable[[int], None] | None
    ) -> None:
        self._root, self._guide, self._source, self._tell = root, guide, source, tell
        self._state = root.state
        self._dealt, self._trees = dealt, [dict[Move, Node[Any]]() for _ in dealt]
        self._done = 0
        self._sums = [[0.0] * len(root.state.scores()) for _ in root.moves]
        judge([root], [], guide)

    def go(self, first: int | None = None) -> None:
        """One playout, through the candidate of that index or the most promising one."""
        world = self._done % len(self._dealt)
        self._root.state, self._root.children = self._dealt[world], self._trees[world]
        index, values = play_out(self._root, self._guide, self._source, first)
        for seat, value in enumerate(values):
            self._sums[index][seat] += value
        self._done += 1
        if self._tell is not None and self._done % TOLD_EACH == 0:
            self._tell(self._done)

    def found(self, followed: Sequence[int], also: int | None) -> Analysis:
        """What is known now, when each candidate was followed so often by choice, and `also` because it was asked about."""
        order = sorted(range(len(followed)), key=followed.__getitem__, reverse=True)
        best = order[0] if also is None else max((order[0], also), key=self._worth)
        order.sort(key=lambda index: index != best)
        found = tuple(self._candidate(index) for index in order if self._root.tries[index])
        return Analysis(found[0].values, found, self._done)

    def _worth(self, index: int) -> float:
        """The mean value of a candidate that was followed, for the seat to move."""
        return self._root.totals[index] / self._root.tries[index]

    def _candidate(self, index: int) -> Candidate:
        tries = self._root.tries[index]
        values = tuple(total / tries for total in self._sums[index])
        return Candidate(self._root.moves[index], values, tries / self._done, tuple(self._line(index)))

    def _line(self, index: int) -> list[Move]:
        """What was followed most from there on, up to a draw, as far as it can be played in the position that was asked about."""
        move = self._root.moves[index]
        tree = max(self._trees, key=lambda tree: tree[move].visits if move in tree else 0)
        line, state, children = [move], self._state.play(move), tree
        while len(line) < LONGEST_LINE and state.to_move is not CHANCE and state.to_move is not None:
            following = _followed(children, move)
            if following is None:
                break
            try:
                state = state.play(following)
            except IllegalMove:  # in that world another hand was dealt
                break
            children, move = children[move].children, following
            line.append(move)
        return line


def _followed(children: Mapping[Move, Node[Any]], move: Move) -> Move | None:
    """The move that most playouts made after `move`; `None` where only one or none came by."""
    node = children.get(move)
    if node is None or not any(node.tries):
        return None
    return node.moves[max(range(len(node.moves)), key=node.tries.__getitem__)]
