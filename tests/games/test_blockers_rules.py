"""The rules of Blockers!: placing, capturing, drawing, stopping, skipping, ending (cases.md rows 1, 2, 4 and 7)."""

from __future__ import annotations

from typing import cast

import pytest

from games.blockers import GAME
from games.blockers.board import AREAS, REACH, bridges, groups
from games.blockers.notation import ROWS, TILES, Placement, cell_name
from games.kit.protocol import CHANCE, IllegalMove, InvalidMove, Label
from tests.games.blockers_positions import (
    after,
    cell,
    cells,
    dealt,
    may,
    place,
    position_of,
    random_match,
    refusal,
    start,
    tiles,
)
from tests.games.sources import source

LINE = "1@E1 2@E2 3@E3"
"""Three tiles of a colour in a row: two ends and a bridge."""


def test_a_colour_has_nine_letters_nine_numbers_nine_symbols_and_a_wild_tile() -> None:
    assert TILES == "ABCDEFGHI123456789abcdefghi*"
    assert [reach.bit_count() for reach in REACH] == 27 * [9] + [81]


def test_the_areas_are_lettered_in_reading_order() -> None:
    assert AREAS[:9] == "aaabbbccc"
    assert AREAS[cell("D4")] == AREAS[cell("F6")] == "e"
    assert AREAS[72:] == "ggghhhiii"


def test_a_match_begins_with_a_deal_of_five_tiles_of_each_colour() -> None:
    for variant in GAME.variants:
        position = start(variant.key)
        assert (position.to_move, position.chance_label) == (CHANCE, "deal")
        position = dealt(variant.key)
        assert position.to_move == 0
        assert all(rack.bit_count() == 5 for rack in position.racks)
        assert all(pile.bit_count() == 23 for pile in position.piles)


def test_colours_go_to_the_seats_in_order_and_two_each_in_double_2() -> None:
    assert [GAME.variant(f"basic-{seats}").colours for seats in (2, 3)] == [
        (("red",), ("yellow",)),
        (("red",), ("yellow",), ("green",)),
    ]
    assert GAME.variant("basic-5").colours[3:] == (("blue",), ("purple",))
    assert GAME.variant("double-2").colours == (("red", "green"), ("yellow", "blue"))


def test_a_letter_goes_to_its_row_a_number_to_its_column_a_symbol_to_its_area_and_the_wild_tile_anywhere() -> None:
    position = position_of("basic-2", {}, racks={"r": "C7e*1", "y": "12345"})
    where = {tile: {move.cell for move in position.legal_moves() if TILES[move.tile] == tile} for tile in "C7e*"}
    assert where["C"] == {cell(f"C{column}") for column in range(1, 10)}
    assert where["7"] == {cell(f"{row}7") for row in ROWS}
    assert where["e"] == {cell(f"{row}{column}") for row in "DEF" for column in "456"}
    assert where["*"] == set(range(81))


def test_a_tile_outside_its_row_column_or_area_is_refused_by_what_it_shows() -> None:
    position = position_of("basic-2", {}, racks={"r": "C7e*1", "y": "12345"})
    for text, code, named in (("C@D1", "wrong_row", "D1"), ("7@C6", "wrong_column", "C6"), ("e@A1", "wrong_area", "a")):
        error = refusal(position, text)
        assert error.code == code
        assert named in str(error)


def test_a_tile_that_is_not_in_the_rack_is_refused() -> None:
    position = position_of("basic-2", {}, racks={"r": "C7e*1", "y": "23456"})
    error = refusal(position, "2@A2")
    assert error.code == "not_in_rack"
    assert str(error) == "Red has no tile 2 in its rack."
    assert isinstance(error.names["colour"], Label)


def test_a_tile_once_placed_is_not_in_the_rack_any_more() -> None:
    position = position_of("basic-2", {}, racks={"r": "C7e*1", "y": "23456"})
    position = place(place(position, "C@C3"), "2@A2")
    assert refusal(position, "C@C4").code == "not_in_rack"


