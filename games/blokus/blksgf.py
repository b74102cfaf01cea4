"""Matches of Blokus as the program Pentobi writes them, in its dialect of the Smart Game Format (`.blksgf`): reading and writing.

The dialect is described in Pentobi's `Pentobi-SGF.md`. A node is a placement by a colour: `B` and `W` on the board of Duo,
`1` to `4` on the large one. Read are also its older spellings (`BLUE[a20][b20]`), positions that were set up, as far as they can be
reached in turns, comments, and other lines, which become branches beside the match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from games.blokus.arranging import arranged
from games.blokus.board import board_of
from games.blokus.notation import Placement, parse_placement
from games.blokus.rules import COLOUR_NAMES, FREE_CORNERS, Position, initial_position
from games.kit import sgf
from games.kit.protocol import N_, Format, RuleError
from games.kit.ranking import with_leavers
from games.kit.reading import Branch, Reading
from games.kit.record import LONGEST_NOTE, MOST_NOTES, Fault, Record, RecordError, Result, replay
from games.kit.untrusted import LONGEST_TEXT

KEY: Final = "blksgf"
VARIANTS: Final = {
    "Blokus": "classic-4",
    "Blokus Three-Player": "classic-3",
    "Blokus Two-Player": "classic-2",
    "Blokus Duo": "duo-2",
}
"""What the games are called in a file, and here."""
_OTHER_GAMES: Final = ("Blokus Trigon", "Blokus Junior", "Nexos", "Callisto", "GembloQ")
"""The other games of Pentobi; some have names that go on (“Nexos Two-Player”)."""
MOST_BRANCHES: Final = 2000
_DATE: Final = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?(?!\d)")
_ENDS: Final = {"R": "resigned", "T": "timeout", "F": "abandoned"}
_MARKS: Final = {"TE": ("!", "!!"), "BM": ("?", "??"), "IT": ("!?", "!?"), "DO": ("?!", "?!")}
"""What a property says of a move, plainly and with emphasis."""


def read(text: str) -> Iterator[Reading | Fault]:
    """The games in a text, each played when it is asked for; in place of one that cannot be stands why.

    Raises `RecordError` when the text holds none.
    """
    try:
        roots = sgf.read(text)
    except sgf.SgfFault as fault:
        raise RecordError(fault) from None
    return map(_reading_or_fault, roots)


def write(record: Record) -> str:
    """The text of a match, which Pentobi opens. Raises `RecordError` where it cannot be played."""
    board = board_of(record.variant)
    root = sgf.Node({"GM": [_name_of(record.variant)], "CA": ["UTF-8"], "AP": ["Tessera"]})
    for number, name in enumerate(record.seats or ()):
        root.properties[_player_id(board.seat_count, number)] = [name]
    for key, value in (("DT", record.date), ("EV", record.event), ("RE", _end_text(record, board.seat_count))):
        if value is not None:
            root.properties[key] = [value]
    nodes = [root]
    for state, text in zip(replay(record), record.plies, strict=False):
        assert isinstance(state, Position) and state.colour is not None
        nodes.append(sgf.Node({_colour_ids(len(board.colours))[state.colour][0]: [str(parse_placement(text))]}))
    for ply, note in record.notes:
        if ply < len(nodes):
            nodes[ply].properties.setdefault("C", []).append(note)
    for node in nodes:
        if "C" in node.properties:
            node.properties["C"] = ["\n".join(node.properties["C"])]
    return sgf.write([sgf.path(nodes)])


FORMAT: Final = Format(
    key=KEY,
    name="Pentobi",
    suffix=".blksgf",
    media_type="application/x-blokus-sgf",
    variants=tuple(VARIANTS.values()),
    begins="(",
    read=read,
    write=write,
)


def _name_of(variant: str) -> str:
    return next(name for name, key in VARIANTS.items() if key == variant)


def _reading_or_fault(root: sgf.Node) -> Reading | Fault:
    try:
        return _reading(root)
    except RecordError as error:
        return error.fault


def _reading(root: sgf.Node) -> Reading:
    """The match in a tree. Raises `RecordError`, which names the ply."""
    variant = _variant(root)
    try:
        return _Tree(variant, root, ()).reading()
    except RecordError as error:
        if error.fault.cause is None or error.fault.cause.code != "not_start":
            raise
        # The file does not say so, but it may be a match by that house rule.
        try:
            return _Tree(variant, root, (FREE_CORNERS,)).reading()
        except RecordError:
            raise error from None


def _variant(root: sgf.Node) -> str:
    name = root.value("GM")
    if name is None:
        raise RecordError(RuleError("no_game", "The file does not say which game it is of: its first node has no property GM."))
    plain = " ".join(name.split())
    for known, variant in VARIANTS.items():
        if plain.casefold() == known.casefold():
            return variant
    for other in _OTHER_GAMES:
        if plain.casefold().startswith(other.casefold()):
            raise RecordError(RuleError("other_game", "This is a match of {game}, which is not played here.", game=_plain(plain)))
    raise RecordError(RuleError("no_blokus", "This is no match of Blokus: the file says its game is “{game}”.", game=_plain(plain)))


class _Tree:
    """What is read of a tree: the main line as a match, and the other lines beside it."""

    def __init__(self, variant: str, root: sgf.Node, options: tuple[str, ...]) -> None:
        self._root = root
        self._options = options
        self._board = board_of(variant)
        self._start = initial_position(variant, options)
        self._state = self._start
        self._plies: list[Placement] = []
        self._notes: list[tuple[int, str]] = []
        self._others: list[tuple[sgf.Node, Position, int]] = []
        """Where other lines begin: the node, the position before it and its ply."""
        self._branches: list[Branch] = []
        self._cut: list[Fault] = []

    def reading(self) -> Reading:
        """Raises `RecordError` at the first node of the main line that cannot be played."""
        for node in self._root.line():
            try:
                self._take(node)
            except RuleError as error:
                raise RecordError(error, len(self._plies) + 1) from None
            self._others += [(child, self._state, len(self._plies)) for child in node.children[1:]]
        for node, state, ply in self._others:
            self._branch(node, state, ply)
        return Reading(self._record(), tuple(self._branches), tuple(self._cut), KEY)

    def _take(self, node: sgf.Node) -> None:
        """Go on along the main line. Raises `RuleError`."""
        if _has_setup(node):
            self._set_up(node)
        move = self._move(node)
        if move is not None:
            self._state = _played(self._state, *move)
            self._plies.append(move[1])
        note = _note(node)
        if note and len(self._notes) < MOST_NOTES:
            self._notes.append((len(self._plies), note))

    def _move(self, node: sgf.Node) -> tuple[int, Placement] | None:
        """The colour and the placement of a node; `None` for one without, or with an empty one, a pass. Raises `RuleError`."""
        found = [
            (colour, parse_placement(cells))
            for colour, keys in enumerate(_colour_ids(len(self._board.colours)))
            for key in keys
            if (cells := _cells(",".join(node.properties.get(key, ()))))
        ]
        if len(found) > 1:
            raise RuleError("two_moves", "There are several moves in one node here.")
        return found[0] if found else None

    def _set_up(self, node: sgf.Node) -> None:
        """Put and take the pieces that the node names, and find plies that lead to such a position. Raises `RuleError`."""
        pieces: list[list[Placement]] = [[] for _ in self._board.colours]
        state = self._start
        for move in self._plies:
            assert state.colour is not None
            pieces[state.colour].append(move)
            state = state.play(move)
        for key, colour in _setup_ids():
            if colour < len(pieces):
                pieces[colour] += [parse_placement(_cells(value)) for value in node.properties.get(key, ())]
        taken = {parse_placement(_cells(value)) for value in node.properties.get("AE", ())}
        due = next((colour for colour, keys in enumerate(("B1", "W2", "3", "4")) if (node.value("PL") or "-") in keys), None)
        plies = arranged(self._start, [[move for move in own if move not in taken] for own in pieces], due)
        if plies is None:
            text = N_("The file sets up a position that no turns of a match lead to, so there is nothing to step through.")
            raise RuleError("unreachable", text)
        if plies[: len(self._plies)] != self._plies and self._others:
            anew = RuleError("set_up_anew", "The position is set up anew here, so other lines before it are left out.")
            self._cut.append(_fault(len(self._plies), anew))
            self._others = []
        self._plies = plies
        self._state = self._start
        for move in plies:
            self._state = self._state.play(move)

    def _branch(self, node: sgf.Node, state: Position, ply: int) -> None:
        """Add another line, with all that part from it, as far as it can be played."""
        due = [(node, state, -ply, ply)]
        while due:
            node, state, parent, ply = due.pop()
            try:
                if _has_setup(node):
                    raise RuleError("set_up_aside", "Another line sets up a position here, so it ends here.")
                move = self._move(node)
                if move is not None:
                    state, parent, ply = _played(state, *move), self._child(parent, move[1]), ply + 1
            except RuleError as error:
                self._cut.append(_fault(ply + 1, error))
                continue
            self._annotate(parent, _note(node))
            due += [(child, state, parent, ply) for child in reversed(node.children)]

    def _child(self, parent: int, move: Placement) -> int:
        """The branch that follows `parent` with this move; what is there already is gone along."""
        if parent <= 0 and self._plies[-parent : 1 - parent] == [move]:
            return parent - 1
        for number, branch in enumerate(self._branches, start=1):
            if branch.parent == parent and branch.text == str(move):
                return number
        if len(self._branches) >= MOST_BRANCHES:
            text = N_("There are more than {most} moves in other lines; the rest is left out.")
            raise RuleError("too_many_branches", text, most=MOST_BRANCHES)
        self._branches.append(Branch(parent, str(move)))
        return len(self._branches)

    def _annotate(self, parent: int, note: str) -> None:
        if note and parent > 0:
            branch = self._branches[parent - 1]
            self._branches[parent - 1] = replace(branch, note=f"{branch.note}\n{note}".strip()[:LONGEST_NOTE])

    def _record(self) -> Record:
        return Record(
            game="blokus",
            variant=self._board.variant,
            plies=tuple(map(str, self._plies)),
            options=self._options,
            seats=_seats(self._root, self._board.seat_count),
            result=_result(self._root, self._state, len(self._plies)),
            date=_date(self._root.value("DT")),
            event=_plain(", ".join(filter(None, (self._root.value("EV"), self._root.value("RO"))))) or None,
            notes=tuple(self._notes),
        )


def _played(state: Position, colour: int, move: Placement) -> Position:
    """The position after a placement of `colour`, which must be in turn. Raises `RuleError`."""
    if state.colour is not None and state.colour != colour:
        names = [COLOUR_NAMES[state.board.colours[index]] for index in (state.colour, colour)]
        raise RuleError("wrong_colour", "{due} is to place here, but the file has a piece of {colour}.", due=names[0], colour=names[1])
    return state.play(move)


def _fault(ply: int, error: RuleError) -> Fault:
    return Fault(ply, str(error), error)


def _colour_ids(colours: int) -> tuple[tuple[str, ...], ...]:
    """Per colour the properties that hold its moves, today's spelling first."""
    if colours == 2:
        return (("B", "1", "BLUE"), ("W", "2", "GREEN"))
    return (("1", "BLUE"), ("2", "YELLOW"), ("3", "RED"), ("4", "GREEN"))


