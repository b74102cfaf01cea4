"""Blockers! agrees with matches made and scored by another engine, ply by ply."""

from __future__ import annotations

from typing import Any

import pytest

from games.blockers import GAME
from games.kit.record import Record, check, legal_counts, replay
from tests.games.sources import lines

RECORDS = [line for line in lines("records.jsonl") if line["game"] == "blockers"]


def test_there_are_records_of_every_variant() -> None:
    assert sorted(line["variant"] for line in RECORDS) == sorted(2 * [variant.key for variant in GAME.variants])


@pytest.mark.parametrize("line", RECORDS, ids=lambda line: f"{line['variant']}-{line['plies'][0][3:8]}")
def test_records_of_another_engine_replay_with_their_counts_and_results(line: dict[str, Any]) -> None:
    record = Record.from_json(line)
    assert check(record) == []
    counts = legal_counts(record)
    assert line["legal_moves"]
    assert {str(ply): counts[ply] for ply in map(int, line["legal_moves"])} == line["legal_moves"]
    assert record.result is not None
    *_, end = replay(record)
    outcome = end.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == (record.result.scores, record.result.ranks)
