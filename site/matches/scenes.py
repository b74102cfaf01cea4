"""Scenes: positions of a match that is over, or of a record, as the server's pictures of them are drawn.

Everything is laid open, so who makes a scene of a match has made sure that it is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from django.utils.translation import gettext

from games import registry
from games.kit import record as records
from games.kit.protocol import CHANCE, State, laid_open
from games.kit.record import Record, RecordError
from matches import payloads, seated, words
from matches.models import Match


@dataclass(frozen=True, slots=True)
class Sitter:
    """A seat in a picture."""

    name: str
    colours: tuple[str, ...]
    score: int
    won: bool
    """Whether it has won, alone or with others; only in the last position."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position and what is said around it."""

    game: str
    """The key."""
    title: str
    subtitle: str
    picture: str
    """The SVG of the board."""
    ply: int
    plies: int
    sitters: tuple[Sitter, ...]
    to_move: int | None
    drawing: bool
    """Whether a draw of chance is due, so that the next position shows what this one lacks."""


def record_of(match: Match) -> Record:
    """A match that is over, loaded with its seats, as a record with the names of its seats in the reader's language."""
    return replace(payloads.record_of(match, None), seats=tuple(seated.names(match.rules, list(match.seats.all()))))


def scenes(record: Record) -> Iterator[Scene]:
    """The start and then the position after each ply. Raises `RecordError` where the record cannot be played."""
    return (_scene(record, ply, state) for ply, state in enumerate(records.replay(record)))


def scene(record: Record, ply: int) -> Scene:
    """The position after so many plies. Raises `RecordError` where the record cannot be played, or has no such ply."""
    if 0 <= ply <= len(record.plies):
        for state in islice(records.replay(record), ply, None):
            return _scene(record, ply, state)
    raise RecordError("There is no such ply.")


def course(record: Record) -> list[dict[str, object]]:
    """What changes beside the board: `{"seat", "scores"}` of the start and after each ply, `seat` being who made it, as JSON.

    Raises `RecordError` where the record cannot be played.
    """
    told: list[dict[str, object]] = []
    mover = None
    for ply, state in enumerate(records.replay(record)):
        told.append({"seat": mover, "scores": list(_scores(record, ply, state))})
        mover = state.to_move if isinstance(state.to_move, int) else None
    return told


def names_of(record: Record) -> tuple[str, ...]:
    """What the seats of a record are called."""
    seats = registry.get(record.game).variant(record.variant).seats
    return record.seats or tuple(gettext("Seat {number}").format(number=seat + 1) for seat in range(seats))


def _scene(record: Record, ply: int, state: State) -> Scene:
    rules = registry.get(record.game)
    variant = rules.variant(record.variant)
    scores = _scores(record, ply, state)
    ranks = record.result.ranks if record.result and ply == len(record.plies) else ()
    return Scene(
        game=rules.key,
        title=words.say(rules.name),
        subtitle=words.say(variant.name),
        picture=rules.picture(variant.key, laid_open(state).view(None)),
        ply=ply,
        plies=len(record.plies),
        sitters=tuple(
            Sitter(name, colours, scores[seat], seat < len(ranks) and ranks[seat] == 1)
            for seat, (name, colours) in enumerate(zip(names_of(record), variant.colours, strict=False))
        ),
        to_move=state.to_move if isinstance(state.to_move, int) else None,
        drawing=state.to_move is CHANCE,
    )


def _scores(record: Record, ply: int, state: State) -> tuple[int, ...]:
    """The scores of a position; in the last one those of the result, which knows of penalties for leaving."""
    return record.result.scores if record.result and ply == len(record.plies) else state.scores()
