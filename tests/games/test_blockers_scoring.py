"""Blockers! scores: groups, captured tiles of one colour, ties (cases.md rows 8, 10, 11 and 13)."""

from __future__ import annotations

import pytest

from games.blockers.scoring import ranks, score
from games.kit.ranking import rank
from tests.games.blockers_positions import place, position_of, start


def test_nobody_has_points_at_the_start() -> None:
    assert start("basic-3").scores() == (0, 0, 0)


def test_a_lone_tile_is_a_group() -> None:
    """Case 10."""
    position = position_of("basic-2", {"r": "5@E5", "y": "1@A1 2@A2 9@I9"}, racks={"r": "A1234"})
    assert position.scores() == (1, 2)


def test_only_the_colour_captured_most_counts() -> None:
    """Case 8: two of one colour and three of another cost three, not five."""
    position = position_of("double-2", {}, racks={"r": "A1234"}, captured={0: "y:1 y:2 b:1 b:2 b:3"})
    assert position.captured_by_colour(0) == [0, 2, 0, 3]
    assert position.scores() == (3, 0)


def test_two_colours_captured_equally_often_count_once() -> None:
    position = position_of("basic-3", {}, racks={"r": "A1234"}, captured={0: "y:1 y:2 g:1 g:2"})
    assert position.scores() == (2, 0, 0)


def test_captures_spread_over_colours_beat_captures_of_one() -> None:
    """Case 11: one group and three blue tiles lose to two groups and one tile of each colour."""
    position = position_of(
        "basic-4",
        {"r": "5@E5", "y": "1@A1 9@I9"},
        racks={"r": "A1234"},
        captured={0: "b:1 b:2 b:3", 1: "r:1 g:1 b:4"},
    )
    scores = position.scores()
    assert scores[:2] == (4, 3)
    assert ranks(scores[:2], [3, 3]) == (2, 1)


def test_the_lowest_score_wins() -> None:
    assert ranks([7, 3, 5], [0, 0, 0]) == (3, 1, 2)


def test_of_equal_scores_the_one_with_fewer_captured_tiles_in_all_is_better() -> None:
    assert ranks([4, 4, 6], [5, 3, 0]) == (2, 1, 3)


@pytest.mark.parametrize("captured", [[[2, 1, 0], [1, 2, 0]], [[2, 2, 0], [2, 1, 1]]])
def test_equal_scores_and_equal_captures_share_the_rank_however_they_are_spread(captured: list[list[int]]) -> None:
    """Case 13: the second-most colour decides nothing."""
    assert score(2, captured[0]) == score(2, captured[1])
    assert ranks([4, 4], list(map(sum, captured))) == (1, 1)
    assert ranks([4, 4, 9], [*map(sum, captured), 0]) == rank([1, 1, 0])


def test_a_seat_of_double_2_counts_the_groups_of_both_colours_and_its_own_tiles_among_the_captured() -> None:
    position = position_of(
        "double-2",
        {"r": "1@A1 2@A2", "g": "9@I9 5@E5", "b": "6@F6"},
        racks={"r": "A1234"},
        captured={0: "r:3 r:4 y:1"},
    )
    assert position.scores() == (3 + 2, 1)


def test_capturing_a_single_tile_helps_its_owner() -> None:
    position = position_of("basic-2", {"r": "1@A1", "y": "5@E5 9@I9"}, racks={"r": "E1234", "y": "12346"})
    assert position.scores() == (1, 2)
    assert place(position, "E@E5").scores() == (3, 1)
