"""Nibble agrees with matches played and scored by another engine, ply by ply."""

from __future__ import annotations

from typing import Any

import pytest

from games.kit.record import Record, check, legal_counts, replay
from tests.games.sources import lines

RECORDS = [line for line in lines("records.jsonl") if line["game"] == "nibble"]


def test_there_are_two_records_of_each_variant() -> None:
    assert sorted(line["variant"] for line in RECORDS) == ["hex-13"] * 2 + ["square-13"] * 2 + ["square-9"] * 2


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


def test_one_of_the_matches_was_won_at_once() -> None:
    ends = [list(replay(Record.from_json(line)))[-1].view(None)["won"]["kind"] for line in RECORDS]
    assert sorted(ends) == ["all", *["majorities"] * 5]
