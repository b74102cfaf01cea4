"""The Nibble bots: legal, repeatable, quick, each level clearly better than the one below, and right about the end."""

from __future__ import annotations

from functools import cache

import pytest

from games.nibble import GAME
from games.nibble.board import board_of
from games.nibble.bots import BOTS
from games.nibble.endgame import OutOfBudget, Proof, may_win_against, settled, winning_take
from games.nibble.judgement import Judgement, chance, odds_of
from games.nibble.rules import Position
from tests.games.duels import AnyMove, move_within_a_second, wins
from tests.games.nibble_positions import VARIANTS, position_of, random_match
from tests.games.sources import source

pytestmark = pytest.mark.long

SQUARE = board_of("square-9")


def test_casual_beats_random_moves() -> None:
    assert wins(GAME, "square-9", BOTS["casual"], AnyMove(), 100) >= 95


@pytest.mark.parametrize("variant", VARIANTS[1:])
def test_casual_beats_random_moves_on_the_big_boards_too(variant: str) -> None:
    assert wins(GAME, variant, BOTS["casual"], AnyMove(), 10) >= 9


def test_beginner_beats_random_moves_but_not_casual() -> None:
    assert wins(GAME, "square-9", BOTS["beginner"], AnyMove(), 40) >= 24
    assert wins(GAME, "square-9", BOTS["casual"], BOTS["beginner"], 20) >= 17


def test_skilled_beats_casual() -> None:
    assert wins(GAME, "square-9", BOTS["skilled"], BOTS["casual"], 6) >= 5


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_strongest_bot_answers_within_a_second_where_takes_are_most(variant: str) -> None:
    busiest = max(random_match(variant, f"busy {variant}"), key=lambda state: len(state.legal_moves()))
    assert move_within_a_second(GAME.bot("strong"), busiest) in busiest.legal_moves()


def test_the_guide_looks_at_likely_takes_only_and_its_priors_sum_to_one() -> None:
    busy = max(random_match("square-9", "guide"), key=lambda state: len(state.legal_moves()))
    candidates = Judgement(width=10).candidates(busy)
    assert len(candidates) == 10
    assert sum(prior for _, prior in candidates) == pytest.approx(1)
    assert [prior for _, prior in candidates] == sorted((prior for _, prior in candidates), reverse=True)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_chances_of_both_seats_sum_to_one_and_are_even_at_the_start(variant: str) -> None:
    odds = odds_of(board_of(variant))
    for position in random_match(variant, "chances"):
        counts = position.counts(0), position.counts(1)
        assert chance(odds, *counts) + chance(odds, *counts[::-1]) == pytest.approx(1)
        assert sum(Judgement(8).values(position)) == pytest.approx(1)
    none = [0] * board_of(variant).each
    assert chance(odds, none, none) == pytest.approx(0.5)


def test_a_seat_that_is_near_to_three_in_a_row_or_to_a_whole_colour_has_good_chances() -> None:
    odds, rival = odds_of(SQUARE), [2] * 9
    assert chance(odds, [0, 0, 0, 7, 7, 6, 0, 0, 0], rival) > chance(odds, [0, 0, 7, 0, 7, 0, 6, 0, 0], rival) + 0.1
    assert chance(odds, [8, *[2] * 8], [0, *[2] * 8]) > chance(odds, [8, *[2] * 8], [1, *[2] * 8]) + 0.1


def test_a_take_that_wins_at_once_is_made_by_every_bot_that_looks() -> None:
    blocks = {"c": "a1 a3", "d": "b1 b2", "e": "a2 c2", "f": "c1"}
    position = position_of("square-9", blocks, first="c" * 6 + "d" * 7 + "e" * 7 + "afghi")
    assert winning_take(position) is not None
    for level in ("casual", "skilled", "strong"):
        after = position.play(BOTS[level].choose(position, source(level)))
        assert after.to_move is None
        assert after.view(None)["won"]["seat"] == 0


def test_a_seat_with_most_majorities_has_not_won_for_sure_while_three_in_the_middle_can_be_reached() -> None:
    five = "a" * 5 + "b" * 5 + "g" * 5 + "h" * 5 + "i" * 5 + "c" * 3
    blocks = {"e": "a1"}
    open_still = position_of("square-9", blocks, first=five + "d" * 2 + "e" * 2 + "f" * 2, seat=1)
    spoilt = position_of("square-9", blocks, first=five + "d" * 3 + "e" * 2 + "f" * 2, seat=1)
    assert settled(open_still) is None
    assert settled(spoilt) == 0
    assert may_win_against(SQUARE, open_still.counts(0)) and not may_win_against(SQUARE, spoilt.counts(0))
    assert winning_take(open_still) is not None


def test_proofs_of_the_end_agree_with_trying_out_everything() -> None:
    checked = 0
    for label in range(6):
        for position in random_match("square-9", f"end {label}"):
            if position.to_move is not None and position.left.bit_count() <= 7:
                winning = Proof(10_000).winning(position)
                assert (winning is not None) == seat_to_move_wins(position)
                if winning is not None:
                    assert not seat_to_move_wins(position.without(winning))
                checked += 1
    assert checked > 20


@cache
def seat_to_move_wins(position: Position) -> bool:
    """By trying out every take to the end; for a position that is over, whether the seat that would move has won."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.ranks[position.seat] == 1
    return any(not seat_to_move_wins(position.play(move)) for move in position.legal_moves())


def test_a_proof_that_takes_too_long_is_given_up() -> None:
    middle = random_match("square-9", "long")[20]
    with pytest.raises(OutOfBudget):
        Proof(50).winning(middle)


def test_the_strong_bot_wins_every_end_that_can_be_won() -> None:
    for label in range(4):
        for position in random_match("square-9", f"won {label}")[-6:-1]:
            if position.to_move is not None and seat_to_move_wins(position):
                after = position.play(BOTS["strong"].choose(position, source("won")))
                assert not seat_to_move_wins(after)
