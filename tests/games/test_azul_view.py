"""What the board is told about a position of Azul: the shape the board's script relies on, and a few exact values."""

from __future__ import annotations

import pytest

from games.azul import GAME
from games.kit.protocol import CHANCE
from tests.games.azul_positions import VARIANTS, after, board, coloured_wall, play, position_of, start

DEAL = "=BBRY/KWWB/YYRK/BWWR/KKYR"


def test_the_board_is_told_the_wall_the_colours_and_what_the_floor_costs() -> None:
    assert GAME.board_data("coloured-2") == {
        "seats": 2,
        "factories": 5,
        "grey": False,
        "wall": ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"],
        "colours": "BYRKW",
        "names": {"B": "blue", "Y": "yellow", "R": "red", "K": "black", "W": "white"},
        "floor": [-1, -1, -2, -2, -2, -3, -3],
    }
    grey = GAME.board_data("grey-4")
    assert (grey["seats"], grey["factories"], grey["grey"], grey["wall"]) == (4, 9, True, None)


def test_a_view_shows_the_table_and_counts_bag_and_lid() -> None:
    view = after("coloured-2", DEAL, "1B2", "cR1").view(None)
    assert (view["round"], view["phase"], view["starter"], view["marker"]) == (1, "take", 0, 1)
    assert view["factories"] == ["", "BKWW", "YYRK", "BRWW", "YRKK"]
    assert view["centre"] == "Y"
    assert view["bag"] == {"B": 16, "Y": 16, "R": 16, "K": 16, "W": 16}
    assert view["lid"] == dict.fromkeys("BYRKW", 0)
    assert view["tiling"] == []
    assert view["last"] == {"seat": 1, "source": "c", "colour": "R", "line": 1, "count": 1, "column": None}
    assert view["boards"][0] == {
        "seat": 0,
        "score": 0,
        "lines": [{"colour": None, "count": 0}, {"colour": "B", "count": 2}, *[{"colour": None, "count": 0}] * 3],
        "wall": ["....."] * 5,
        "floor": "",
        "penalty": 0,
        "forecast": 1,
        "rows": 0,
        "columns": 0,
        "colours": 0,
        "choose": None,
    }
    assert (view["boards"][1]["floor"], view["boards"][1]["penalty"]) == ("*", -1)


def test_the_steps_of_the_round_end_are_shown_until_the_next_take() -> None:
    boards = [board(coloured_wall("", "", "W"), lines="- - BBB"), board(floor="RR")]
    position = play(position_of(boards, factories="KK", marker=1), "1K2")
    steps = [
        {"seat": 0, "line": 2, "colour": "K", "column": 5, "across": 0, "down": 0, "points": 1},
        {"seat": 0, "line": 3, "colour": "B", "column": 3, "across": 2, "down": 0, "points": 2},
        {"seat": 1, "floor": "RR", "points": 0},
    ]
    assert position.to_move is CHANCE
    assert position.view(None)["tiling"] == steps
    dealt = position.play(position.draw(_First()))
    assert dealt.view(None)["tiling"] == steps
    assert dealt.view(None)["last"] is None
    assert dealt.play(dealt.legal_moves()[0]).view(None)["tiling"] == []


class _First:
    def below(self, n: int) -> int:
        return 0


def test_an_offer_tells_what_fills_what_falls_and_what_it_scores() -> None:
    own = board(coloured_wall("B"), lines="Y W", floor="R", score=5)
    position = position_of([own], factories="WWWW", centre="KK")
    offers = {entry["move"]: entry for entry in position.offer()}
    assert offers["1W2"] == {
        "move": "1W2",
        "source": "1",
        "colour": "W",
        "line": 2,
        "count": 4,
        "fills": 1,
        "falls": 3,
        "marker": False,
        "cost": -5,
        # Blue stands above, and yellow of line 1 goes beside that first.
        "points": 2,
        "forecast": 5 + 2 + 2 - 6,
    }
    assert offers["1W5"]["points"] is None
    assert (offers["1W5"]["fills"], offers["1W5"]["falls"], offers["1W5"]["cost"]) == (4, 0, 0)
    centre = offers["cKf"]
    assert (centre["line"], centre["marker"], centre["fills"], centre["falls"], centre["cost"]) == ("f", True, 0, 2, -5)


def test_a_full_floor_costs_no_more() -> None:
    position = position_of([board(floor="RRRKKKY")], factories="WWWW", centre="B")
    assert {entry["cost"] for entry in position.offer()} == {0}


def test_the_forecast_counts_the_bonuses_when_the_round_would_be_the_last() -> None:
    ends = board(coloured_wall("BYRK"), lines="W", score=10)
    column = board(coloured_wall("B", "W", "K", "R", "Y"), score=3)
    position = position_of([ends, column], factories="KKKK")
    assert [own["forecast"] for own in position.view(None)["boards"]] == [10 + 5 + 2, 3 + 7]
    assert position.scores() == (10, 3)


def test_the_grey_side_offers_columns_with_their_points_and_takes_without() -> None:
    position = position_of([board(["B...."], lines="Y")], variant="grey-2", factories="KKKK")
    assert {entry["points"] for entry in position.offer()} == {None}
    position = play(position, "1K5")
    assert position.view(None)["boards"][0]["choose"] == {"line": 1, "columns": [2, 3, 4, 5]}
    assert position.view(None)["boards"][0]["forecast"] == 2
    assert position.offer()[:2] == [
        {"move": "w12", "line": 1, "column": 2, "points": 2},
        {"move": "w13", "line": 1, "column": 3, "points": 1},
    ]
    last = play(position_of([board(lines="Y YY")], variant="grey-2", factories="KKKK"), "1K5", "w13").view(None)["last"]
    assert last == {"seat": 0, "source": None, "colour": "Y", "line": 1, "count": 1, "column": 3}


@pytest.mark.parametrize("variant", VARIANTS)
def test_there_is_nothing_to_offer_when_a_deal_is_due_or_the_match_is_over(variant: str) -> None:
    assert start(variant).offer() == []
    over = position_of([], variant=variant, to_move=None)
    assert over.offer() == []
    assert over.view(None)["phase"] == "over"
