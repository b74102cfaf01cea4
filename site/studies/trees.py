"""Trees of tried moves: reading one that a browser sends, playing every branch of it, and telling it as text.

A node is `{"id", "parent", "text", "note"}`: its id is a number from 1 on, and `parent` is the id of the node that it follows,
or `-p` where it follows ply `p` of the line (0 for the start). Parents come before their children, and of the nodes that follow
the same one the first is the main one. A node that repeats the next ply of the line is that ply: it carries its note, and
nothing follows it, since what follows that ply has `-(p + 1)` for a parent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from games.kit.protocol import N_, RuleError, State
from matches.errors import MatchError
from studies.positions import LONGEST_TEXT, Line, read_ply

Node = dict[str, Any]
MOST_NODES: Final = 600
LONGEST_NOTE: Final = 1000
FIELDS: Final = {"id", "parent", "text", "note"}


class BadTree(MatchError):
    """A tree that is none, is too large, or has a branch that cannot be played."""

    code = "bad_tree"
    sentence = N_("This is not a tree of moves. Load the page again.")


class Unplayable(Exception):
    """A move of the tree that the rules refuse: `text` after what comes before it, and `cause`."""

    def __init__(self, node: int, text: str, cause: RuleError) -> None:
        super().__init__(f"{text}: {cause}")
        self.node, self.text, self.cause = node, text, cause


@dataclass(frozen=True, slots=True)
class Strand:
    """Plies that follow one another, for reading a tree as text: the line and what goes on from it, or a branch."""

    depth: int
    """How many forks lead to it."""
    ply: int
    """The number of its first ply, which for a branch is the one that it is played instead of."""
    plies: list[Node] = field(default_factory=list)
    """`{"id", "ply", "text", "note", "seat", "line"}`: `line` when it is a ply of the line itself, whose id is `-ply`."""


def spelt(line: Line) -> Line:
    """The line in the canonical spelling, as trees need it; a record may have another."""
    return replace(line, plies=tuple(str(position.last.move) for position in line.positions() if position.last))


def check(line: Line, tree: object) -> list[Node]:
    """The tree as it is kept: in the canonical spelling, nodes numbered from 1 in their order.

    Raises `BadTree` for what is no tree, `Unplayable` for a move that the rules refuse.
    """
    nodes = _read(tree)
    number: dict[int, int] = {}
    kept: list[Node] = []
    reached = _Reached(line)
    told: set[tuple[int, str]] = set()
    for node in nodes:
        before = node["parent"]
        parent = before if before <= 0 else number[before]
        text = reached.play(before, node["id"], node["text"])
        if (parent, text) in told:
            raise BadTree(N_("Two branches play the same move."))
        told.add((parent, text))
        number[node["id"]] = len(kept) + 1
        kept.append({"id": len(kept) + 1, "parent": parent, "text": text, "note": node["note"]})
    return kept


def seats(line: Line, tree: Sequence[Node]) -> tuple[list[int | None], dict[int, int | None]]:
    """Who made each ply of the line and each node of a checked tree; `None` for chance."""
    reached = _Reached(line)
    for node in tree:
        reached.play(node["parent"], node["id"], node["text"])
    return [_mover(position.state) for position in line.positions()[:-1]], reached.movers


def strands(line: Line, tree: Sequence[Node]) -> list[Strand]:
    """A checked tree as text: the line and then each branch, followed by the branches that leave it in turn."""
    movers, tried = seats(line, tree)
    after: defaultdict[int, list[Node]] = defaultdict(list)
    notes: dict[int, str] = {}
    for node in tree:
        if _is_of_line(line, node["parent"], node["text"]):
            notes[1 - node["parent"]] = node["note"]
        else:
            after[node["parent"]].append(node)
    main, waiting = Strand(0, 1), list[tuple[int, int, Node]]()
    for ply, (text, seat) in enumerate(zip(line.plies, movers, strict=True), start=1):
        main.plies.append({"id": -ply, "ply": ply, "text": text, "note": notes.get(ply, ""), "seat": seat, "line": True})
        waiting += [(1, ply, node) for node in after[1 - ply]]
    end = len(line.plies)
    found, waiting = [main], waiting[::-1]
    if after[-end]:
        first, *others = after[-end]
        waiting[:0] = [(1, end + 1, node) for node in reversed(others)]
        waiting = _grow(main, first, end + 1, after, tried)[::-1] + waiting
    while waiting:
        depth, ply, node = waiting.pop()
        found.append(strand := Strand(depth, ply))
        waiting += reversed(_grow(strand, node, ply, after, tried))
    return found


def _grow(
    strand: Strand, node: Node, ply: int, after: Mapping[int, list[Node]], tried: Mapping[int, int | None]
) -> list[tuple[int, int, Node]]:
    """Add a node to a strand and what follows it there; the branches that leave it: depth, ply and first node."""
    leaving: list[tuple[int, int, Node]] = []
    while True:
        told = {key: node[key] for key in ("id", "text", "note")}
        strand.plies.append(told | {"ply": ply, "seat": tried[node["id"]], "line": False})
        following = after.get(node["id"], [])
        if not following:
            return leaving
        ply += 1
        node, *others = following
        leaving += [(strand.depth + 1, ply, other) for other in others]


def _is_of_line(line: Line, parent: int, text: str) -> bool:
    """Whether a node is a ply of the line itself and stands there for its note."""
    return parent <= 0 and -parent < len(line.plies) and line.plies[-parent] == text


class _Reached:
    """The positions of a tree, as far as they have been played."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._states: dict[int, State] = {}
        self.movers: dict[int, int | None] = {}

    def play(self, parent: int, node: int, text: str) -> str:
        """Play a node after its parent; its text in the canonical spelling."""
        before = self._after(parent)
        try:
            move = read_ply(self._line.rules, before, text)
            self._states[node] = before.play(move)
        except RuleError as cause:
            raise Unplayable(node, text, cause) from None
        self.movers[node] = _mover(before)
        if _is_of_line(self._line, parent, str(move)):
            del self._states[node]
        return str(move)

    def _after(self, parent: int) -> State:
        if parent > 0:
            if parent not in self._states:  # it stands for a ply of the line, or for no node before this one
                raise BadTree
            return self._states[parent]
        if -parent > len(self._line.plies):
            raise BadTree
        return self._line.positions()[-parent].state


def _mover(state: State) -> int | None:
    return state.to_move if isinstance(state.to_move, int) else None


def _read(tree: object) -> list[Node]:
    """The nodes, if they have the fields and types of nodes and each follows one before it. Raises `BadTree`."""
    if not isinstance(tree, list):
        raise BadTree
    if len(tree) > MOST_NODES:
        raise BadTree(N_("A study has at most {most} tried moves."), most=MOST_NODES)
    known: set[int] = set()
    nodes = []
    for node in tree:
        if not isinstance(node, dict) or node.keys() != FIELDS:
            raise BadTree
        nodes.append(_node(node, known))
        known.add(node["id"])
    return nodes


def _node(node: Mapping[str, Any], known: Collection[int]) -> Node:
    number, parent, text, note = node["id"], node["parent"], node["text"], node["note"]
    if type(number) is not int or number < 1 or number in known:
        raise BadTree
    if type(parent) is not int or (parent > 0 and parent not in known):
        raise BadTree
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_TEXT or not isinstance(note, str) or "\0" in note:
        raise BadTree
    if len(note) > LONGEST_NOTE:
        raise BadTree(N_("A note has at most {most} characters."), most=LONGEST_NOTE)
    return {"id": number, "parent": parent, "text": text, "note": note.strip()}