def test_a_tile_never_goes_on_a_tile_of_its_own_colour() -> None:
    position = position_of("basic-2", {"r": "3@E3"}, racks={"r": "E*124", "y": "12345"})
    for text in ("E@E3", "*@E3"):
        error = refusal(position, text)
        assert error.code == "own_colour"
        assert "E3" in str(error) and "Red" in str(error)


def test_a_single_tile_may_be_captured_and_its_colour_loses_a_group() -> None:
    """Case 1."""
    position = position_of("basic-4", {"r": "5@E5 9@I9"}, racks={"b": "E1234", "r": "1234A"}, seat=3)
    assert may(position, "E@E5")
    position = place(position, "E@E5")
    assert len(groups(position.boards[0])) == 1
    assert position.captured_by_colour(3) == [1, 0, 0, 0]


def test_an_end_tile_may_be_captured() -> None:
    position = position_of("basic-2", {"y": LINE}, racks={"r": "E1234", "y": "45678"})
    for text in ("E@E1", "E@E3", "1@E1", "3@E3"):
        assert may(position, text)
    assert len(groups(place(position, "E@E3").boards[1])) == 1


def test_a_bridge_tile_may_not_be_captured_and_the_reason_names_the_group_and_what_would_become_of_it() -> None:
    position = position_of("basic-2", {"y": f"{LINE} I@I9"}, racks={"r": "E1234", "y": "45678"})
    error = refusal(position, "E@E2")
    assert error.code == "splits"
    assert "Yellow (E1, E2, E3): 2 → 3 groups" in str(error)
    assert "E2" in str(error)
    assert refusal(position, "2@E2").code == "splits"


def test_a_crossing_of_four_arms_would_fall_into_four() -> None:
    board = {"y": "*@E5 4@E4 6@E6 D@D5 F@F5"}
    position = position_of("basic-2", board, racks={"r": "E1234", "y": "12378"})
    assert "1 → 4 groups" in str(refusal(position, "E@E5"))


def test_a_tile_whose_neighbours_hang_together_without_it_may_be_captured() -> None:
    """A closed ring, and a corner of a block of four: taking one tile leaves one group."""
    ring = {"y": "1@A1 2@A2 3@A3 B@B1 b@B3 C@C1 c@C2 4@C3"}
    position = position_of("basic-2", ring, racks={"r": "A1234", "y": "56789"})
    assert may(position, "A@A2") and may(position, "2@A2") and may(position, "A@A1")
    block = position_of("basic-2", {"y": "1@A1 2@A2 B@B1 b@B2"}, racks={"r": "A1234", "y": "56789"})
    assert may(block, "A@A1") and may(block, "2@B2")


def test_a_ring_with_a_gap_is_a_chain_of_bridges() -> None:
    chain = {"y": "1@A1 2@A2 3@A3 B@B1 b@B3 C@C1 4@C3"}
    position = position_of("basic-2", chain, racks={"r": "A1234", "y": "56789"})
    assert refusal(position, "A@A2").code == "splits"
    assert may(position, "1@C1") and may(position, "3@C3")


def test_a_tile_that_touches_others_only_at_a_corner_is_a_group_of_its_own() -> None:
    assert len(groups(cells("A1 B2 C3"))) == 3
    assert bridges(cells("A1 B2 C3")) == 0


def test_the_end_of_a_row_and_the_start_of_the_next_do_not_touch() -> None:
    assert len(groups(cells("A9 B1"))) == 2
    assert len(groups(cells("A8 A9 B9 C1"))) == 2


