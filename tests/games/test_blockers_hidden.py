"""What a viewer of Blockers! may know, in the exact form that the board reads (cases.md row 5)."""

from __future__ import annotations

import json

import pytest

from games.blockers import GAME
from games.blockers.notation import TILES
from games.blockers.rules import Position
from games.kit.protocol import CHANCE
from tests.games.blockers_positions import after, cell, dealt, place, position_of, random_match, start, tiles
from tests.games.sources import source

RACKS = {"r": "E1234", "y": "56789"}


def test_the_board_learns_the_areas_the_colours_and_their_seats_once() -> None:
    assert GAME.board_data("double-2") == {
        "areas": "aaabbbccc" * 3 + "dddeeefff" * 3 + "ggghhhiii" * 3,
        "colours": ["red", "yellow", "green", "blue"],
        "seats": [0, 1, 0, 1],
        "rack": 5,
        "tiles": 28,
        "rows": "ABCDEFGHI",
    }
    assert GAME.board_data("basic-5")["colours"] == ["red", "yellow", "green", "blue", "purple"]
    assert GAME.board_data("basic-3")["seats"] == [0, 1, 2]


def test_a_seat_sees_its_own_rack_and_only_the_size_of_others() -> None:
    position = position_of("basic-2", {}, racks=RACKS)
    assert [colour["rack"] for colour in position.view(0)["colours"]] == ["E1234", None]
    assert [colour["rack"] for colour in position.view(1)["colours"]] == [None, "56789"]
    assert [colour["rack"] for colour in position.view(None)["colours"]] == [None, None]
    assert [colour["rack_size"] for colour in position.view(None)["colours"]] == [5, 5]


def test_everybody_sees_each_colours_own_counts() -> None:
    """Case 5: one looks at another's panel and finds the other's numbers there."""
    position = position_of("basic-2", {}, racks=RACKS, piles={"y": "ABC"})
    position = place(position, "E@E5")
    for viewer in (0, 1, None):
        assert [(colour["pile"], colour["rack_size"]) for colour in position.view(viewer)["colours"]] == [
            (22, 5),
            (3, 5),
        ]


def test_both_racks_of_a_seat_are_its_own_in_double_2() -> None:
    position = dealt("double-2")
    assert [colour["rack"] is None for colour in position.view(0)["colours"]] == [False, True, False, True]
    assert [colour["rack"] is None for colour in position.view(1)["colours"]] == [True, False, True, False]


def test_the_rack_of_a_stopped_colour_lies_open() -> None:
    position = position_of("basic-2", {}, racks={"r": "1234", "y": "56789"}, piles={"r": ""}, seat=1)
    shown = position.view(1)
    assert shown["colours"][0]["rack"] == position.view(None)["colours"][0]["rack"] == "1234"
    assert shown["unseen"][0] == ""
    assert position.determinize(1, source("open")).racks[0] == tiles("1234")


def test_all_is_shown_at_the_end() -> None:
    end = random_match(start("basic-3"), "end")[-1]
    assert end.view(None) == end.view(0) == end.view(2)
    assert all(len(colour["rack"]) == 4 for colour in end.view(None)["colours"])
    assert end.determinize(0, source("end")) == end


def test_unseen_are_the_tiles_that_are_neither_on_the_board_nor_captured_nor_in_a_rack_one_sees() -> None:
    position = position_of("basic-2", {"r": "5@E5", "y": "1@A1"}, racks=RACKS, captured={0: "y:2"})
    assert position.view(0)["unseen"] == ["ABCDFGHI6789abcdefghi*", "ABCDEFGHI3456789abcdefghi*"]
    assert position.view(1)["unseen"] == ["ABCDEFGHI12346789abcdefghi*", "ABCDEFGHI34abcdefghi*"]
    assert position.view(None)["unseen"] == ["ABCDEFGHI12346789abcdefghi*", "ABCDEFGHI3456789abcdefghi*"]


def test_a_view_has_the_form_that_the_board_reads() -> None:
    position = position_of("basic-2", {"r": "5@E4 B@B1", "y": "1@E5"}, racks=RACKS, captured={1: "r:9"})
    shown = place(position, "E@E5").view(0)
    assert shown["cells"][cell("E5")] == {"colour": 0, "tile": "E"}
    assert shown["cells"][cell("E4")] == {"colour": 0, "tile": "5"}
    assert shown["cells"].count(None) == 78
    assert shown["colours"][1] == {
        "key": "yellow",
        "seat": 1,
        "pile": 22,
        "rack": None,
        "rack_size": 5,
        "groups": [],
        "stopped": False,
    }
    assert shown["colours"][0]["groups"] == [[cell("B1")], [cell("E4"), cell("E5")]]
    assert shown["captured"] == [
        {"tiles": [{"colour": 1, "tile": "1"}], "by_colour": [0, 1]},
        {"tiles": [{"colour": 0, "tile": "9"}], "by_colour": [1, 0]},
    ]
    assert shown["standing"] == [
        {"groups": 2, "captured": 1, "score": 3, "total_captured": 1},
        {"groups": 0, "captured": 1, "score": 1, "total_captured": 1},
    ]
    assert shown["last"] == {"colour": 0, "tile": "E", "cell": cell("E5"), "captured": {"colour": 1, "tile": "1"}}
    assert set(shown) == {"cells", "colours", "captured", "standing", "unseen", "last", "progress"}


def test_nothing_was_placed_last_before_the_first_placement() -> None:
    assert start("basic-2").view(None)["last"] is None
    assert dealt("basic-2").view(0)["last"] is None


