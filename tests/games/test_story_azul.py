"""What Azul tells of plies, and why it calls a move better."""

from __future__ import annotations

from functools import partial

from games.azul import GAME
from tests.games import stories
from tests.games.azul_positions import board, coloured_wall, play, position_of

told, reason = partial(stories.events, GAME), partial(stories.reason, GAME)


def test_nothing_is_told_of_a_take_in_the_middle_of_a_round() -> None:
    assert told(position_of([board()], factories="BBRK", centre="YY"), "cY2") == []


def test_a_row_that_is_completed_at_the_rounds_end_is_told_with_its_bonus() -> None:
    last = position_of([board(coloured_wall("BYRK"), "- YY")], centre="W", marker=1)
    assert told(last, "cW1") == [("row", 0, "Row 1 is complete"), ("bonus", 0, "Bonuses at the end: 2 points")]


def test_a_match_that_ends_big_is_told_seat_by_seat() -> None:
    rich = board(["BYRK.", "WBYRK", "KWBYR", "RKWBY", "YRKW."], "- - - - BBBB")
    assert told(position_of([rich, board(floor="BBBB", score=20)], centre="B", marker=1), "cB5") == [
        ("points", 0, "One tile scores 9 points"),
        ("row", 0, "Row 5 is complete"),
        ("colour", 0, "All five blue tiles are on the wall"),
        ("floor", 1, "The floor costs 6 points"),
        ("bonus", 0, "Bonuses at the end: 76 points"),
    ]


def test_a_floor_is_told_by_what_it_costs_even_where_there_are_not_so_many_points_to_lose() -> None:
    poor = position_of([board(), board(floor="BBBBB", score=3)], centre="B", marker=1)
    assert told(poor, "cB1") == [("floor", 1, "The floor costs 8 points")]
    assert told(position_of([board(), board(floor="BBB", score=3)], centre="B", marker=1), "cB1") == []


def test_on_the_grey_side_a_column_is_told_of_when_its_tile_is_placed_and_once() -> None:
    wall = ["B....", "Y....", "R....", "K...."]
    end = position_of([board(wall, "W - - - WWWWW")], centre="B", marker=1, variant="grey-2")
    assert told(end, "cBf") == []
    choosing = play(end, "cBf", "w12")
    assert told(choosing, "w51") == [("column", 0, "Column 1 is complete")]
    assert told(choosing, "w53") == []


def test_the_floor_is_a_reason() -> None:
    position = position_of([board()], factories="BBBB/YYRK/RRKW", marker=1)
    assert reason(position, "1B4", "1B2") == "The floor costs less: 0 instead of 2."
    assert reason(position, "1B2", "1B4") is None


def test_a_tile_that_scores_more_is_a_reason() -> None:
    position = position_of([board(coloured_wall("BY"))], factories="RYYK/BBKW", marker=1)
    assert reason(position, "1R1", "2W1") == "It fills line 1, whose tile scores more: 3 instead of 1."
    assert reason(position, "1R1", "2W2") == "It fills line 1, whose tile scores 3."


def test_a_bonus_that_comes_near_is_a_reason() -> None:
    four = position_of([board(coloured_wall("", "B", "B", "B", "B"))], factories="BYYK/RRKW", marker=1)
    assert reason(four, "1B1", "1K1") == "It completes all five blue tiles, for 10 points at the end."
    column = position_of([board(coloured_wall("", "W", "K", "R", "Y"))], factories="BYYK/RRKW", marker=1)
    assert reason(column, "1B1", "1K1") == "It completes column 1, for 7 points at the end."


def test_a_line_that_is_done_with_is_better_than_one_that_waits() -> None:
    position = position_of([board()], factories="RRYK/BBWW/KKKY", marker=1)
    assert reason(position, "1R2", "2B3") == "It fills line 2, whose tile scores 1."


def test_the_starting_marker_is_a_reason_where_it_costs_no_more_than_it_is_worth() -> None:
    position = position_of([board()], factories="YYKK", centre="KK")
    assert reason(position, "cK3", "1K3") == "It takes the starting marker, and with it the first choice of the next round."


def test_who_is_ahead_ends_the_match_and_who_is_behind_does_not() -> None:
    near = board(coloured_wall("BYRK"), score=30)
    ahead = position_of([near, board(score=10)], factories="WYYK/KKRR", marker=1)
    assert reason(ahead, "1W1", "2K2") == "It completes a row, so that the match ends while this seat is ahead."
    behind = position_of([near._replace(score=3), board(score=40)], factories="WYYK/KKRR", marker=1)
    assert reason(behind, "2K2", "1W1") == "It does not complete a row yet, which would end the match while this seat is behind."


def test_what_the_next_player_is_left_is_a_reason() -> None:
    rival = board(coloured_wall("", "", "BYW", "R", "R"), "- - RR")
    position = position_of([board(), rival], factories="RYYY/YYYY", marker=1)
    assert reason(position, "1R1", "2Y4") == (
        "The move that was made leaves red tiles to the next player, who can fill line 3 with them for 4."
    )


def test_a_column_of_the_grey_wall_is_chosen_for_its_points() -> None:
    position = position_of([board(["", "YR..."], "W")], centre="B", marker=1, variant="grey-2")
    choosing = play(position, "cBf")
    assert reason(choosing, "w11", "w15") == "The tile scores more there: 2 instead of 1."
    assert reason(choosing, "w15", "w11") is None
