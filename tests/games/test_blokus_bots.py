"""The Blokus bots: legal, repeatable, quick, and each level clearly better than the one below."""

from __future__ import annotations

import pytest

from games.blokus import GAME
from games.blokus.bots import BOTS
from games.blokus.judgement import Judgement, promises
from tests.games.blokus_positions import random_match, start
from tests.games.duels import AnyMove, move_within_a_second, wins

pytestmark = pytest.mark.long


def test_casual_beats_random_moves() -> None:
    assert wins(GAME, "duo-2", BOTS["casual"], AnyMove(), 40) >= 38


def test_beginner_beats_random_moves_but_not_casual() -> None:
    assert wins(GAME, "duo-2", BOTS["beginner"], AnyMove(), 30) >= 20
    assert wins(GAME, "duo-2", BOTS["casual"], BOTS["beginner"], 30) >= 25


def test_skilled_beats_casual() -> None:
    assert wins(GAME, "duo-2", BOTS["skilled"], BOTS["casual"], 8) >= 6


@pytest.mark.parametrize("variant", [variant.key for variant in GAME.variants])
def test_the_strongest_bot_answers_within_a_second_where_moves_are_most(variant: str) -> None:
    states = [start(variant), *random_match(start(variant), f"busy {variant}")]
    busiest = max(states, key=lambda state: len(state.legal_moves()))
    for state in (states[0], busiest):
        assert move_within_a_second(GAME.bot("strong"), state) in state.legal_moves()


def test_the_guide_looks_at_likely_moves_only_and_its_priors_sum_to_one() -> None:
    candidates = Judgement(width=10).candidates(start("duo-2"))
    assert len(candidates) == 10
    assert sum(prior for _, prior in candidates) == pytest.approx(1)
    assert [prior for _, prior in candidates] == sorted((prior for _, prior in candidates), reverse=True)


def test_promises_are_even_at_the_start_and_the_points_at_the_end() -> None:
    assert len(set(promises(start("classic-4")))) == 1
    end = random_match(start("duo-2"), "end")[-1]
    assert promises(end) == list(end.points())
    assert sum(Judgement(8).values(end)) == pytest.approx(1)
