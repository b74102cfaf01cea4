"""Makes the rows that the archive is measured on: people, finished matches and their plies, by the database itself.

How they are spread: a hundred thousand people, of whom the busiest plays one match in a hundred; every variant of every game, with more
plies the more seats; three years of dates; one match in seven not played to its end. Triggers are off and indexes away meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from games import registry

PEOPLE = 100_000
KNOWN = (1, 2, 3, 4_001)
"""Those of them who can be found by name: three of the busiest and somebody with a few matches."""
CHUNK = 50_000
"""Matches that are filled in with one statement."""
LOOSE = ("matches_move", "archive_filed", "archive_filedseat")
"""The tables whose indexes are made after their rows."""

PERSONS = """
    INSERT INTO accounts_user (
        id, username, name_key, password, is_superuser, is_staff, is_active, is_guest, date_joined, first_name, last_name, email,
        avatar, country, languages, about, favourites, preferences
    )
    SELECT n, 'player' || n, 'player' || n, '!', false, false, true, false, now(), '', '', '', '', '', '[]', '', '[]', '{}'
    FROM generate_series(1, %(people)s) AS n
"""
MATCHES = """
    INSERT INTO matches_match (
        id, game, variant, options, rules_version, status, termination, ply, version, scores, ranks, chain, commitment, rated, uncounted,
        private, open_seats, pace, time_control, clock, offers, rating, created_at, moved_at, finished_at
    )
    SELECT n, kind->>'game', kind->>'variant', '[]', 1, 'finished', ended, plies, plies,
        (SELECT jsonb_agg(100 - 10 * rank::int) FROM jsonb_array_elements_text(ranks) AS places (rank)), ranks,
        repeat('0', 64), repeat('0', 64), pace <> 'none' AND chance[4] < 0.6, '', chance[5] < 0.03, false, pace,
        CASE pace WHEN 'live' THEN '5m+10s' WHEN 'correspondence' THEN '2d' ELSE 'none' END, '{}', '{}',
        CASE WHEN pace <> 'none' THEN 700 + (1600 * (chance[6] + chance[7] + chance[8]) / 3)::int END, at - interval '40 minutes', at, at
    FROM (
        SELECT n, ARRAY(SELECT random() FROM generate_series(1, 12) WHERE n > 0) AS chance,
            timestamptz '2023-12-01' + interval '3 years' * (n::float8 / %(matches)s) + interval '3 days' * random() AS at
        FROM generate_series(%(first)s::bigint, %(last)s) AS n
    ) AS drawn
    CROSS JOIN LATERAL (SELECT %(kinds)s::jsonb -> floor(chance[1] * chance[1] * %(many)s)::int AS kind) AS a
    CROSS JOIN LATERAL (
        SELECT (kind->>'seats')::int AS seats,
            CASE WHEN chance[2] < 0.55 THEN 'live' WHEN chance[2] < 0.8 THEN 'correspondence' ELSE 'none' END AS pace,
            CASE WHEN chance[3] < 0.86 THEN 'complete' WHEN chance[3] < 0.94 THEN 'resigned' WHEN chance[3] < 0.99 THEN 'timeout'
                ELSE 'abandoned' END AS ended
    ) AS b
    CROSS JOIN LATERAL (
        SELECT greatest(seats, %(plies)s * seats / %(mean)s * (0.5 + chance[9]) * (CASE ended WHEN 'complete' THEN 1.04 ELSE 0.6 END))::int
                AS plies,
            (SELECT jsonb_agg(CASE WHEN chance[11] < 0.06 AND seat < 2 THEN 1 ELSE 1 + (seat + floor(chance[10] * seats)::int) %% seats END)
                FROM generate_series(0, seats - 1) AS seat) AS ranks
    ) AS c
"""
# Who sits where turns from match to match, so that nobody sits there twice; the lower the number, the more somebody plays.
SEATS = """
    INSERT INTO matches_seat (id, match_id, number, user_id, level, left_why, left_at_ply, seen_ply, rating)
    SELECT m.id * 8 + seat, m.id, seat, CASE WHEN level = '' THEN 1 + 5 * floor(%(people)s / 5 * random() ^ 2.5)::int + turned END, level,
        CASE WHEN m.termination <> 'complete' AND (m.ranks->>seat)::int = seats THEN m.termination ELSE '' END,
        CASE WHEN m.termination <> 'complete' AND (m.ranks->>seat)::int = seats THEN m.ply END, 0, m.rating
    FROM matches_match AS m
    CROSS JOIN LATERAL (SELECT jsonb_array_length(m.ranks) AS seats) AS a
    CROSS JOIN LATERAL generate_series(0, seats - 1) AS seat
    CROSS JOIN LATERAL (SELECT (seat + m.id) %% seats AS turned, random() AS luck WHERE m.id > 0) AS b
    CROSS JOIN LATERAL (SELECT CASE WHEN turned > 0 AND m.id %% 5 < 2 AND luck < 0.8
        THEN (%(levels)s::text[])[1 + floor(luck * 1.25 * %(many)s)::int] ELSE '' END AS level) AS c
    WHERE m.id BETWEEN %(first)s AND %(last)s
