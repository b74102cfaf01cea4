"""Tests of games find the small hidden-card game by its key, as records do."""

from __future__ import annotations

import pytest

from games import registry
from tests.games.fake_cards import CARDS


@pytest.fixture(autouse=True, scope="session")
def _cards_are_registered() -> None:
    registry.register(CARDS)
