"""Azul agrees with matches played and scored by another engine, ply by ply."""

from __future__ import annotations

from typing import Any

import pytest

from games.kit.record import Record, check, legal_counts
from tests.games.azul_positions import VARIANTS
from tests.games.sources import lines

RECORDS = [line for line in lines("records.jsonl") if line["game"] == "azul"]


@pytest.mark.parametrize("line", RECORDS, ids=[line["variant"] for line in RECORDS])
def test_an_independent_engine_and_we_agree_on_every_count_and_result(line: dict[str, Any]) -> None:
    record = Record.from_json({key: value for key, value in line.items() if key != "legal_moves"})
    assert check(record) == []
    counts = {str(ply): count for ply, count in enumerate(legal_counts(record)) if count is not None}
    assert counts == line["legal_moves"]


def test_two_matches_of_every_variant_were_compared() -> None:
    assert sorted(line["variant"] for line in RECORDS) == sorted(VARIANTS * 2)