"""
MOVES = """
    INSERT INTO matches_move (id, match_id, ply, seat, text, client_id, version, at, used_ms, left_ms, lag_ms)
    SELECT m.id * 1000 + n, m.id, n, (n - 1) %% jsonb_array_length(m.ranks),
        chr(97 + floor(20 * random() * random())::int) || (n %% 20) || ',' || chr(97 + floor(20 * random())::int) || (n %% 17),
        gen_random_uuid(), n, m.created_at + n * interval '20 seconds', floor(30000 * random()), 300000, 20
    FROM matches_match AS m CROSS JOIN LATERAL generate_series(1, m.ply) AS n WHERE m.id BETWEEN %(first)s AND %(last)s
"""
FILE = "SELECT archive_file(ARRAY(SELECT generate_series(%(first)s::bigint, %(last)s)))"
FIRST_MOVES = """
    INSERT INTO archive_firstmove (game, key)
    SELECT game, '["Blocks taken: {number}", [["number", "' || n || '"]]]'
    FROM generate_series(1, 20) AS n, unnest(%(games)s::text[]) AS game
"""
LINES = """
    UPDATE archive_filed AS f
    SET line = read.line, first_move_id = kind.id, fared = translate(to_char(f.match_id %% 4096, 'FM099999'), '0123456789', 'wlwlslwlwl')
    FROM (
        SELECT match_id, string_agg(text || '|', '' ORDER BY ply) AS line, min(text) FILTER (WHERE ply = 1) AS first
        FROM matches_move WHERE ply <= 6 AND id BETWEEN 1000 * %(first)s AND 1000 * %(last)s + 999 GROUP BY match_id
    ) AS read
    CROSS JOIN LATERAL (SELECT ascii(read.first) - 96 AS number) AS a
    JOIN archive_firstmove AS kind ON kind.key = '["Blocks taken: {number}", [["number", "' || number || '"]]]'
    WHERE f.match_id = read.match_id AND kind.game = f.game
"""
SEAT_LINES = """
    UPDATE archive_filedseat AS s SET first_move_id = f.first_move_id FROM archive_filed AS f
    WHERE f.match_id = s.match_id AND f.match_id BETWEEN %(first)s AND %(last)s
"""
COUNTS = """
    INSERT INTO archive_filedcount (game, variant, pace, rated, termination, matches)
    SELECT game, variant, pace, rated, termination, count(*) FROM archive_filed GROUP BY 1, 2, 3, 4, 5
"""
INDEXES = """
    SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), c.conname, pg_get_constraintdef(c.oid), i.indrelid::regclass::text
    FROM pg_index AS i LEFT JOIN pg_constraint AS c ON c.conindid = i.indexrelid AND c.contype = 'u'
    WHERE i.indrelid::regclass::text = ANY(%s) AND NOT i.indisprimary
        AND (i.indrelid::regclass::text = 'matches_move' OR NOT i.indisunique)
"""


def fill(matches: int, plies: int, tell: Callable[[str], object] = print) -> None:
    """So many finished matches with about so many plies in all, filed, with statistics for the planner. Not within a transaction."""
    from django.db import connection

    from accounts.names import skeleton

    kinds = [
        {"game": game.key, "variant": variant.key, "seats": variant.seats} for game in registry.all_games() for variant in game.variants
    ]
    weights = [((place + 1) / len(kinds)) ** 0.5 - (place / len(kinds)) ** 0.5 for place in range(len(kinds))]
    levels = sorted({level.key for game in registry.all_games() for level in game.levels})
    values = {
        "matches": matches, "people": PEOPLE, "kinds": json.dumps(kinds), "levels": levels, "plies": plies / matches,
        "mean": sum(kind["seats"] * weight for kind, weight in zip(kinds, weights, strict=True)),
        "games": [game.key for game in registry.all_games()],
    }  # fmt: skip
    steps = ((MATCHES, len(kinds)), (SEATS, len(levels)), (MOVES, 0), (FILE, 0), (LINES, 0), (SEAT_LINES, 0))
    with connection.cursor() as cursor:
        for setting in ("statement_timeout = 0", "session_replication_role = replica", "maintenance_work_mem = '1GB'", "jit = off"):
            cursor.execute(f"SET {setting}")
        cursor.execute("SELECT setseed(0.5)")
        cursor.execute("ALTER TABLE matches_move SET UNLOGGED")
        cursor.execute(INDEXES, [list(LOOSE)])
        indexes = cursor.fetchall()
        for name, _, constraint, _, table in indexes:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}" if constraint else f"DROP INDEX {name}")
        for statement in (PERSONS, FIRST_MOVES):
            cursor.execute(statement, values)
        for known in KNOWN:
            cursor.execute("UPDATE accounts_user SET name_key = %s WHERE id = %s", [skeleton(f"player{known}"), known])
        for first in range(1, matches + 1, CHUNK):
            for statement, many in steps:
                cursor.execute(statement, values | {"first": first, "last": min(first + CHUNK - 1, matches), "many": many})
            tell(f"{min(first + CHUNK - 1, matches):,} matches")
        cursor.execute(COUNTS)
        cursor.execute("VACUUM FULL archive_filed, archive_filedseat")
        for name, made, constraint, meant, table in indexes:
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {constraint} {meant}" if constraint else made)
            tell(f"index {name}")
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("RESET statement_timeout")
