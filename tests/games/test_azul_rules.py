"""The rules of Azul: takes, lines, the floor, the marker, and the end of a round and of the match (cases.md rows 14 to 35)."""

from __future__ import annotations

import pytest

from games.azul import GAME
from games.azul.notation import Take
from games.azul.scoring import PENALTIES
from games.azul.tiles import ALL_TILES, letters, size
from games.kit.protocol import CHANCE, IllegalMove
from tests.games.azul_positions import (
    VARIANTS,
    after,
    all_tiles,
    board,
    coloured_wall,
    play,
    position_of,
    refusal,
    start,
    texts,
)

DEAL = "=BBRY/KWWB/YYRK/BWWR/KKYR"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_starts_with_a_full_bag_and_a_deal_for_all_factories(variant: str) -> None:
    position = start(variant)
    assert position.to_move is CHANCE
    assert position.chance_label == "round 1"
    assert position.bag == ALL_TILES and size(position.bag) == 100
    assert len(position.sources) - 1 == {2: 5, 3: 7, 4: 9}[position.table.seats]


def test_all_tiles_of_the_colour_are_taken_and_the_rest_of_the_factory_goes_to_the_centre() -> None:
    position = after("coloured-2", DEAL, "1B2")
    assert letters(position.sources[0]) == "YR"
    assert position.sources[1] == 0
    assert letters(position.boards[0].lines[1]) == "BB"
    assert position.to_move == 1


def test_all_tiles_of_the_colour_are_taken_from_the_centre_and_the_rest_stays() -> None:
    position = after("coloured-2", DEAL, "1B2", "3Y2", "cR1")
    assert letters(position.sources[0]) == "YK"
    assert letters(position.boards[0].lines[0]) == "R"
    assert position.boards[0].floor == "*R"


def test_the_first_to_take_from_the_centre_gets_the_marker_and_nobody_after() -> None:
    position = after("coloured-2", DEAL, "1B2", "cY1")
    assert position.marker == 1
    assert position.boards[1].floor == "*"
    position = play(position, "cR1")
    assert position.marker == 1
    assert position.boards[0].floor == ""


def test_the_marker_takes_its_floor_place_before_the_tiles_of_that_take() -> None:
    position = after("coloured-2", DEAL, "2W1", "cKf", "cBf")
    assert position.boards[0].floor == "WB"
    assert position.boards[1].floor == "*K"


def test_two_tiles_then_the_marker_then_one_tile_lie_on_the_floor_in_that_order_and_cost_6() -> None:
    position = position_of([board(floor="RR")], factories="BBBB", centre="BK")
    position = play(position, "cBf")
    view = position.view(None)["boards"][0]
    assert (view["floor"], view["penalty"]) == ("RR*B", -6)


def test_the_marker_with_a_full_floor_is_kept_without_a_place_and_without_a_penalty() -> None:
    position = position_of([board(floor="RRRKKKY")], factories="BBBB", centre="BK")
    position = play(position, "cK1")
    assert position.marker == 0
    assert position.boards[0].floor == "RRRKKKY"
    position = play(position, "1B4", "cB2")
    assert position.starter == 0
    assert letters(position.lid) == "BBBYRRRKKK"


def test_only_the_tiles_over_go_to_the_floor_behind_those_that_lie_there() -> None:
    """Line 2 has one red, the floor two tiles: of three reds one fills the line, two take places 3 and 4."""
    position = position_of([board(lines="- R", floor="KK")], factories="RRRB")
    position = play(position, "1R2")
    assert letters(position.boards[0].lines[1]) == "RR"
    assert position.boards[0].floor == "KKRR"


def test_four_blue_for_line_2_with_one_blue_leave_another_blue_line_as_it_is() -> None:
    position = position_of([board(lines="- B - - BB")], factories="BBBB/RRRR")
    position = play(position, "1B2")
    assert [letters(heap) for heap in position.boards[0].lines] == ["", "BB", "", "", "BB"]
    assert position.boards[0].floor == "BBB"


