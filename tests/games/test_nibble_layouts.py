"""Nibble layouts: how they are drawn, and which are refused (cases.md row 65)."""

from __future__ import annotations

from collections import Counter

import pytest

from games.kit.protocol import IllegalMove
from games.nibble import GAME
from games.nibble.board import board_of
from games.nibble.layouts import draw_layout, layout_of
from games.nibble.notation import Layout
from games.nibble.rules import Position
from tests.games.nibble_brute_force import Table
from tests.games.nibble_positions import VARIANTS, start
from tests.games.sources import source


class Stubborn:
    """The least helpful source: always the same number, as far as it is allowed."""

    def __init__(self, number: int) -> None:
        self.number = number

    def below(self, n: int) -> int:
        return self.number % n


def layout_refusal(variant: str, rows: tuple[str, ...]) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        start(variant).play(Layout(rows))
    return caught.value


def drawn(variant: str, label: str) -> Layout:
    return draw_layout(board_of(variant), source(label))


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_colour_is_there_equally_often_and_never_beside_itself(variant: str) -> None:
    each = int(variant.partition("-")[2])
    for number in range(4):
        layout = drawn(variant, f"even {number}")
        assert set(Counter("".join(layout.rows)).values()) == {each}
        table = Table(variant.partition("-")[0], str(layout))
        assert len(table.blocks) == each * each
        for cell, colour in table.blocks.items():
            assert colour not in {table.blocks.get(side) for side in table.sides(cell)}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("number", [0, 1, 80])
def test_a_layout_comes_out_of_any_source(variant: str, number: int) -> None:
    position = start(variant).play(draw_layout(board_of(variant), Stubborn(number)))
    assert position.left.bit_count() == len(board_of(variant).cells)


def test_layouts_differ_and_equal_sources_give_equal_ones() -> None:
    layouts = {str(drawn("square-9", f"differ {number}")) for number in range(20)}
    assert len(layouts) == 20
    assert str(drawn("square-9", "differ 3")) in layouts


def test_little_is_left_of_the_stripes_from_which_a_layout_is_made() -> None:
    """Cells that the stripes paint alike are alike in a layout as often as by chance, about one time in ten."""
    board = board_of("square-9")
    pairs = [(first, second) for first in range(81) for second in range(first) if (first - second) % 8 == 0]
    pairs = [pair for pair in pairs if pair[0] // 9 - pair[1] // 9 == (pair[0] - pair[1]) // 8]
    alike = total = 0
    for number in range(60):
        letters = "".join(reversed(draw_layout(board, source(f"mixed {number}")).rows))
        alike += sum(letters[first] == letters[second] for first, second in pairs)
        total += len(pairs)
    assert 0.08 < alike / total < 0.14


def test_the_layout_is_the_only_draw() -> None:
    position = start("square-9")
    assert position.chance_label == "layout"
    laid_out = position.play(position.draw(source("only")))
    for call in (lambda: laid_out.chance_label, lambda: laid_out.draw(source("again"))):
        with pytest.raises(LookupError):
            call()


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_of_wrong_lengths_are_refused(variant: str) -> None:
    rows = drawn(variant, "rows").rows
    for wrong in (rows[1:], (*rows, rows[0]), (rows[0][1:], *rows[1:]), (rows[0] + "a", *rows[1:]), ("abc",)):
        error = layout_refusal(variant, wrong)
        assert error.code == "layout_rows"
        assert str(len(wrong[0])) in str(error)


def test_a_layout_of_another_board_is_refused() -> None:
    for variant in VARIANTS:
        for other in VARIANTS:
            if other != variant:
                assert layout_refusal(variant, drawn(other, "other").rows).code == "layout_rows"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_colour_too_often_is_refused_by_name(variant: str) -> None:
    rows = drawn(variant, "counts").rows
    changed = next(letter for letter in "abc" if letter not in {rows[0][0], rows[0][1], *rows[1][:2]})
    error = layout_refusal(variant, (changed + rows[0][1:], *rows[1:]))
    assert error.code == "layout_counts"
    assert str(board_of(variant).each) in str(error)


def test_a_letter_that_the_small_board_lacks_is_refused() -> None:
    rows = drawn("square-9", "letters").rows
    assert layout_refusal("square-9", ("m" + rows[0][1:], *rows[1:])).code == "layout_counts"


def test_equal_colours_side_by_side_are_refused_with_both_cells() -> None:
    for variant in VARIANTS:
        board = board_of(variant)
        colours = [index % board.each for index in range(len(board.cells))]
        colours.sort()
        error = layout_refusal(variant, layout_of(board, colours).rows)
        assert error.code == "layout_neighbours"
        assert error.names["first"] != error.names["second"]


def test_equal_colours_may_meet_at_a_corner_of_a_square() -> None:
    rows = tuple("".join("abcdefghi"[(x + y) % 9] for x in range(9)) for y in range(9))
    position = start("square-9").play(GAME.parse_move("=" + "/".join(rows)))
    assert isinstance(position, Position)
    assert position.to_move == 0
