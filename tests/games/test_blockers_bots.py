"""The Blockers! bots: legal, blind to what they cannot see, quick, and each level clearly better than the one below."""

from __future__ import annotations

from typing import cast

import pytest

from games.blockers import GAME
from games.blockers.board import joints
from games.blockers.bots import BOTS
from games.blockers.judgement import Judgement, appeals, expected_scores
from games.blockers.rules import Position
from tests.games.blockers_positions import cells, position_of, random_match, start
from tests.games.duels import AnyMove, move_within_a_second, wins
from tests.games.sources import source

pytestmark = pytest.mark.long

VARIANTS = [variant.key for variant in GAME.variants]


def turns(variant: str, label: str) -> list[Position]:
    """The positions of a random match in which a seat is to move."""
    return [position for position in random_match(start(variant), label) if isinstance(position.to_move, int)]


def test_casual_beats_random_moves() -> None:
    assert wins(GAME, "basic-2", BOTS["casual"], AnyMove(), 100) >= 95


def test_casual_beats_beginner_which_beats_random_moves() -> None:
    assert wins(GAME, "basic-2", BOTS["beginner"], AnyMove(), 30) >= 24
    assert wins(GAME, "basic-2", BOTS["casual"], BOTS["beginner"], 60) >= 42


def test_skilled_beats_casual() -> None:
    assert wins(GAME, "basic-2", BOTS["skilled"], BOTS["casual"], 8) >= 6


@pytest.mark.parametrize("level", list(BOTS))
@pytest.mark.parametrize("variant", ["basic-2", "basic-5", "double-2"])
def test_a_bot_chooses_alike_in_worlds_that_differ_only_in_what_it_cannot_know(variant: str, level: str) -> None:
    """Even handed the true position, it makes nothing of the tiles that it should not see."""
    for position in turns(variant, f"peek {variant}")[20:21]:
        seat = cast("int", position.to_move)
        other = position.determinize(seat, source("another world"))
        assert other.racks != position.racks
        chosen = [BOTS[level].choose(world, source("thought")) for world in (position, other)]
        assert chosen[0] == chosen[1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_strongest_bot_answers_within_a_second_where_moves_are_most(variant: str) -> None:
    busiest = max(turns(variant, f"busy {variant}"), key=lambda position: len(position.legal_moves()))
    assert move_within_a_second(GAME.bot("strong"), busiest) in busiest.legal_moves()


def test_the_guide_looks_at_likely_moves_only_and_its_priors_sum_to_one() -> None:
    position = turns("basic-3", "guide")[20]
    candidates = Judgement(width=10).candidates(position)
    assert len(candidates) == 10
    assert sum(prior for _, prior in candidates) == pytest.approx(1)
    assert [prior for _, prior in candidates] == sorted((prior for _, prior in candidates), reverse=True)


def best_at_first_sight(position: Position) -> set[str]:
    looks = list(appeals(position))
    return {str(move) for appeal, move in looks if appeal == max(looks)[0]}


def test_a_bot_joins_its_groups_and_saves_the_wild_tile() -> None:
    board = {"r": "4@C4 E@E4", "y": "9@A9 A@A8"}
    assert best_at_first_sight(position_of("basic-2", board, racks={"r": "D18h*", "y": "12345"})) == {"D@D4"}


def test_a_bot_spreads_its_captures() -> None:
    board = {"r": "C@C4 D@D4 E@E4 4@G4 6@C6", "y": "C@C5", "g": "4@F4"}
    position = position_of("basic-3", board, racks={"r": "F157h"}, piles=dict.fromkeys("ryg", ""), captured={0: "y:1"})
    assert best_at_first_sight(position) == {"F@F4"}
    assert str(BOTS["strong"].choose(position, source("spread"))) == "F@F4"


def test_cells_that_join_groups_are_found() -> None:
    assert joints(cells("A1 A3 C1")) == cells("A2 B1")
    assert joints(cells("A1 A2")) == 0


def test_expectations_are_the_scores_at_the_end_and_even_at_the_start() -> None:
    assert len(set(expected_scores(start("basic-4")))) == 1
    end = random_match(start("double-2"), "end")[-1]
    expected = expected_scores(end)
    for seat, score in enumerate(end.scores()):
        assert expected[seat] - score == pytest.approx(0.02 * len(end.captured[seat]))
    values = Judgement(8).values(end)
    assert sum(values) == pytest.approx(1)
    assert (values[0] > values[1]) == (expected[0] < expected[1])


def test_the_racks_of_others_are_nothing_to_the_judgement() -> None:
    """It reads what is still to be placed, which everybody can count, so no rack has to be guessed for it."""
    position = turns("basic-3", "public")[30]
    worlds = [position.determinize(0, source(f"public {number}")) for number in range(5)]
    assert len({tuple(expected_scores(world)) for world in (position, *worlds)}) == 1
