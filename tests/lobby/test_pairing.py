"""Quick match: who is paired with whom, when, and that nobody is paired twice."""

from __future__ import annotations

import pytest

from accounts.models import Tie
from accounts.ties import tie
from lobby import errors
from lobby.models import Seek
from lobby.pairing import quick_match, widen, window
from lobby.services import join_seek
from lobby.upkeep import sweep
from matches.models import Match
from tests.lobby.conftest import DAYS, LIVE, NOW, later, rate, seen, sitting, stored

pytestmark = pytest.mark.django_db


def quick(user, now=NOW, game="blokus", pace="live", **more) -> Seek:
    return quick_match(user, game, pace, now=now, **more)


def players(match: Match | None) -> set[str]:
    assert match is not None
    return {seat.user.username for seat in match.seats.all()}


def test_the_window_starts_near_widens_by_the_second_and_ends_with_everybody():
    assert [window(later(seconds=s) - NOW, "live") for s in (0, 1, 10, 29, 30, 600)] == [100, 125, 350, 825, None, None]
    assert window(later() - NOW, "correspondence") is None


def test_the_first_waits_and_the_second_sits_down_in_the_games_first_variant_for_two(cast):
    waiting = quick(cast.alice)
    assert (waiting.kind, waiting.status, waiting.rated) == ("quick", "open", True)
    assert (waiting.variant, waiting.time_control) == ("classic-2", "5m+10s")
    paired = quick(cast.bob)
    assert (paired.pk, paired.status) == (waiting.pk, "started")
    assert players(paired.match) == {"alice", "bob"}


def test_days_pair_at_once_however_far_apart(cast):
    rate(cast.alice, 2100, pace="correspondence")
    quick(cast.alice, pace="correspondence")
    assert players(quick(cast.bob, pace="correspondence").match) == {"alice", "bob"}


def test_among_several_within_reach_the_nearest_is_taken(cast, post):
    for name, rating in (("far", 1590), ("near", 1520), ("farther", 1420)):
        rate(getattr(cast, name), rating)
        post(getattr(cast, name), "classic-2", rated=True)
    assert players(quick(cast.alice).match) == {"alice", "near"}


def test_somebody_too_far_off_waits_until_the_window_is_wide_enough(cast):
    quick(rate(cast.strong, 1800))
    alone = quick(cast.newcomer)
    assert alone.status == "open"
    for seconds in (4, 7):
        seen(later(seconds=seconds), cast.strong, cast.newcomer)
        sweep(later(seconds=seconds))
        assert not Match.objects.exists()
    seen(later(seconds=8), cast.strong, cast.newcomer)
    assert sweep(later(seconds=8)) == 1
    assert players(Match.objects.get()) == {"strong", "newcomer"}
    assert not Seek.objects.filter(status="open").exists()
    assert sweep(later(seconds=10)) == 0


def test_after_half_a_minute_anybody_will_do(cast):
    quick(rate(cast.champion, 2900))
    quick(rate(cast.beginner, 500))
    seen(later(seconds=31), cast.champion, cast.beginner)
    sweep(later(seconds=29))
    assert not Match.objects.exists()
    sweep(later(seconds=31))
    assert players(Match.objects.get()) == {"champion", "beginner"}


def test_an_open_table_that_suits_is_as_good_as_a_quick_one(cast, post):
    seek = post(cast.alice, "classic-2", rated=True, control=LIVE)
    assert quick(cast.bob).pk == seek.pk


@pytest.mark.parametrize(
    "other",
    [{"variant": "duo-2"}, {"rated": False}, {"control": DAYS}, {"options": ("free-corners",)}, {"private": True}, {"rating_low": 1600}],
)
def test_an_open_table_that_is_something_else_is_left_alone(cast, post, other):
    seek = post(cast.alice, **({"variant": "classic-2", "rated": True, "control": LIVE} | other))
    assert quick(cast.bob).pk != seek.pk
    assert stored(seek).is_open


def test_guests_play_casual_among_each_other_and_who_wants_joins_them(cast):
    guest = cast.guest()
    waiting = quick(guest)
    assert not waiting.rated
    assert quick(cast.alice).pk != waiting.pk
    assert quick(cast.bob, rated=False).match is not None


def test_blocked_people_are_not_paired(cast):
    tie(cast.alice, cast.bob, Tie.Kind.BLOCK, now=NOW)
    quick(cast.alice)
    assert quick(cast.bob).status == "open"
    seen(later(seconds=40), cast.alice, cast.bob)
    sweep(later(seconds=40))
    assert not Match.objects.exists()
    assert players(quick(cast.carol, now=later(seconds=40)).match) == {"alice", "carol"}


def test_pressing_twice_waits_once_and_asking_for_something_else_ends_the_first_waiting(cast):
    first = quick(cast.alice)
    assert quick(cast.alice, now=later(seconds=5)).pk == first.pk
    second = quick(cast.alice, game="azul", now=later(seconds=6))
    assert (stored(first).status, stored(second).status) == ("cancelled", "open")


def test_who_went_away_is_not_paired(cast):
    quick(cast.alice)
    assert quick(cast.bob, now=later(seconds=50)).status == "open"
    assert quick(cast.carol, now=later(seconds=50)).match is not None


def test_four_are_brought_together_at_one_table(cast):
    seeks = [quick(getattr(cast, name), seats=4) for name in ("alice", "bob", "carol")]
    assert len({seek.pk for seek in seeks}) == 1
    assert sitting(seeks[0]) == ["alice", "bob", "carol", ""]
    assert players(quick(cast.dave, seats=4).match) == {"alice", "bob", "carol", "dave"}


def test_two_half_filled_tables_for_four_end_as_one(cast):
    quick(rate(cast.alice, 1900), seats=4)
    quick(cast.bob, seats=4)
    seen(later(seconds=31), cast.alice, cast.bob)
    sweep(later(seconds=31))
    (left,) = Seek.objects.filter(status="open")
    assert {name for name in sitting(left) if name} == {"alice", "bob"}


def test_widening_for_a_table_that_is_gone_or_shared_does_nothing(cast):
    assert widen(10**9, NOW) is None
    shared = quick(cast.alice, seats=4)
    join_seek(shared.pk, cast.bob, now=NOW)
    assert widen(shared.pk, later(seconds=40)) is None


def test_a_quick_match_that_there_is_not_is_refused(cast):
    with pytest.raises(errors.BadWish, match="no table for 4"):
        quick(cast.alice, game="nibble", seats=4)
    with pytest.raises(errors.BadWish, match="live or over days"):
        quick(cast.alice, pace="none")
