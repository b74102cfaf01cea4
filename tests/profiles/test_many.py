"""A page stays quick, and asks the database as often, however many matches somebody has played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from os import sysconf
from pathlib import Path
from time import perf_counter, thread_time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from ladder.models import RatedMatch, Rating, RatingChange
from tests.profiles.conftest import NOW, Cast, finished, many

pytestmark = pytest.mark.django_db
MATCHES, RATED, MILLISECONDS = 20_000, 20_000, 200


def work(act: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of work for one call, here and in the database: what it takes where nobody else uses the machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    if not backend.exists():  # no such files outside Linux, so by the clock
        started = perf_counter()
        for _ in range(times):
            act()
        return 1000 * (perf_counter() - started) / times

    def spent() -> float:
        user, system = backend.read_text().rpartition(")")[2].split()[11:13]
        return thread_time() + (int(user) + int(system)) / sysconf("SC_CLK_TCK")

    before = spent()
    for _ in range(times):
        act()
    return 1000 * (spent() - before) / times


def rated(person: User, how_many: int) -> None:
    """So many rated results at one game and pace."""
    Rating.objects.create(user=person, game="azul", pace="live", mu=30, sigma=1.5, matches=how_many, updated_at=NOW)
    results = RatedMatch.objects.bulk_create(
        (
            RatedMatch(match_id=number, game="azul", pace="live", number=number, ended_at=NOW + timedelta(minutes=number), ranks=[1, 2])
            for number in range(1, how_many + 1)
        ),
        batch_size=5000,
    )
    RatingChange.objects.bulk_create(
        (RatingChange(rated=one, seat=0, user=person, mu_before=30, sigma_before=2, mu_after=30, sigma_after=2) for one in results),
        batch_size=5000,
    )


@pytest.mark.long
def test_the_page_of_somebody_with_twenty_thousand_matches_comes_in_under_a_fifth_of_a_second(cast: Cast) -> None:
    bob, alice = cast.bob, cast.alice
    others = [alice, *(getattr(cast, f"player{number}") for number in range(20))]
    many(bob, others, MATCHES)
    many(alice, others[1:], 3000)
    rated(bob, RATED)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    browser = cast.at_browser(alice)
    for address in ("/people/bob/", "/people/bob/?game=azul", "/people/bob/matches/", "/people/bob/matches/?with=me&game=azul"):
        assert browser.get(address).status_code == 200
        assert work(lambda address=address: browser.get(address)) < MILLISECONDS, address
    shown = browser.get("/people/bob/").context
    assert shown["total"].matches == MATCHES
    assert 200 <= len(shown["chart"].x) <= 300


def test_the_page_asks_the_database_as_often_for_many_matches_as_for_few(cast: Cast) -> None:
    bob, browser = cast.bob, cast.at_browser(cast.alice)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert browser.get("/people/bob/").status_code == 200
        return len(queries)

    finished([bob, cast.alice], [1, 2])
    browser.get("/people/bob/")
    few = asked()
    for _ in range(12):
        finished([bob, cast.carol], [1, 2], "grey-2", "azul")
    browser.get("/people/bob/")  # the positions are known now, as those of the few were
    assert asked() == few <= 30
