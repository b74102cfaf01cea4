"""The grey side of Azul: choosing columns, lines without one, and matches that stand still (cases.md rows 19 to 23)."""

from __future__ import annotations

from games.azul.boards import Tiled
from games.azul.tiles import ALL_TILES, letters
from games.kit.protocol import CHANCE
from tests.games.azul_positions import all_tiles, board, play, position_of, refusal, texts

# No row can be completed: where a row lacks a colour, that colour stands already in each column left.
STUCK_A = ["BRY.W", "W.RYK", "YB.KR", "RYBW.", "K.WRB"]
STUCK_B = ["RB.WK", "W.YKB", "KRB.Y", "BYK.R", "YKWB."]


def test_on_an_empty_wall_a_tile_may_go_to_any_column_of_its_row() -> None:
    position = play(position_of([], variant="grey-2", factories="BBBB"), "1B4")
    assert position.to_move == 0
    assert position.view(None)["phase"] == "place"
    assert texts(position) == ["w41", "w42", "w43", "w44", "w45"]
    position = play(position, "w43")
    assert position.to_move is CHANCE
    assert position.boards[0].score == 1
    assert position.view(None)["boards"][0]["wall"][3] == "..B.."


def test_columns_that_are_taken_or_have_the_colour_are_not_to_choose_from() -> None:
    wall = ["B....", ".....", ".Y...", "....."]
    position = play(position_of([board(wall=wall, lines="- - BBB")], variant="grey-2", factories="YYYY"), "1Y5")
    assert texts(position) == ["w33", "w34", "w35"]
    assert refusal(position, "w32").code == "place_taken"
    error = refusal(position, "w31")
    assert error.code == "colour_in_column"
    assert "Column 1" in str(error) and "blue" in str(error)


def test_a_choice_names_row_and_column_so_a_stale_one_for_another_row_is_refused() -> None:
    position = play(position_of([board(lines="R YY")], variant="grey-2", factories="BBBB"), "1B5", "w12")
    error = refusal(position, "w13")
    assert error.code == "wrong_line"
    assert "Line 2" in str(error)


def test_no_tiles_are_taken_while_a_column_is_due() -> None:
    position = play(position_of([], variant="grey-2", factories="BBBB"), "1B4")
    assert refusal(position, "1B4").code == "column_due"


def test_a_tile_with_one_column_left_goes_there_without_a_ply() -> None:
    wall = ["RYKW."]
    position = play(position_of([board(wall=wall, lines="B")], variant="grey-2", factories="YYYY"), "1Yf")
    assert position.to_move is None
    assert position.view(None)["boards"][0]["wall"][0] == "RYKWB"


def test_nobody_has_a_column_to_choose_and_the_game_goes_on() -> None:
    position = play(position_of([], variant="grey-2", factories="BBBB"), "1B5")
    assert position.to_move is CHANCE


def test_a_line_without_any_column_drops_all_its_tiles_to_the_floor() -> None:
    """Row 3 has columns 4 and 5 open, and both hold red: 3 tiles to the floor, −4, and no tile on the wall."""
    wall = ["...R.", "....R", "BYK.."]
    full = board(wall=wall, lines="- - RRR", score=20)
    position = play(position_of([full], variant="grey-2", factories="KKKK"), "1K5")
    assert position.boards[0].score == 16
    assert position.view(None)["boards"][0]["wall"][2] == "BYK.."
    assert letters(position.lid) == "RRR"
    assert [step.points for _, step in position.tiling] == [-4]


def test_a_line_without_a_column_falls_behind_what_lies_on_the_floor_and_beyond_it_to_the_lid() -> None:
    wall = ["...R.", "....R", "BYK.."]
    full = board(wall=wall, lines="- - RRR", floor="WWWWWW", score=20)
    position = play(position_of([full], variant="grey-2", factories="KKKK"), "1K5")
    assert position.boards[0].score == 6
    assert letters(position.lid) == "RRRWWWWWW"
    assert all_tiles(position) == ALL_TILES


def test_a_row_of_four_whose_line_cannot_be_placed_does_not_end_the_match() -> None:
    wall = ["....R", ".....", ".....", "BYKW."]
    full = board(wall=wall, lines="- - - RRRR")
    position = play(position_of([full], variant="grey-2", factories="KKKK"), "1K5")
    assert position.to_move is CHANCE
    assert position.view(None)["boards"][0]["rows"] == 0


def test_columns_are_chosen_by_seats_in_the_order_of_the_round_and_lines_from_the_top() -> None:
    boards = [board(lines="B YY"), board(lines="R KK"), board(lines="W")]
    position = position_of(boards, variant="grey-3", factories="RRRR", starter=1, to_move=0)
    position = play(position, "1R5")
    due = []
    while isinstance(position.to_move, int):
        due.append((position.to_move, position.line))
        position = position.play(position.legal_moves()[-1])
    assert due == [(1, 0), (1, 1), (2, 0), (0, 0), (0, 1)]


def test_a_tile_placed_above_changes_what_is_possible_below() -> None:
    wall = [".....", "RKYW."]
    position = play(position_of([board(wall=wall, lines="B BB")], variant="grey-2", factories="KK"), "1K5")
    assert texts(position) == ["w11", "w12", "w13", "w14", "w15"]
    blocked = play(position, "w15")
    assert blocked.boards[0].score == 0
    assert blocked.to_move is CHANCE
    free = play(position, "w11")
    assert free.view(None)["boards"][0]["wall"][1] == "RKYWB"
    assert free.to_move is None


def test_the_tiles_of_a_seat_score_as_they_are_placed_and_its_floor_after_that() -> None:
    position = play(position_of([board(lines="B YY", floor="RR")], variant="grey-2", factories="YYYY"), "1Y5")
    position = play(position, "w11")
    assert position.boards[0].score == 1
    position = play(position, "w21")
    assert position.boards[0].score == 1 + 2 - 2
    kinds = [type(step).__name__ for _, step in position.tiling]
    assert kinds == ["Tiled", "Tiled", "Charged"]


def test_a_match_in_which_no_tile_can_reach_a_wall_any_more_ends_with_the_round() -> None:
    position = position_of([board(STUCK_A, score=30), board(STUCK_B, score=20)], variant="grey-2", factories="KKKK")
    position = play(position, "1Kf")
    assert position.to_move is None
    assert position.outcome() is not None
    assert not any(isinstance(step, Tiled) for _, step in position.tiling)


def test_a_match_goes_on_while_one_row_of_one_seat_can_take_a_tile() -> None:
    free = [*STUCK_B[:4], "....."]
    position = position_of([board(STUCK_A), board(free)], variant="grey-2", factories="KKKK")
    assert play(position, "1Kf").to_move is CHANCE


def test_a_match_stands_still_when_all_tiles_wanted_lie_on_lines_that_cannot_be_filled() -> None:
    """All that is left goes round as black tiles, which no row wants; the whites are one too few for each line 5."""
    wall = ["BYRK.", ".BYRK", "K.BYR", "RK.BY", "YRK.B"]
    boards = [board(wall, "- - - - WWWW", score=5), board(wall, "- - - - WWWW", score=4)]
    position = position_of(boards, factories="KKKK", bag="K")
    assert play(position, "1Kf").to_move is None
    more = position_of(boards, factories="KKKK", bag="KW")
    assert play(more, "1Kf").to_move is CHANCE
