"""Blokus placements as text."""

from __future__ import annotations

import pytest

from games.blokus import GAME
from games.blokus.notation import Placement
from games.blokus.pieces import ORIENTATIONS, PIECES
from games.kit.chance import shuffled
from games.kit.protocol import InvalidMove
from tests.games.sources import source


def test_squares_may_come_in_any_order_and_are_written_by_row_then_column() -> None:
    spelling = "c16,c17,b18,c18,d18"
    for number in range(20):
        squares = shuffled(spelling.split(","), source(f"order {number}"))
        assert str(GAME.parse_move(",".join(squares))) == spelling


def test_rows_are_sorted_as_numbers_not_as_text() -> None:
    assert str(GAME.parse_move("a10,a11,a9")) == "a9,a10,a11"


def test_every_placement_of_the_big_board_has_a_spelling_of_its_own() -> None:
    placements = [
        Placement(index, x, y)
        for index, shape in enumerate(ORIENTATIONS)
        for x in range(21 - shape.width)
        for y in range(21 - shape.height)
    ]
    assert len(placements) == 30433
    assert len({str(placement) for placement in placements}) == 30433
    assert all(GAME.parse_move(str(placement)) == placement for placement in placements[::7])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("u1", "no_square"),
        ("a0", "no_square"),
        ("a21", "no_square"),
        ("a01", "no_square"),
        ("A1", "no_square"),
        ("a1 ", "no_square"),
        ("a1,,a2", "no_square"),
        ("a١", "no_square"),
        ("a1\n", "no_square"),
        ("pass", "no_square"),
        ("a1,a1", "repeated_square"),
        ("a1,b2", "no_piece"),
        ("a1,a2,a4", "no_piece"),
        ("a1,t20", "no_piece"),
        ("a1,a2,a3,a4,a5,a6", "no_piece"),
        ("a1,b1,c1,d1,e1,f1,g1", "too_long"),
        ("a1," * 100_000, "too_long"),
        ("=a1", "no_chance"),
    ],
)
def test_what_is_not_a_placement_is_refused_by_its_kind(text: str, code: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.parse_move(text)
    assert caught.value.code == code


def test_a_placement_shows_its_piece_when_debugged() -> None:
    assert repr(GAME.parse_move("a1,a2")) == "<I2 on a1,a2>"
    assert PIECES[GAME.parse_move("a1,a2").piece] == "I2"  # type: ignore[attr-defined]
