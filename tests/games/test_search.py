"""The tree search, on a game small enough to know the right moves of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from games.kit.protocol import Move
from games.kit.search import best_move
from tests.games.fake_cards import Card, Table
from tests.games.sources import source


class Even:
    """Knows nothing: every move alike, and a position is worth its result, or half when it is not over."""

    def candidates(self, state: Table) -> Sequence[tuple[Move, float]]:
        moves = state.legal_moves()
        return [(move, 1 / len(moves)) for move in moves]

    def values(self, state: Table) -> Sequence[float]:
        outcome = state.outcome()
        return [0.5] * len(state.hands) if outcome is None else [float(place == 1) for place in outcome.ranks]


def table(*hands: tuple[int, ...], played: tuple[tuple[int, ...], ...], turn: int = 0) -> Table:
    return Table(hands, played, turn=turn, due=False)


def test_a_winning_card_is_found() -> None:
    state = table((3, 9), (6,), played=((1,), (2, 4)))
    late = replace(state, played=((1, 5), (2, 4)))
    assert best_move(late, Even(), source("win"), playouts=100) == Card(9)


def test_every_seat_plays_for_itself() -> None:
    """The third seat decides, and it wins with the 10 alone."""
    state = table((), (), (2, 10), played=((1, 3, 4), (5, 6, 7), (8, 1)), turn=2)
    assert best_move(state, Even(), source("three"), playouts=60) == Card(10)


def test_draws_of_chance_are_looked_through() -> None:
    state = table((1, 12), (5, 6), played=((2,), (3,)))
    assert best_move(state, Even(), source("draws"), playouts=300) in state.legal_moves()


def test_an_only_move_is_made_without_a_search() -> None:
    class Unasked(Even):
        def values(self, state: Table) -> Sequence[float]:
            raise AssertionError("nothing to judge")

    assert best_move(table((7,), (), played=((1, 2), (3, 4, 5))), Unasked(), source("only"), playouts=9) == Card(7)


def test_an_equal_source_and_budget_give_an_equal_move() -> None:
    state = table((1, 2), (5, 6), played=((), ()))
    moves = [best_move(state, Even(), source("again"), playouts=50) for _ in range(3)]
    assert len(set(moves)) == 1


def test_no_playout_still_gives_the_likeliest_move_and_a_stop_is_obeyed() -> None:
    state = table((1, 2), (5, 6), played=((), ()))
    assert best_move(state, Even(), source("none"), playouts=0) in state.legal_moves()
    calls = count()
    assert (
        best_move(state, Even(), source("stop"), playouts=10_000, stop=lambda: next(calls) >= 5) in state.legal_moves()
    )
    assert next(calls) == 6


def test_an_earlier_draw_is_often_taken_again_so_that_its_follow_up_is_looked_at_twice() -> None:
    class Counted(Even):
        def __init__(self) -> None:
            self.judged: list[Table] = []

        def values(self, state: Table) -> Sequence[float]:
            self.judged.append(state)
            return super().values(state)

    guide = Counted()
    best_move(table((1, 12), (5, 6), played=((), ())), guide, source("again"), playouts=40)
    first_draws = [state.hands[0] for state in guide.judged if state.turn == 1 and not state.played[1]]
    assert len(set(first_draws)) == len(first_draws)
    assert 4 <= len(first_draws) <= 12, "of 16, with 40 playouts"


def test_what_cannot_be_seen_is_dealt_anew_in_every_world_and_never_looked_up() -> None:
    """The other seat holds 11 and 12, or 2 and 3: who cannot see them must choose alike."""
    worlds: set[tuple[int, ...]] = set()

    class Watching(Even):
        def values(self, state: Table) -> Sequence[float]:
            worlds.add(state.hands[1])
            return super().values(state)

    def chosen(hidden: tuple[int, ...]) -> Move:
        state = table((1, 10), hidden, played=((4,), (5,)))
        return best_move(state, Watching(), source("unseen"), playouts=120, worlds=6)

    assert chosen((11, 12)) == chosen((2, 3))
    assert len(worlds) >= 6


def test_the_worlds_share_what_is_known_of_the_moves_at_the_root() -> None:
    state = table((3, 9), (6,), played=((1, 5), (2, 4)))
    assert best_move(state, Even(), source("win"), playouts=100, worlds=10) == Card(9)
