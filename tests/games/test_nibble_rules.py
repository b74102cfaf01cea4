"""The rules of Nibble: corners, cutting, what may go together, and why a take is refused (cases.md rows 67 to 74)."""

from __future__ import annotations

import pytest

from games.kit.protocol import IllegalMove
from games.nibble.notation import Take
from tests.games.nibble_positions import (
    HEX_LAYOUT,
    SQUARE_LAYOUT,
    VARIANTS,
    after,
    play,
    position_of,
    random_match,
    refusal,
    start,
    texts,
)


def test_at_the_start_the_four_corners_may_be_taken_and_equal_ones_together() -> None:
    position = after("square-9", SQUARE_LAYOUT)
    assert texts(position) == {"a9", "i9", "a1", "i1", "a1,i9"}


def test_at_the_start_of_a_hexagon_only_its_six_corners_have_three_free_sides_in_a_row() -> None:
    position = next(iter(random_match("hex-13", "corners")))
    assert {name for text in texts(position) for name in text.split(",")} == {"h1", "o1", "o8", "h15", "a15", "a8"}


def test_a_block_at_the_edge_or_in_the_middle_is_no_corner() -> None:
    position = after("square-9", SQUARE_LAYOUT)
    for name in ("e1", "a5", "e5"):
        error = refusal(position, name)
        assert error.code == "no_corner"
        assert name in str(error)


def test_several_blocks_that_are_no_corners_are_all_named_and_no_others() -> None:
    error = refusal(after("square-9", SQUARE_LAYOUT), "f4,c1,a9")
    assert str(error) == "c1, f4 are no corners: each needs two free sides that meet."
    error = refusal(after("hex-13", HEX_LAYOUT), "f3,j5")
    assert str(error) == "f3, j5 are no corners: each needs three free sides in a row."


def test_off_the_board_counts_as_free_and_a_taken_neighbour_too() -> None:
    position = after("square-9", SQUARE_LAYOUT, "a1")
    assert {"b1", "a2"} <= texts(position)
    assert "b2" not in texts(position)
    assert "b2" in texts(play(play(position, "b1"), "a2"))


def test_a_block_whose_free_sides_are_opposite_is_no_corner() -> None:
    line = position_of("square-9", {"a": "c5", "b": "d5", "c": "e5"})
    error = refusal(line, "d5")
    assert error.code == "no_corner"
    assert str(error) == "d5 is no corner: it has no two free sides that meet."
    assert texts(line) == {"c5", "e5"}


def test_a_hexagon_block_with_two_free_sides_in_a_row_and_one_apart_is_no_corner() -> None:
    # Around h8, in turning order: i8 free, h9 free, g9 there, g8 free, h7 there, i7 there.
    blocks = {"a": "h8", "b": "g9", "c": "h7", "d": "i7"}
    error = refusal(position_of("hex-13", blocks), "h8")
    assert error.code == "no_corner"
    assert str(error) == "h8 is no corner: it has no three free sides in a row."


AROUND_H8 = ["i8", "h9", "g9", "g8", "h7", "i7"]


@pytest.mark.parametrize("first", range(6))
def test_any_three_sides_in_a_row_make_a_hexagon_corner_also_across_the_first_direction(first: int) -> None:
    near = [AROUND_H8[(first + step) % 6] for step in range(3)]
    position = position_of("hex-13", {"a": "h8", "b": near[0], "c": near[1], "d": near[2]})
    assert "h8" in texts(position)
    four = position_of("hex-13", {"a": "h8", "e": AROUND_H8[(first + 3) % 6], "b": near[0], "c": near[1], "d": near[2]})
    assert refusal(four, "h8").code == "no_corner"


def test_a_take_that_would_cut_the_rest_is_refused_with_the_sizes_of_both_parts() -> None:
    # c3 is a corner with blocks above and to its right, and nothing else joins those.
    position = position_of("square-9", {"a": "c3", "b": "c4 d5", "c": "c5 e3", "d": "d3"})
    error = refusal(position, "c3")
    assert error.code == "cuts"
    assert str(error) == "Taking c3 would cut the rest into 3 and 2 blocks."
    assert "c3" not in texts(position)


def test_a_corner_whose_neighbours_hang_together_the_long_way_round_may_be_taken() -> None:
    ring = {"a": "c3", "b": "c4 e4", "c": "c5 e5", "d": "d3", "e": "e3 d5"}
    assert "c3" in texts(position_of("square-9", ring))


def test_a_hexagon_corner_between_two_blocks_that_nothing_else_joins_cuts() -> None:
    position = position_of("hex-13", {"a": "h8", "b": "g9 f10", "c": "g10", "d": "h7"})
    error = refusal(position, "h8")
    assert (error.code, str(error)) == ("cuts", "Taking h8 would cut the rest into 3 and 1 blocks.")
    bridged = position_of("hex-13", {"a": "h8", "b": "g9 f10", "c": "g10", "d": "h7", "e": "g8"})
    assert "h8" in texts(bridged)