def test_only_the_capturing_tile_lies_on_a_captured_cell() -> None:
    """Case 4: red on C3 is captured by blue, and blue by yellow."""
    position = position_of("basic-4", {"r": "3@C3"}, racks={"b": "C1245", "r": "1245A", "y": "c*a12"}, seat=3)
    position = place(place(position, "C@C3"), "1@A1")
    position = place(position, "a@C3")
    assert position.view(None)["cells"][cell("C3")] == {"colour": 1, "tile": "a"}
    assert [board >> cell("C3") & 1 for board in position.boards] == [0, 1, 0, 0]
    assert position.view(None)["captured"][3]["tiles"] == [{"colour": 0, "tile": "3"}]
    assert position.view(None)["captured"][1]["tiles"] == [{"colour": 3, "tile": "C"}]


def test_the_own_other_colour_may_be_captured_in_double_2_and_counts() -> None:
    position = position_of("double-2", {"r": "5@E5", "g": "1@A1"}, racks={"r": "A1234", "g": "E2345", "y": "12345"})
    assert may(position, "g:E@E5") and may(position, "r:A@A1")
    position = place(position, "g:E@E5")
    assert position.captured_by_colour(0) == [1, 0, 0, 0]
    assert position.scores() == (3, 0)


def test_the_own_other_colour_is_not_split_either() -> None:
    position = position_of("double-2", {"r": LINE}, racks={"g": "E2345", "y": "12345"})
    assert refusal(position, "g:E@E2").code == "splits"
    assert may(position, "g:E@E3")


def test_a_move_names_its_colour_in_double_2_only() -> None:
    assert refusal(position_of("double-2", {}, racks={"r": "A1234"}), "A@A1").code == "no_colour"
    assert refusal(position_of("basic-2", {}, racks={"r": "A1234"}), "r:A@A1").code == "colour_named"
    assert refusal(position_of("double-2", {}, racks={"r": "A1234", "y": "A1234"}), "y:A@A1").code == "not_your_colour"
    assert refusal(position_of("double-2", {}, racks={"r": "A1234"}), "p:A@A1").code == "not_your_colour"


def test_a_tile_is_drawn_after_every_placement_while_the_pile_lasts() -> None:
    position = position_of("basic-2", {}, racks={"r": "A1234", "y": "12345"}, piles={"r": "5"})
    position = position.play(GAME.parse_move("A@A9"))
    assert (position.to_move, position.chance_label) == (CHANCE, "draw r 23")
    position = position.play(GAME.parse_move("=r:5"))
    assert position.racks[0] == tiles("12345")
    assert position.to_move == 1


def test_the_colour_that_placed_draws_in_double_2() -> None:
    position = position_of("double-2", {}, racks={"r": "A1234", "g": "B1234", "y": "12345"})
    assert position.play(GAME.parse_move("g:B@B9")).chance_label == "draw g 1"


def test_only_a_tile_that_is_left_in_the_pile_can_be_drawn() -> None:
    position = position_of("basic-2", {}, racks={"r": "A1234", "y": "12345"}, piles={"r": "56"})
    position = position.play(GAME.parse_move("A@A9"))
    for text, code in (
        ("=r:7", "not_in_pile"),
        ("=r:1", "not_in_pile"),
        ("=r:A", "not_in_pile"),
        ("=y:6", "wrong_colours"),
        ("=r:56", "wrong_number"),
        ("=r:5 y:6", "wrong_colours"),
    ):
        assert refusal(position, text).code == code
    assert refusal(position, "1@A1").code == "draw_due"
    assert {str(position.draw(source(f"draw {number}"))) for number in range(30)} == {"=r:5", "=r:6"}


def test_a_deal_is_five_tiles_for_each_colour_in_play() -> None:
    for text, code in (
        ("=r:12345", "wrong_colours"),
        ("=r:12345 y:1234", "wrong_number"),
        ("=r:12345 y:123456", "wrong_number"),
        ("=r:12345 g:12345", "wrong_colours"),
        ("=r:12345 y:12345 g:12345", "wrong_colours"),
    ):
        assert refusal(start("basic-2"), text).code == code
    assert refusal(start("basic-2"), "1@A1").code == "draw_due"


