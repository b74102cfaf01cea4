"""What Blokus tells of plies, and why it calls a placement better."""

from __future__ import annotations

from functools import partial

from games.blokus import GAME
from games.blokus.rules import Position
from tests.games import stories
from tests.games.blokus_positions import after, board_of, pieces, position_of, squares, start

DUO = board_of("duo-2")
FREE = {"a2", "b1", "b3", "b4"}


def duo(blue: tuple[str, str], green: tuple[str, str], *, colour: str = "blue") -> Position:
    """A position of Duo: per colour the squares covered and the pieces left."""
    hands = {key: (squares(DUO, placed), pieces(left)) for key, (placed, left) in {"blue": blue, "green": green}.items()}
    return position_of("duo-2", hands, colour=colour)


told, reason = partial(stories.events, GAME), partial(stories.reason, GAME)


def test_nothing_is_told_of_a_first_piece() -> None:
    assert told(start("classic-4"), "a20,b20,c20") == []


def test_the_last_piece_is_told_of_and_whether_it_was_the_single_square() -> None:
    assert told(duo(("a1", "I2"), ("n14", "I1")), "b2,c2") == [("last", 0, "Blue has placed all its pieces")]
    assert told(duo(("a1", "I1"), ("n14", "I1")), "b2") == [("last", 0, "Blue has placed all its pieces, the single square last")]


def test_a_colour_that_is_shut_out_is_told_of_at_once_and_not_again() -> None:
    position = duo(("c12", "I1 I2 I3"), ("a14", "I1 I2 V3"))
    assert told(position, "b13") == [("shut", 1, "Green can place no more; squares left: 6")]
    shut = position.play(GAME.parse_move("b13"))
    assert told(shut, "d11,e11") == []


def test_three_corners_under_one_piece_are_told_of() -> None:
    blue = duo(("a11", "I5 I2"), ("c11 e11 g11", "I1 I2"))
    assert told(blue, "b12,c12,d12,e12,f12") == [("block", 0, "Takes 3 corners of Green")]
    assert told(blue, "b12,c12") == []


def test_a_colour_that_all_play_in_turn_is_nobodys() -> None:
    position = after("classic-3", "a20,b20,c20", "t20,s20,r20", "t1,s1,r1")
    assert position.to_move == 0
    assert reason(position, "a1,b1,b2,c2,c3", "a1") == "It heads for the middle; squares away from it: 7 instead of 9."


def test_a_bigger_piece_is_a_reason() -> None:
    position = after("duo-2", "e10,f10,f9,g9,g8", "j5,j4,k4,k3,l3")
    assert reason(position, "h7,i7,j7,k7,k8", "h7,i7,j7,k7") == "It places a bigger piece: 5 squares instead of 4."


def test_room_is_a_reason() -> None:
    better = reason(start("duo-2"), "e10,f10,f9,g9,g8", "e10,e11,e12,e13,e14")
    assert better == "It opens more room for Blue: 89 free squares within reach instead of 44."


def test_shutting_a_rival_out_is_a_reason() -> None:
    position = duo(("c12", "I1 I2 I3"), ("a14", "I1 I2 V3"))
    assert reason(position, "b13", "d11") == "It shuts Green out: none of its pieces fits any more."


def test_cutting_a_rival_off_is_a_reason() -> None:
    position = duo(("c12", "I1 I2 I3"), ("a14 n1", "I1 I2 V3"))
    assert reason(position, "b13", "d11") == "It cuts Green off; free squares within its reach: 21 instead of 40."


def test_being_able_to_go_on_is_a_reason() -> None:
    everything_else = " ".join(f"{column}{row}" for column in "abcdefghijklmn" for row in range(1, 15) if f"{column}{row}" not in FREE)
    position = duo(("a2", "I1 I2"), (everything_else, "I1"))
    assert reason(position, "b1", "b3") == "Blue can go on afterwards; the move that was made leaves no place for any of its pieces."


def test_the_single_square_is_saved() -> None:
    position = duo(("c12", "I1 I2 I3"), ("a14", "I1 I2 V3"))
    assert reason(position, "d10,d11", "d11") == (
        "It saves the single square, which fits almost anywhere and as the very last piece is worth 5 more."
    )
