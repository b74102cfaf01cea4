"""Finding matches in the archive: pages of them by key, and how many there are.

However many matches are filed, a question reads a bounded part of them. A list of a few of them comes out of the index over all that
matches have in common, and is sorted then; a list of many is met soon on a walk along the index of its order. Which of both it is shows
on a short walk. The matches of a person are few enough to go through. docs/archive.md shows the plans.
"""
# ruff: noqa: S608 - the statements are put together of words that stand here; what people put goes along as values

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from archive.filters import BANDS, HIGHEST, LONGEST_FIRST, NEWEST, Filters, Wanted
from archive.first_moves import begins_with
from shelf import finding

PAGE = 25
COUNTED = 10_000
"""So many are counted of a search that nobody keeps the number of."""
WALK = 4_000
"""How many matches a page looks at on the walk along its order."""
LOOK, LONG_LOOK = 4_000, 80_000
"""How many of the newest a count looks at first, and then where it meets many."""
MANY = 0.15
OWN = 20_000
"""How many matches out of the shelf are looked for."""

COLUMNS = {NEWEST: "finished_at", LONGEST_FIRST: "plies", HIGHEST: "rating"}
FACETS = "archive_facets(game, variant, pace, rated, termination, seats, levels, first_move_id)"
# All rows lie in memory, so that reading them here and there costs little more than in order; and every question is too short to be
# compiled, or shared out among helpers.
PLANNING = """
    SELECT set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true),
        set_config('max_parallel_workers_per_gather', '0', true)
"""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST = 2**63 - 1


class Cursor(NamedTuple):
    """A place between the rows of a list. It keeps its meaning when rows come and go."""

    value: int
    """What the list is sorted by: microseconds since 1970, plies, or a rating."""
    match: int

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """The cursor that `str` wrote. Raises `ValueError` for anything else."""
        value, _, match = text.partition("_")
        if not all(part.isascii() and part.isdigit() and len(part) < 20 and int(part) <= _MOST for part in (value, match)):
            raise ValueError("no place in the archive")
        cursor = cls(int(value), int(match))
        if cursor.value > 253_402_300_799 * 10**6:  # the last second of the year 9999
            raise ValueError("no place in the archive")
        return cursor

    def __str__(self) -> str:
        return f"{self.value}_{self.match}"


@dataclass(frozen=True, slots=True)
class Found:
    """One page: the numbers of its matches in order, and the places before and after it where there is more."""

    matches: list[int]
    back: Cursor | None
    on: Cursor | None


class Count(NamedTuple):
    """How many matches a search finds."""

    matches: int
    exact: bool
    """Otherwise there are more."""