def test_in_a_two_by_two_either_of_two_equal_blocks_may_go_but_not_both() -> None:
    position = position_of("square-9", {"a": "a2 b1", "b": "b2", "c": "a1"})
    assert {"a2", "b1"} <= texts(position)
    error = refusal(position, "a2,b1")
    assert error.code == "cuts"
    assert str(error) == "Taking b1, a2 together would cut the rest into 1 and 1 blocks."
    assert "b1,a2" not in texts(position)


def test_of_three_blocks_that_may_go_alone_only_those_that_cut_together_are_named() -> None:
    position = position_of("square-9", {"a": "a2 b1 d1", "b": "b2", "c": "a1 c2", "d": "d2"})
    assert {"a2", "b1", "d1", "b1,d1", "d1,a2"} <= texts(position)
    error = refusal(position, "b1,d1,a2")
    assert str(error) == "Taking b1, a2 together would cut the rest into 4 and 1 blocks."


@pytest.mark.parametrize("variant", VARIANTS)
def test_several_blocks_of_one_colour_may_go_at_once_and_need_not_all(variant: str) -> None:
    sizes = {
        len(move.cells): position for position in random_match(variant, "several") for move in position.legal_moves()
    }
    assert max(sizes) >= 3
    position = sizes[max(sizes)]
    move = max(position.legal_moves(), key=lambda take: len(take.cells))
    assert all(Take(move.cells[:count]) in position.legal_moves() for count in range(1, len(move.cells) + 1))
    assert position.play(move).left.bit_count() == position.left.bit_count() - len(move.cells)


@pytest.mark.parametrize(("variant", "cells"), [("square-9", "a1,i1"), ("hex-13", "h1,o1")])
def test_blocks_of_two_colours_in_one_take_are_refused(variant: str, cells: str) -> None:
    layout = SQUARE_LAYOUT if variant == "square-9" else HEX_LAYOUT
    position = after(variant, layout)
    assert set(cells.split(",")) <= texts(position)
    error = refusal(position, cells)
    assert error.code == "two_colours"
    assert cells.split(",")[0] in str(error) and cells.split(",")[1] in str(error)


def test_the_names_of_colours_in_a_refusal_can_be_translated() -> None:
    error = refusal(after("square-9", SQUARE_LAYOUT), "a1,i1")
    assert {type(error.names[name]).__name__ for name in ("colour", "other")} == {"Label"}


def test_the_same_block_twice_is_one_block_too_many() -> None:
    position = after("square-9", SQUARE_LAYOUT)
    with pytest.raises(IllegalMove) as caught:
        position.play(Take(((0, 0), (0, 0))))
    assert caught.value.code == "twice"
    assert Take(((0, 0), (0, 0))) not in position.legal_moves()


def test_a_take_of_nothing_is_refused_so_nobody_can_pass() -> None:
    with pytest.raises(IllegalMove) as caught:
        after("square-9", SQUARE_LAYOUT).play(Take(()))
    assert caught.value.code == "no_block"
    assert Take(()) not in after("square-9", SQUARE_LAYOUT).legal_moves()


def test_a_block_that_is_gone_or_no_cell_of_the_board_is_refused_by_name() -> None:
    position = after("square-9", SQUARE_LAYOUT, "a1")
    gone, beyond = refusal(position, "a1"), refusal(position, "j1")
    assert (gone.code, beyond.code) == ("empty_cell", "off_board")
    assert "a1" in str(gone) and "j1" in str(beyond)
    assert refusal(after("hex-13", HEX_LAYOUT), "a1").code == "off_board"


def test_nothing_can_be_taken_before_the_layout_and_it_is_laid_out_once() -> None:
    assert refusal(start("square-9"), "a1").code == "draw_due"
    assert refusal(after("square-9", SQUARE_LAYOUT), SQUARE_LAYOUT).code == "no_draw_due"


def test_seats_take_turns_from_the_first_one() -> None:
    position = after("square-9", SQUARE_LAYOUT)
    for number, name in enumerate(["a1", "b1", "a2", "c1"]):
        assert position.to_move == number % 2
        position = play(position, name)


def test_the_last_block_may_be_taken_and_ends_the_match() -> None:
    for variant in VARIANTS:
        last = position_of(variant, {"a": "h8"}) if variant != "square-9" else position_of(variant, {"a": "e5"})
        assert len(last.legal_moves()) == 1
        end = last.play(last.legal_moves()[0])
        assert end.to_move is None
        assert end.left == 0
        with pytest.raises(IllegalMove, match="over"):
            end.play(last.legal_moves()[0])


def test_the_other_seat_chooses_ahead_among_the_same_blocks_and_takes_them_for_itself() -> None:
    position = after("square-9", SQUARE_LAYOUT, "a9")
    ahead = position.ahead(0)
    assert position.ahead(1) is position
    assert (ahead.to_move, texts(ahead)) == (0, texts(position))
    assert ahead.view(None)["last"] == position.view(None)["last"]
    assert play(ahead, "i9").taken == (position.taken[0] | play(ahead, "i9").last, 0)


def test_nothing_is_chosen_ahead_before_the_layout_or_after_the_end() -> None:
    for position in (start("square-9"), random_match("square-9", "ahead")[-1]):
        for seat in range(2):
            with pytest.raises(LookupError):
                position.ahead(seat)