def _setup_ids() -> Iterator[tuple[str, int]]:
    yield from (("A1", 0), ("AB", 0), ("A2", 1), ("AW", 1), ("A3", 2), ("A4", 3))


def _has_setup(node: sgf.Node) -> bool:
    return "AE" in node.properties or any(key in node.properties for key, _ in _setup_ids())


def _cells(value: str) -> str:
    """The squares of a value in our spelling: the case of letters does not count there, nor white space."""
    return "".join(value.split()).lower()


def _player_id(seats: int, seat: int) -> str:
    return ("PB", "PW")[seat] if seats == 2 else f"P{seat + 1}"


def _seats(root: sgf.Node, seats: int) -> tuple[str, ...] | None:
    """What the players are called, if the file names any."""
    names = [_plain(root.value(_player_id(seats, seat)) or "") for seat in range(seats)]
    return tuple(name or f"Player {seat}" for seat, name in enumerate(names, start=1)) if any(names) else None


def _date(value: str | None) -> str | None:
    found = _DATE.search(value or "")
    return found[0] if found else None


def _note(node: sgf.Node) -> str:
    """What the file says of a node: whether the move is good, and the comment."""
    marks = [signs[(node.value(key) or "1").strip() == "2"] for key, signs in _MARKS.items() if key in node.properties]
    lines = "\n".join(node.properties.get("C", ())).split("\n")
    return "\n".join(filter(None, [" ".join(marks), *(_plain(line, LONGEST_NOTE) for line in lines)]))[:LONGEST_NOTE]


