"""Many at the same moment, on real Postgres: one match, nobody twice, and kind words for who came too late."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lobby.checks import MOST_OPEN, MOST_SAT
from lobby.models import Place, SatDown, Seek
from lobby.pairing import quick_match
from lobby.services import cancel_seek, fill_with_bot, join_seek, post_seek
from lobby.upkeep import sweep
from matches.models import Match, Seat
from tests.lobby.conftest import DAYS, NOW, later, rate, seen, wish
from tests.threads import at_once, kinds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


def crowd(cast, count: int):
    return [getattr(cast, f"player-{number}") for number in range(count)]


def test_fifty_who_join_a_table_for_four_make_one_match_and_forty_seven_hear_that_it_is_full(cast, post):
    seek = post(cast.host, "classic-4", control=DAYS)
    people = crowd(cast, 50)
    results = at_once(*(lambda user=user: join_seek(seek.pk, user, now=NOW) for user in people))
    assert kinds(results) == {"Seek": 3, "Full": 47}
    match = Match.objects.get()
    seats = list(match.seats.all())
    assert len({seat.user_id for seat in seats}) == len(seats) == 4
    assert Seek.objects.get().match == match


def test_one_person_who_joins_ten_times_at_once_sits_once(cast, post):
    seek = post(cast.host, "classic-4", control=DAYS)
    alice = cast.alice
    results = at_once(*[lambda: join_seek(seek.pk, alice, now=NOW)] * 10)
    assert kinds(results) == {"Seek": 10}
    assert Place.objects.filter(seek=seek, user=cast.alice).count() == 1


def test_a_bot_and_a_person_for_the_last_place_are_one_of_them(cast, post):
    bob, host = cast.bob, cast.host
    for _ in range(4):
        seek = post(host, control=DAYS)
        results = at_once(
            lambda seek=seek: join_seek(seek.pk, bob, now=NOW),
            lambda seek=seek: fill_with_bot(seek.pk, host, 1, "casual", now=NOW),
        )
        assert kinds(results) == {"Seek": 1, "Full": 1}
    assert Match.objects.count() == 4


def test_closing_and_joining_at_once_end_in_one_way(cast, post):
    bob, host = cast.bob, cast.host
    for _ in range(6):
        seek = post(host, control=DAYS)
        at_once(lambda seek=seek: join_seek(seek.pk, bob, now=NOW), lambda seek=seek: cancel_seek(seek.pk, host, now=NOW))
        after = Seek.objects.get(pk=seek.pk)
        assert (after.status == "started") is (after.match is not None)
        assert after.status in ("started", "cancelled")


def test_two_who_press_quick_match_at_once_are_paired_once(cast):
    for round_number in range(5):
        now = later(minutes=round_number)
        alice, bob = cast.alice, cast.bob
        at_once(*(lambda user=user, now=now: quick_match(user, "blokus", "live", now=now) for user in (alice, bob)))
        assert Match.objects.count() == round_number + 1
        assert not Seek.objects.filter(status="open").exists()


def test_ten_who_press_at_once_are_five_matches_and_nobody_sits_twice(cast):
    people = crowd(cast, 10)
    at_once(*(lambda user=user: quick_match(user, "blokus", "live", now=NOW) for user in people))
    assert Match.objects.count() == 5
    assert Seat.objects.values("user").distinct().count() == Seat.objects.count() == 10


def test_sweeps_that_overlap_pair_the_waiting_once(cast):
    people = [rate(person, 1000 + 400 * number) for number, person in enumerate(crowd(cast, 6))]
    for person in people:
        assert quick_match(person, "blokus", "live", now=NOW).status == "open"
    then = NOW + timedelta(seconds=31)
    seen(then, *people)
    at_once(*[lambda: sweep(then)] * 6)
    sweep(then)
    assert Match.objects.count() == 3
    assert Seat.objects.values("user").distinct().count() == 6


def test_opening_tables_at_once_does_not_get_past_the_limit(cast):
    host = cast.host
    results = at_once(*[lambda: post_seek(host, wish(control=DAYS), now=NOW)] * (MOST_OPEN + 6))
    assert kinds(results) == {"Seek": MOST_OPEN, "TooMuch": 6}


def test_sitting_down_at_many_tables_at_once_does_not_get_past_the_limit(cast, post):
    bob = cast.bob
    tables = [post(cast.alice, "classic-4", control=DAYS).pk for _ in range(8)]
    SatDown.objects.create(user=bob, since=NOW, times=MOST_SAT - 3)
    results = at_once(*(lambda table=table: join_seek(table, bob, now=NOW) for table in tables))
    assert kinds(results) == {"Seek": 3, "TooMuch": 5}
    assert Place.objects.filter(user=bob).count() == 3
