"""Points of Azul: runs, the order of lines, bonuses and ranks."""

from __future__ import annotations

import pytest

from games.azul.scoring import EMPTY_WALL, bonus, coloured_column, complete, points, runs
from games.azul.tiles import LETTERS
from tests.games.azul_positions import board, coloured_wall, play, position_of


def cells(*rows: str) -> int:
    return sum(1 << 5 * row + column for row, line in enumerate(rows) for column, c in enumerate(line) if c == "x")


def test_the_coloured_side_shows_the_colours_of_the_rules() -> None:
    rows = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]
    for row, line in enumerate(rows):
        assert [coloured_column(row, LETTERS.index(colour)) for colour in line] == list(range(5))


@pytest.mark.parametrize(
    ("wall", "row", "column", "expected"),
    [
        ((".....",), 0, 2, (0, 0)),
        (("xx...",), 0, 2, (3, 0)),
        (("xx.xx",), 0, 2, (5, 0)),
        (("x...x",), 0, 2, (0, 0)),
        (("..x..", ".....", "..x.."), 1, 2, (0, 3)),
        (("..x..", "xx...", "..x.."), 1, 2, (3, 3)),
        (("....x", "....."), 1, 0, (0, 0)),
        (("x....", ".....", ".....", ".....", "....x"), 4, 3, (2, 0)),
        ((".....", ".....", ".....", "....x", "xxxx."), 4, 4, (5, 2)),
    ],
)
def test_a_tile_counts_its_run_across_and_its_run_down(
    wall: tuple[str, ...], row: int, column: int, expected: tuple[int, int]
) -> None:
    assert runs(cells(*wall), row, column) == expected
    assert points(*expected) == (sum(expected) or 1)


def test_a_tile_right_of_columns_1_and_2_scores_3_since_the_left_side_counts() -> None:
    nearly = board(wall=coloured_wall("BY"), lines="R")
    assert play(position_of([nearly], factories="K"), "1K2").boards[0].score == 3


def test_lines_score_from_the_top_so_an_upper_tile_helps_the_lower_one() -> None:
    """Blue in row 1 column 1 scores 1, white under it in row 2 column 1 then 2."""
    position = play(position_of([board(lines="B WW")], factories="K"), "1K5")
    assert [step.points for _, step in position.tiling] == [1, 2]
    assert position.boards[0].score == 3


def test_row_and_column_are_scored_together() -> None:
    nearly = board(wall=coloured_wall("B", "", "K"), lines="- WW")
    assert play(position_of([nearly], factories="K"), "1K5").boards[0].score == 3
    crossing = board(wall=coloured_wall("B", "B", "K"), lines="- WW")
    assert play(position_of([crossing], factories="K"), "1K5").boards[0].score == 5


def test_the_bonuses_are_2_for_a_row_7_for_a_column_and_10_for_a_colour() -> None:
    assert bonus(EMPTY_WALL) == 0
    assert bonus(board(coloured_wall("BYRKW")).wall) == 2
    assert bonus(board(coloured_wall("B", "W", "K", "R", "Y")).wall) == 7
    assert bonus(board(coloured_wall("B", "B", "B", "B", "B")).wall) == 10
    full = board(coloured_wall(*["BYRKW"] * 5)).wall
    assert complete(full) == (5, 5, 5)
    assert bonus(full) == 5 * (2 + 7 + 10)


def test_every_seat_gets_its_bonuses_at_the_end_and_the_steps_name_them() -> None:
    ends = board(wall=coloured_wall("BYRK"), lines="W", score=10)
    column = board(wall=coloured_wall("B", "W", "K", "R", "Y"), score=3)
    position = play(position_of([ends, column], factories="K"), "1K2")
    assert position.scores() == (10 + 5 + 2, 3 + 7)
    bonuses = [step for step in position.view(None)["tiling"] if "bonus" in step]
    assert bonuses == [
        {"seat": 0, "bonus": "row", "count": 1, "points": 2},
        {"seat": 1, "bonus": "column", "count": 1, "points": 7},
    ]


def test_of_equal_scores_more_complete_rows_win() -> None:
    ends = board(wall=coloured_wall("BYRK"), lines="W", score=3)
    position = play(position_of([ends, board(score=10)], factories="K"), "1K2")
    assert position.scores() == (10, 10)
    outcome = position.outcome()
    assert outcome is not None and outcome.ranks == (1, 2)


def test_of_equal_scores_and_rows_the_rank_is_shared() -> None:
    ends = board(wall=coloured_wall("BYRK"), lines="W", score=3)
    position = play(position_of([ends, ends, board(score=50)], variant="coloured-3", factories="K"), "1K2")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ((10, 10, 50), (2, 2, 1))
