"""What the board in the browser is told: board data, views and offers."""

from __future__ import annotations

import pytest

from games.blokus import GAME
from games.blokus.notation import Placement
from tests.games.blokus_positions import after, play, random_match, start
from tests.games.sources import source

VARIANTS = [variant.key for variant in GAME.variants]


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_offer_read_by_the_board_data_covers_exactly_the_legal_moves(variant: str) -> None:
    data = GAME.board_data(variant)
    size, columns = data["size"], data["columns"]
    for position in random_match(start(variant), f"offer {variant}"):
        offered = []
        for orientation, corners in position.offer().items():
            shape = data["orientations"][int(orientation)]
            for corner in corners:
                cells = sorted((corner // size + dy, corner % size + dx) for dx, dy in shape["cells"])
                offered.append(",".join(f"{columns[x]}{y + 1}" for y, x in cells))
        assert sorted(offered) == sorted(map(str, position.legal_moves()))


def test_board_data_of_the_big_board() -> None:
    data = GAME.board_data("classic-4")
    assert (data["size"], data["columns"]) == (20, "abcdefghijklmnopqrst")
    assert data["colours"] == ["blue", "yellow", "red", "green"]
    assert data["starts"] == {"blue": [380], "yellow": [399], "red": [19], "green": [0]}
    assert [piece["key"] for piece in data["pieces"]][:9] == ["I1", "I2", "I3", "V3", "I4", "L4", "O4", "T4", "Z4"]
    assert len(data["orientations"]) == 91
    for shape in data["orientations"]:
        assert min(x for x, _ in shape["cells"]) == min(y for _, y in shape["cells"]) == 0
        assert len(shape["cells"]) == data["pieces"][shape["piece"]]["squares"]


def test_board_data_of_duo() -> None:
    data = GAME.board_data("duo-2")
    assert (data["size"], data["columns"], data["colours"]) == (14, "abcdefghijklmn", ["blue", "green"])
    assert data["starts"] == {"blue": [9 * 14 + 4], "green": [4 * 14 + 9]}


def test_the_view_names_what_lies_where() -> None:
    view = after("duo-2", "e10,f10", "j5").view(None)
    assert {cell: mark for cell, mark in enumerate(view["cells"]) if mark != "."} == {130: "b", 131: "b", 65: "g"}
    assert view["last"] == {"colour": 1, "piece": 0, "cells": [65]}
    assert view["colour"] == 0
    blue, green = view["colours"]
    assert (blue["key"], blue["seat"], blue["score"], blue["squares_left"], blue["bonus"]) == ("blue", 0, -87, 87, 0)
    assert 1 not in blue["pieces"] and len(blue["pieces"]) == 20
    assert sorted(green["corners"]) == sorted([50, 52, 78, 80])
    assert not blue["out"] and not green["out"]


def test_the_corners_of_a_colour_that_has_not_started_are_its_start_squares() -> None:
    assert start("duo-2").view(0)["colours"][0]["corners"] == [130]
    free = start("classic-4", "free-corners")
    assert play(free, "a1").view(None)["colours"][1]["corners"] == [19, 380, 399]


def test_everybody_sees_the_same_since_nothing_is_hidden() -> None:
    position = after("classic-3", "a20")
    assert position.view(None) == position.view(0) == position.view(2)
    assert [colour["seat"] for colour in position.view(None)["colours"]] == [0, 1, 2, None]
    assert position.determinize(1, source("any")) is position
    assert position.visible(GAME.parse_move("a20"), 2) == "a20"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_legal_move_covers_a_corner_that_is_shown(variant: str) -> None:
    size = GAME.board_data(variant)["size"]
    for position in random_match(start(variant), f"corners {variant}"):
        if position.colour is None:
            continue
        corners = {(cell % size, cell // size) for cell in position.view(None)["colours"][position.colour]["corners"]}
        for move in position.legal_moves():
            assert isinstance(move, Placement)
            assert corners & set(move.cells)
