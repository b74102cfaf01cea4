"""Lag is measured by the server alone, and what is given back for it is bounded whatever is claimed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.clock import TimeControl
from matches.lag import LATE_SECONDS, Lag
from matches.services import Person, play_move, start_match
from tests.platform.conftest import NOW, legal, now_at


def test_lag_is_half_the_median_of_the_last_round_trips():
    lag = Lag()
    assert lag.ms == 0
    for trip in (0.9, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2):
        lag.echoed(lag.mark(10.0), 10.0 + trip)
    assert lag.ms == 100


def test_an_echo_that_is_late_twice_or_invented_says_nothing():
    lag = Lag()
    mark = lag.mark(0.0)
    for invented in (mark + 1, -1, 2**31 - 1):
        lag.echoed(invented, 0.5)
    lag.echoed(lag.mark(0.0), LATE_SECONDS + 0.1)
    assert lag.ms == 0
    lag.echoed(mark, 0.04)
    lag.echoed(mark, 3.0)
    assert lag.ms == 20
    old = lag.mark(4.0)
    for _ in range(10):
        lag.mark(4.0)
    lag.echoed(old, 8.0)
    assert lag.ms == 20


@pytest.mark.django_db
@pytest.mark.parametrize("claimed", [300, 10_000, 2**31])
def test_whoever_claims_lag_with_every_move_gets_no_more_than_the_quota(cast, claimed):
    control = TimeControl.parse("5m+8s")
    match = start_match("cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], control=control, now=NOW)
    at, gain = NOW, 1000
    while now_at(match).running:
        current, at = now_at(match), at + timedelta(seconds=7)
        play_move(match.pk, current.to_move, legal(current), ply=current.ply, lag=claimed, now=at)
    for seat in (0, 1):
        given = [move.lag_ms for move in match.moves.filter(seat=seat)]
        assert max(given) <= 7 * gain
        assert sum(given) <= 3 * gain + gain * (len(given) - 1)
        assert all(lag <= 7000 for lag in given)
