"""The rules of Blokus: placing, refusing, skipping, turn order, ending (cases.md rows 37 to 55)."""

from __future__ import annotations

import pytest

from games.blokus import GAME
from games.blokus.board import board_of
from games.blokus.notation import Placement
from games.blokus.pieces import ALL_SQUARES, ORIENTATIONS, PIECES, SQUARES
from games.blokus.rules import Position
from games.kit.checks import breakdown, perft
from games.kit.protocol import IllegalMove, InvalidMove
from tests.games.blokus_positions import after, all_but, pieces, play, position_of, random_match, squares, start, texts

CLASSIC = board_of("classic-4")
EVERYTHING = (1 << len(PIECES)) - 1


def refusal(position: Position, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        play(position, text)
    return caught.value


def test_there_are_21_pieces_of_89_squares_in_91_orientations() -> None:
    assert (len(PIECES), ALL_SQUARES, len(ORIENTATIONS)) == (21, 89, 91)
    assert [SQUARES.count(size) for size in range(1, 6)] == [1, 1, 2, 5, 12]
    assert list(PIECES) == sorted(PIECES, key=lambda name: (name[1], name))


def test_every_colour_has_58_first_moves() -> None:
    position = start("classic-4")
    for number in range(4):
        assert len(position.legal_moves()) == 58
        position = position.play(position.legal_moves()[number])


def test_duo_has_414_first_moves_for_either_colour() -> None:
    position = start("duo-2")
    assert len(position.legal_moves()) == 414
    assert len(play(position, "e10").legal_moves()) == 414


def test_the_first_move_offers_exactly_the_six_ways_of_an_l4() -> None:
    ways = [move for move in start("classic-4").legal_moves() if PIECES[move.piece] == "L4"]
    assert len(ways) == 6
    assert all((0, 19) in move.cells for move in ways)


def test_a_first_piece_on_the_border_but_not_on_its_corner_is_refused() -> None:
    error = refusal(start("classic-4"), "a10,a11")
    assert error.code == "not_start"
    assert "a20" in str(error)
    assert refusal(start("classic-4"), "a1").code == "not_start"
    assert refusal(start("duo-2"), "j5").code == "not_start"


def test_nobody_may_pass_in_the_first_round() -> None:
    assert len(start("classic-4").legal_moves()) == 58
    for text in ("", "pass", "-", "skip"):
        with pytest.raises(InvalidMove):
            GAME.parse_move(text)


def test_a_piece_that_touches_its_own_colour_along_an_edge_is_refused_with_the_squares() -> None:
    position = after("classic-4", "a20,b20", "t20", "t1", "a1")
    error = refusal(position, "c18,c19,c20")
    assert error.code == "edge_contact"
    assert "c20" in str(error) and "c19" not in str(error)


def test_a_piece_that_touches_no_corner_of_its_own_colour_is_refused() -> None:
    position = after("classic-4", "a20,b20", "t20", "t1", "a1")
    assert refusal(position, "d18").code == "no_corner_contact"
    assert refusal(position, "s19").code == "no_corner_contact"
    assert "c19" in texts(position.legal_moves())


def test_a_piece_may_touch_other_colours_along_edges() -> None:
    position = after("duo-2", "e10,f10,g10,h10,e9", "j5,j6,j7,j8,i8", "i9,j9,k9")
    assert position.colour == 1
    assert "i9" not in texts(position.legal_moves())
    assert "h9" in texts(position.legal_moves())


def test_a_covered_square_is_refused_by_name() -> None:
    position = after("classic-4", "a20,b20", "t20", "t1", "a1")
    error = refusal(position, "b20,b19,c19")
    assert error.code == "overlap"
    assert "b20" in str(error)


def test_a_piece_can_be_placed_only_once() -> None:
    position = after("classic-4", "a20,b20", "t20", "t1", "a1")
    error = refusal(position, "c19,d19")
    assert error.code == "piece_used"
    assert "Blue" in str(error) and "I2" in str(error)


def test_a_square_of_the_big_board_is_refused_on_the_small_one() -> None:
    for text in ("o1", "a15", "n14,o14", "t20"):
        assert refusal(start("duo-2"), text).code == "off_board"


def test_something_that_is_no_placement_is_refused() -> None:
    with pytest.raises(IllegalMove):
        start("duo-2").play("e10")
    assert "e10" not in start("duo-2").legal_moves()
    for outside in (Placement(0, -1, 0), Placement(0, 0, -1), Placement(0, 14, 0), Placement(0, 0, 14)):
        assert outside not in start("duo-2").legal_moves()
        with pytest.raises(IllegalMove):
            start("duo-2").play(outside)


def test_a_colour_cannot_place_from_the_corners_of_another() -> None:
    """Red's turn, and the placement would be yellow's."""
    position = after("classic-4", "a20", "t20", "t1", "a1", "b19,b18")
    assert position.colour == 1
    yellows = "s18,s19"
    assert yellows in texts(position.legal_moves())
    reds_turn = play(position, "r19,s19")
    assert reds_turn.colour == 2
    assert refusal(reds_turn, "q17,q18").code == "no_corner_contact"


def test_one_of_five_squares_at_an_own_corner_is_enough() -> None:
    position = after("classic-4", "a20", "t20", "t1", "a1")
    w5 = "c17,d17,b18,c18,b19"
    assert w5 in texts(position.legal_moves())
    assert play(position, w5).hands[0].pieces == EVERYTHING & ~pieces("I1 W5")


@pytest.mark.parametrize(
    "orientation", range(len(ORIENTATIONS)), ids=lambda index: f"{PIECES[ORIENTATIONS[index].piece]}-{index}"
)
def test_a_last_piece_that_fits_one_way_only_is_found(orientation: int) -> None:
    """However it must be turned and flipped: only the squares of one orientation are free, mid-board or at a side."""
    shape = ORIENTATIONS[orientation]
    for x, y in ((8, 8), (0, 7), (7, 0), (20 - shape.width, 7), (7, 20 - shape.height)):
        move = Placement(orientation, x, y)
        hole = CLASSIC.mask(move)
        corner = next(
            bit
            for bit in range(CLASSIC.stride * CLASSIC.size)
            if CLASSIC.corners(hole) & ~CLASSIC.edges(hole) & ~hole & 1 << bit
        )
        hands = {
            "blue": (1 << corner, 1 << shape.piece),
            "green": (all_but(CLASSIC, hole, 1 << corner), 0),
        }
        position = position_of("classic-4", hands, colour="blue")
        assert list(position.legal_moves()) == [move]
        assert not position.view(None)["colours"][0]["out"]
        end = position.play(move)
        assert end.to_move is None
        assert end.hands[0].points == (20 if PIECES[shape.piece] == "I1" else 15)


@pytest.mark.parametrize(
    ("stone", "only"),
    [
        ("s6", "t1,t2,t3,t4,t5"),
        ("o2", "p1,q1,r1,s1,t1"),
        ("b15", "a16,a17,a18,a19,a20"),
        ("f19", "a20,b20,c20,d20,e20"),
    ],
)
def test_a_long_piece_along_the_far_edge_is_found(stone: str, only: str) -> None:
    own, hole = squares(CLASSIC, stone), squares(CLASSIC, only.replace(",", " "))
    hands = {"blue": (own, pieces("I5")), "green": (all_but(CLASSIC, own, hole), 0)}
    assert texts(position_of("classic-4", hands, colour="blue").legal_moves()) == {only}


def stuck(*colours: str) -> dict[str, tuple[int, int]]:
    """Every colour on its corner with a few pieces left; the only way on for `colours` is covered by blue."""
    corners = {"blue": "a20", "yellow": "t20", "red": "t1", "green": "a1"}
    ways_on = {"yellow": "s19", "red": "s2", "green": "b2"}
    hands = {colour: (squares(CLASSIC, corner), pieces("I1 I2 I3")) for colour, corner in corners.items()}
    blues = squares(CLASSIC, " ".join(["a20", *(ways_on[colour] for colour in colours)]))
    return {**hands, "blue": (blues, pieces("I1 I2 I3"))}


def test_a_stuck_colour_is_skipped_and_the_next_in_order_places() -> None:
    position = play(position_of("classic-4", stuck("yellow"), colour="blue"), "b19")
    assert (position.colour, position.to_move) == (2, 2)
    assert position.hands[1].out
    assert position.view(None)["colours"][1]["out"]


def test_two_stuck_colours_are_skipped_and_none_is_missed() -> None:
    position = play(position_of("classic-4", stuck("yellow", "red"), colour="blue"), "b19")
    assert position.colour == 3
    position = play(position, "b2")
    assert position.colour == 0
    position = play(position, "c17,c18")
    assert position.colour == 3


def test_a_colour_alone_places_again_and_again() -> None:
    position = position_of("classic-4", stuck("yellow", "red", "green"), colour="blue")
    for text in ("b19", "c17,c18", "d14,d15,d16"):
        assert position.to_move == 0
        position = play(position, text)
    assert position.to_move is None


def test_the_match_ends_when_no_colour_can_place() -> None:
    hands = stuck("yellow", "red", "green")
    placed, _ = hands["blue"]
    hands["blue"] = (placed, pieces("I1"))
    end = play(position_of("classic-4", hands, colour="blue"), "b19")
    assert end.to_move is None
    assert len(end.legal_moves()) == 0
    assert all(colour["out"] for colour in end.view(None)["colours"])
    assert refusal(end, "c18").code == "match_over"


def test_every_skipped_colour_really_cannot_place_and_never_can_again() -> None:
    for variant in GAME.variants:
        out: set[int] = set()
        before = start(variant.key)
        for position in random_match(before, variant.key):
            assert before.colour is not None
            colours = len(position.hands)
            following = (before.colour + 1) % colours
            while following != position.colour and position.colour is not None:
                assert not position.placements(following)
                out.add(following)
                following = (following + 1) % colours
            assert position.colour not in out
            before = position
        assert not any(before.placements(colour) for colour in range(len(before.hands)))


def test_a_new_match_asks_for_the_start_square_again() -> None:
    assert random_match(start("duo-2"), "first match")[-1].to_move is None
    assert refusal(start("duo-2"), "a1").code == "not_start"
    assert len(start("duo-2").legal_moves()) == 414


def test_in_classic_3_the_seats_take_turns_with_green() -> None:
    position = after("classic-3", "a20,b20", "t20", "t1")
    assert (position.colour, position.to_move) == (3, 0)
    position = play(position, "a1")
    assert (position.colour, position.to_move) == (0, 0)
    assert refusal(position, "a19").code == "edge_contact"
    states = random_match(position, "turns")
    assert [state.to_move for state in states if state.colour == 3][:7] == [1, 2, 0, 1, 2, 0, 1]


def test_in_classic_3_a_seat_whose_colour_is_out_still_plays_green() -> None:
    hands = stuck("yellow")
    position = play(
        position_of(
            "classic-3", {**hands, "green": (squares(CLASSIC, "a1"), EVERYTHING & ~pieces("I1"))}, colour="red"
        ),
        "s2",
    )
    assert (position.colour, position.to_move) == (3, 1)


def test_in_classic_2_the_seats_have_two_colours_each() -> None:
    position = start("classic-2")
    seats = [position.to_move]
    for ply in ("a20", "t20", "t1", "a1"):
        position = play(position, ply)
        seats.append(position.to_move)
    assert seats == [0, 1, 0, 1, 0]


def test_with_free_corners_a_first_piece_may_take_any_corner_that_is_free() -> None:
    position = start("classic-4", "free-corners")
    assert len(position.legal_moves()) == 4 * 58
    position = play(position, "t1")
    assert len(position.legal_moves()) == 3 * 58
    assert refusal(position, "t1,t2").code == "overlap"
    error = refusal(position, "j10")
    assert error.code == "not_start"
    assert "a1, a20, t20" in str(error)
    position = play(play(play(position, "a1"), "a20"), "t20")
    assert position.colour == 0
    assert "s2,s3" in texts(position.legal_moves())


def test_with_free_corners_either_start_square_of_duo_will_do() -> None:
    position = start("duo-2", "free-corners")
    assert len(position.legal_moves()) == 2 * 414
    assert play(position, "j5").to_move == 1


def test_an_illegal_move_changes_no_score() -> None:
    position = after("classic-4", "a20,b20", "t20", "t1", "a1")
    scores = position.scores()
    refusal(position, "c20")
    assert position.scores() == scores == (-87, -88, -88, -88)


@pytest.mark.parametrize(("variant", "counts"), [("classic-4", [58, 3364, 195112]), ("duo-2", [414, 171396])])
def test_perft_from_the_start(variant: str, counts: list[int]) -> None:
    assert [perft(start(variant), depth) for depth in range(1, len(counts) + 1)] == counts


def test_perft_breaks_down_by_first_move() -> None:
    ways = breakdown(start("classic-4"), 2)
    assert len(ways) == 58
    assert set(ways.values()) == {58}


def test_a_seat_chooses_ahead_for_the_next_of_its_colours() -> None:
    position = start("classic-2")
    assert position.ahead(0) is position
    assert position.ahead(1).colour == 1
    red_is_next = play(position, "a20")
    assert red_is_next.ahead(0).colour == 2
    assert red_is_next.ahead(0).play(GAME.parse_move("t1")).hands[2].placed == squares(CLASSIC, "t1")
    assert red_is_next.hands[2].placed == 0


def test_a_seat_chooses_ahead_for_its_other_colour_when_the_next_cannot_place() -> None:
    stuck = (squares(CLASSIC, "a20"), 0)
    position = position_of(
        "classic-2", {"blue": (squares(CLASSIC, "a20"), pieces("I2")), "yellow": (0, pieces("I2")), "red": stuck}, colour="yellow"
    )
    assert position.ahead(0).colour == 0


def test_the_shared_colour_is_chosen_ahead_only_by_the_seat_that_places_it_next() -> None:
    red_to_place = after("classic-3", "a20", "t20")
    assert [red_to_place.ahead(seat).colour for seat in range(3)] == [3, 1, 2]
    red_again = play(play(play(play(red_to_place, "t1"), "a1"), "b18,b19"), "s18,s19")
    assert [red_again.ahead(seat).colour for seat in range(3)] == [0, 3, 2]


def test_nothing_is_chosen_ahead_by_a_seat_without_a_move_or_after_the_end() -> None:
    position = position_of("duo-2", {"blue": (0, pieces("I1"))}, colour="blue")
    with pytest.raises(LookupError):
        position.ahead(1)
    over = play(position, "e10")
    assert over.to_move is None
    for seat in range(2):
        with pytest.raises(LookupError):
            over.ahead(seat)