def _plain(text: str, longest: int = LONGEST_TEXT) -> str:
    """The text with single spaces and without what no page can show, cut where it is too long."""
    words = "".join(character if character.isprintable() else " " for character in text).split()
    line = " ".join(words)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _result(root: sgf.Node, end: Position, plies: int) -> Result | None:
    """The result by the rules; of a match that broke off, what the file says of who gave up, as far as two play."""
    outcome = end.outcome()
    if outcome is not None:
        return Result(outcome.scores, outcome.ranks, "complete")
    found = re.fullmatch(r"([BW])\+([RTF])[a-z]*", (root.value("RE") or "").strip())
    if found is None or end.board.seat_count != 2:
        return None
    loser = 1 - "BW".index(found[1])
    return Result(end.scores(), with_leavers((1, 1), {loser: plies}), _ENDS[found[2]], ((loser, plies),))


def _end_text(record: Record, seats: int) -> str | None:
    """The result as the Smart Game Format has it, which knows two players: `B+12`, `W+R`, `Draw`."""
    result = record.result
    if result is None or seats != 2:
        return None
    if len(set(result.ranks)) == 1:
        return "Draw"
    winner = result.ranks.index(min(result.ranks))
    letters = {reason: letter for letter, reason in _ENDS.items()}
    return f"{'BW'[winner]}+{letters.get(result.reason) or result.scores[winner] - result.scores[1 - winner]}"
