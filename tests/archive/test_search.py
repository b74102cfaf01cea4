"""Searching the archive: each thing one can ask for, orders, pages in both directions, and counts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from archive import search
from archive.filters import BadSearch, Filters, check
from archive.models import Filed, FiledSeat, FirstMove
from archive.search import Cursor
from archive.tasks import read_first_moves
from matches.models import Match, Seat
from shelf.models import Collection, Favourite, Item, Tag, Tagged
from tests.archive.conftest import NOW, Cast, finished, played

pytestmark = pytest.mark.django_db


def found(viewer: User | None = None, **asked: str) -> list[Match]:
    """The matches that a search finds, in order."""
    built = search.build(check(Filters.read(asked), viewer))
    numbers = search.page(built).matches
    assert search.count(built, check(Filters.read(asked), viewer)) == (len(numbers), True)
    return [Match.objects.get(pk=number) for number in numbers]


def at(minutes: int) -> Any:
    return NOW + timedelta(minutes=minutes)


@pytest.fixture
def shelf_full(cast: Cast) -> dict[str, Match]:
    """A few matches that differ in all that can be asked for."""
    matches = {
        "duo": finished([cast.alice, cast.bob], [1, 2], at=at(1), ply=30, rated=True, rating=1600),
        "fell": finished([cast.alice, cast.bob], [2, 1], at=at(2), ply=12, termination="timeout", rated=True, rating=1250),
        "bots": finished([cast.alice, "strong", "casual"], [1, 1, 3], "classic-3", at=at(3), ply=60, pace="none"),
        "azul": finished([cast.carol, cast.bob], [2, 1], "grey-2", "azul", at=at(4 * 24 * 60), ply=44, pace="correspondence"),
    }
    Seat.objects.filter(match=matches["fell"], user=cast.alice).update(left_why="timeout")
    FiledSeat.objects.filter(filed=matches["fell"].pk, user=cast.alice).update(left_why="timeout")
    return matches


SEARCHES: list[tuple[dict[str, str], str]] = [
    ({}, "azul bots fell duo"),
    ({"game": "blokus"}, "bots fell duo"),
    ({"game": "blokus", "variant": "duo-2"}, "fell duo"),
    ({"player": "alice"}, "bots fell duo"),
    ({"player": "ALICE", "opponents": "Bob"}, "fell duo"),
    ({"opponents": "bob, carol"}, "azul"),
    ({"player": "alice", "result": "won"}, "duo"),
    ({"player": "alice", "result": "shared"}, "bots"),
    ({"player": "bob", "result": "won"}, "azul fell"),
    ({"player": "alice", "result": "lost", "left": "timeout"}, "fell"),
    ({"player": "bob", "left": "timeout"}, ""),
    ({"level": "strong"}, "bots"),
    ({"level": "skilled"}, ""),
    ({"pace": "correspondence"}, "azul"),
    ({"rated": "rated"}, "fell duo"),
    ({"rated": "casual"}, "azul bots"),
    ({"ended": "timeout"}, "fell"),
    ({"band": "1200"}, "fell"),
    ({"band": "1500"}, "duo"),
    ({"since": "2026-03-02"}, "azul"),
    ({"until": "2026-03-01"}, "bots fell duo"),
    ({"since": "2026-03-01", "until": "2026-03-01", "most": "30"}, "fell duo"),
    ({"least": "40"}, "azul bots"),
    ({"least": "31", "most": "44"}, "azul"),
    ({"sort": "longest"}, "bots azul duo fell"),
    ({"sort": "longest", "ended": "timeout"}, "fell"),
    ({"sort": "longest", "ended": "complete", "most": "50"}, "azul duo"),
    ({"sort": "highest"}, "duo fell"),
    ({"sort": "longest", "player": "bob"}, "azul duo fell"),
    ({"sort": "highest", "player": "bob", "ended": "complete"}, "duo"),
    ({"rated": "rated", "ended": "complete", "pace": "live", "game": "blokus", "variant": "duo-2", "level": "strong"}, ""),
]


@pytest.mark.parametrize(("asked", "expected"), SEARCHES, ids=[str(asked) for asked, _ in SEARCHES])
def test_a_search_finds_what_is_like_that_and_nothing_else(shelf_full: dict[str, Match], asked: dict[str, str], expected: str) -> None:
    names = {match.pk: name for name, match in shelf_full.items()}
    assert [names[match.pk] for match in found(**asked)] == expected.split()


def test_the_long_way_finds_what_the_short_one_does(shelf_full: dict[str, Match], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where few are met on the walk, the index of the facets is asked: with no step to go, it always is."""
    ways = {}
    for steps in (search.WALK, 0):
        monkeypatch.setattr(search, "WALK", steps)
        monkeypatch.setattr(search, "LOOK", steps)
        ways[steps] = [[match.pk for match in found(**asked)] for asked, _ in SEARCHES]
    short, long = ways.values()
    assert short == long


def test_one_finds_ones_own_matches_and_losses_on_time(shelf_full: dict[str, Match], cast: Cast) -> None:
    assert found(cast.alice, mine="1", left="timeout") == [shelf_full["fell"]]
    assert found(cast.carol, mine="1") == [shelf_full["azul"]]


def test_first_moves_are_found_by_their_kind_and_by_the_line(cast: Cast) -> None:
    one = played(finished([cast.alice, cast.bob], [1, 2], at=at(1)), "e10", "f1%")
    other = played(finished([cast.alice, cast.carol], [1, 2], at=at(2)), "e10", "f1x")
    third = played(finished([cast.alice, cast.bob], [1, 2], at=at(3)), "e1", "f1%")
    read_first_moves()
    duo = {"game": "blokus", "variant": "duo-2"}
    assert found(**duo, line="e10|") == [other, one]
    assert found(**duo, line="e10|f1%|") == [one]
    assert found(**duo, line="e10|", player="carol") == [other]
    kind = Filed.objects.get(match=third).first_move
    assert kind is not None
    assert found(game="blokus", first=str(kind.pk)) == list(
        Match.objects.filter(filed__first_move=kind).order_by("-finished_at")
    )
    assert FirstMove.objects.filter(game="blokus").exists()