def test_nothing_is_drawn_when_a_seat_is_to_move_or_the_match_is_over() -> None:
    end = random_match(start("basic-2"), "over")[-1]
    for position in (dealt("basic-2"), end):
        assert refusal(position, "=r:5").code == "no_draw_due"
    assert refusal(end, "*@A1").code == "match_over"
    with pytest.raises(LookupError):
        end.draw(source("no draw"))


def test_every_tile_of_a_pile_is_drawn_about_equally_often() -> None:
    position = position_of("basic-2", {}, racks={"r": "A1234", "y": "12345"}, piles={"r": "5678"})
    position = position.play(GAME.parse_move("A@A9"))
    randomness = source("evenly")
    drawn = [str(position.draw(randomness)) for _ in range(400)]
    assert all(70 < drawn.count(f"=r:{tile}") < 130 for tile in "5678")


def test_the_pile_counter_stays_at_nothing_once_the_last_tile_is_drawn() -> None:
    """Case 2."""
    position = position_of("basic-2", {}, racks={"r": "A1234", "y": "12345"}, piles={"r": "5"})
    counters = []
    for text in ("A@A9", "1@B1", "2@C2", "2@D2"):
        position = place(position, text)
        counters.append(position.view(0)["colours"][0]["pile"])
    assert counters == [0, 0, 0, 0]


def test_a_colour_stops_with_an_empty_pile_and_four_tiles_left() -> None:
    position = position_of("basic-2", {}, racks={"r": "A1234", "y": "12345"}, piles={"r": ""})
    assert not position.view(None)["colours"][0]["stopped"]
    assert position.view(None)["colours"][0]["rack"] is None
    position = place(position, "A@A9")
    shown = position.view(None)["colours"][0]
    assert (shown["stopped"], shown["rack"], shown["rack_size"]) == (True, "1234", 4)
    assert position.to_move == 1
    position = place(position, "1@A1")
    assert position.to_move == 1, "red has stopped, so yellow goes on alone"


def test_every_colour_places_24_tiles_unless_it_is_blocked() -> None:
    for variant in GAME.variants:
        end = random_match(start(variant.key), f"whole {variant.key}")[-1]
        colours = len(end.boards)
        on_board = sum(board.bit_count() for board in end.boards)
        assert on_board + sum(map(len, end.captured)) == 24 * colours
        assert [rack.bit_count() for rack in end.racks] == [4] * colours
        assert end.piles == (0,) * colours
        assert end.to_move is None


def test_a_stopped_colour_places_nothing_in_double_2_while_the_other_goes_on() -> None:
    position = position_of(
        "double-2", {}, racks={"r": "1234", "g": "B1234", "y": "12345", "b": "12345"}, piles={"r": ""}
    )
    assert refusal(position, "r:1@A1").code == "stopped"
    assert {move.colour for move in position.legal_moves()} == {2}


def test_tiles_of_a_stopped_colour_may_still_be_captured() -> None:
    position = position_of("basic-2", {"y": "5@E5"}, racks={"r": "E1234", "y": "1234"}, piles={"y": ""})
    assert may(position, "E@E5")
    assert place(position, "E@E5").captured_by_colour(0) == [0, 1]


def test_the_last_round_ends_the_match_with_four_tiles_left_each() -> None:
    position = position_of("basic-3", {}, racks=dict.fromkeys("ryg", "A1234"), piles=dict.fromkeys("ryg", ""))
    for text in ("A@A9", "A@A8", "A@A7"):
        assert position.outcome() is None
        position = position.play(GAME.parse_move(text))
    assert position.to_move is None
    assert len(position.legal_moves()) == 0
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ((1, 1, 1), (1, 1, 1))


