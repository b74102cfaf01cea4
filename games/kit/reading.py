"""Texts of matches in whatever format: the record's own JSON, and what the games say they can read (`Game.formats`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from games import registry
from games.kit.protocol import Format, RuleError
from games.kit.record import Fault, Record, RecordError, read_each

OWN: Final = ""
"""The key of the record's own format."""
OWN_SUFFIXES: Final = (".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Branch:
    """A move of another line than the one that was played."""

    parent: int
    """What it follows: a positive number counts the branches before it from 1, `-p` is ply `p` of the match, 0 its start."""
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A match that was read, and what stood beside it."""

    record: Record
    branches: tuple[Branch, ...] = ()
    """The other lines as a tree, parents first."""
    cut: tuple[Fault, ...] = ()
    """Why some of the other lines were left out."""
    format: str = OWN


def formats() -> Iterator[Format]:
    """All that some game can read and write beside the record."""
    for game in registry.all_games():
        yield from game.formats


def format_of(game: str, key: str) -> Format | None:
    """The format of a game that is called `key`, or has that suffix without its dot."""
    return next((form for form in registry.get(game).formats if key in {form.key, form.suffix.removeprefix(".")}), None)


def suffixes() -> tuple[str, ...]:
    """The ends of the names of files that can be read, with the dot."""
    return (*OWN_SUFFIXES, *(form.suffix for form in formats()))


def readings(text: str) -> Iterable[Reading | Fault]:
    """The matches in a text, in the format that it begins like, one by one; in place of one that cannot be read stands why.

    Whether the record of a reading in our own format can be played is not looked at. Raises `RecordError` when the text
    as a whole cannot be taken apart.
    """
    start = text.removeprefix("\ufeff").lstrip()
    for form in formats():
        if start.startswith(form.begins):
            return form.read(text)
    if start and start[0] not in "{[":
        known = ", ".join(f"{form.name} “{form.begins}”" for form in formats())
        raise RecordError(RuleError("no_format", "This is no record: a record begins with “{{”, a file of {known}.", known=known))
    return [item if isinstance(item, Fault) else Reading(item) for item in read_each(text)]