@dataclass(slots=True)
class Conditions:
    """Parts of a `WHERE`, each with its values."""

    parts: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    def add(self, part: str, *values: Any) -> None:
        self.parts.append((part, values))

    def __add__(self, other: Conditions) -> Conditions:
        return Conditions(self.parts + other.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> str:
        return " AND ".join(part for part, _ in self.parts) or "true"

    @property
    def values(self) -> list[Any]:
        return [value for _, values in self.parts for value in values]


@dataclass(slots=True)
class Search:
    """A search as the database takes it."""

    table: str
    key: str
    """The column that the list is sorted by."""
    scope: Conditions = field(default_factory=Conditions)
    """The game and the variant, with which the indexes of the orders begin; or the person."""
    spans: dict[str, Conditions] = field(default_factory=lambda: {column: Conditions() for column in COLUMNS.values()})
    """What narrows a column that a list may be sorted by."""
    equal: Conditions = field(default_factory=Conditions)
    """What is equal to something, column by column,"""
    facets: list[str] = field(default_factory=list)
    """and the same with the scope as the index of the facets knows it."""
    rest: Conditions = field(default_factory=Conditions)
    """All else."""
    short: Conditions = field(default_factory=Conditions)
    """What makes matches short, where an index of the longest begins with it."""
    bounded: bool = False
    """Whether it can only find a person's matches, or some that are known one by one."""

    def but(self, column: str) -> Conditions:
        """All but the scope and what narrows this column: what is left to look at on a walk along it."""
        found = self.equal + self.rest
        for other, span in self.spans.items():
            found += span if other != column else Conditions()
        return found

    @property
    def rare(self) -> Conditions:
        """All of it, put so that few matches are found by what they have in common."""
        if self.bounded or not self.facets:
            return self.scope + self.spans[self.key] + self.but(self.key)
        found = Conditions([(f"{FACETS} @> %s::text[]", (self.facets,))]) + self.rest
        for span in self.spans.values():
            found += span
        return found


def build(wanted: Wanted) -> Search:
    """The search that is meant."""
    key = COLUMNS[wanted.filters.sort]
    search = Search("archive_filed" if wanted.person is None else "archive_filedseat", key)
    _facts(search, wanted.filters)
    _spans(search, wanted)
    _people(search, wanted)
    _line(search, wanted)
    _kept(search, wanted)
    if key == "rating":
        search.spans[key].add("rating IS NOT NULL")
    return search


def _facts(search: Search, filters: Filters) -> None:
    """What is equal to something."""
    if filters.game:
        search.scope.add("game = %s", filters.game)
        search.facets.append(f"g{filters.game}")
    if filters.variant:
        search.scope.add("variant = %s", filters.variant)
        search.facets[:] = [f"v{filters.game}/{filters.variant}"]
    facts = (
        ("pace = %s", filters.pace, "p", filters.pace),
        ("rated = %s", filters.rated and filters.rated == "rated", "", "r" if filters.rated == "rated" else "c"),
        ("termination = %s", filters.ended, "t", filters.ended),
        ("%s = ANY(string_to_array(levels, ' '))", filters.level, "b", filters.level),
        ("first_move_id = %s", filters.first and int(filters.first), "f", filters.first),
    )
    for part, value, letter, facet in facts:
        if value != "":
            search.equal.add(part, value)
            search.facets.append(f"{letter}{facet}")


def _spans(search: Search, wanted: Wanted) -> None:
    """What lies between two values."""
    low, high = BANDS.get(wanted.filters.band, (None, None))
    if wanted.filters.ended and search.key == "plies" and not search.scope:
        search.short.add("termination = %s", wanted.filters.ended)
    spans = (
        ("finished_at", ">=", wanted.since and _start_of(wanted.since)),
        ("finished_at", "<", wanted.until and _start_of(wanted.until) + timedelta(days=1)),
        ("plies", ">=", wanted.least),
        ("plies", "<=", wanted.most),
        ("rating", ">=", low),
        ("rating", "<", high),
    )
    for column, sign, value in spans:
        if value is not None:
            search.spans[column].add(f"{column} {sign} %s", value)


def _people(search: Search, wanted: Wanted) -> None:
    if wanted.person is not None:
        search.bounded = True
        search.scope.add("user_id = %s", wanted.person.pk)
        if wanted.filters.result:
            search.equal.add("result = %s", wanted.filters.result)
        if wanted.filters.left:
            search.equal.add("left_why = %s", wanted.filters.left)
    for other in wanted.others:
        search.rest.add("match_id IN (SELECT match_id FROM archive_filedseat WHERE user_id = %s)", other.pk)


def _line(search: Search, wanted: Wanted) -> None:
    """How the match began. Only the table of matches has it."""
    filters = wanted.filters
    if filters.line:
        begun = "game = %s AND variant = %s AND line LIKE %s"
        values = (filters.game, filters.variant, begins_with(filters.line))
        if wanted.person is None:
            search.rest.add(begun, *values)
        else:
            search.rest.add(f"match_id IN (SELECT match_id FROM archive_filed WHERE {begun})", *values)


def _kept(search: Search, wanted: Wanted) -> None:
    """What is on the shelf of the one who looks."""
    filters = wanted.filters
    if filters.favourite or filters.tag or filters.collection:
        kept = finding.matches_of(
            wanted.viewer, favourite=bool(filters.favourite), tag=filters.tag or None, collection=filters.collection or None
        )
        search.bounded = True
        search.rest.add("match_id = ANY(%s)", list(kept[:OWN]))


def page(search: Search, place: Cursor | None = None, *, upwards: bool = False, size: int = PAGE) -> Found:
    """The page of the list that begins after a place, or with `upwards` ends before it; the first page without one."""
    upwards = upwards and place is not None
    with _questions() as cursor:
        rows = _rows(cursor, search, place, upwards, size + 1)
    more, rows = len(rows) > size, rows[:size]
    if upwards:
        rows.reverse()
    # Where the page was come to from, there is more.
    first, last = (rows[0], rows[-1]) if rows else (None, None)
    return Found(
        [row.match for row in rows],
        back=first if (more if upwards else place is not None) else None,
        on=last if (upwards or more) else None,
    )


def matches(search: Search, most: int) -> list[int]:
    """The numbers of the first matches of a list."""
    with _questions() as cursor:
        return [row.match for row in _rows(cursor, search, None, False, most)]


def _rows(cursor: CursorWrapper, search: Search, place: Cursor | None, upwards: bool, size: int) -> list[Cursor]:
    """So many rows after a place, or before it, from there on."""
    if not search.bounded:
        rows = _walk(cursor, search, place, upwards, size)
        if len(rows) == size or not search.but(search.key):
            return rows
    order, where = _order(search, upwards), search.rare + _past(search, place, upwards)
    found = f"SELECT {search.key}, match_id FROM {search.table} WHERE {where}"
    if search.table == "archive_filed":  # with OFFSET the planner has no way but to find them first, whatever it thinks of how many
        found = f"SELECT * FROM ({found} OFFSET 0) AS found"
    return _cursors(cursor, f"{found} {order} LIMIT %s", [*where.values, size])


def _walk(cursor: CursorWrapper, search: Search, place: Cursor | None, upwards: bool, size: int) -> list[Cursor]:
    """The rows that are met among the next ones in order; fewer than `size` when too few of these are wanted."""
    order, rest = _order(search, upwards), search.but(search.key)
    along = search.scope + search.short + search.spans[search.key] + _past(search, place, upwards)
    return _cursors(
        cursor,
        f"SELECT {search.key}, match_id FROM (SELECT * FROM {search.table} WHERE {along} {order} LIMIT %s) AS met"
        f" WHERE {rest} {order} LIMIT %s",
        [*along.values, WALK if rest else size, *rest.values, size],
    )


def _order(search: Search, upwards: bool) -> str:
    way = "ASC" if upwards else "DESC"
    return f"ORDER BY {search.key} {way}, match_id {way}"


def _past(search: Search, place: Cursor | None, upwards: bool) -> Conditions:
    past = Conditions()
    if place is not None:
        value = _EPOCH + timedelta(microseconds=place.value) if search.key == "finished_at" else min(place.value, 2**31 - 1)
        past.add(f"({search.key}, match_id) {'>' if upwards else '<'} (%s, %s)", value, place.match)
    return past


def _cursors(cursor: CursorWrapper, query: str, values: Sequence[Any]) -> list[Cursor]:
    cursor.execute(query, values)
    rows: list[tuple[datetime | int, int]] = cursor.fetchall()
    return [Cursor((key - _EPOCH) // timedelta(microseconds=1) if isinstance(key, datetime) else key, match) for key, match in rows]


def count(search: Search, wanted: Wanted) -> Count:
    """How many there are: exactly where the number is kept or soon found, else up to `COUNTED`."""
    with _questions() as cursor:
        if _is_kept(wanted):
            where = search.scope + search.equal
            return Count(_one(cursor, f"SELECT coalesce(sum(matches), 0) FROM archive_filedcount WHERE {where}", where.values), True)
        if search.bounded:
            where = search.rare
            return Count(_one(cursor, f"SELECT count(*) FROM {search.table} WHERE {where}", where.values), True)
        return _looked(cursor, search)


def _looked(cursor: CursorWrapper, search: Search) -> Count:
    """A count that looks at some of the newest first: of a rare variant they are all, and where they are many it goes on with them."""
    along, rest = search.scope + search.spans["finished_at"], search.but("finished_at")
    newest = f"(SELECT * FROM {search.table} WHERE {along} ORDER BY finished_at DESC, match_id DESC LIMIT %s) AS met"
    found, stop = 0, COUNTED + 1
    if search.facets:
        cursor.execute(f"SELECT count(*), count(*) FILTER (WHERE {rest}) FROM {newest}", [*rest.values, *along.values, LOOK])
        seen, found = cursor.fetchone()
        if seen < LOOK:
            return Count(min(found, COUNTED), found <= COUNTED)
        if found >= MANY * LOOK:
            some = f"SELECT 1 FROM {newest} WHERE {rest} LIMIT %s"
            found = _one(cursor, f"SELECT count(*) FROM ({some}) AS found", [*along.values, LONG_LOOK, *rest.values, stop])
    if found <= COUNTED:
        where = search.rare
        some = f"SELECT 1 FROM {search.table} WHERE {where} LIMIT %s"
        found = _one(cursor, f"SELECT count(*) FROM ({some}) AS found", [*where.values, stop])
    return Count(min(found, COUNTED), found <= COUNTED)


def _is_kept(wanted: Wanted) -> bool:
    """Whether triggers keep the number: only what they count by is asked for, and no order leaves any out."""
    filters = wanted.filters
    counted = Filters(filters.game, filters.variant, pace=filters.pace, rated=filters.rated, ended=filters.ended, sort=filters.sort)
    return filters == counted and filters.sort != HIGHEST


def kept_counts(filters: Filters) -> dict[str, int]:
    """How many matches of each game there are whose pace, stakes and end are those looked for. One query."""
    search = Search("archive_filedcount", "")
    _facts(search, Filters(pace=filters.pace, rated=filters.rated, ended=filters.ended))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT game, sum(matches) FROM archive_filedcount WHERE {search.equal} GROUP BY game", search.equal.values)
        return {game: int(found) for game, found in cursor.fetchall()}


@contextmanager
def _questions() -> Iterator[CursorWrapper]:
    """A transaction with what the planner must know of these tables."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(PLANNING)
        yield cursor


def _one(cursor: CursorWrapper, query: str, values: Sequence[Any]) -> int:
    cursor.execute(query, values)
    return int(cursor.fetchone()[0])


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
