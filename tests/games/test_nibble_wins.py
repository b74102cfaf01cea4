"""Who wins at Nibble, when and why (cases.md rows 61 to 64 and 73)."""

from __future__ import annotations

import pytest

from games.kit.protocol import Outcome
from games.nibble.board import board_of
from games.nibble.rules import Position
from games.nibble.scoring import immediate_win, majorities, threats
from tests.games.nibble_positions import VARIANTS, play, position_of

SQUARE = board_of("square-9")


def won(position: Position) -> tuple[int, str, str] | None:
    """Seat, kind and colours of the win, if the match is over."""
    view = position.view(None)["won"]
    assert (view is None) == (position.to_move is not None)
    return view and (view["seat"], view["kind"], view["colours"])


def ranks(position: Position) -> tuple[int, ...] | None:
    outcome = position.outcome()
    return outcome and outcome.ranks


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("colour", "abcdefghi")
def test_all_nine_of_a_colour_win_at_once_whoever_has_them_and_whichever_it_is(seat: int, colour: str) -> None:
    others = [letter for letter in "abcdefghi" if letter != colour]
    left = {colour: "a1", others[0]: "b1 d1", others[1]: "c1"}
    share = {"first": colour * 8} if seat == 0 else {"second": colour * 8}
    end = play(position_of("square-9", left, seat=seat, **share), "a1")
    assert won(end) == (seat, "all", colour)
    assert ranks(end) == ((1, 2) if seat == 0 else (2, 1))
    assert not end.legal_moves() and end.offer() == {} and end.view(None)["takeable"] == []


def test_eight_of_nine_of_a_colour_are_not_all() -> None:
    position = position_of("square-9", {"a": "a1", "b": "b1"}, first="a" * 7)
    assert won(play(position, "a1")) is None


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("start", range(7))
@pytest.mark.parametrize("last", range(3))
def test_seven_of_each_of_three_in_a_row_win_anywhere_on_the_table(seat: int, start: int, last: int) -> None:
    row = "abcdefghi"[start : start + 3]
    left = {row[last]: "a1", "i" if start < 3 else "a": "b1"}
    had = row[0] * 7 + row[1] * 7 + row[2] * 7
    had = had.replace(row[last], "", 1)
    share = {"first": had} if seat == 0 else {"second": had}
    end = play(position_of("square-9", left, seat=seat, **share), "a1")
    assert won(end) == (seat, "triple", row)


@pytest.mark.parametrize("row", ["abi", "ahi", "ace", "abd"])
def test_three_colours_that_are_not_in_a_row_do_not_win_as_the_table_does_not_wrap_round(row: str) -> None:
    had = "".join(letter * 7 for letter in row)[1:]
    position = position_of("square-9", {row[0]: "a1", "f": "b1"}, first=had)
    assert won(play(position, "a1")) is None


def test_six_of_one_of_the_three_are_too_few() -> None:
    position = position_of("square-9", {"d": "a1 c1", "f": "b1"}, first="c" * 7 + "d" * 5 + "e" * 7)
    assert won(play(position, "a1")) is None
    assert won(play(position, "a1,c1")) == (0, "triple", "cde")


def test_what_the_rival_has_does_not_help_to_three_in_a_row() -> None:
    position = position_of("square-9", {"d": "a1", "f": "b1"}, first="c" * 7 + "d" * 6)
    assert position.counts(1)[4] == 9
    assert won(play(position, "a1")) is None


def test_with_thirteen_colours_it_takes_ten_of_each_of_three() -> None:
    for variant in ("square-13", "hex-13"):
        left = {"l": "h8", "a": "h9"}
        nine = position_of(variant, left, first="k" * 10 + "l" * 8 + "m" * 10)
        ten = position_of(variant, left, first="k" * 10 + "l" * 9 + "m" * 10)
        assert won(play(nine, "h8")) is None
        assert won(play(ten, "h8")) == (0, "triple", "klm")


def test_with_thirteen_colours_twelve_of_a_colour_are_not_all() -> None:
    for variant in ("square-13", "hex-13"):
        left = {"l": "h8", "a": "h9"}
        assert won(play(position_of(variant, left, first="l" * 11), "h8")) is None
        assert won(play(position_of(variant, left, first="l" * 12), "h8")) == (0, "all", "l")


