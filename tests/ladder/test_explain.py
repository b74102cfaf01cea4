"""What a result says in words follows from the numbers that moved the rating."""

from __future__ import annotations

from random import Random

import pytest
from django.utils.translation import override

from ladder import formula, scale
from ladder.explain import Placed, chances, expected_rank, sentence, short
from ladder.scale import START, Strength

SETTLED = Strength(25.0, 2.0)


def strengths(chance: Random, number: int) -> list[Strength]:
    return [Strength(chance.uniform(15, 35), chance.uniform(1, 8)) for _ in range(number)]


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_chances_add_up_to_one_and_ranks_to_their_sum(number: int) -> None:
    field = strengths(Random(number), number)
    assert sum(chances(field)) == pytest.approx(1)
    assert sum(expected_rank(field, seat) for seat in range(number)) == pytest.approx(number * (number + 1) / 2)


def test_the_chance_is_the_very_one_that_moves_the_rating() -> None:
    # A win moves the mean by sigma²/c times what was missing to a sure win, a loss by sigma²/c times the chance.
    own, other = Strength(27.0, 3.0), Strength(24.0, 2.0)
    up = formula.rate([own, other], [1, 2])[0].mu - own.mu
    down = own.mu - formula.rate([own, other], [2, 1])[0].mu
    assert down / (up + down) == pytest.approx(chances([own, other])[0], abs=1e-6)


def test_equals_have_equal_chances_and_the_middle_rank() -> None:
    assert chances([START] * 4) == pytest.approx([0.25] * 4)
    assert expected_rank([START] * 4, 2) == pytest.approx(2.5)


def test_the_stronger_is_expected_to_come_first_more_often() -> None:
    assert expected_rank([Strength(30, 2), Strength(20, 2)], 0) < 1.3


TWO = [Placed("Ann", SETTLED, 1), Placed("Bob", Strength(28.733333, 2.0), 2)]


def swapped(ranks: list[int]) -> list[Placed]:
    return [placed._replace(rank=rank) for placed, rank in zip(TWO, ranks, strict=True)]


def test_a_match_of_two_names_the_other_and_how_likely_a_win_was() -> None:
    wins = round(100 * chances([placed.strength for placed in TWO])[0])
    assert wins == 36
    assert sentence(TWO, 0, 12) == "+12: you beat Bob (1612 ± 60); of 100 such matches you would win 36."
    assert sentence(swapped([2, 1]), 0, -7) == "\u22127: you lost to Bob (1612 ± 60); of 100 such matches you would win 36."
    assert sentence(swapped([1, 1]), 0, 0) == "±0: you and Bob (1612 ± 60) tied; of 100 such matches you would win 36."
    assert sentence(TWO, 1, -12).endswith("you lost to Ann (1500 ± 60); of 100 such matches you would win 64.")


def test_with_more_seats_it_is_the_rank_that_counts() -> None:
    four = [Placed(name, SETTLED, rank) for name, rank in zip("abcd", (2, 1, 4, 3), strict=True)]
    assert sentence(four, 0, 3) == "+3: you came second of four; expected was about 2.5."
    tied = [Placed(name, SETTLED, rank) for name, rank in zip("abc", (1, 2, 2), strict=True)]
    assert sentence(tied, 2, -4) == "\u22124: you came shared second of three; expected was about 2.0."


def test_a_provisional_rating_is_told_why_it_moves_so_far() -> None:
    match = [Placed("new", START, 1), Placed("Bob", SETTLED, 2)]
    assert sentence(match, 0, 90).endswith("Your rating is still provisional, so each match moves it far.")
    assert "provisional" not in sentence(match, 1, -2)
    assert "(1500? ± 250)" in sentence(match, 1, -2)


def test_a_list_has_the_same_in_a_few_words() -> None:
    assert [short(swapped(ranks), 0) for ranks in ([1, 2], [1, 1], [2, 1])] == [
        "Beat Bob (1612 ± 60)", "Tied with Bob (1612 ± 60)", "Lost to Bob (1612 ± 60)",
    ]  # fmt: skip
    four = [Placed(name, SETTLED, rank) for name, rank in zip("abcd", (2, 1, 4, 3), strict=True)]
    assert short(four, 2) == "Fourth of four, 2.5 expected"


def test_no_chance_is_told_as_none_or_as_certain() -> None:
    match = [Placed("weak", Strength(1, 1), 2), Placed("strong", Strength(60, 1), 1)]
    assert "would win 1." in sentence(match, 0, 0)
    assert "would win 99." in sentence(match, 1, 0)


def test_numbers_are_written_in_the_readers_language() -> None:
    four = [Placed(name, SETTLED, rank) for name, rank in zip("abcd", (2, 1, 4, 3), strict=True)]
    with override("fr"):
        assert "2,5" in sentence(four, 0, 3)


def test_ratings_and_changes_are_written_in_one_way() -> None:
    assert [scale.written(1523, deviation) for deviation in (60, 150, 151, None)] == ["1523 ± 60", "1523 ± 150", "1523? ± 151", "1523"]
    assert [scale.signed(points) for points in (12, -9, 0)] == ["+12", "\u22129", "±0"]
    assert scale.in_words(*START) == "1500? ± 250"
