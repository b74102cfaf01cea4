"""The record of a match as a file: reading it, replaying it, and checking all that it claims (rules: The game record).

    {"format": "tessera/1", "game": "blokus", "variant": "duo-2", "seats": ["ann", "ben"],
     "plies": ["e10,e11", ...], "result": {"scores": [-3, -9], "ranks": [1, 2], "reason": "complete"}}

Optional: `options` (house rules), `commitment` and `secret` (hex; see `games.kit.chance`), in `result` also `left`,
pairs of a seat and the number of plies played when it left; `date` (`2026-11-30`, or the month or year alone), `event`
and `notes`, pairs of a number of plies and what somebody said of that position. `seats` and `result` may be missing as
well. Other fields are ignored, so that others may add their own, and so are those three where they are otherwise formed.

Nothing in a file is trusted. Whatever is wrong comes out as a `Fault`: `read_records` and `Record.from_json` raise
`RecordError` holding one, `check` lists them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from games import registry
from games.kit.chance import SECRET_BYTES, KeyedSource, commitment
from games.kit.protocol import CHANCE, Game, Json, Move, RuleError, State, is_chance
from games.kit.ranking import rank, with_leavers
from games.kit.untrusted import JsonFault, as_lines, as_list, as_number, as_numbers, as_object, as_text, as_texts, json_values, quoted

FORMAT: Final = "tessera/1"
REASONS: Final = ("complete", "resigned", "timeout", "abandoned")
_MOST_PLIES: Final = 100_000
_LONGEST_PLY: Final = 1000
MOST_NOTES: Final = 500
LONGEST_NOTE: Final = 2000
_Value = TypeVar("_Value")
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_DATE: Final = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a record, for people."""

    ply: int | None
    """The number of the ply, counted from 1; `None` when it is not about one ply."""
    reason: str
    """A sentence."""
    cause: RuleError | None = field(default=None, compare=False)
    """The refusal of the rules behind it, if there is one, which can be said in other languages."""

    def __str__(self) -> str:
        return self.reason if self.ply is None else f"Ply {self.ply}: {self.reason}"


class RecordError(ValueError):
    """A text that is no record, or a record that cannot be replayed."""

    def __init__(self, reason: str | RuleError, ply: int | None = None) -> None:
        self.fault = Fault(ply, str(reason), reason if isinstance(reason, RuleError) else None)
        super().__init__(str(self.fault))


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, as its record claims; scores and ranks are in seat order."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: str
    """One of `REASONS`."""
    left: tuple[tuple[int, int], ...] = ()
    """Pairs of a seat that resigned or left and the number of plies played at that time."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match as written down. Its types are right, its claims are not checked: see `check`."""

    game: str
    variant: str
    plies: tuple[str, ...]
    options: tuple[str, ...] = ()
    seats: tuple[str, ...] | None = None
    result: Result | None = None
    commitment: str | None = None
    secret: bytes | None = None
    date: str | None = None
    """When it was played: `2026-11-30`, or the month or year alone."""
    event: str | None = None
    notes: tuple[tuple[int, str], ...] = ()
    """Pairs of a number of plies and what somebody said of the position after them."""

    @classmethod
    def from_json(cls, data: Json) -> Record:
        """The record that a parsed JSON value holds. Raises `RecordError` for the first thing of a wrong type."""
        try:
            return _record(as_object(data, "A record"))
        except JsonFault as fault:
            raise RecordError(str(fault)) from None

    def to_json(self) -> dict[str, Json]:
        """The record as a JSON object; what is not known or empty is left out."""
        data: dict[str, Json] = {"format": FORMAT, "game": self.game, "variant": self.variant}
        if self.options:
            data["options"] = list(self.options)
        if self.seats is not None:
            data["seats"] = list(self.seats)
        data["plies"] = list(self.plies)
        if self.result is not None:
            data["result"] = _result_json(self.result)
        if self.commitment is not None:
            data["commitment"] = self.commitment
        if self.secret is not None:
            data["secret"] = self.secret.hex()
        if self.date is not None:
            data["date"] = self.date
        if self.event is not None:
            data["event"] = self.event
        if self.notes:
            data["notes"] = [list(note) for note in self.notes]
        return data


def _result_json(result: Result) -> dict[str, Json]:
    data: dict[str, Json] = {"scores": list(result.scores), "ranks": list(result.ranks), "reason": result.reason}
    if result.left:
        data["left"] = [list(pair) for pair in result.left]
    return data


def read_records(text: str) -> list[Record]:
    """The records in a text: one JSON object, an array of them, or one after another (JSON lines).

    Raises `RecordError`, which names the record when there are several, or the line and column of bad JSON.
    """
    values = _record_values(text)
    records = []
    for number, value in enumerate(values, start=1):
        try:
            records.append(Record.from_json(value))
        except RecordError as error:
            if len(values) == 1:
                raise
            raise RecordError(f"Record {number} of {len(values)}: {error}") from None
    return records