def test_a_match_goes_on_while_the_loser_could_still_get_three_in_the_middle_of_the_table() -> None:
    had = "a" * 5 + "b" * 5 + "c" * 9 + "g" * 5 + "h" * 5 + "i" * 5
    position = position_of("square-9", {"a": "b1", "e": "a1", "b": "c1"}, first=had + "ee", seat=1)
    assert position.scores()[0] >= 5
    assert position.to_move == 1
    assert won(play(position, "a1")) == (1, "triple", "def")


def test_who_wins_at_once_is_first_whatever_the_majorities_are() -> None:
    position = position_of("square-9", {"a": "a1", "b": "b1"}, first="a" * 8)
    end = play(position, "a1")
    assert end.outcome() == Outcome((1, 8), (1, 2))


def test_a_win_at_once_with_the_very_last_block_counts_before_majorities() -> None:
    end = play(position_of("square-9", {"a": "a1"}, first="a" * 8), "a1")
    assert end.left == 0
    assert won(end) == (0, "all", "a")
    assert ranks(end) == (1, 2)


def test_who_takes_the_last_block_loses_to_five_majorities_of_the_other() -> None:
    four = "a" * 5 + "c" * 5 + "e" * 5 + "g" * 4
    others = "b" * 4 + "d" * 4 + "f" * 4 + "h" * 4 + "i" * 4
    end = play(position_of("square-9", {"g": "e5"}, first=four + others), "e5")
    assert won(end) == (1, "majorities", "bdfhi")
    assert end.outcome() == Outcome((4, 5), (2, 1))


@pytest.mark.parametrize("variant", ["square-13", "hex-13"])
def test_with_thirteen_colours_seven_are_a_majority_and_six_are_not(variant: str) -> None:
    board = board_of(variant)
    assert majorities(board, [6] * 13) == ""
    assert majorities(board, [7, 6] * 6 + [7]) == "acegikm"
    seven = "".join(letter * 7 for letter in "acegikm")
    six = "".join(letter * 6 for letter in "bdfhjl")
    end = play(position_of(variant, {"m": "h8"}, first=seven[:-1] + six), "h8")
    assert end.outcome() == Outcome((7, 6), (1, 2))
    lost = play(position_of(variant, {"m": "h8"}, second=seven[:-1] + six, seat=0), "h8")
    assert lost.outcome() == Outcome((7, 6), (1, 2))


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_empty_board_has_no_ties(variant: str) -> None:
    board = board_of(variant)
    assert board.each % 2 == 1
    assert 2 * board.majority == board.each + 1


def test_a_colour_that_completes_all_and_three_in_a_row_wins_by_all() -> None:
    counts = [9, 7, 7, *[0] * 6]
    assert immediate_win(SQUARE, counts, 0) == ("all", "a")
    assert immediate_win(SQUARE, counts, 2) == ("triple", "abc")
    assert immediate_win(SQUARE, [7, 7, 6, *[0] * 6], 1) is None


def test_threats_are_the_wins_that_three_more_blocks_can_bring_nearest_first() -> None:
    own = [6, 0, 7, 7, 6, 0, 0, 0, 0]
    rival = [0, 1, 2, 2, 2, 0, 8, 0, 0]
    assert threats(SQUARE, (own, rival)) == [
        (0, "triple", "cde", (0, 0, 1)),
        (1, "all", "g", (1,)),
        (0, "all", "a", (3,)),
    ]


def test_a_win_that_the_rival_has_spoilt_is_no_threat() -> None:
    own = [8, 0, 7, 7, 6, 0, 0, 0, 0]
    rival = [1, 0, 2, 2, 3, 0, 0, 0, 0]
    assert threats(SQUARE, (own, rival)) == []


def test_no_threat_is_left_when_the_match_is_over() -> None:
    position = position_of("square-9", {"a": "a1", "b": "b1", "c": "c1"}, first="a" * 8 + "b" * 8)
    assert [threat["colours"] for threat in position.view(None)["threats"][:2]] == ["a", "b"]
    assert play(position, "a1").view(None)["threats"] == []
