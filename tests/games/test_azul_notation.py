"""Plies of Azul as text, and texts that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.azul import GAME
from games.azul.notation import COLUMNS, TAKES, Deal
from games.kit.protocol import InvalidMove

DEALS = st.lists(st.text("BYRKW", min_size=1, max_size=4) | st.just("-"), min_size=1, max_size=9)


def test_every_take_and_every_column_has_one_spelling() -> None:
    plies = [*(take for by in TAKES for takes in by for take in takes), *(column for row in COLUMNS for column in row)]
    assert len({str(ply) for ply in plies}) == len(plies) == 10 * 5 * 6 + 25
    assert [GAME.parse_move(str(ply)) for ply in plies] == plies
    assert {"3Y2", "cKf", "w35"} <= {str(ply) for ply in plies}
    assert repr(TAKES[3][1][1]) == "<3Y2: yellow>" and repr(COLUMNS[2][4]) == "<w35>"


@given(DEALS)
def test_a_deal_is_read_in_any_order_and_written_in_one(factories: list[str]) -> None:
    deal = GAME.parse_move("=" + "/".join(factories))
    assert isinstance(deal, Deal)
    tidy = "=" + "/".join("".join(sorted(tiles, key="BYRKW-".index)) for tiles in factories)
    assert str(deal) == tidy
    assert GAME.parse_move(tidy) == deal


@pytest.mark.parametrize(
    "text",
    ["", "3Y", "0Y2", "3Y6", "3y2", "CY2", "3Yff", " 3Y2", "3Y2 ", "w06", "w00", "w3", "W35", "c*f", "10B1", "٣Y2"],
)
def test_what_is_not_a_ply_is_refused(text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.parse_move(text)
    assert caught.value.code == "no_move"


@pytest.mark.parametrize("text", ["=", "=?", "==", "=BBRYK", "=B/", "=B//B", "=b", "=B-", "=--", "=BB RY", "=*", "=é"])
def test_a_deal_of_anything_but_up_to_four_tiles_a_factory_is_refused(text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.parse_move(text)
    assert caught.value.code == "no_factory_tiles"


def test_a_text_longer_than_any_ply_is_refused_unread() -> None:
    for text in ("=" + "BBBB/" * 20, "3Y2" * 100_000):
        with pytest.raises(InvalidMove) as caught:
            GAME.parse_move(text)
        assert caught.value.code == "too_long"
