"""Blokus agrees with matches played and scored by other engines, ply by ply."""

from __future__ import annotations

from typing import Any

import pytest

from games.blokus import GAME
from games.blokus.pieces import ALL_SQUARES
from games.kit.record import Record, check, legal_counts, replay
from tests.games.sources import lines

PENTOBI = lines("blokus_pentobi.jsonl")
RECORDS = [line for line in lines("records.jsonl") if line["game"] == "blokus"]
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


@pytest.mark.parametrize("line", RECORDS, ids=lambda line: f"{line['variant']}-{len(line['plies'])}")
def test_records_of_another_engine_replay_with_their_counts_and_results(line: dict[str, Any]) -> None:
    record = Record.from_json(line)
    assert check(record) == []
    counts = legal_counts(record)
    assert {str(ply): counts[ply] for ply in map(int, line["legal_moves"])} == line["legal_moves"]
    assert record.result is not None
    *_, end = replay(record)
    outcome = end.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == (record.result.scores, record.result.ranks)
