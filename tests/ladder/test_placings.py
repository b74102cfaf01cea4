"""What the ladders are read from follows from the results, and the tallies from that."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from math import floor

from accounts.models import User
from ladder import season, seasons
from ladder.models import Placing, Rating, Season, SeasonPlace, Tally
from ladder.services import apply_next, move_country
from tests.ladder.conftest import NOW, POOL, People, rated, result

SPRING = datetime(2026, 4, 1, tzinfo=UTC)


def settle(*people: User, start: int = 1, now: datetime = NOW) -> None:
    """Let two people play until neither rating is provisional."""
    for number in range(30):
        result(start + number, *(people if number % 3 else people[::-1]), now=now + timedelta(minutes=number))
    rated()


def test_a_result_counts_for_all_time_its_season_and_its_month(people: People) -> None:
    result(1, people.ann, people.bob)
    rated()
    rows = {row.period: row for row in Placing.objects.filter(user=people.ann)}
    assert set(rows) == {"", "2026-Q1", "2026-03"}
    rating = Rating.objects.get(user=people.ann)
    assert {(row.mu, row.sigma, row.matches, row.listed) for row in rows.values()} == {(rating.mu, rating.sigma, 1, False)}


def test_a_new_month_begins_with_the_old_rating_and_no_match(people: People) -> None:
    result(1, people.ann, people.bob)
    result(2, people.ann, people.bob, now=NOW + timedelta(days=31))
    rated()
    assert {row.period: row.matches for row in Placing.objects.filter(user=people.ann)} == {
        "": 2, "2026-Q1": 1, "2026-03": 1, "2026-Q2": 1, "2026-04": 1,
    }  # fmt: skip
    assert Placing.objects.get(user=people.ann, period="2026-03").mu < Placing.objects.get(user=people.ann, period="2026-04").mu


def tallied() -> Counter[tuple[str, str, int]]:
    """What the tallies must be, counted from the placings."""
    counted: Counter[tuple[str, str, int]] = Counter()
    for row in Placing.objects.filter(listed=True):
        for country in {"", row.country}:
            counted[row.period, country, floor(10 * row.mu)] += 1
    return counted


def stored() -> Counter[tuple[str, str, int]]:
    return Counter({(row.period, row.country, row.bucket): row.people for row in Tally.objects.exclude(people=0)})


def test_tallies_follow_every_way_in_which_placings_change(people: People) -> None:
    ann, bob, cat = people.ann, people.bob, people.cat
    User.objects.filter(pk=bob.pk).update(country="NL")
    settle(ann, bob)
    assert stored() == tallied() != Counter()
    assert stored()["", "NL", floor(10 * Placing.objects.get(user=bob, period="").mu)] == 1
    settle(cat, bob, start=100, now=NOW + timedelta(days=40))
    assert stored() == tallied()
    move_country(ann, "IT")
    move_country(bob, "")
    assert stored() == tallied()
    assert {country for _, country, _ in stored()} == {"", "IT"}
    ann.delete()
    assert stored() == tallied() != Counter()


def test_a_season_is_closed_before_the_first_result_of_the_next_is_rated(people: People) -> None:
    ann, bob = people.ann, people.bob
    settle(ann, bob)
    place = SeasonPlace.objects.get(user=ann)
    assert (place.division, place.matches, place.place, place.outcome) == (1, 30, None, "")
    assert place.points == season.DAILY * 12 - 10 * 2  # three wins and two losses of the first five
    assert not Season.objects.get(key="2026-Q1").closed_at
    result(99, bob, ann, now=SPRING)
    assert apply_next(*POOL, SPRING - timedelta(seconds=1)) == 1, "the worker's clock is behind"
    assert Season.objects.get(key="2026-Q1").closed_at
    late = result(100, ann, bob, now=SPRING - timedelta(seconds=1))
    assert late.ended_at == SPRING, "what comes in late is of the season that runs"
    first, second = (SeasonPlace.objects.get(user=user, season__key="2026-Q1") for user in (ann, bob))
    assert {first.place, second.place} <= {1, 2}
    assert {first.outcome, second.outcome} >= {"promoted"}


def test_closing_promotes_the_best_quarter_and_relegates_the_last_and_the_idle(people: People) -> None:
    row = Season.objects.create(game="blokus", pace="live", key="2026-Q1")
    names = [f"p{number}" for number in range(8)]
    SeasonPlace.objects.bulk_create(
        SeasonPlace(season=row, user=getattr(people, name), division=2, points=80 - 10 * number, matches=season.ENOUGH)
        for number, name in enumerate(names)
    )
    SeasonPlace.objects.create(season=row, user=people.idle, division=2, points=500, matches=season.ENOUGH - 1)
    SeasonPlace.objects.create(season=row, user=people.newcomer, division=1, points=1, matches=1)
    assert seasons.close_ended("blokus", "live", SPRING - timedelta(seconds=1)) == []
    assert seasons.close_ended("blokus", "live", SPRING) == [row]
    outcomes = {place.user.username: (place.place, place.outcome) for place in SeasonPlace.objects.select_related("user")}
    assert [outcomes[name] for name in names] == [
        (1, "promoted"), (2, "promoted"), (3, "stayed"), (4, "stayed"), (5, "stayed"), (6, "stayed"), (7, "relegated"), (8, "relegated"),
    ]  # fmt: skip
    assert outcomes["idle"] == (None, "relegated")
    assert outcomes["newcomer"] == (None, "stayed")
    start = seasons.divisions("blokus", "live", "2026-Q2", [people.p0.pk, people.p7.pk, people.p3.pk, people.idle.pk, people.other.pk])
    assert [start[people.p0.pk], start[people.p7.pk], start[people.p3.pk], start[people.idle.pk], start[people.other.pk]] == [3, 1, 2, 1, 1]
    assert seasons.divisions("blokus", "live", "2026-Q4", [people.p0.pk]) == {people.p0.pk: 1}, "two seasons missed cost two divisions"


def test_points_are_for_taking_part_and_for_whom_one_beat() -> None:
    assert season.points([1, 2]) == [12, 2]
    assert season.points([1, 1]) == [7, 7]
    assert season.points([3, 1, 2, 4]) == [5, 12, 9, 2]
    assert season.points([1, 1, 3]) == [10, 10, 2]


def test_a_late_result_with_an_older_clock_cannot_reach_into_a_closed_season_that_nobody_played_after(people: People) -> None:
    settle(people.ann, people.bob)
    assert [closed.key for closed in seasons.close_ended(*POOL, SPRING)] == ["2026-Q1"]
    late = result(99, people.ann, people.bob, now=SPRING - timedelta(milliseconds=3))
    rated()
    assert late.ended_at == SPRING
    assert SeasonPlace.objects.get(user=people.ann, season__key="2026-Q1").matches == 30
    assert SeasonPlace.objects.get(user=people.ann, season__key="2026-Q2").matches == 1


def ended(people: People, division: int, *rows: tuple[int, int]) -> list[tuple[int | None, str]]:
    """The places and outcomes of a season whose one division has people with these points and matches."""
    row = Season.objects.create(game="blokus", pace="live", key="2026-Q1")
    SeasonPlace.objects.bulk_create(
        SeasonPlace(season=row, user=getattr(people, f"p{number}"), division=division, points=points, matches=matches)
        for number, (points, matches) in enumerate(rows)
    )
    seasons.close_ended("blokus", "live", SPRING)
    return list(SeasonPlace.objects.order_by("pk").values_list("place", "outcome"))


def test_alone_in_a_division_one_goes_up_and_from_the_highest_nobody_does(people: People) -> None:
    assert ended(people, 2, (10, 5)) == [(1, "promoted")]


def test_the_best_of_the_highest_division_stays_there(people: People) -> None:
    assert ended(people, season.HIGHEST, (10, 5), (9, 5)) == [(1, "stayed"), (2, "stayed")]


def test_who_is_equal_at_a_line_goes_the_same_way_and_never_down_for_it(people: People) -> None:
    rows = [(50, 5), (40, 5), (40, 5), (40, 6), (30, 5), (20, 5), (10, 5), (10, 5)]
    assert ended(people, 2, *rows) == [
        (1, "promoted"), (2, "promoted"), (2, "promoted"), (4, "stayed"), (5, "stayed"), (6, "stayed"), (7, "relegated"), (7, "relegated"),
    ]  # fmt: skip


def test_the_lines_on_the_page_are_those_of_the_end(people: People) -> None:
    for placed in range(1, 14):
        for division in (season.LOWEST, 3, season.HIGHEST):
            Season.objects.all().delete()
            outcomes = [outcome for _, outcome in ended(people, division, *((1000 - number, 9) for number in range(placed)))]
            assert outcomes.count("promoted") == season.going_up(division, placed)
            assert outcomes.count("relegated") == season.going_down(division, placed)
