"""What the Nibble board in the browser is told, key by key."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import pytest

from games.nibble import GAME
from tests.games.nibble_positions import SQUARE_LAYOUT, VARIANTS, after, play, position_of, random_match, start

THIRTEEN = {"colours": "abcdefghijklm", "majority": 7, "all": 13, "triple": 10}


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("square-9", {"shape": "square", "size": 9, "colours": "abcdefghi", "majority": 5, "all": 9, "triple": 7}),
        ("square-13", {"shape": "square", "size": 13, **THIRTEEN}),
        ("hex-13", {"shape": "hex", "size": 8, **THIRTEEN}),
    ],
)
def test_the_board_is_told_its_shape_and_the_numbers_that_win(variant: str, expected: dict[str, object]) -> None:
    data = GAME.board_data(variant)
    assert {key: data[key] for key in expected} == expected
    assert set(data) == {*expected, "names", "cells"}
    assert list(data["names"]) == list(data["colours"])
    assert len(set(data["names"].values())) == len(data["colours"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_cells_next_to_each_other_are_one_apart_and_none_is_nearer(variant: str) -> None:
    cells = GAME.board_data(variant)["cells"]
    assert min(cell["x"] for cell in cells) == min(cell["y"] for cell in cells) == 0
    apart = [hypot(one["x"] - other["x"], one["y"] - other["y"]) for one, other in combinations(cells, 2)]
    assert min(apart) == pytest.approx(1, abs=0.001)
    sides = {"square-9": 2 * 9 * 8, "square-13": 2 * 13 * 12, "hex-13": 7 * (9 * 7 + 3)}[variant]
    assert sum(distance < 1.01 for distance in apart) == sides


def test_squares_are_numbered_by_row_from_the_bottom() -> None:
    cells = GAME.board_data("square-13")["cells"]
    assert [cells[index]["name"] for index in (0, 12, 13, 168)] == ["a1", "m1", "a2", "m13"]
    assert (cells[14]["x"], cells[14]["y"]) == (1, 1)


def test_hexagon_cells_are_numbered_by_row_from_the_bottom_then_by_column() -> None:
    cells = GAME.board_data("hex-13")["cells"]
    assert [cells[index]["name"] for index in (0, 7, 8, 168)] == ["h1", "o1", "g2", "h15"]
    places = {cell["name"]: (cell["x"], cell["y"]) for cell in cells}
    assert places["a8"][0] == 0
    assert places["o8"][0] == 14
    assert places["h1"] == (3.5, 0)


def test_before_the_layout_the_board_is_bare() -> None:
    assert start("square-9").view(None) == {
        "cells": "." * 81,
        "takeable": [],
        "counts": [[0] * 9, [0] * 9],
        "majorities": [0, 0],
        "last": None,
        "threats": [],
        "won": None,
    }
    assert start("square-9").offer() == {}


def test_a_position_in_full() -> None:
    position = after("square-9", SQUARE_LAYOUT, "a1,i9")
    view = position.view(1)
    assert view["cells"][:9] == ".haghedib"
    assert view["cells"][-9:] == "acgfdchc."
    assert view["takeable"] == [1, 8, 9, 71, 72, 79]
    assert view["counts"] == [[0, 0, 0, 0, 0, 0, 0, 0, 2], [0] * 9]
    assert view["last"] == {"seat": 0, "colour": "i", "cells": [0, 80]}
    assert position.offer()["h"] == [[1]]


def test_the_last_take_is_shown_with_its_seat_also_at_the_end() -> None:
    end = play(position_of("square-9", {"a": "a1", "b": "b1"}, second="a" * 8, seat=1), "a1")
    view = end.view(None)
    assert view["last"] == {"seat": 1, "colour": "a", "cells": [0]}
    assert view["won"] == {"seat": 1, "kind": "all", "colours": "a"}
    assert (view["takeable"], view["threats"], end.offer()) == ([], [], {})


def test_a_threat_names_its_colours_and_what_each_still_needs() -> None:
    left = {"c": "a1 b2", "d": "b1", "e": "a2"}
    position = position_of("square-9", left, first="c" * 6 + "d" * 7 + "e" * 6 + "abfghi")
    assert position.view(0)["threats"] == [{"seat": 0, "kind": "triple", "colours": "cde", "needs": [1, 0, 1]}]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_threat_of_a_match_can_come_true(variant: str) -> None:
    for position in random_match(variant, "threats"):
        view = position.view(None)
        left = [view["cells"].count(letter) for letter in position.board.colours]
        for threat in view["threats"]:
            places = [position.board.colours.index(letter) for letter in threat["colours"]]
            assert all(need <= left[place] for need, place in zip(threat["needs"], places, strict=True))
            assert 1 <= sum(threat["needs"]) <= 3
