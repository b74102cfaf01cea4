"""The vocabulary between a game and everything around it: `Game`, `State`, `Outcome`, and two errors.

A match is its list of plies. A ply is a seat's move or, where a bag, pile or shuffle decides, a *chance
ply*, whose text starts with `=`. A state is the fold of the plies over the variant's empty start, so
states are immutable and nothing here needs a database, a clock or a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    from games.kit.chance import Source
    from games.kit.lesson import Step
    from games.kit.reading import Reading
    from games.kit.record import Fault, Record

Json = Any
"""JSON-able values: views and offers, which a game writes and only its own board reads."""


class Chance(Enum):
    """Who moves when no seat does: the bag, the pile, the shuffle."""

    CHANCE = "chance"

    def __repr__(self) -> str:
        return "CHANCE"


CHANCE: Final = Chance.CHANCE
ToMove = int | Literal[Chance.CHANCE] | None


class Label(str):
    """A word of the game (“Blue”, “row”) that a reader should see in their own language; the English is its key."""


class Opening(NamedTuple):
    """A kind of first move in words: an English sentence with `{placeholders}`, marked with `N_`, and what fills them."""

    text: str
    names: tuple[tuple[str, str], ...] = ()


class Remark(NamedTuple):
    """Something worth saying about a ply: a stable word for programs, an English sentence as in `Opening`, and whom it is about."""

    kind: str
    text: str
    names: tuple[tuple[str, str], ...] = ()
    seat: int | None = None


def N_(text: str) -> str:  # noqa: N802 - the usual name of the mark
    """Marks an English text for translation where it stands; it is translated where it is shown."""
    return text


class RuleError(ValueError):
    """A text or a move that the game refuses, with a reason for people.

    `code` is a stable word for programs. `text` is an English sentence with `{placeholders}`, the key under
    which the platform finds its translation; `names` fills them.
    """

    def __init__(self, code: str, text: str, **names: object) -> None:
        super().__init__(text.format(**names))
        self.code = code
        self.text = text
        self.names = names


class InvalidMove(RuleError):
    """The text is not a move of this game at all."""


class IllegalMove(RuleError):
    """A well-formed move that the rules forbid in this position."""


class Move(Protocol):
    """One ply. Hashable; `str(move)` is its one canonical spelling and `Game.parse_move` the inverse."""

    def __str__(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...


class LegalMoves(Protocol):
    """The legal moves of a position, found when asked for: iterable, sized, `move in legal`, `legal[0]`.

    A tuple of moves will do; a game with many moves finds them more cheaply with a class of its own.
    """

    def __iter__(self) -> Iterator[Move]: ...
    def __len__(self) -> int: ...
    def __contains__(self, move: object, /) -> bool: ...
    def __getitem__(self, index: int, /) -> Move: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match by the rules: a score and a rank per seat; rank 1 is best, equal ranks share."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class State(Protocol):
    """A position. Immutable: `play` returns the next one.

    Seats that cannot move are skipped by the game itself, so `to_move` always can move.
    """

    @property
    def to_move(self) -> ToMove:
        """The seat to move, `CHANCE` when a draw is due, `None` when the match is over."""

    @property
    def chance_label(self) -> str:
        """What the draw that is due is for (`round 3`, `draw r 6`), unique within the match.

        Raises `LookupError` unless `to_move` is `CHANCE`.
        """

    def legal_moves(self) -> LegalMoves:
        """The legal moves of the seat to move; empty when chance is due or the match is over."""

    def play(self, move: Move) -> Self:
        """The position after `move`, which may be a chance ply when one is due. Raises `IllegalMove`."""

    def draw(self, source: Source) -> Move:
        """The chance ply that is due, drawn from `source`; play it to go on. Raises `LookupError` when none is due."""

    def scores(self) -> tuple[int, ...]:
        """What each seat would score if the match ended in this position."""

    def ranks(self) -> tuple[int, ...]:
        """How these scores rank the seats, ties broken as at the end; 1 is best. An end that hangs on more is in `outcome`."""

    def outcome(self) -> Outcome | None:
        """Scores and ranks at the end; `None` means the match goes on."""

    def view(self, seat: int | None) -> dict[str, Json]:
        """All that `seat` (a spectator when `None`) may know, as JSON for the board; built up, never cut down.

        How the position came about is told under `last` alone: without it, equal positions have equal views.
        """

    def offer(self) -> Json:
        """The legal moves as the board reads them; every one appears, and nothing that is not legal."""

    def visible(self, ply: Move, seat: int | None) -> str:
        """The text of the ply that led to this position as `seat` may read it.

        A hidden draw is `=?`; one that is hidden in part has a `?` in place of what is hidden, as in `=r:A3c7* y:?`.
        """

    def determinize(self, seat: int, source: Source) -> Self:
        """A position that `seat` cannot tell from this one, everything it has not seen dealt anew."""

    def ahead(self, seat: int) -> Self:
        """This position with `seat` to move, for choosing a move ahead of one's turn; itself when `seat` is to move.

        What it offers follows from what `seat` may know: its own hand and the open board. Raises `LookupError` where
        nothing sensible could be chosen: chance is due, the match is over, the seat has no move or its next decision
        is of another kind.
        """


@runtime_checkable
class Hides(Protocol):
    """What a `State` has besides when its game hides something: how to lay it open when a match is over."""

    def laid_open(self) -> State:
        """The same position with everything shown in every view."""


def laid_open(state: State) -> State:
    """`state` with nothing hidden from anybody: for matches that are over, however they ended."""
    return state.laid_open() if isinstance(state, Hides) else state


class Bot(Protocol):
    """A computer player. It gets a determinized state, so it could not peek if it tried."""

    def choose(self, state: State, source: Source) -> Move:
        """A legal move for `state.to_move`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that a bot looked at."""

    move: Move
    values: tuple[float, ...]
    """Per seat what it leads to, from 0 (last) to 1 (first)."""
    share: float
    """The part of the playouts that followed it, from 0 to 1."""
    line: tuple[Move, ...]
    """The move and what is likely to follow, as far as no draw of chance comes between."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a bot found in a position."""

    values: tuple[float, ...]
    """Per seat how it stands, from 0 (last) to 1 (first), if all play well."""
    candidates: tuple[Candidate, ...]
    """The moves that were looked at, best first; at least one."""
    playouts: int
    """How much work it was."""