def read_each(text: str) -> list[Record | Fault]:
    """Like `read_records`, but a record that cannot be read is given as its fault, so that the others still count.

    Raises `RecordError` when the text as a whole cannot be taken apart into records.
    """
    try:
        return [_record_or_fault(value) for value in _record_values(text)]
    except RecordError:
        lines = [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):
            raise
    found: list[Record | Fault] = []
    for line in lines:
        try:
            found += [_record_or_fault(value) for value in _record_values(line)]
        except RecordError as error:
            found.append(error.fault)
    return found


def _record_values(text: str) -> list[Json]:
    """The JSON values, at least one, that should each be a record. Raises `RecordError`."""
    try:
        values = json_values(text.removeprefix("\ufeff"))
    except JsonFault as fault:
        raise RecordError(str(fault)) from None
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    if not values:
        raise RecordError("There is no record in this text.")
    return values


def _record_or_fault(value: Json) -> Record | Fault:
    try:
        return Record.from_json(value)
    except RecordError as error:
        return error.fault


def replay(record: Record) -> Iterator[State]:
    """The position before the first ply, then the one after each ply. Raises `RecordError` at the first bad one."""
    game = _game(record)
    state = _start(game, record)
    yield state
    for number, text in enumerate(record.plies, start=1):
        try:
            state = state.play(_move(game, state, text))
        except RuleError as error:
            raise RecordError(error, number) from None
        yield state


def each_legal_count(record: Record) -> Iterator[int | None]:
    """How many moves were legal before each ply; `None` for a chance ply.

    Raises `RecordError` at the first ply that cannot be played, after its count was given.
    """
    for state, _ in zip(replay(record), record.plies, strict=False):
        yield None if state.to_move is CHANCE else len(state.legal_moves())


def legal_counts(record: Record) -> list[int | None]:
    """All of `each_legal_count`. Raises `RecordError`."""
    return list(each_legal_count(record))


def check(record: Record) -> list[Fault]:
    """All that is wrong with a record: a ply that cannot be played, a false result, a draw the secret does not give.

    Nothing behind the first ply that cannot be played is looked at, and neither is the result then.
    """
    states: list[State] = []
    unplayable = []
    try:
        states.extend(replay(record))
    except RecordError as error:
        unplayable.append(error.fault)
    if not states:
        return unplayable
    faults = [*_seat_faults(record, states[0]), *_commitment_faults(record), *_draw_faults(record, states)]
    return [*faults, *(unplayable or _result_faults(record, states[-1]))]


def _game(record: Record) -> Game:
    try:
        return registry.get(record.game)
    except registry.UnknownGame as error:
        raise RecordError(str(error)) from None


def _start(game: Game, record: Record) -> State:
    if len(set(record.options)) < len(record.options):
        raise RecordError("A house rule is named twice.")
    try:
        return game.start(record.variant, record.options)
    except RuleError as error:
        raise RecordError(error) from None


def _move(game: Game, state: State, text: str) -> Move:
    """The ply that `text` spells, which must be of the kind that is due; like all input in any order of its parts."""
    if state.to_move is None:
        raise RuleError("match_over", "The match was over before this ply.")
    if is_chance(text) and state.to_move is not CHANCE:
        raise RuleError("no_draw_due", "No draw is due here; seat {seat} is to move.", seat=state.to_move)
    if state.to_move is CHANCE and not is_chance(text):
        raise RuleError("draw_due", "A draw is due here ({label}).", label=state.chance_label)
    return game.parse_move(text)


def _seat_faults(record: Record, start: State) -> Iterator[Fault]:
    seats = len(start.scores())
    if record.seats is not None and len(record.seats) != seats:
        yield Fault(None, f"“{record.variant}” has {seats} seats, but {len(record.seats)} are listed.")


def _commitment_faults(record: Record) -> Iterator[Fault]:
    if record.secret is not None and record.commitment is not None and commitment(record.secret) != record.commitment:
        yield Fault(
            None, f"The secret belongs to the commitment {commitment(record.secret)}, which is not the one shown."
        )


def _draw_faults(record: Record, states: list[State]) -> Iterator[Fault]:
    """The chance plies that are not what the secret, if it is known, gives for their label."""
    if record.secret is None:
        return
    game = _game(record)
    for number, (state, text) in enumerate(zip(states[:-1], record.plies, strict=False), start=1):
        if state.to_move is CHANCE:
            drawn = state.draw(KeyedSource(record.secret, state.chance_label))
            if drawn != game.parse_move(text):
                yield Fault(number, f"The secret gives “{drawn}” for {state.chance_label}.")


