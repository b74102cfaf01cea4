"""Reads the first moves of the matches that are filed, which only their games can: the line they make, and their kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from json import loads
from typing import Any, NamedTuple

from django.db import connection, transaction

from archive.models import Filed, FirstMove
from games import registry
from games.kit.protocol import InvalidMove, Opening

MOVES = 6
"""How many moves of seats are kept of each match; draws of chance are passed over."""
LONGEST = 400
BAR = "|"
"""Stands behind each move of a line, so that a line begins with another one only at the end of a move."""

_MOVES = """
    SELECT match_id, archive_filed.game, moves, movers, ranks
    FROM archive_filed JOIN matches_match ON id = match_id CROSS JOIN LATERAL (
        SELECT array_agg(text ORDER BY ply) AS moves, array_agg(seat ORDER BY ply) AS movers FROM (
            SELECT text, seat, ply FROM matches_move
            WHERE matches_move.match_id = archive_filed.match_id AND seat IS NOT NULL ORDER BY ply LIMIT %(moves)s
        ) AS one
    ) AS made
    WHERE line IS NULL ORDER BY match_id LIMIT %(limit)s
"""
_KEEP = """
    WITH read (match_id, line, fared, first_move) AS (
            SELECT * FROM unnest(%(matches)s::bigint[], %(lines)s::text[], %(fared)s::text[], %(kinds)s::bigint[])
        ),
        filed AS (
            UPDATE archive_filed SET line = read.line, fared = read.fared, first_move_id = read.first_move FROM read
            WHERE archive_filed.match_id = read.match_id
        )
    UPDATE archive_filedseat SET first_move_id = read.first_move FROM read WHERE archive_filedseat.match_id = read.match_id
"""


def read(limit: int) -> int:
    """Look at so many matches of those whose first moves nobody has read; how many there were."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_MOVES, {"moves": MOVES, "limit": limit})
        found = [_Begun(match, game, moves or [], movers or [], loads(ranks)) for match, game, moves, movers, ranks in cursor.fetchall()]
        kinds = _kinds((one.game, one.moves[0]) for one in found if one.moves)
        values: dict[str, Any] = {
            "matches": [one.match for one in found],
            "lines": [line_of(one.moves) for one in found],
            "fared": [fared(one.movers, one.ranks) for one in found],
            "kinds": [kinds[one.game, one.moves[0]] if one.moves else None for one in found],
        }
        if found:
            cursor.execute(_KEEP, values)
    return len(found)


class _Begun(NamedTuple):
    """How a match began, and its ranks by seat."""

    match: int
    game: str
    moves: list[str]
    movers: list[int]
    ranks: list[int]


def unread() -> int:
    """How many matches nobody has looked at yet."""
    return Filed.objects.filter(line=None).count()


def line_of(moves: Iterable[str]) -> str:
    """The moves as one text, as many as there is room for."""
    line = ""
    for move in moves:
        if len(line) + len(move) >= LONGEST:
            break
        line += move + BAR
    return line


def fared(movers: Iterable[int], ranks: Sequence[int]) -> str:
    """A letter for each move: how who made it came out."""
    first = "w" if list(ranks).count(1) == 1 else "s"
    return "".join(first if ranks[seat] == 1 else "l" for seat in movers)


def moves_in(line: str) -> Sequence[str]:
    """The moves that `line_of` put together."""
    return line.split(BAR)[:-1]


def begins_with(line: str) -> str:
    """The pattern of SQL that a line fits which begins so."""
    return "".join(f"\\{letter}" if letter in "\\%_" else letter for letter in line) + "%"


def _kinds(moves: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """By game and text of a first move the number of its kind, which is stored if it is new."""
    keys = {(game, text): FirstMove.key_of(_kind(game, text)) for game, text in set(moves)}
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for (game, _), key in keys.items():
        wanted[game].add(key)
    numbers: dict[tuple[str, str], int] = {}
    for game, texts in wanted.items():
        FirstMove.objects.bulk_create((FirstMove(game=game, key=key) for key in sorted(texts)), ignore_conflicts=True)
        rows = FirstMove.objects.filter(game=game, key__in=texts).values_list("key", "pk")
        numbers |= {(game, key): number for key, number in rows}
    return {(game, text): numbers[game, key] for (game, text), key in keys.items()}


def _kind(game: str, text: str) -> Opening:
    try:
        rules = registry.get(game)
        return rules.opening(rules.parse_move(text))
    except (registry.UnknownGame, InvalidMove):  # of an older notation, or of a game that is no longer played here
        return Opening(text)