def lying(names: str, tiles_used: str) -> str:
    """Some tiles on some cells, as `position_of` reads them; what the tiles show does not matter here."""
    return " ".join(f"{tile}@{name}" for name, tile in zip(names.split(), tiles_used, strict=False))


ARCHES = {
    "y": lying("D1 C1 B1 A1 A2 A3 A4 A5 A6 A7 A8 A9 B9 C9 D9", "DEFGHI123456789"),
    "r": lying("D2 C2 B2 B3 B4 B5 B6 B7 B8 C8 D8", "DEFGH123456"),
    "g": lying("D3 C3 C4 C5 C6 C7 D7", "DEFGH12"),
}
"""One arch inside the other: no tile of rows A to C can be captured, as each holds its arch together."""


def test_a_seat_without_any_placement_is_skipped_and_keeps_its_tiles() -> None:
    position = position_of("basic-3", ARCHES, racks={"r": "789ab", "y": "ab*cd", "g": "ABCab"}, seat=1)
    assert not position.placements(2)
    position = place(position, "*@E5")
    assert position.to_move == 0
    assert position.racks[2] == tiles("ABCab")
    assert position.piles[2].bit_count() == 28 - 7 - 5
    assert place(position, "7@E7").to_move == 1, "green is skipped again"


def test_a_seat_that_was_skipped_places_again_as_soon_as_it_can() -> None:
    """Yellow takes an end of red's arch, which leaves the tile above it as the new end."""
    position = position_of("basic-3", ARCHES, racks={"r": "789ab", "y": "ab*cd", "g": "ABCac"}, seat=1)
    position = place(position, "*@D2")
    assert position.to_move == 2
    assert {cell_name(move.cell) for move in position.legal_moves()} == {"C2"}


def test_a_seat_goes_on_alone_when_all_others_are_blocked() -> None:
    position = position_of("basic-3", ARCHES, racks={"r": "789ab", "y": "ABCab", "g": "ABCab"})
    assert place(position, "7@E7").to_move == 0


def test_the_match_ends_when_nobody_can_place_in_a_whole_round() -> None:
    racks = {"r": "ABCaI", "y": "ABCab", "g": "ABCab"}
    position = position_of("basic-3", ARCHES, racks=racks, piles={"r": "b"})
    position = place(position, "I@I9")
    assert position.to_move is None
    assert position.piles[1].bit_count() == 28 - 15 - 5
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ((2, 1, 1), (3, 1, 1))
    assert [colour["rack"] for colour in position.view(None)["colours"]] == 3 * ["ABCab"]
    assert position.view(None)["progress"] == 100


def test_passing_is_no_move() -> None:
    for text in ("", "pass", "-"):
        with pytest.raises(InvalidMove):
            GAME.parse_move(text)


def test_something_that_is_no_ply_of_the_game_is_refused() -> None:
    position = dealt("basic-2")
    for nothing in (
        Placement(None, 27, -1),
        Placement(None, 27, 81),
        Placement(None, 28, 0),
        Placement(None, -1, 0),
        cast("Placement", "c@A8"),
    ):
        assert nothing not in position.legal_moves()
        with pytest.raises(IllegalMove):
            position.play(nothing)


def test_a_new_match_has_no_progress_and_a_finished_one_all() -> None:
    """Case 7."""
    for variant in ("basic-2", "basic-3", "basic-5", "double-2"):
        assert start(variant).progress() == dealt(variant).progress() == 0
        shown = [position.view(None)["progress"] for position in random_match(start(variant), "progress")]
        assert shown == sorted(shown)
        assert shown[-1] == 100
        assert shown[len(shown) // 2] in range(45, 56)


def test_a_deal_and_every_draw_lead_to_the_same_match_again() -> None:
    plies = ("=r:689g* y:FGah*", "*@H3", "=r:a", "*@I9", "=y:e", "8@C8")
    assert after("basic-2", *plies) == after("basic-2", *plies)
    assert after("basic-2", *plies).chance_label == "draw r 2"