def test_an_offer_tells_what_each_move_changes() -> None:
    board = {"r": "5@E4 6@E6 1@A1", "y": "1@E5 D@D5 9@I9"}
    position = position_of("basic-2", board, racks={"r": "E234B", "y": "56789"}, captured={0: "y:a"})
    offers = {offer["move"]: offer for offer in position.offer()}
    assert set(offers) == set(map(str, position.legal_moves()))
    assert offers["E@E5"] == {
        "move": "E@E5",
        "colour": 0,
        "tile": "E",
        "cell": cell("E5"),
        "groups": [3, 2],
        "captures": {"colour": 1, "tile": "1", "groups": [2, 2]},
        "score": [4, 4],
    }
    assert offers["E@E1"]["captures"] is None
    assert (offers["E@E1"]["groups"], offers["E@E1"]["score"]) == ([3, 4], [4, 5])
    assert (offers["E@E3"]["groups"], offers["E@E3"]["score"]) == ([3, 3], [4, 4])


def test_an_offer_of_a_capture_of_the_own_other_colour_counts_both_colours() -> None:
    position = position_of("double-2", {"r": "5@E5 1@A1", "g": "4@E4"}, racks={"g": "E1236", "y": "12345"})
    offer = next(offer for offer in position.offer() if offer["move"] == "g:E@E5")
    assert (offer["groups"], offer["captures"]) == ([1, 1], {"colour": 0, "tile": "5", "groups": [2, 1]})
    assert offer["score"] == [3, 3]


@pytest.mark.parametrize("variant", [variant.key for variant in GAME.variants])
def test_an_offer_keeps_its_word(variant: str) -> None:
    for position in random_match(start(variant), f"offer {variant}")[1::14]:
        for offer in position.offer():
            seat = position.setup.seats[offer["colour"]]
            following = position.play(GAME.parse_move(offer["move"]))
            before, then = position.view(None), following.view(None)
            assert offer["score"] == [position.scores()[seat], following.scores()[seat]]
            assert offer["groups"] == [len(shown["colours"][offer["colour"]]["groups"]) for shown in (before, then)]
            assert then["last"]["cell"] == offer["cell"]
            lost = offer["captures"]
            assert (lost is None) == (then["last"]["captured"] is None)
            if lost is not None:
                assert lost["groups"] == [len(shown["colours"][lost["colour"]]["groups"]) for shown in (before, then)]


def test_of_a_deal_a_seat_reads_its_own_colours_only() -> None:
    deal = GAME.parse_move("=r:689g* y:FGah*")
    position = start("basic-2").play(deal)
    assert position.visible(deal, 0) == "=r:689g* y:?"
    assert position.visible(deal, 1) == "=r:? y:FGah*"
    assert position.visible(deal, None) == "=?"
    deal = GAME.parse_move("=r:689g* y:FGah* g:78bch b:DEF16")
    assert start("double-2").play(deal).visible(deal, 0) == "=r:689g* y:? g:78bch b:?"
    assert start("basic-4").play(deal).visible(deal, 3) == "=r:? y:? g:? b:DEF16"


def test_a_draw_is_read_by_its_own_seat_only_and_a_move_by_all() -> None:
    position = after("basic-2", "=r:689g* y:FGah*", "*@H3", "=r:a")
    draw, move = GAME.parse_move("=r:a"), GAME.parse_move("*@H3")
    assert [position.visible(draw, seat) for seat in (0, 1, None)] == ["=r:a", "=?", "=?"]
    assert [position.visible(move, seat) for seat in (0, 1, None)] == 3 * ["*@H3"]


def test_another_deal_of_the_unseen_keeps_all_that_the_seat_knows() -> None:
    position = random_match(start("basic-4"), "known")[60]
    worlds = [position.determinize(1, source(f"world {number}")) for number in range(20)]
    for world in worlds:
        assert (world.boards, world.cells, world.captured) == (position.boards, position.cells, position.captured)
        assert world.racks[1] == position.racks[1]
        assert [rack | pile for rack, pile in zip(world.racks, world.piles, strict=True)] == [
            rack | pile for rack, pile in zip(position.racks, position.piles, strict=True)
        ]
        assert [rack.bit_count() for rack in world.racks] == [rack.bit_count() for rack in position.racks]
    assert len({world.racks for world in worlds}) == len(worlds)


def test_every_unseen_tile_is_dealt_about_equally_often() -> None:
    position = dealt("basic-2")
    randomness = source("even deal")
    racks = [position.determinize(0, randomness).racks[1] for _ in range(1000)]
    counts = [sum(rack >> tile & 1 for rack in racks) for tile in range(len(TILES))]
    assert all(130 < count < 230 for count in counts), "5 of 28 tiles, 1000 times"


def test_a_last_tile_that_must_be_in_the_rack_is_known_to_be_there() -> None:
    """With an empty pile and five in the rack, all five are known by elimination."""
    position = position_of("basic-2", {}, racks={"r": "E1234", "y": "56789"}, piles={"y": ""})
    assert position.determinize(0, source("sure")).racks[1] == tiles("56789")


def test_no_view_of_a_draw_in_progress_tells_the_tile() -> None:
    position = dealt("basic-2")
    position = position.play(position.legal_moves()[0])
    assert position.to_move is CHANCE
    drawn: list[Position] = [
        position.play(GAME.parse_move(f"=r:{tile}"))
        for index, tile in enumerate(TILES)
        if position.piles[0] >> index & 1
    ]
    for viewer in (1, None):
        assert len({json.dumps(other.view(viewer)) for other in drawn}) == 1
    assert len({json.dumps(other.view(0)) for other in drawn}) == len(drawn)
