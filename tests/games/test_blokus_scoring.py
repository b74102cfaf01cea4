"""Blokus scores: squares left, bonuses, sums over colours, and ranks (cases.md rows 56 and 58)."""

from __future__ import annotations

import pytest

from games.blokus.pieces import PIECES
from games.blokus.rules import Hand
from games.blokus.scoring import seat_scores
from games.kit.ranking import rank
from tests.games.blokus_positions import after, pieces, position_of, start

EVERYTHING = pieces(" ".join(PIECES))


def test_every_square_not_placed_costs_a_point() -> None:
    assert start("classic-4").scores() == (-89, -89, -89, -89)
    assert after("classic-4", "a18,a19,a20").scores() == (-86, -89, -89, -89)


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        (Hand(pieces=0, single_last=False), 15),
        (Hand(pieces=0, single_last=True), 20),
        (Hand(pieces=pieces("I2"), single_last=True), -2),
        (Hand(pieces=pieces("I1"), single_last=False), -1),
        (Hand(pieces=EVERYTHING), -89),
    ],
)
def test_the_bonus_is_for_all_pieces_and_more_only_when_the_single_square_came_last(hand: Hand, points: int) -> None:
    assert hand.points == points


def test_placing_the_single_square_early_earns_nothing_later() -> None:
    position = after("duo-2", "e10", "j5", "f8,f9")
    assert not position.hands[0].single_last
    assert position.scores() == (-86, -88)


def test_a_seat_of_classic_2_has_the_sum_of_its_two_colours() -> None:
    position = after("classic-2", "a19,a20", "t18,t19,t20", "q1,r1,s1,t1", "a1,a2")
    assert [hand.points for hand in position.hands] == [-87, -86, -85, -87]
    assert position.scores() == (-172, -173)
    assert rank(position.scores()) == (1, 2)


def test_green_of_classic_3_scores_for_nobody() -> None:
    assert after("classic-3", "a20", "t20", "t1", "a1,a2,a3,a4,a5").scores() == (-88, -88, -88)


def test_scores_of_seats_are_in_seat_order_whatever_the_order_of_colours() -> None:
    assert seat_scores((1, 2, 4, 8), (0, 1, 0, 1)) == (5, 10)
    assert seat_scores((1, 2, 4, 8), (0, 1, 2, None)) == (1, 2, 4)


def test_equal_scores_share_the_rank() -> None:
    end = position_of("classic-4", {"blue": (1, pieces("I2")), "red": (2, pieces("I2"))}, colour="blue")
    outcome = end.__class__(end.board, False, end.hands, None).outcome()
    assert outcome is not None
    assert outcome.scores == (-2, 15, -2, 15)
    assert outcome.ranks == (3, 1, 3, 1)
