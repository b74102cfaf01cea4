"""Nibble takes and layouts as text."""

from __future__ import annotations

import pytest

from games.kit.chance import shuffled
from games.kit.protocol import InvalidMove
from games.nibble import GAME
from games.nibble.board import board_of
from games.nibble.notation import Layout, Take
from tests.games.nibble_positions import VARIANTS
from tests.games.sources import source


def test_cells_may_come_in_any_order_and_are_written_by_row_then_column() -> None:
    spelling = "c1,a2,b9,a10,o15"
    for number in range(20):
        cells = shuffled(spelling.split(","), source(f"order {number}"))
        assert str(GAME.parse_move(",".join(cells))) == spelling


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_cell_has_a_name_of_its_own_that_is_read_as_it(variant: str) -> None:
    cells = board_of(variant).cells
    assert len({str(Take((cell,))) for cell in cells}) == len(cells) == board_of(variant).each ** 2
    assert all(GAME.parse_move(str(Take((cell,)))) == Take((cell,)) for cell in cells)


def test_hexagon_cells_are_those_whose_column_and_row_add_up_to_9_to_23() -> None:
    named = {cell["name"] for cell in GAME.board_data("hex-13")["cells"]}
    assert named == {
        f"{'abcdefghijklmno'[q - 1]}{r}" for q in range(1, 16) for r in range(1, 16) if 9 <= q + r <= 23
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_layout_is_written_from_the_highest_row_down_and_read_back(variant: str) -> None:
    layout = GAME.start(variant).draw(source("layout"))
    assert isinstance(layout, Layout)
    assert GAME.parse_move(str(layout)) == layout
    view = GAME.start(variant).play(layout).view(None)
    assert view["cells"].startswith(layout.rows[-1])
    assert view["cells"].endswith(layout.rows[0])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("p1", "no_cell"),
        ("a0", "no_cell"),
        ("a16", "no_cell"),
        ("a01", "no_cell"),
        ("A1", "no_cell"),
        ("a1 ", "no_cell"),
        ("a1,,a2", "no_cell"),
        ("a١", "no_cell"),
        ("a1\n", "no_cell"),
        ("pass", "no_cell"),
        ("a1,b2,a1", "twice"),
        (",".join(["o15"] * 14), "too_long"),
        ("a1," * 100_000, "too_long"),
        ("=", "no_layout"),
        ("=?", "no_layout"),
        ("=abc/", "no_layout"),
        ("=abn", "no_layout"),
        ("=" + "a" * 100_000, "no_layout"),
    ],
)
def test_what_is_no_take_or_layout_is_refused_by_its_kind(text: str, code: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.parse_move(text)
    assert caught.value.code == code


def test_the_same_block_twice_in_one_take_is_refused_by_name() -> None:
    with pytest.raises(InvalidMove, match="c5 is named twice"):
        GAME.parse_move("c5,a1,c5")
