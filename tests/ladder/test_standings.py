"""The ladders as they are read: pages that fit together, ranks that are right, and work that does not grow with the ladder."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from ladder import listing, scale, standings
from ladder.models import Placing, Tally
from ladder.scale import Strength
from ladder.standings import Cursor, Ladder, Page
from tests.bench.ladder import fill, nodes
from tests.ladder.conftest import NOW, POOL, People

LADDER = Ladder(*POOL)
LISTED, PROVISIONAL = 2.0, 7.0


def place(user: User, mu: float, *, sigma: float = LISTED, period: str = "", country: str = "") -> Placing:
    return Placing.objects.create(
        user=user, game=POOL[0], pace=POOL[1], period=period, country=country, mu=mu, sigma=sigma,
        matches=20, listed=not scale.provisional(sigma), updated_at=NOW,
    )  # fmt: skip


def placed(people: People, *mus: float, country: str = "") -> list[User]:
    """People with these strengths, called p0, p1 and so on."""
    users = [getattr(people, f"p{number}") for number in range(len(mus))]
    for user, mu in zip(users, mus, strict=True):
        place(user, mu, country=country)
    return users


def names(rows: Iterable[standings.Numbered]) -> list[tuple[int | None, str]]:
    return [(row.rank, row.placing.user.username) for row in rows]


def walked(page: Page, size: int) -> list[tuple[int | None, str]]:
    """All rows from a page downwards."""
    found = names(page.rows)
    while page.more_below:
        page = standings.page_after(LADDER, page.last, size)
        found += names(page.rows)
    return found


def test_equals_share_a_rank_and_the_next_is_counted_behind_all_of_them(people: People) -> None:
    placed(people, 31.0, 30.0, 30.0, 29.5, 30.0)
    assert names(standings.top(LADDER).rows) == [(1, "p0"), (2, "p1"), (2, "p2"), (2, "p4"), (5, "p3")]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 30])
def test_pages_forwards_and_back_hold_everybody_once_whatever_their_size(people: People, size: int) -> None:
    mus = [25 + (number * 7 % 11) / 2 for number in range(23)]
    placed(people, *mus)
    whole = names(standings.top(LADDER, 100).rows)
    assert [rank for rank, _ in whole] == sorted(1 + sum(other > mu for other in mus) for mu in mus)
    assert walked(standings.top(LADDER, size), size) == whole
    last = whole[-1][1]
    page = standings.page_around(LADDER, standings.cursor_of(Placing.objects.get(user__username=last)), size)
    pages = [names(page.rows)]
    while page.more_above:
        page = standings.page_before(LADDER, page.first, size)
        pages.insert(0, names(page.rows))
    assert all(len(rows) == min(size, len(whole)) for rows in pages[:-1])
    assert pages[0] == whole[: len(pages[0])]
    assert {row for rows in pages for row in rows} == set(whole)


def test_a_cursor_keeps_its_place_when_its_row_has_moved_or_is_gone(people: People) -> None:
    placed(people, 31.0, 30.0, 29.0, 28.0)
    page = standings.top(LADDER, 2)
    Placing.objects.filter(user=people.p1).update(mu=20.0)
    assert names(standings.page_after(LADDER, page.last, 2).rows) == [(2, "p2"), (3, "p3")]
    people.p1.delete()
    assert names(standings.page_after(LADDER, page.last, 2).rows) == [(2, "p2"), (3, "p3")]
    assert Cursor.parse(str(page.last)) == page.last


@pytest.mark.parametrize("text", ["", "1", "x_1", "nan_3", "inf_3", "1_-3", "1_²", "1_" + "9" * 30, "1" * 70 + "_1"])
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Cursor.parse(text)


def test_a_rank_out_of_the_tallies_is_the_one_that_counting_gives(people: People) -> None:
    mus = [24.9 + number / 30 for number in range(40)] + [25.0, 25.1, 25.1, 25.2]
    placed(people, *mus)
    for row, rank in zip(rows := list(Placing.objects.all()), standings.ranks_of(rows), strict=True):
        assert rank.above == sum(mu > row.mu for mu in mus)
        assert (rank.equal, rank.people) == (mus.count(row.mu), len(mus))


def test_the_percentile_is_how_many_of_the_others_are_below(people: People) -> None:
    users = placed(people, 31.0, 30.0, 30.0, 29.0, 28.0)
    found = {user.username: standings.mine(LADDER, user, NOW) for user in users}
    assert {name: mine.rank.ahead_of for name, mine in found.items() if mine} == {"p0": 100, "p1": 50, "p2": 50, "p3": 25, "p4": 0}


def test_there_is_no_percentile_of_one(people: People) -> None:
    (user,) = placed(people, 25.0)
    mine = standings.mine(LADDER, user, NOW)
    assert mine is not None
    assert (mine.rank.number, mine.rank.ahead_of) == (1, None)


def test_ones_own_row_is_shown_with_two_neighbours_on_each_side(people: People) -> None:
    users = placed(people, *(30.0 - number for number in range(9)))
    mine = standings.mine(LADDER, users[4], NOW)
    assert mine is not None
    assert names(mine.rows) == [(3, "p2"), (4, "p3"), (5, "p4"), (6, "p5"), (7, "p6")]
    best = standings.mine(LADDER, users[0], NOW)
    assert best is not None
    assert names(best.rows) == [(1, "p0"), (2, "p1"), (3, "p2")]


def test_who_is_not_listed_yet_stands_where_the_rating_leads_and_learns_how_many_matches_are_missing(people: People) -> None:
    placed(people, 30.0, 28.0, 27.0)
    place(people.new, 28.5, sigma=PROVISIONAL)
    mine = standings.mine(LADDER, people.new, NOW)
    assert mine is not None
    assert names(mine.rows) == [(1, "p0"), (None, "new"), (2, "p1"), (3, "p2")]
    assert (mine.listed, mine.rank.number, mine.rank.people) == (False, 2, 3)
    assert mine.to_go == standings.matches_to_go(Strength(28.5, PROVISIONAL)) > 0
    assert "new" not in [name for _, name in names(standings.top(LADDER).rows)]
    assert standings.mine(LADDER, people.nobody, NOW) is None


def test_the_matches_that_are_missing_are_about_a_dozen_for_a_newcomer_and_fewer_from_match_to_match() -> None:
    assert 8 <= standings.matches_to_go(scale.START) <= 16
    counts = [standings.matches_to_go(Strength(25.0, sigma)) for sigma in (8.0, 7.0, 6.0, 5.2, 5.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 0


def test_a_country_has_its_own_ranks_and_others_see_where_they_would_stand(people: People) -> None:
    for name, mu, country in (("ann", 30.0, "NL"), ("bob", 29.0, "IT"), ("cat", 28.0, "NL"), ("dan", 27.0, "")):
        place(getattr(people, name), mu, country=country)
    dutch = Ladder(*POOL, country="NL")
    assert names(standings.top(dutch).rows) == [(1, "ann"), (2, "cat")]
    assert standings.people_in(dutch) == 2
    assert standings.countries_with_people(LADDER) == ["IT", "NL"]
    abroad = standings.mine(dutch, people.bob, NOW)
    assert abroad is not None
    assert (abroad.listed, abroad.rank.number, names(abroad.rows)) == (False, 2, [(1, "ann"), (None, "bob"), (2, "cat")])


def test_friends_are_ranked_among_themselves_and_those_who_are_not_listed_come_last(people: People) -> None:
    users = placed(people, 30.0, 29.0, 28.0)
    place(people.new, 40.0, sigma=PROVISIONAL)
    assert names(standings.among(*POOL, "", {users[0].pk, users[2].pk, people.new.pk})) == [(1, "p0"), (2, "p2"), (None, "new")]


def test_each_period_is_a_ladder_of_its_own(people: People) -> None:
    place(people.ann, 30.0)
    place(people.bob, 29.0, period="2026-02")
    place(people.cat, 28.0, period="2026-Q1")
    assert [name for _, name in names(standings.top(Ladder(*POOL, "2026-02")).rows)] == ["bob"]
    assert standings.periods_with_people(*POOL) == ["2026-02", "2026-Q1"]
    assert standings.periods_with_people("azul", "live") == []


def test_a_short_list_goes_on_with_those_who_are_on_the_way_to_a_rank(people: People) -> None:
    placed(people, 31.0)
    place(people.new, 35.0, sigma=PROVISIONAL)
    place(people.newer, 24.0, sigma=PROVISIONAL)
    place(people.rude, 40.0, sigma=PROVISIONAL)
    listing.unlist(people.rude)
    listing.unlist(people.p0)
    assert names(standings.on_the_way(LADDER)) == [(None, "new"), (None, "newer")]
    assert names(standings.on_the_way(LADDER, 1)) == [(None, "new")]


def test_who_is_shut_out_is_in_no_list_until_it_is_over(people: People) -> None:
    placed(people, 31.0, 30.0, 29.0)
    listing.unlist(people.p0)
    listing.unlist(people.p0)
    assert names(standings.top(LADDER).rows) == [(1, "p1"), (2, "p2")]
    Placing.objects.filter(user=people.p0).update(listed=True, mu=33.0)
    assert names(standings.top(LADDER).rows) == [(1, "p1"), (2, "p2")], "a result in the meantime lists nobody"
    assert standings.people_in(LADDER) == sum(Tally.objects.filter(country="").values_list("people", flat=True)) == 2
    assert standings.among(*POOL, "", {people.p0.pk}) == []
    listing.relist(people.p0)
    assert names(standings.top(LADDER).rows) == [(1, "p0"), (2, "p1"), (3, "p2")]


def test_the_lists_follow_sanctions_that_end_by_themselves_and_accounts_that_are_closed(people: People) -> None:
    placed(people, 31.0, 30.0, 29.0)
    people.p0.sanctions.create(kind="suspension", reason="x", made_at=NOW, ends_at=NOW + timedelta(days=7))
    people.p2.sanctions.create(kind="mute", reason="x", made_at=NOW)
    User.objects.filter(pk=people.p1.pk).update(is_active=False)
    assert listing.keep(NOW) == (2, 0)
    assert names(standings.top(LADDER).rows) == [(1, "p2")]
    assert listing.keep(NOW + timedelta(days=6)) == (0, 0)
    assert listing.keep(NOW + timedelta(days=7)) == (0, 1)
    assert names(standings.top(LADDER).rows) == [(1, "p0"), (2, "p2")]


@pytest.mark.long
def test_nothing_is_sorted_or_gone_through_whole_however_many_there_are(people: People) -> None:
    fill(20_000, _=20_000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE accounts_user, ladder_placing, ladder_tally")
    user = User.objects.get(username="player777")
    own = standings.cursor_of(Placing.objects.get(user=user))
    dutch = Ladder(*POOL, country="NL")
    with CaptureQueriesContext(connection) as sent:
        for ladder in (LADDER, dutch):
            standings.top(ladder)
            for find in (standings.page_after, standings.page_before, standings.page_around):
                assert len(find(ladder, own).rows) == standings.PAGE
            assert standings.mine(ladder, user, NOW) is not None
            standings.people_in(ladder)
            standings.countries_with_people(ladder)
        standings.on_the_way(LADDER)
        standings.periods_with_people(*POOL)
        standings.among(*POOL, "", range(user.pk, user.pk + 50))
    assert len(sent) > 20
    for query in [query["sql"] for query in sent]:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + query.replace("%", "%%"), [])
            found = cursor.fetchone()[0]
        steps = list(nodes((json.loads(found) if isinstance(found, str) else found)[0]["Plan"]))
        assert not [step for step in steps if step["Node Type"] == "Sort" and step["Actual Rows"] > 100], query
        assert not [step for step in steps if step["Node Type"] == "Seq Scan"], query
        most = max((step["Actual Rows"] + step.get("Rows Removed by Filter", 0)) * step["Actual Loops"] for step in steps)
        assert most < 1_000, (query, most)  # two ranks at once go over the four hundred steps of the tallies twice
