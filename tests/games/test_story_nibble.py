"""What Nibble tells of plies, and why it calls a take better."""

from __future__ import annotations

from functools import partial

from games.nibble import GAME
from tests.games import stories
from tests.games.nibble_positions import position_of, start
from tests.games.sources import source

told, reason = partial(stories.events, GAME), partial(stories.reason, GAME)


def test_nothing_is_told_of_the_layout() -> None:
    empty = start("square-9")
    assert told(empty, str(empty.draw(source("layout")))) == []


def test_a_majority_and_a_take_of_many_blocks_are_told_of() -> None:
    position = position_of("square-9", {"a": "a1 c1", "b": "b1 a2 c2", "c": "b2"}, first="aaabbcc")
    assert told(position, "a1,c1") == [("majority", 0, "Majority in white")]
    many = position_of("square-9", {"a": "a1 c1 a3 c3", "b": "b1 a2 c2 b3", "c": "b2"}, first="bb")
    assert told(many, "a1,c1,a3,c3") == [("many", 0, "Takes 4 white blocks at once")]


def test_a_win_at_once_is_told_of_and_is_the_best_reason() -> None:
    every = position_of("square-9", {"a": "a1", "b": "b1", "c": "c1"}, first="a" * 8)
    assert told(every, "a1") == [("win", 0, "Wins at once: all white blocks")]
    assert reason(every, "a1", "c1") == "It wins at once, with all white blocks."
    three = position_of("square-9", {"a": "a1 c1", "b": "b1", "d": "d1"}, first="a" * 6 + "b" * 7 + "c" * 7)
    assert told(three, "a1") == [("win", 0, "Wins at once: 7 blocks each of white, yellow and orange")]
    assert reason(three, "a1", "d1") == "It wins at once, with 7 blocks each of white, yellow and orange."


def test_a_win_that_comes_near_is_told_of_and_is_a_reason() -> None:
    near = position_of("square-9", {"a": "a1 c1 e1 a2", "b": "b1 d1", "c": "f1"}, first="aaaaabccccddddeeeeffffgggghhhhhiiii")
    assert told(near, "a2") == [("threat", 0, "Only 3 short of all white blocks")]
    assert reason(near, "a2", "f1") == "It threatens to take all white blocks: 3 more would do."


def test_who_stops_a_win_that_came_near_is_told_of_and_what_the_rival_could_have_done() -> None:
    position = position_of("square-9", {"a": "a1", "b": "b1 d1", "c": "c1 e1"}, second="a" * 8 + "bcdef" * 3)
    assert told(position, "a1") == [
        ("block", 0, "Stops the threat of all white blocks"),
        ("decided", 0, "Certain of most majorities"),
    ]
    assert reason(position, "a1", "e1") == "The move that was made lets the rival win at once, by taking white on a1."


def test_certain_majorities_are_a_reason() -> None:
    shares = "aaaaaabbbcccddddeeeeffffgggghhhhhiiiii"
    position = position_of("square-9", {"a": "a1 c1 e1", "b": "b1 d1", "c": "f1"}, second=shares)
    assert reason(position, "a1", "f1") == (
        "It makes the win certain: most majorities, and nothing the rival could do at once."
    )


def test_majorities_of_either_are_reasons() -> None:
    left = {"a": "a1 c1 e1", "b": "b1 d1", "c": "f1"}
    own = position_of("square-9", left, first="aaaaabccccddddeeeeffffgggghhhhhiiii")
    assert reason(own, "f1", "a1") == "It wins the majority in orange."
    rivals = position_of("square-9", {"a": "a1", "b": "b1 d1", "c": "c1 e1"}, second="aaaabbbcccddddeeeeffffggggghhhhh")
    assert reason(rivals, "a1", "e1") == "The move that was made lets the rival win the majority in white with its next take."


def test_blocks_that_still_count_are_reasons() -> None:
    decided = position_of("square-9", {"a": "a1 c1 a3", "b": "b1 d1 a2", "c": "e1"}, first="aaabbccdddddeeeeefffff")
    assert reason(decided, "a3", "e1") == "It takes white, which is not decided yet, rather than orange, whose majority is."
    more = position_of("square-9", {"a": "a1 c1 a3 c3", "b": "b1 a2 c2 b3", "c": "b2"}, first="bbaadddddeeeeffffggggg")
    assert reason(more, "a1,c1", "a1") == "It takes more blocks: 2 instead of 1."
