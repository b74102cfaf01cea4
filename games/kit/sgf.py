"""The Smart Game Format as a tree of nodes, whatever the game: reading texts that nobody vouches for, and writing.

A text is one or more game trees, `(;GM[…]PB[Ann];B[e10](;W[j5])(;W[i5]))`: a node is a semicolon and its properties, and
what follows a node is its children, the main line first. See https://www.red-bean.com/sgf/ for the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from games.kit.protocol import N_, RuleError

MOST_NODES: Final = 10_000
_LONGEST_NAME: Final = 64
_SPACES: Final = frozenset(" \t\r\n\f\v")
_AFTER_NODE: Final = frozenset([";", "(", ")", ""])
_TREE: Final = re.compile(r"\([ \t\r\n\f\v]*;")
_VALUE: Final = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\r\n|.)", re.DOTALL)
"""A backslash keeps the next character as it is, and joins two lines."""


class SgfFault(RuleError):
    """What is wrong with a text, in a sentence for people."""


@dataclass(slots=True, eq=False)
class Node:
    """A node: its properties, each with one value or more, and what follows it."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def value(self, name: str) -> str | None:
        """The first value of a property; `None` where it is missing."""
        values = self.properties.get(name)
        return values[0] if values else None

    def line(self) -> Iterator[Node]:
        """This node and the main line behind it."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node


def read(text: str) -> list[Node]:
    """The roots of the game trees in a text, at least one. Raises `SgfFault`.

    What stands before, between and behind the trees is skipped, as the format asks for.
    """
    return _Reader(text).trees()


def write(roots: Iterable[Node]) -> str:
    """The text of the trees: a node on each line, and brackets only where lines part."""
    parts: list[str] = []
    for root in roots:
        parts.append("(\n")
        # What is still to be written, the next one last: nodes, and the brackets around lines that part.
        due: list[Node | str] = [root]
        while due:
            item = due.pop()
            if isinstance(item, str):
                parts.append(item)
                continue
            parts.append(_node_text(item))
            if len(item.children) == 1:
                due.append(item.children[0])
            else:
                for child in reversed(item.children):
                    due += [")\n", child, "(\n"]
        parts.append(")\n")
    return "".join(parts)


def _node_text(node: Node) -> str:
    return ";" + "".join(name + "".join(f"[{_escaped(value)}]" for value in values) for name, values in node.properties.items()) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


class _Reader:
    """Goes through a text once; nesting is kept in a list, so that no text is too deep."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._nodes = 0

    def trees(self) -> list[Node]:
        roots = []
        while start := _TREE.search(self._text, self._at):
            self._at = start.start()
            roots.append(self._tree())
        if not roots:
            raise SgfFault("sgf_no_tree", N_("This is no file of games in the Smart Game Format: no “(;” is in it."))
        return roots

    def _tree(self) -> Node:
        root: Node | None = None
        node: Node | None = None
        parents: list[Node | None] = []
        while True:
            mark = self._mark()
            if mark == "(":
                parents.append(node)
            elif mark == ")":
                node = parents.pop()
                if not parents:
                    assert root is not None  # a tree begins with a node
                    return root
            elif mark == ";":
                following = self._node()
                if node is not None:
                    node.children.append(following)
                root, node = root or following, following
            else:
                self._at -= 1
                raise self._fault("sgf_stray", N_("“{found}” in line {line}, column {column} belongs to no node."), found=ascii(mark)[1:-1])

    def _mark(self) -> str:
        """The next character that is no white space."""
        self._skip()
        if self._at >= len(self._text):
            raise SgfFault("sgf_end", N_("The file ends in the middle of a game."))
        self._at += 1
        return self._text[self._at - 1]

    def _skip(self) -> None:
        while self._text[self._at : self._at + 1] in _SPACES:
            self._at += 1

    def _node(self) -> Node:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise SgfFault("sgf_nodes", N_("A file of games has at most {most} nodes. Split it into several."), most=MOST_NODES)
        node = Node()
        while True:
            self._skip()
            if self._text[self._at : self._at + 1] in _AFTER_NODE:
                return node
            name = self._name()
            node.properties.setdefault(name, []).extend(self._values())

    def _name(self) -> str:
        end = self._text.find("[", self._at, self._at + _LONGEST_NAME)
        name = "".join(self._text[self._at : end].split()) if end >= 0 else ""
        if not (name.isascii() and name.isalnum()):
            raise self._fault("sgf_property", N_("In line {line}, column {column} a property should begin: its name, then “[”."))
        self._at = end
        return name

    def _values(self) -> Iterator[str]:
        while self._text[self._at : self._at + 1] == "[":
            found = _VALUE.match(self._text, self._at)
            if found is None:
                raise self._fault("sgf_open", N_("The value that begins in line {line}, column {column} has no end “]”."))
            yield _ESCAPE.sub(lambda escape: escape[1].strip("\r\n"), found[1]).replace("\r\n", "\n").replace("\r", "\n")
            self._at = found.end()
            self._skip()

    def _fault(self, code: str, text: str, **names: object) -> SgfFault:
        before = self._text[: self._at]
        return SgfFault(code, text, line=before.count("\n") + 1, column=self._at - before.rfind("\n"), **names)


def path(values: Sequence[Node]) -> Node:
    """The nodes as one line, each the only child of the one before; the first of them."""
    for node, following in pairwise(values):
        node.children = [following]
    return values[0]
