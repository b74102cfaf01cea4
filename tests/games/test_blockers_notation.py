"""Placements and draws of Blockers! as text."""

from __future__ import annotations

import pytest

from games.blockers import GAME
from games.blockers.notation import TILES, Placement
from games.kit.protocol import InvalidMove
from tests.games.blockers_positions import after, dealt, start
from tests.games.sources import source


@pytest.mark.parametrize("text", ["c@A8", "*@E5", "g:7@C7", "I@I9", "p:*@A1"])
def test_a_placement_is_written_as_it_is_read(text: str) -> None:
    assert str(GAME.parse_move(text)) == text


def test_every_placement_has_a_spelling_of_its_own() -> None:
    placements = [
        Placement(colour, tile, cell)
        for colour in (None, *range(5))
        for tile in range(len(TILES))
        for cell in range(81)
    ]
    assert len({str(placement) for placement in placements}) == len(placements)
    assert all(GAME.parse_move(str(placement)) == placement for placement in placements)


def test_tiles_of_a_draw_may_come_in_any_order_and_are_written_letters_numbers_symbols_wild() -> None:
    assert str(GAME.parse_move("=r:A3c*7")) == "=r:A37c*"
    assert str(GAME.parse_move("=y:*i1A r:93aIA")) == "=r:AI39a y:A1i*"
    assert str(GAME.parse_move("=r:5")) == "=r:5"


def test_a_deal_in_any_order_is_the_same_deal() -> None:
    assert after("basic-2", "=r:A3c*7 y:12345") == after("basic-2", "=y:54321 r:*7c3A")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("c@a8", "no_placement"),
        ("c@A0", "no_placement"),
        ("c@J1", "no_placement"),
        ("j@A1", "no_placement"),
        ("0@A1", "no_placement"),
        ("x:c@A8", "no_placement"),
        ("c@A8 ", "no_placement"),
        ("c@A8\n", "no_placement"),
        ("C7", "no_placement"),
        ("pass", "no_placement"),
        ("=", "no_draw"),
        ("=?", "no_draw"),
        ("=r:?", "no_draw"),
        ("=r:A3c7* y:?", "no_draw"),
        ("=r:", "no_draw"),
        ("=r:5 ", "no_draw"),
        ("=r:5  y:5", "no_draw"),
        ("=r:55", "repeated"),
        ("=r:5 r:6", "repeated"),
        ("r:" + "A" * 300, "too_long"),
        ("=" + "r:A " * 100, "too_long"),
    ],
)
def test_what_is_no_ply_is_refused_by_its_kind(text: str, code: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.parse_move(text)
    assert caught.value.code == code


def test_labels_of_draws_count_the_tiles_a_colour_has_drawn_from_its_pile() -> None:
    assert start("basic-2").chance_label == "deal"
    position = dealt("basic-2")
    position = position.play(position.legal_moves()[0])
    assert position.chance_label == "draw r 1"
    position = position.play(position.draw(source("x")))
    assert position.play(position.legal_moves()[0]).chance_label == "draw y 1"


def test_plies_show_their_spelling_when_debugged() -> None:
    assert repr(GAME.parse_move("g:7@C7")) == "<g:7@C7>"
    assert repr(GAME.parse_move("=r:5")) == "<=r:5>"
