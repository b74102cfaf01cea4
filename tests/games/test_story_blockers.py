"""What Blockers! tells of plies, and why it calls a placement better."""

from __future__ import annotations

from functools import partial

from games.blockers import GAME
from games.blockers.rules import Position
from tests.games import stories
from tests.games.blockers_positions import position_of, start
from tests.games.sources import source

told, reason = partial(stories.events, GAME), partial(stories.reason, GAME)


def midway() -> Position:
    """Red to move; it has captured a yellow tile."""
    board = {"r": "E@E5 1@A1", "y": "C@C5 5@D5 9@D6", "g": "G@G5 6@F6"}
    return position_of("basic-3", board, racks={"r": "DF*5b", "y": "A", "g": "B"}, captured={0: "y:1"})


def test_nothing_is_told_of_draws_and_of_tiles_that_only_lie_down() -> None:
    empty = start("basic-3")
    assert told(empty, str(empty.draw(source("deal")))) == []
    assert told(midway(), "D@D4") == []


def test_a_capture_is_told_of_and_how_many_of_the_colour_captured_most_there_are() -> None:
    assert told(midway(), "D@D6") == [("capture", 0, "Captures the 9 of Yellow on D6, now 2 of that colour")]
    assert told(midway(), "F@F6") == [("capture", 0, "Captures the 6 of Green on F6")]


def test_a_captured_tile_is_called_by_what_it_shows() -> None:
    position = position_of("basic-2", {"r": "E@E5", "y": "c@A9 *@I9"}, racks={"r": "A9125", "y": "B"})
    assert told(position, "A@A9") == [("capture", 0, "Captures the leaf of Yellow on A9")]
    assert told(position, "9@I9") == [("capture", 0, "Captures the star of Yellow on I9")]


def test_groups_that_meet_and_groups_of_rivals_that_cannot_any_more_are_told_of() -> None:
    apart = position_of("basic-2", {"r": "E@E5 5@G5", "y": "1@A1"}, racks={"r": "123F*", "y": "B"})
    assert told(apart, "F@F5") == [("join", 0, "Joins 2 groups of Red")]
    assert told(midway(), "F@F5") == [("block", 0, "Stands between groups of Green on F5")]


def test_own_groups_of_another_colour_are_not_kept_apart_by_their_owner() -> None:
    position = position_of("double-2", {"r": "5@E5", "g": "1@A1 3@A3", "y": "C@C1 3@C3"}, racks={"r": "2AC1*"})
    assert told(position, "r:2@A2") == []
    assert told(position, "r:2@C2") == [("block", 0, "Stands between groups of Yellow on C2")]


def test_a_colour_that_stops_is_told_of() -> None:
    done = position_of("basic-2", {"r": "E@E5 5@D5", "y": "1@A1"}, racks={"r": "123F*", "y": "B"}, piles={"r": ""})
    assert told(done, "F@F5") == [("last", 0, "Red has placed its last tile; groups: 1")]


def test_joining_groups_is_a_reason() -> None:
    apart = position_of("basic-2", {"r": "E@E5 5@G5", "y": "1@A1"}, racks={"r": "123F*", "y": "B"})
    assert reason(apart, "F@F5", "F@F9") == "It joins 2 groups of Red on F5."
    alone = position_of("basic-2", {"r": "E@E5", "y": "1@A1"}, racks={"r": "123F*", "y": "B"})
    assert reason(alone, "F@F5", "F@F9") == "It stays beside Red, where the move that was made begins a new group."


def test_what_is_captured_is_a_reason() -> None:
    assert reason(midway(), "F@F6", "D@D6") == "It takes from Green, of which fewer are captured so far than of Yellow: 0 instead of 1."
    lone = position_of("basic-2", {"r": "E@E5", "y": "1@A1 A@A3"}, racks={"r": "1235*", "y": "B"})
    assert reason(lone, "2@E2", "1@A1") == "It captures nothing; taking one more of Yellow costs a point."


def test_a_lone_tile_of_a_rival_is_better_left() -> None:
    board = {"r": "D@D1 2@D2 3@D3", "y": "4@D4", "g": "E@E1 2@E2"}
    position = position_of("basic-3", board, racks={"r": "4E*95", "y": "A", "g": "B"}, captured={0: "y:1 g:1 g:3"})
    assert reason(position, "E@E1", "4@D4") == "It does not take the lone tile of Yellow on D4, which then has a group fewer."


def test_a_cell_where_groups_of_a_rival_could_meet_is_a_reason() -> None:
    position = position_of("basic-2", {"r": "E@E5", "y": "1@A1 A@A3"}, racks={"r": "1235*", "y": "B"})
    assert reason(position, "2@A2", "2@B2") == "It stands on A2, where 2 groups of Yellow could have met."


def test_the_wild_tile_is_kept_and_groups_near_each_other() -> None:
    assert reason(midway(), "D@D4", "*@D4") == "It keeps the wild tile, which fits anywhere, for later."
    assert reason(midway(), "D@D4", "D@D9") == (
        "It keeps the own groups near each other: single tiles could join them down to 2 instead of 3."
    )
