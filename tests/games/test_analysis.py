"""What a bot says of a position: on a game small enough to know the truth, and on real positions of every game and variant."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest

from games import registry
from games.kit.chance import choose
from games.kit.protocol import CHANCE, Move, State
from games.kit.search import Ranks, analyse, likely, placed
from games.nibble.endgame import Proof
from games.nibble.rules import Position as NibblePosition
from tests.games.fake_cards import Card, Table
from tests.games.sources import source
from tests.games.test_search import Even, table

VARIANTS = [(game, variant.key) for game in registry.all_games() for variant in game.variants]


def even(state: Table) -> Sequence[float]:
    return [0.5] * len(state.hands)


RANKS = Ranks(Even(), even)


def reached(game_key: str, variant: str, moves: int) -> State:
    """A position of the game after so many random moves of seats."""
    state, drawn = registry.get(game_key).start(variant), source(f"{game_key} {variant}")
    while moves or state.to_move is CHANCE:
        if state.to_move is CHANCE:
            state = state.play(state.draw(drawn))
        else:
            state, moves = state.play(choose(list(islice(state.legal_moves(), 40)), drawn)), moves - 1
    return state


def test_a_seat_stands_by_the_others_that_it_ends_before() -> None:
    assert placed((1, 2, 3)) == [1.0, 0.5, 0.0]
    assert placed((1, 1, 3)) == [0.75, 0.75, 0.0]
    assert likely([5, 5], lead=8) == [0.5, 0.5]
    high, low = likely([8, 0], lead=8)
    assert high == pytest.approx(0.731, abs=0.001)
    assert high + low == pytest.approx(1)
    assert sum(likely([30, 4, 17, 9], lead=8)) == pytest.approx(2), "the places of four seats are as many as ever"


def test_the_winning_card_comes_first_with_a_value_near_one_and_the_losing_one_near_nought() -> None:
    state = table((3, 9), (6,), played=((1, 5), (2, 4)))
    found = analyse(state, RANKS, source("win"), playouts=60)
    win, loss = found.candidates
    assert (win.move, loss.move) == (Card(9), Card(3))
    assert win.values == pytest.approx((1, 0), abs=0.02), "the first playout sees only what the guide makes of it"
    assert loss.values == pytest.approx((0, 1), abs=0.11)
    assert found.values == win.values
    assert found.candidates[0].line == (Card(9), Card(6))
    assert sum(one.share for one in found.candidates) == pytest.approx(1)


def test_a_move_that_was_played_is_looked_at_as_closely_as_the_best() -> None:
    state = table((3, 9), (6,), played=((1, 5), (2, 4)))
    asked = analyse(state, RANKS, source("also"), playouts=60, also=Card(3))
    shares = {one.move: one.share for one in asked.candidates}
    assert shares[Card(3)] == shares[Card(9)]
    assert asked.candidates[0].move == Card(9)


def test_a_move_that_the_guide_would_not_look_at_is_looked_at_when_asked_for_and_comes_first_when_it_is_better() -> None:
    class Blind(Even):
        def candidates(self, state: Table) -> Sequence[tuple[Move, float]]:
            return super().candidates(state)[:1]

    state = table((3, 9), (6,), played=((1, 5), (2, 4)))
    blind = Ranks(Blind(), even)
    assert [one.move for one in analyse(state, blind, source("blind"), playouts=20).candidates] == [Card(3)]
    found = analyse(state, blind, source("blind"), playouts=20, also=Card(9))
    assert [one.move for one in found.candidates] == [Card(9), Card(3)]


def test_a_line_ends_where_chance_decides() -> None:
    found = analyse(table((1, 12), (5, 6), played=((), ())), RANKS, source("draws"), playouts=200)
    assert all(one.line == (one.move,) for one in found.candidates)


def test_what_the_seat_cannot_see_does_not_change_what_is_said() -> None:
    def said(hidden: tuple[int, ...]) -> list[tuple[Move, tuple[float, ...]]]:
        state = table((1, 10), hidden, played=((4,), (5,)))
        found = analyse(state, RANKS, source("unseen"), playouts=120, worlds=6)
        return [(one.move, one.values) for one in found.candidates]

    assert said((11, 12)) == said((2, 3))


def test_it_is_told_how_far_it_is() -> None:
    told: list[int] = []
    found = analyse(table((1, 12), (5, 6), played=((2,), (3,))), RANKS, source("told"), playouts=120, tell=told.append)
    assert told == [50, 100]
    assert found.playouts == 120


@pytest.mark.parametrize(("game", "variant"), VARIANTS, ids=lambda value: getattr(value, "key", value))
def test_every_game_says_what_it_thinks_of_its_positions(game, variant) -> None:
    """Values are parts of a place and add up, the move asked about is among them, and every line can be played."""
    state = reached(game.key, variant, 9)
    assert isinstance(state.to_move, int)
    seats = len(state.scores())
    asked = list(islice(state.legal_moves(), 200))[-1]
    found = game.analyst().analyse(state, source("think"), playouts=40, also=asked)
    assert asked in [one.move for one in found.candidates]
    assert found.values == found.candidates[0].values
    for one in found.candidates:
        assert len(one.values) == seats
        assert sum(one.values) == pytest.approx(seats / 2)
        assert one.line[0] == one.move
        after = state
        for move in one.line:
            assert move in after.legal_moves()
            after = after.play(move)


def test_near_the_end_of_nibble_the_values_are_certain_and_true() -> None:
    nibble = registry.get("nibble")
    for number in range(4):
        state, drawn = nibble.start("square-9"), source(f"end {number}")
        state = state.play(state.draw(drawn))
        while isinstance(state, NibblePosition) and state.left.bit_count() > 11 and state.to_move is not None:
            state = state.play(choose(list(state.legal_moves()), drawn))
        if state.to_move is None:
            continue
        assert isinstance(state, NibblePosition)
        found = nibble.analyst().analyse(state, source("proof"), playouts=20)
        wins = Proof(10**6).wins(state)
        assert found.values[state.seat] == float(wins)
        for one in found.candidates:
            after = state.play(one.move)
            assert one.values[state.seat] == float(not Proof(10**6).wins(after))
