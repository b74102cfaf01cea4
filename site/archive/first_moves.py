"""Reads the first moves of the matches that are filed, which only their games can: the line they make, and their kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

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
    SELECT match_id, game, moves FROM archive_filed CROSS JOIN LATERAL (
        SELECT array_agg(text ORDER BY ply) AS moves FROM (
            SELECT text, ply FROM matches_move
            WHERE matches_move.match_id = archive_filed.match_id AND seat IS NOT NULL ORDER BY ply LIMIT %(moves)s
        ) AS one
    ) AS made
    WHERE line IS NULL ORDER BY match_id LIMIT %(limit)s
"""
_KEEP = """
    WITH read (match_id, line, first_move) AS (SELECT * FROM unnest(%(matches)s::bigint[], %(lines)s::text[], %(kinds)s::bigint[])),
        filed AS (
            UPDATE archive_filed SET line = read.line, first_move_id = read.first_move FROM read
            WHERE archive_filed.match_id = read.match_id
        )
    UPDATE archive_filedseat SET first_move_id = read.first_move FROM read WHERE archive_filedseat.match_id = read.match_id
"""


def read(limit: int) -> int:
    """Look at so many matches of those whose first moves nobody has read; how many there were."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_MOVES, {"moves": MOVES, "limit": limit})
        found: list[tuple[int, str, list[str] | None]] = cursor.fetchall()
        kinds = _kinds((game, moves[0]) for _, game, moves in found if moves)
        values = {
            "matches": [match for match, _, _ in found],
            "lines": [line_of(moves or ()) for _, _, moves in found],
            "kinds": [kinds[game, moves[0]] if moves else None for _, game, moves in found],
        }
        if found:
            cursor.execute(_KEEP, values)
    return len(found)


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


def moves_in(line: str) -> Sequence[str]:
    """The moves that `line_of` put together."""
    return line.split(BAR)[:-1]


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