def test_nine_pieces_on_the_floor_cost_14_and_two_tiles_are_in_the_lid() -> None:
    position = position_of([board(floor="RRRKK", score=30)], factories="RRRR", centre="WWWW")
    position = play(position, "cW1", "1R4")
    assert position.boards[0].score == 30 + 1 - 14
    assert letters(position.lid) == "RRRRRRKKWWW"


def test_what_does_not_fit_on_the_floor_goes_to_the_lid_at_once() -> None:
    position = position_of([board(floor="RRRKK")], factories="RRRR/YYYY", centre="WWWW", marker=1)
    position = play(position, "cWf")
    assert position.boards[0].floor == "RRRKKWW"
    assert letters(position.lid) == "WW"


def test_a_full_line_is_not_offered_nor_one_whose_wall_row_has_the_colour() -> None:
    position = position_of([board(wall=coloured_wall("", "B"), lines="- - BBB")], factories="BKKK")
    assert [text for text in texts(position) if "B" in text] == ["1B1", "1B4", "1B5", "1Bf"]
    assert refusal(position, "1B3").code == "line_full"
    assert refusal(position, "1B2").code == "colour_on_wall"


def test_yellow_for_a_line_whose_row_has_yellow_is_refused_and_nothing_changes() -> None:
    position = position_of([board(wall=coloured_wall("", "", "", "Y"))], factories="YYRK", centre="B")
    error = refusal(position, "1Y4")
    assert error.code == "colour_on_wall"
    assert "yellow" in str(error) and "Row 4" in str(error)
    assert letters(position.sources[1]) == "YYRK" and letters(position.sources[0]) == "B"


def test_a_line_holds_one_colour() -> None:
    error = refusal(position_of([board(lines="- - R")], factories="YYRK"), "1Y3")
    assert error.code == "other_colour"
    assert "line 3" in str(error) and "red" in str(error)


def test_the_floor_is_always_open() -> None:
    stuffed = board(lines="R YY KKK WWWW BBBBB", floor="RRRKKKY")
    position = position_of([stuffed], factories="YYRK", centre="B")
    assert texts(position) == ["cBf", "1Yf", "1Rf", "1Kf"]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("6B1", "no_factory", "1 to 5"),
        ("1W1", "not_on_factory", "white tile on factory 1"),
        ("cB1", "empty_centre", "centre"),
        ("w11", "no_column_due", "column"),
        (DEAL, "no_deal_due", "deal"),
    ],
)
def test_a_take_of_what_is_not_there_is_refused_with_the_place(text: str, code: str, words: str) -> None:
    error = refusal(after("coloured-2", DEAL), text)
    assert error.code == code
    assert words in str(error)


def test_an_empty_factory_and_a_colour_missing_in_the_centre_are_told() -> None:
    position = after("coloured-2", DEAL, "1B2")
    assert refusal(position, "1B2").code == "empty_factory"
    assert refusal(position, "cB2").code == "not_in_centre"


def test_nothing_is_taken_before_the_deal_nor_after_the_end() -> None:
    assert refusal(start(), "1B1").code == "deal_due"
    over = position_of([], to_move=None)
    assert refusal(over, "1B1").code == "match_over"
    with pytest.raises(IllegalMove) as caught:
        start().play("1B1")
    assert caught.value.code == "not_a_move"


def test_a_round_ends_when_factories_and_centre_are_empty() -> None:
    position = position_of([board(lines="- R"), board()], factories="BBBB", marker=1)
    position = play(position, "1B4")
    assert position.to_move is CHANCE
    assert position.round == 3
    assert position.chance_label == "round 3"
    assert position.boards[0].wall[0] == 1 << 15 + 3


def test_a_line_that_is_not_full_stays_for_the_next_round() -> None:
    position = play(position_of([board(lines="- R")], factories="BBBB"), "1B5")
    assert [letters(heap) for heap in position.boards[0].lines] == ["", "R", "", "", "BBBB"]