class Analyst(Protocol):
    """A bot that says what it thinks. Like a `Bot` it gets a position that hides nothing from the seat to move but what is dealt anew."""

    def analyse(
        self,
        state: State,
        source: Source,
        *,
        playouts: int,
        also: Move | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> Analysis:
        """The best moves for `state.to_move`, a seat, and among them `also`, looked at as closely as the best one.

        `tell` is called now and then with the number of playouts done.
        """


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write down matches of a game that other programs read."""

    key: str
    name: str
    """What people call it: the name of the program."""
    suffix: str
    """Of its files, with the dot."""
    media_type: str
    variants: tuple[str, ...]
    """Those that it can express."""
    begins: str
    """What its texts begin with, to tell them from others."""
    read: Callable[[str], Iterable[Reading | Fault]]
    """The matches in a text, each played when it is asked for; in place of one that cannot be stands the ply and the reason.

    Raises `RecordError` when the text as a whole cannot be taken apart.
    """
    write: Callable[[Record], str]
    """The text of a match of one of the variants, whose plies can be played."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength to play against; levels are listed weakest first."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule that a match may switch on."""

    key: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to set a game up. Its key fixes the number of seats."""

    key: str
    name: str
    seats: int
    description: str
    colours: tuple[tuple[str, ...], ...]
    """Per seat the colour names it plays, as the stylesheets call them; for seat panels and lists."""


@dataclass(frozen=True, slots=True)
class Game:
    """A rule set and all that the platform may know of it."""

    key: str
    name: str
    tagline: str
    version: int
    """Raised whenever the same plies would lead to another state; stored with each match."""
    variants: tuple[Variant, ...]
    levels: tuple[Level, ...]
    initial_state: Callable[[str, Collection[str]], State]
    """`initial_state(variant_key, option_keys)`; both were checked by `start`."""
    parse_move: Callable[[str], Move]
    """Reads a seat's move or a chance ply; accepts any order of cells. Raises `InvalidMove`."""
    board_data: Callable[[str], dict[str, Json]]
    """Per variant what the board must know once and never changes (sizes, shapes, names)."""
    bots_module: str
    """Where `BOTS: Mapping[level key, Bot]` lives; imported only by who lets a bot think."""
    picture: Callable[[str, dict[str, Json]], str]
    """`picture(variant_key, view)`: a small SVG, whole in itself, of a position as `State.view` shows it to somebody.

    It reads nothing but the view, so it shows what the viewer may know. Made with `games.kit.svg`.
    """
    opening: Callable[[Move], Opening]
    """What kind of first move a move is, for counting alike ones together: a few dozen kinds at most, whatever was drawn before."""
    events: Callable[[State, Move, State], tuple[Remark, ...]]
    """`events(before, ply, after)`: what is worth telling of a ply, as captions without a full stop; nothing of most plies.

    They are told while the match runs, too, so they rest on what everybody may know.
    """
    reason: Callable[[State, Move, Move], Remark | None]
    """`reason(state, better, played)`: one true sentence about why the seat to move does better with `better` than with `played`.

    Both are legal moves. `None` when nothing that the game knows to say tells them apart.
    """
    options: tuple[Option, ...] = field(default=())
    formats: tuple[Format, ...] = field(default=())
    """Beside the record, which every game has."""

    def variant(self, key: str) -> Variant:
        """The variant called `key`. Raises `InvalidMove`'s sibling `RuleError` naming those that exist."""
        for variant in self.variants:
            if variant.key == key:
                return variant
        raise RuleError(
            "unknown_variant",
            "{game} has no variant “{variant}”; it has {known}.",
            game=self.name,
            variant=key,
            known=", ".join(v.key for v in self.variants),
        )

    def start(self, variant: str, options: Collection[str] = ()) -> State:
        """The empty start of a match. Raises `RuleError` for a variant or option that does not exist."""
        self.variant(variant)
        for key in options:
            if key not in {option.key for option in self.options}:
                raise RuleError("unknown_option", "{game} has no house rule “{option}”.", game=self.name, option=key)
        return self.initial_state(variant, options)

    def bot(self, level: str) -> Bot:
        """The bot of that level. Imports the search, so never call it where requests are served."""
        bots: Mapping[str, Bot] = import_module(self.bots_module).BOTS
        return bots[level]

    def analyst(self) -> Analyst:
        """`ANALYST` beside the bots. Imports the search, so never call it where requests are served."""
        analyst: Analyst = import_module(self.bots_module).ANALYST
        return analyst

    def lesson(self) -> tuple[Step, ...]:
        """The steps of its lesson, `LESSON` in the module `lesson` beside the bots; none when there is no such module."""
        name = f"{self.bots_module.rpartition('.')[0]}.lesson"
        try:
            steps: tuple[Step, ...] = import_module(name).LESSON
        except ModuleNotFoundError as missing:
            if missing.name != name:
                raise
            return ()
        return steps


def is_chance(text: str) -> bool:
    """Whether the text of a ply is a chance ply."""
    return text.startswith("=")
