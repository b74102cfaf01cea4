"""Exploring how matches begin: which move came next, how often, and what came of it for who made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from archive.filters import Filters
from archive.first_moves import BAR, LONGEST, MOVES, begins_with, moves_in
from games import registry
from games.kit.protocol import CHANCE, Game

SAMPLE = 10_000
"""The newest matches that begin alike are looked at, up to so many."""
SHOWN = 12

_NEXT = """
    SELECT split_part(line, %(bar)s, %(next)s) AS move, count(*),
        count(*) FILTER (WHERE substr(fared, %(next)s, 1) = 'w'), count(*) FILTER (WHERE substr(fared, %(next)s, 1) = 's')
    FROM (
        SELECT line, fared FROM archive_filed WHERE game = %(game)s AND variant = %(variant)s AND line LIKE %(begun)s
        ORDER BY finished_at DESC, match_id DESC LIMIT %(sample)s
    ) AS newest
    GROUP BY move ORDER BY count(*) DESC, move
"""


@dataclass(frozen=True, slots=True)
class Next:
    """A move that came next, and how it went on."""

    move: str
    line: str
    """The moves up to and with it, as a search takes them."""
    played: int
    share: float
    """Of all that began alike, in percent."""
    won: float
    """How often who made it won alone, in percent,"""
    shared: float
    """and how often together with others."""


@dataclass(frozen=True, slots=True)
class Beginnings:
    """What is known of how matches of a variant begin."""

    moves: Sequence[str]
    """Those made so far."""
    next: list[Next]
    """The most usual ones."""
    others: int
    """How many more different ones there were."""
    matches: int
    """How many matches were looked at."""
    sampled: bool
    """Whether there are more, of which only the newest were looked at."""


def explorable(rules: Game, variant: str) -> bool:
    """Whether matches of the variant begin alike, so that first moves can be compared: nothing is drawn before them."""
    return rules.start(variant).to_move is not CHANCE


def beginnings(game: str, variant: str, line: str) -> Beginnings:
    """What came after the moves of a line."""
    moves = [] if line and not line.endswith(BAR) else moves_in(line)
    if len(moves) >= MOVES:
        return Beginnings(moves, [], 0, 0, False)
    values: dict[str, Any] = {"game": game, "variant": variant, "begun": begins_with(line)}
    values |= {"bar": BAR, "next": len(moves) + 1, "sample": SAMPLE}
    with connection.cursor() as cursor:
        cursor.execute(_NEXT, values)
        rows: list[tuple[str, int, int, int]] = cursor.fetchall()
    matches = sum(played for _, played, _, _ in rows)
    found = [
        Next(move, f"{line}{move}{BAR}", played, 100 * played / matches, 100 * won / played, 100 * shared / played)
        for move, played, won, shared in rows
        if move and len(line) + len(move) < LONGEST
    ]
    return Beginnings(moves, found[:SHOWN], max(0, len(found) - SHOWN), matches, matches == SAMPLE)


def of(filters: Filters) -> Beginnings | None:
    """The beginnings to show beside a search; nothing where they could not be compared."""
    if not filters.variant or not explorable(registry.get(filters.game), filters.variant):
        return None
    return beginnings(filters.game, filters.variant, filters.line)
