"""All ratings rated anew from the history are those that are stored, and whatever is not is found and put right."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import connection, transaction
from django.db.models import F

from accounts.models import User
from ladder import seasons
from ladder.models import Placing, Pool, RatedMatch, Rating, RatingChange, Season, SeasonPlace, Tally
from ladder.recompute import check, one_moment, repair
from ladder.services import apply_next, move_country
from tests.ladder.conftest import NOW, POOL, People, result

pytestmark = pytest.mark.long

DAYS = 200
"""A history of so many days goes over two ends of a season."""
END = NOW + timedelta(days=DAYS)
LEVELS = ("beginner", "casual", "skilled", "strong")


def history(people: People, seed: int, results: int = 60, deletions: int = 3) -> None:
    """A random history of people, bots and ties, rated in batches as it goes, during which some move country or leave for good."""
    chance = Random(seed)
    names = [f"p{number}" for number in range(7)]
    for name in names:
        User.objects.filter(pk=getattr(people, name).pk).update(country=chance.choice(["", "IT", "NL"]))
    leaving = sorted(chance.sample(range(results), deletions))
    for match_id in range(1, results + 1):
        now = NOW + timedelta(days=DAYS * match_id / results, seconds=chance.randrange(1000))
        size = chance.randint(2, 4)
        seats: list[User | str | None] = [getattr(people, name) for name in chance.sample(names, min(size, len(names)))]
        for seat in range(1, size):
            if chance.random() < 0.3:
                seats[seat] = chance.choice(LEVELS)
        result(match_id, *seats, ranks=[chance.randint(1, size) for _ in seats], now=now)
        if leaving and match_id >= leaving[0]:  # some of whose results wait still
            leaving.pop(0)
            gone = names.pop(chance.randrange(len(names)))
            getattr(people, gone).delete()
        if chance.random() < 0.3:
            rate_all(now)
        if chance.random() < 0.1:
            mover = getattr(people, chance.choice(names))
            mover.country = chance.choice(["", "FR"])
            mover.save(update_fields=["country"])
            move_country(mover, mover.country)
    rate_all(END)


def rate_all(now: datetime) -> None:
    while apply_next(*POOL, now, limit=5):
        pass


def found() -> list[str]:
    return [str(difference) for difference in check(*POOL)]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_after_a_random_history_with_deletions_nothing_differs(people: People, seed: int) -> None:
    history(people, seed)
    assert Season.objects.exclude(closed_at=None).count() >= 2
    assert RatingChange.objects.filter(user=None, level="", mu_after__isnull=False).exists(), "somebody left after being rated"
    assert found() == []


def test_results_that_wait_are_no_difference(people: People) -> None:
    history(people, 1, results=20, deletions=1)
    result(99, people.p0, people.p1, now=END)
    assert found() == []


def bump(rows, *fields, by=1e-6):
    """Add to the last digit that is kept in a row of those, and say of which."""
    row = rows.order_by("pk")[rows.count() // 2]
    type(row).objects.filter(pk=row.pk).update(**{field: F(field) + by for field in fields})
    return row


def bump_to(rows, **values):
    """Write something else into one of those rows."""
    assert type(rows.first()).objects.filter(pk=rows.first().pk).update(**values) == 1


CORRUPTIONS = {
    "the mean of a rating": lambda: bump(Rating.objects, "mu"),
    "the deviation of a rating": lambda: bump(Rating.objects, "sigma"),
    "the number of somebody's matches": lambda: bump(Rating.objects, "matches", by=1),
    "the time of a rating": lambda: bump(Rating.objects, "updated_at", by=timedelta(microseconds=1)),
    "a placing of all time": lambda: bump(Placing.objects.filter(period=""), "mu"),
    "a placing of a month": lambda: bump(Placing.objects.filter(period="2026-04"), "sigma"),
    "a placing that should not be listed": lambda: bump_to(Placing.objects.filter(listed=False), listed=True),
    "a country": lambda: bump_to(Placing.objects, country="XX"),
    "the strength before a match": lambda: bump(RatingChange.objects.filter(user__isnull=False), "mu_before"),
    "the deviation before a match": lambda: bump(RatingChange.objects.filter(user__isnull=False), "sigma_before"),
    "the strength after a match": lambda: bump(RatingChange.objects.filter(user__isnull=False), "mu_after"),
    "the deviation after a match": lambda: bump(RatingChange.objects.filter(user__isnull=False), "sigma_after"),
    "what a bot was rated with": lambda: bump(RatingChange.objects.exclude(level=""), "mu_before"),
    "what became of somebody who left": lambda: bump(RatingChange.objects.filter(user=None, level="", mu_after__isnull=False), "mu_after"),
    "points of a season": lambda: bump(SeasonPlace.objects.filter(user__isnull=False), "points", by=1),
    "a place of a season that is over": lambda: bump(SeasonPlace.objects.filter(place__isnull=False), "place", by=1),
    "a division": lambda: bump(SeasonPlace.objects.filter(user__isnull=False), "division", by=1),
    "a tally": lambda: bump(Tally.objects.filter(people__gt=0), "people", by=1),
    "the next number": lambda: bump(Pool.objects, "next_number", by=1),
    "a rank": lambda: bump_to(RatedMatch.objects.filter(changes__user__isnull=False).exclude(ranks__0=1), ranks=[1, 9, 9, 9]),
    "a time between two matches": lambda: bump(RatedMatch.objects.filter(number__gt=2), "ended_at", by=timedelta(days=9)),
    "a rating that is missing": lambda: Rating.objects.first().delete(),
    "a placing that is missing": lambda: Placing.objects.last().delete(),
    "a place that is missing": lambda: SeasonPlace.objects.filter(user__isnull=False).last().delete(),
    "a rating too many": lambda: Rating.objects.create(
        user=User.objects.create(username="nobody"), game=POOL[0], pace=POOL[1], mu=25, sigma=8, matches=0, updated_at=NOW
    ),
    "a result that is missing": lambda: RatedMatch.objects.get(number=7).delete(),
    "a result that seems to wait": lambda: bump_to(RatedMatch.objects, applied_at=None),
}


HISTORY = {
    "what a bot was rated with", "the next number", "a rank", "a time between two matches", "a result that is missing",
    "a result that seems to wait",
}  # fmt: skip
"""Of these the history itself would have to be put right, which nothing else tells."""


@pytest.mark.long
def test_a_digit_that_is_wrong_anywhere_is_found_and_what_follows_from_the_history_is_put_right(people: People) -> None:
    history(people, 3, results=70, deletions=2)
    assert found() == []
    before = numbers()
    for what, corrupt in CORRUPTIONS.items():
        with transaction.atomic():
            corrupt()
            assert found(), what
            if what not in HISTORY:
                assert repair(*POOL, END), what
                assert found() == [], what
                assert numbers() == before, what
                assert repair(*POOL, END) == [], what
            transaction.set_rollback(True)


def numbers() -> list[list[tuple[object, ...]]]:
    """Everything that ratings, ladders and seasons show."""
    return [
        list(Rating.objects.order_by("user").values_list("user", "mu", "sigma", "matches", "updated_at")),
        list(Placing.objects.order_by("user", "period").values_list("user", "period", "country", "mu", "sigma", "matches", "listed")),
        list(RatingChange.objects.order_by("pk").values_list("mu_before", "sigma_before", "mu_after", "sigma_after")),
        list(
            SeasonPlace.objects.filter(user__isnull=False)
            .order_by("season", "user")
            .values_list("season__key", "user", "division", "points", "matches", "place", "outcome")
        ),
        list(Tally.objects.exclude(people=0).order_by("period", "country", "bucket").values_list("period", "country", "bucket", "people")),
    ]


def test_a_history_from_before_there_were_placings_gets_them_all(people: People) -> None:
    history(people, 5, deletions=0)
    before = numbers()
    SeasonPlace.objects.all().delete()
    Season.objects.all().delete()
    Placing.objects.exclude(period="").delete()
    assert repair(*POOL, END)
    assert found() == []
    assert numbers() == before


def test_the_places_of_a_season_come_out_as_the_database_orders_them(people: People) -> None:
    chance = Random(4)
    row = Season.objects.create(game=POOL[0], pace=POOL[1], key="2026-Q1")
    SeasonPlace.objects.bulk_create(
        SeasonPlace(
            season=row, user=User.objects.create(username=f"s{number}"), division=chance.randint(1, 5),
            points=chance.randint(0, 6), matches=chance.randint(3, 7),
        )
        for number in range(60)
    )  # fmt: skip
    seasons.close_ended(*POOL, END)
    assert [text for text in found() if "place " in text] == []


@pytest.mark.django_db(transaction=True)
def test_a_check_sees_one_moment_whatever_is_rated_meanwhile(people: People) -> None:
    history(people, 2, results=10, deletions=0)
    with one_moment():
        differences = check(*POOL)
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            assert cursor.fetchone() == ("repeatable read",)
        assert list(differences) == []
