"""All games agree with matches made and scored by other engines, ply by ply."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry
from games.kit.record import Record, check, legal_counts, replay
from tests.games.sources import lines

RECORDS = lines("records.jsonl")
MATCHES = [
    pytest.param(line, id=f"{line['game']}:{line['variant']}-{number % 2 + 1}") for number, line in enumerate(RECORDS)
]


def test_there_are_two_records_of_every_variant() -> None:
    compared = {line["game"] for line in RECORDS}
    assert compared >= {"azul", "blockers", "blokus", "nibble"}
    variants = [(key, variant.key) for key in compared for variant in registry.get(key).variants]
    assert sorted((line["game"], line["variant"]) for line in RECORDS) == sorted(variants * 2)


@pytest.mark.parametrize("line", MATCHES)
def test_records_of_another_engine_replay_with_their_counts_and_results(line: dict[str, Any]) -> None:
    record = Record.from_json(line)
    assert check(record) == []
    counts = {str(ply): count for ply, count in enumerate(legal_counts(record)) if count is not None}
    assert counts == line["legal_moves"]
    assert record.result is not None
    *_, end = replay(record)
    outcome = end.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == (record.result.scores, record.result.ranks)


def test_one_of_the_matches_of_nibble_was_won_at_once() -> None:
    records = [Record.from_json(line) for line in RECORDS if line["game"] == "nibble"]
    ends = [list(replay(record))[-1].view(None)["won"]["kind"] for record in records]
    assert sorted(ends) == ["all", *["majorities"] * 5]