def test_of_a_full_line_one_tile_goes_to_the_wall_and_the_others_to_the_lid() -> None:
    position = play(position_of([], factories="BBBB"), "1B4")
    assert position.boards[0].lines == (0,) * 5
    assert letters(position.lid) == "BBB"
    assert position.view(None)["boards"][0]["wall"][3] == "...B."


def test_after_the_round_the_floor_tiles_are_in_the_lid_and_all_hundred_tiles_are_there() -> None:
    position = position_of([board(floor="RKY"), board(floor="*WW")], factories="BBBB", marker=1)
    position = play(position, "1Bf")
    assert letters(position.lid) == "BBBBYRKWW"
    assert all(each.floor == "" for each in position.boards)
    assert all_tiles(position) == ALL_TILES


def test_a_score_never_falls_below_zero() -> None:
    position = play(position_of([board(floor="RKY", score=2)], factories="BBBB"), "1Bf")
    assert position.boards[0].score == 0
    assert position.tiling[-1][1].points == -2


def test_the_floor_costs_what_its_places_say() -> None:
    assert PENALTIES == (0, -1, -2, -4, -6, -8, -11, -14)


def test_the_floor_is_charged_after_the_lines_have_scored() -> None:
    position = play(position_of([board(lines="Y YY KKK", floor="R")], factories="B"), "1Bf")
    assert position.boards[0].score == 1 + 1 + 1 - 2


def test_the_holder_of_the_marker_starts_the_next_round() -> None:
    position = position_of([board(), board(floor="*")], factories="BBBB", marker=1)
    position = play(position, "1B4", "=BBBB/BBBB/BBRR/RRRR/RRRR")
    assert (position.starter, position.to_move, position.marker) == (1, 1, None)


def test_when_nobody_took_from_the_centre_the_same_seat_starts_again() -> None:
    """All factories hold one colour, so only the marker was in the centre: the round ends all the same."""
    position = after("coloured-2", "=BBBB/YYYY/RRRR/KKKK/WWWW", "1B4", "2Y4", "3R5", "4K5", "5W3")
    assert position.to_move is CHANCE
    assert (position.marker, position.starter) == (None, 0)
    position = position_of([], factories="BBBB", starter=1, to_move=0)
    assert play(position, "1B4").starter == 1


def test_the_match_ends_after_the_round_in_which_a_row_was_completed() -> None:
    nearly = board(wall=coloured_wall("BYRK"), lines="W", score=10)
    position = play(position_of([nearly], factories="BBBB"), "1B2")
    assert position.to_move is None
    assert position.boards[0].score == 10 + 5 + 2 - 2 + 2
    assert position.outcome() is not None


def test_a_row_that_can_only_be_completed_next_round_does_not_end_the_match() -> None:
    nearly = board(wall=coloured_wall("BYRK"))
    assert play(position_of([nearly], factories="BBBB"), "1B2").to_move is CHANCE


def test_a_round_for_which_no_tile_is_left_ends_the_match() -> None:
    position = position_of([], factories="B", bag="", lid="")
    position = play(position, "1B2")
    assert position.to_move is None
    assert position.outcome() is not None
    assert position.round == 2


def test_seats_take_in_turn_from_the_starter_on() -> None:
    position = after("coloured-3", "=BBRY/KWWB/YYRK/BWWR/KKYR/BYRK/BYRK")
    seats = []
    for _ in range(7):
        seats.append(position.to_move)
        position = position.play(position.legal_moves()[-1])
    assert seats == [0, 1, 2, 0, 1, 2, 0]


def test_the_first_position_offers_each_colour_of_each_factory_to_each_line() -> None:
    position = after("coloured-2", DEAL)
    assert len(texts(position)) == 6 * (3 + 3 + 3 + 3 + 3)
    assert Take(1, 0, 0) in position.legal_moves()
    assert str(GAME.parse_move("cKf")) == "cKf"
