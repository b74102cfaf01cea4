"""The arithmetic: what a result and time do to strengths, and the number that people see."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import permutations
from random import Random

import pytest
from openskill.models import PlackettLuce

from ladder import formula, scale
from ladder.formula import DIGITS, rate, widened
from ladder.scale import ANCHORS, START, Strength, anchor, deviation, provisional, shown

FIELD = [Strength(31.5, 2.25), Strength(25.0, 25 / 3), Strength(18.123456, 4.0), Strength(25.0, 1.0)]
YEAR = timedelta(days=365)


def test_a_result_is_that_of_plackett_and_luce_as_openskill_computes_it():
    model = PlackettLuce()
    teams = model.rate([[model.rating(*strength)] for strength in FIELD], ranks=[2, 1, 3, 4])
    for (player,), after in zip(teams, rate(FIELD, [2, 1, 3, 4]), strict=True):
        assert after == (pytest.approx(player.mu, abs=1e-6), pytest.approx(player.sigma, abs=1e-6))


@pytest.mark.parametrize("ranks", [(1, 2, 3, 4), (3, 1, 1, 4), (1, 1, 1, 1), (2, 1, 2, 2)])
def test_any_order_of_the_seats_gives_the_same_to_the_last_bit(ranks):
    usual = rate(FIELD, ranks)
    for order in permutations(range(4)):
        assert rate([FIELD[seat] for seat in order], [ranks[seat] for seat in order]) == [usual[seat] for seat in order]


def test_the_order_of_seats_that_tie_makes_no_difference_that_rounding_must_hide(monkeypatch):
    monkeypatch.setattr(formula, "DIGITS", 17)
    chance = Random(1)
    for _ in range(40):
        field = [Strength(chance.uniform(10, 40), chance.uniform(1, 8)) for _ in range(4)]
        assert rate(field[::-1], [1] * 4) == rate(field, [1] * 4)[::-1]


def test_only_the_order_of_the_ranks_matters():
    assert rate(FIELD, [1, 3, 3, 4]) == rate(FIELD, [1, 2, 2, 3])


def test_a_tie_of_equals_moves_neither_and_makes_both_surer():
    one, other = rate([START, START], [1, 1])
    assert one == other
    assert one.mu == START.mu
    assert one.sigma < START.sigma


def test_a_tie_lifts_the_weaker_and_lowers_the_stronger():
    strong, weak = Strength(30, 3), Strength(20, 3)
    up, down = rate([weak, strong], [1, 1])
    assert up.mu > weak.mu
    assert down.mu < strong.mu


def test_of_three_newcomers_the_first_gains_and_the_last_loses():
    first, second, last = rate([START] * 3, [1, 2, 3])
    assert first.mu > second.mu > last.mu
    assert first.mu > START.mu > last.mu


def test_those_who_share_a_place_are_treated_alike():
    first, *shared = rate([START] * 3, [1, 2, 2])
    assert shared[0] == shared[1]
    assert first.mu > START.mu > shared[0].mu


def test_a_surprise_moves_more_than_what_was_expected():
    strong, weak = Strength(30, 3), Strength(20, 3)
    assert rate([weak, strong], [1, 2])[0].mu - weak.mu > rate([strong, weak], [1, 2])[0].mu - strong.mu


def test_results_have_as_many_decimals_as_can_be_written_down():
    for strength in rate(FIELD, [3, 1, 2, 4]):
        for number in strength:
            assert float(f"{number:.{DIGITS}f}") == number


def test_a_result_of_one_is_none():
    with pytest.raises(ValueError, match="at least two"):
        rate([START], [1])


def test_time_makes_less_sure_but_never_less_than_a_newcomer():
    settled = Strength(33.0, 1.5)
    assert widened(settled, timedelta(0)) == widened(settled, timedelta(days=-1)) == settled
    assert settled.sigma < widened(settled, timedelta(days=30)).sigma < widened(settled, YEAR).sigma
    assert widened(settled, 100 * YEAR) == Strength(33.0, pytest.approx(START.sigma, abs=1e-6))


def test_somebody_settled_turns_provisional_after_a_year():
    settled = Strength(25.0, scale.SETTLED / scale.POINTS)
    assert not provisional(widened(settled, YEAR).sigma)
    assert provisional(widened(settled, YEAR * 1.05).sigma)


def test_a_newcomer_is_shown_as_1500_give_or_take_250_and_provisional():
    assert (shown(START.mu), deviation(START.sigma), provisional(START.sigma)) == (1500, 250, True)


def test_400_points_are_odds_of_about_ten_to_one_between_settled_players():
    # A win moves the mean by the chance that was left for a loss; the two chances add up to one.
    weak, strong = Strength(25.0, 1.5), Strength(25.0 + 400 / scale.POINTS, 1.5)
    upset, usual = rate([weak, strong], [1, 2])[0].mu - weak.mu, rate([weak, strong], [2, 1])[1].mu - strong.mu
    assert math.isclose(upset / usual, 10, rel_tol=0.2)


def test_the_anchors_rise_with_the_level_and_are_sure():
    rising = [shown(ANCHORS[level].mu) for level in ("beginner", "casual", "skilled", "strong")]
    assert rising == sorted(set(rising))
    assert not any(provisional(strength.sigma) for strength in ANCHORS.values())


def test_a_level_without_an_anchor_counts_as_a_newcomer():
    assert anchor("never heard of") == START
