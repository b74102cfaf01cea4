"""Ranks from scores, and of seats that left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit.ranking import rank, with_leavers


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([5, 3], (1, 2)),
        ([3, 5], (2, 1)),
        ([4, 4], (1, 1)),
        ([1, 9, 9, 4], (4, 1, 1, 3)),
        ([(5, 1), (5, 2), (6, 0)], (3, 2, 1)),
        ([], ()),
    ],
)
def test_the_highest_is_first_and_equals_share(scores: list[object], ranks: tuple[int, ...]) -> None:
    assert rank(scores) == ranks


@given(st.lists(st.integers(-5, 5), max_size=6))
def test_a_rank_is_one_more_than_the_number_of_better_ones(scores: list[int]) -> None:
    assert [place - 1 for place in rank(scores)] == [len([s for s in scores if s > score]) for score in scores]


@pytest.mark.parametrize(
    ("ranks", "left", "expected"),
    [
        ((1, 2, 3, 4), {}, (1, 2, 3, 4)),
        ((1, 2, 3, 4), {0: 10}, (4, 1, 2, 3)),
        ((1, 2, 3, 4), {0: 10, 2: 30}, (4, 1, 3, 2)),
        ((1, 1, 3), {0: 5, 1: 5}, (2, 2, 1)),
        ((2, 2, 1), {2: 7}, (1, 1, 3)),
        ((2, 1), {1: 3}, (1, 2)),
    ],
)
def test_leavers_come_last_and_later_ones_before_earlier_ones(
    ranks: tuple[int, ...], left: dict[int, int], expected: tuple[int, ...]
) -> None:
    assert with_leavers(ranks, left) == expected