def _result_faults(record: Record, end: State) -> list[Fault]:
    """What the result, if there is one, claims otherwise than the last position."""
    result = record.result
    if result is None:
        return []
    outcome = end.outcome()
    scores = end.scores()
    faults = []
    if outcome is None and result.reason == "complete":
        faults.append(f"The result says “complete”, but after the last ply {_due(end)}.")
    if result.scores != scores:
        faults.append(f"The scores are {list(scores)}, not {list(result.scores)}.")
    if len(result.ranks) != len(scores):
        faults.append(f"There are {len(scores)} seats, but {len(result.ranks)} ranks.")
        return [Fault(None, reason) for reason in faults]
    leavers = _leaver_reasons(record, result, over=outcome is not None)
    if leavers:
        faults += leavers
    else:
        # Ranks of a match that broke off are known only as far as those who left come last.
        played = outcome.ranks if outcome is not None else rank([-place for place in result.ranks])
        ranks = with_leavers(played, dict(result.left))
        if result.ranks != ranks:
            faults.append(f"The ranks are {list(ranks)}, not {list(result.ranks)}.")
    return [Fault(None, reason) for reason in faults]


def _leaver_reasons(record: Record, result: Result, *, over: bool) -> list[str]:
    """What cannot be in `left`: seats that do not exist, seats twice, leaving when all was over."""
    seats = [seat for seat, _ in result.left]
    last = len(record.plies) - (1 if over else 0)
    reasons = [
        f"Seat {seat} is said to have left, but there is no such seat." for seat in seats if seat >= len(result.ranks)
    ]
    reasons += [f"Seat {seat} is said to have left twice." for seat in sorted(set(seats)) if seats.count(seat) > 1]
    reasons += [
        f"Seat {seat} is said to have left after {plies} plies, when the match was over."
        for seat, plies in result.left
        if plies > last
    ]
    return reasons


def _due(state: State) -> str:
    return "a draw is due" if state.to_move is CHANCE else f"seat {state.to_move} is to move"


def _record(fields: dict[str, Json]) -> Record:
    """Raises `JsonFault` or, about one ply, `RecordError`."""
    if fields.get("format") != FORMAT:
        raise JsonFault(f"The field “format” must be “{FORMAT}”.")
    secret = _hex(fields, "secret")
    return Record(
        game=as_text(fields.get("game"), "“game”"),
        variant=as_text(fields.get("variant"), "“variant”"),
        plies=_plies(fields.get("plies")),
        options=as_texts(fields.get("options", []), "“options”"),
        seats=None if fields.get("seats") is None else as_texts(fields["seats"], "“seats”"),
        result=None if fields.get("result") is None else _result(as_object(fields["result"], "“result”")),
        commitment=_hex(fields, "commitment"),
        secret=None if secret is None else bytes.fromhex(secret),
        date=_if_ours(_date, fields.get("date")),
        event=_if_ours(lambda value: as_text(value, "“event”"), fields.get("event")),
        notes=_if_ours(_notes, fields.get("notes")) or (),
    )


def _if_ours(read: Callable[[Json], _Value], value: Json) -> _Value | None:
    """The value of a field that others may use in their own way, which is let be."""
    try:
        return None if value is None else read(value)
    except ValueError:
        return None


def _date(value: Json) -> str:
    if not _DATE.fullmatch(as_text(value, "“date”")):
        raise ValueError
    return str(value)


def _notes(value: Json) -> tuple[tuple[int, str], ...]:
    notes = []
    for pair in as_list(value, "“notes”", MOST_NOTES):
        ply, text = as_list(pair, "A note", 2)
        notes.append((as_number(ply, "The ply of a note", lowest=0), as_lines(text, "A note", LONGEST_NOTE)))
    return tuple(notes)


def _plies(value: Json) -> tuple[str, ...]:
    plies = []
    for number, item in enumerate(as_list(value, "“plies”", _MOST_PLIES), start=1):
        try:
            plies.append(as_text(item, "A ply", _LONGEST_PLY))
        except JsonFault as fault:
            raise RecordError(str(fault), number) from None
    return tuple(plies)


def _hex(fields: dict[str, Json], key: str) -> str | None:
    value = fields.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise JsonFault(f"“{key}” must be {2 * SECRET_BYTES} lower-case hexadecimal digits.")
    return value


def _result(fields: dict[str, Json]) -> Result:
    reason = as_text(fields.get("reason"), "“reason”")
    if reason not in REASONS:
        raise JsonFault(f"The reason of a result is one of {', '.join(REASONS)}, not {quoted(reason)}.")
    left = [as_numbers(pair, "a pair in “left”", lowest=0) for pair in as_list(fields.get("left", []), "“left”")]
    if any(len(pair) != 2 for pair in left):
        raise JsonFault("“left” must list pairs of a seat and a number of plies.")
    return Result(
        scores=as_numbers(fields.get("scores"), "“scores”"),
        ranks=as_numbers(fields.get("ranks"), "“ranks”", lowest=1),
        reason=reason,
        left=tuple((seat, plies) for seat, plies in left),
    )
