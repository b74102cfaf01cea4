"""Monte-Carlo tree search for any number of seats, with a guide's judgement in place of random playouts.

Every playout walks down the tree, at each position to the move with the highest

    mean value for the seat to move + EXPLORATION · prior · √(visits of the position) / (1 + visits of the move)

(PUCT, after Rosin 2011), until it meets a new position, which the guide judges. The judgement has a value per seat,
and every position on the way adds that of its own seat, so each seat plays for itself. Work is counted in playouts, not
in seconds: an equal source and budget give an equal move.

A draw of chance is made anew only as often as the square root of the playouts that came by, and otherwise one of those
made before is taken again, so that what follows is looked at more closely than once (progressive widening, after
Couëtoux 2011). What the seat to move cannot see is dealt anew several times: each such *world* has a tree of its own,
but the moves at the root, which are the same in all, share their statistics (determinization).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import Final, Generic, Protocol, TypeVar

from games.kit.chance import Source, choose
from games.kit.protocol import CHANCE, Move, State

S_contra = TypeVar("S_contra", bound=State, contravariant=True)
S = TypeVar("S", bound=State)
EXPLORATION: Final = 1.4
UNTRIED_PENALTY: Final = 0.1
"""An untried move is believed to be this much worse than its position, so that good moves are followed first."""

NEARLY: Final = 0.8
"""A move counts as good as the best when so great a part of the playouts followed it."""


class Guide(Protocol[S_contra]):
    """What a game knows about playing well."""

    def candidates(self, state: S_contra) -> Sequence[tuple[Move, float]]:
        """The legal moves worth a look, at least one, each with a prior; the priors sum to 1."""

    def values(self, state: S_contra) -> Sequence[float]:
        """How well each seat stands, from 0 (lost) to 1 (won); `state` may be over, but no draw is due in it."""


class Node(Generic[S]):
    """A position in the tree, and what the playouts through it found."""

    __slots__ = ("children", "draws", "moves", "priors", "state", "total", "totals", "tries", "visits")

    def __init__(self, state: S) -> None:
        self.state = state
        self.children: dict[Move, Node[S]] = {}
        self.draws: list[Move] = []
        """The draws made here, where one is due; equal ones count as often as they were made."""
        self.visits = 0
        self.total = 0.0
        """Sum over the visits of the value for the seat to move."""
        self.moves: list[Move] = []
        self.priors: list[float] = []
        self.tries: list[int] = []
        self.totals: list[float] = []

    def open(self, guide: Guide[S]) -> None:
        """Ask for the candidates; not before a second playout comes by, since most positions see only one."""
        for move, prior in guide.candidates(self.state):
            self.moves.append(move)
            self.priors.append(prior)
            self.tries.append(0)
            self.totals.append(0.0)

    def most_promising(self) -> int:
        """The index of the candidate to follow next."""
        width = EXPLORATION * sqrt(self.visits)
        untried = self.total / self.visits - UNTRIED_PENALTY
        best, best_promise = 0, -inf
        for index, (prior, tries, total) in enumerate(zip(self.priors, self.tries, self.totals, strict=True)):
            promise = (total / tries if tries else untried) + width * prior / (1 + tries)
            if promise > best_promise:
                best, best_promise = index, promise
        return best

    def draw(self, source: Source) -> Move:
        """A new draw of chance, or one of those made before."""
        if len(self.draws) ** 2 <= self.visits:
            self.draws.append(self.state.draw(source))
            return self.draws[-1]
        return choose(self.draws, source)


def best_move(
    state: S,
    guide: Guide[S],
    source: Source,
    *,
    playouts: int,
    worlds: int = 0,
    stop: Callable[[], bool] | None = None,
) -> Move:
    """The candidate that most playouts followed, or one that nearly as many did.

    `source` chooses between such equals, so that matches differ, and makes the draws of chance. The playouts take place
    in `worlds` positions in turn, in each of which all that the seat to move cannot see is dealt anew; with none, in
    `state` as it is. `stop` may end the search early, say when a deadline is near; the move then depends on how fast
    the machine is.
    """
    root = Node(state)
    root.open(guide)
    if len(root.moves) > 1:
        dealt = worlds_of(state, worlds, source)
        trees: list[dict[Move, Node[S]]] = [{} for _ in dealt]
        judge([root], [], guide)
        for number in range(playouts):
            if stop is not None and stop():
                break
            world = number % len(dealt)
            root.state, root.children = dealt[world], trees[world]
            play_out(root, guide, source)
    # With the prior as a part of a playout, the likeliest move is made when there was no time for any.
    support = [tries + prior for tries, prior in zip(root.tries, root.priors, strict=True)]
    enough = NEARLY * max(support)
    return choose([move for move, backing in zip(root.moves, support, strict=True) if backing >= enough], source)


def worlds_of(state: S, count: int, source: Source) -> list[S]:
    """`count` positions that the seat to move cannot tell from `state`, or `state` itself when it is 0."""
    seat = state.to_move
    assert isinstance(seat, int)
    return [state.determinize(seat, source) for _ in range(count)] or [state]


def play_out(root: Node[S], guide: Guide[S], source: Source, first: int | None = None) -> tuple[int, Sequence[float]]:
    """One walk from the root to a new position or to an end, and the judgement of that.

    It begins with the candidate of that index, the most promising one when it is `None`. Returns the index, and the value
    per seat that was found.
    """
    nodes = [root]
    choices: list[tuple[Node[S], int]] = []
    while True:
        node = nodes[-1]
        seat = node.state.to_move
        if seat is None or (seat is not CHANCE and not node.visits):
            break
        if seat is CHANCE:
            move = node.draw(source)
        else:
            if not node.moves:
                node.open(guide)
            index = node.most_promising() if choices or first is None else first
            choices.append((node, index))
            move = node.moves[index]
        if move not in node.children:
            node.children[move] = Node(node.state.play(move))
        nodes.append(node.children[move])
    return choices[0][1], judge(nodes, choices, guide)


def judge(
    nodes: Sequence[Node[S]], choices: Sequence[tuple[Node[S], int]], guide: Guide[S]
) -> Sequence[float]:
    """Add the guide's judgement of the last of `nodes` to all of them, and to the choices made on the way; that judgement."""
    values = guide.values(nodes[-1].state)
    for node in nodes:
        node.visits += 1
        if isinstance(node.state.to_move, int):
            node.total += values[node.state.to_move]
    for node, index in choices:
        node.tries[index] += 1
        if isinstance(node.state.to_move, int):
            node.totals[index] += values[node.state.to_move]
    return values
