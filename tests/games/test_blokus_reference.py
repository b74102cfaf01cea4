"""Blokus agrees with matches that Pentobi played and scored, ply by ply."""

from __future__ import annotations

import pytest

from games.blokus import GAME
from games.blokus.pieces import ALL_SQUARES
from games.kit.record import Record, check, legal_counts, replay
from tests.games.sources import lines

PENTOBI = lines("blokus_pentobi.jsonl")
VARIANTS = [variant.key for variant in GAME.variants]


@pytest.mark.parametrize("variant", VARIANTS)
def test_pentobi_and_we_agree_on_every_count_square_and_end(variant: str) -> None:
    matches = [match for match in PENTOBI if match["variant"] == variant]
    assert len(matches) >= 15
    for match in matches:
        record = Record("blokus", variant, tuple(match["plies"]))
        assert legal_counts(record) == match["legal_moves"]
        assert check(record) == []
        *_, end = replay(record)
        assert [ALL_SQUARES - colour["squares_left"] for colour in end.view(None)["colours"]] == match["squares"]
        assert (end.to_move is None) == match["complete"]
