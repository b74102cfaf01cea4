"""Several at the same moment, on real Postgres: every result once, in order, and nobody's last move waits for the arithmetic."""

from __future__ import annotations

import threading
from itertools import pairwise
from random import Random

import pytest
from django.db import transaction

from accounts.models import User
from ladder.models import RatedMatch, Rating, RatingChange
from ladder.services import apply_next, enter
from tests.ladder.conftest import NOW, POOL, change, entrants, rated, result
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


def test_eight_who_rate_at_once_rate_every_result_once(people):
    for match_id in range(1, 41):
        result(match_id, people.ann, people.bob, ranks=Random(match_id).choice([(1, 2), (2, 1), (1, 1)]))
    done = at_once(*[lambda: apply_next(*POOL, NOW, limit=7)] * 8)
    assert sum(done) == 40
    for before, after in pairwise(range(1, 41)):
        assert change(after, 0).before == change(before, 0).after
    assert set(Rating.objects.values_list("matches", flat=True)) == {40}


def test_eight_who_enter_one_match_at_once_enter_it_once(people):
    seats = entrants(people.ann, people.bob)
    rows = at_once(*[lambda: enter(5, *POOL, seats, (1, 2), NOW)] * 8)
    assert {row.pk for row in rows} == {RatedMatch.objects.get().pk}
    assert RatingChange.objects.count() == 2


def test_matches_that_end_at_once_get_numbers_without_gaps(people):
    seats = entrants(people.ann, people.bob)
    at_once(*(lambda first=first: [enter(match_id, *POOL, seats, (1, 2), NOW) for match_id in range(first, 48, 8)] for first in range(8)))
    assert sorted(RatedMatch.objects.values_list("number", flat=True)) == list(range(1, 49))


def test_rating_while_matches_end_leaves_none_out(people):
    seats = entrants(people.ann, people.bob, "casual")

    def end(first):
        for match_id in range(first, 60, 6):
            enter(match_id, *POOL, seats, (1, 2, 3), NOW)
            apply_next(*POOL, NOW, limit=3)

    at_once(*(lambda first=first: end(first) for first in range(6)))
    rated()
    assert not RatedMatch.objects.filter(applied_at=None).exists()
    history = list(RatingChange.objects.filter(user=people.ann).order_by("rated__number"))
    assert len(history) == 60
    assert all(after.before == before.after for before, after in pairwise(history))


def test_a_match_ends_while_another_is_being_rated(people):
    result(1, people.ann, people.bob)
    rating, ended = threading.Event(), threading.Event()

    def rate():
        with transaction.atomic():
            assert apply_next(*POOL, NOW) == 1
            rating.set()
            assert ended.wait(10)

    def end():
        assert rating.wait(10)
        result(2, people.ann, people.bob)
        ended.set()

    at_once(rate, end)
    assert rated() == 1
    assert change(2, 0).before == change(1, 0).after


def test_an_account_deleted_while_its_matches_are_rated_stops_nothing(people):
    for turn in range(6):
        gone, stays = User.objects.create(username=f"gone{turn}"), people.ann
        for match_id in range(10 * turn, 10 * turn + 5):
            result(match_id, gone, stays)

        def delete(gone=gone):
            with transaction.atomic():
                User.objects.select_for_update().get(pk=gone.pk).delete()

        def end(match_id=10 * turn + 5, gone=gone, stays=stays):
            result(match_id, gone, stays)

        at_once(delete, end, *[lambda: apply_next(*POOL, NOW, limit=2)] * 3)
        rated()
    assert not RatedMatch.objects.filter(applied_at=None).exists()
    assert RatedMatch.objects.count() == 36
    assert set(Rating.objects.values_list("user", flat=True)) <= {people.ann.pk}