def test_what_is_on_ones_shelf_is_found_by_oneself_only(shelf_full: dict[str, Match], cast: Cast) -> None:
    duo, azul = shelf_full["duo"], shelf_full["azul"]
    Favourite.objects.create(user=cast.alice, match=azul, at=NOW)
    Tagged.objects.create(tag=Tag.objects.create(user=cast.alice, name="Traps", key="traps"), match=duo, at=NOW)
    shared = Collection.objects.create(owner=cast.alice, title="Good", audience="link", made_at=NOW, changed_at=NOW)
    Item.objects.create(collection=shared, match=duo, position=1, at=NOW)
    assert found(cast.alice, favourite="1") == [azul]
    assert found(cast.alice, favourite="1", game="blokus") == []
    assert found(cast.alice, tag="traps") == [duo]
    assert found(cast.bob, favourite="1") == found(cast.bob, tag="traps") == []
    assert found(None, collection=shared.token) == [duo]
    Collection.objects.update(audience="self")
    assert found(cast.bob, collection=shared.token) == []


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"player": "nobody at all"}, "player"),
        ({"opponents": "alice, nobody"}, "opponents"),
        ({"opponents": "a,b,c,d,e"}, "opponents"),
        ({"since": "soon"}, "since"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "until"),
        ({"least": "-1"}, "least"),
        ({"least": "50", "most": "40"}, "most"),
        ({"mine": "1"}, "mine"),
        ({"tag": "traps"}, "mine"),
    ],
)
def test_what_cannot_be_looked_for_is_refused_with_a_sentence(cast: Cast, asked: dict[str, str], field: str) -> None:
    assert cast.alice.pk
    with pytest.raises(BadSearch) as refused:
        check(Filters.read(asked), None)
    assert refused.value.field == field
    assert str(refused.value).endswith(".")


def test_what_makes_no_sense_in_an_address_is_as_if_not_asked() -> None:
    odd = {"game": "chess", "variant": "duo-2", "pace": "x", "sort": "oldest", "first": "1", "line": "e10|", "result": "won", "mine": "2"}
    assert Filters.read(odd) == Filters()


@pytest.mark.parametrize("sort", ["newest", "longest", "highest"])
@pytest.mark.parametrize("steps", [0, search.WALK])
def test_pages_follow_each_other_both_ways_and_leave_nothing_out(
    cast: Cast, sort: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "WALK", steps)
    for number in range(11):  # many of the same value, so that only the number of the match tells them apart
        more = {"at": at(number // 3), "ply": 20 + number // 4, "rating": 1500 + number // 5, "rated": number % 2 == 0}
        finished([cast.alice, cast.bob], [1, 2], **more)
    asked = {"sort": sort, "rated": "rated"}
    built = search.build(check(Filters.read(asked), None))
    key = search.COLUMNS[sort]
    order = list(Filed.objects.filter(rated=True).order_by(f"-{key}", "-match").values_list("match", flat=True))
    pages, place = [], None
    while True:
        one = search.page(built, place, size=2)
        pages.append(one.matches)
        assert (one.back is None) == (place is None)
        if one.on is None:
            break
        place = Cursor.parse(str(one.on))
    assert [number for page in pages for number in page] == order
    place = one.back
    for earlier in reversed(pages[:-1]):
        one = search.page(built, place, upwards=True, size=2)
        assert one.matches == earlier
        place = one.back
    assert place is None


def test_a_page_stays_where_it_was_when_matches_end_meanwhile(cast: Cast) -> None:
    for number in range(4):
        finished([cast.alice, cast.bob], [1, 2], at=at(number))
    built = search.build(check(Filters(), None))
    first = search.page(built, size=2)
    finished([cast.alice, cast.bob], [1, 2], at=at(60))
    second = search.page(built, first.on, size=2)
    assert not set(first.matches) & set(second.matches)
    assert search.page(built, second.back, upwards=True, size=2).matches == first.matches


@pytest.mark.parametrize("text", ["", "1", "1_", "_1", "a_1", "1_-1", f"1_{2**63}", f"{10**18}_1", "١_1", "1_1_1"])
def test_a_place_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no place"):
        Cursor.parse(text)


def test_more_than_can_be_counted_is_said_to_be_more(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "COUNTED", 2)
    for number in range(3):
        finished([cast.alice, cast.bob], [1, 2], at=at(number), ply=40)
    wanted = check(Filters(least="30"), None)
    assert search.count(search.build(wanted), wanted) == (2, False)
    monkeypatch.setattr(search, "LOOK", 1)
    assert search.count(search.build(wanted), wanted) == (2, False)
    kept = check(Filters(game="blokus", pace="live", ended="complete", rated="casual"), None)
    assert search.count(search.build(kept), kept) == (3, True)


def test_the_index_of_the_facets_is_used_for_what_is_rare(cast: Cast) -> None:
    """The expression of the search is the one that is indexed, or the whole table would be read."""
    finished([cast.alice, cast.bob], [1, 2])
    built = search.build(check(Filters(ended="abandoned", level="strong"), None))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN SELECT match_id FROM archive_filed WHERE {built.rare}", built.rare.values)
        assert "filed_facets" in "\n".join(line for (line,) in cursor.fetchall())
