"""The lesson of Blockers! asks for what can be done, and what it says of the position is so."""

from __future__ import annotations

import pytest

from games.blockers import GAME
from games.blockers.lesson import LESSON
from games.blockers.rules import Position
from games.kit.lesson import Step, answer, position
from games.kit.protocol import RuleError

BY_TITLE = {step.title: step for step in LESSON}
WILD, REFUSED = BY_TITLE["The wild tile joins two groups"], BY_TITLE["A capture must not split a group"]
SPREAD, DOUBLE, LAST = (BY_TITLE[t] for t in ("Spread your captures", "Two colours each", "The last tile"))


def shown(step: Step) -> Position:
    state = position(GAME, step)
    assert isinstance(state, Position)
    return state


def done(step: Step) -> set[str]:
    """The legal moves that finish a step."""
    return {str(move) for move in shown(step).legal_moves() if answer(GAME, step, str(move)).done}


def scores(step: Step, move: str) -> tuple[int, ...]:
    after = answer(GAME, step, move).after
    assert after is not None
    return after.scores()


def test_the_game_has_this_lesson() -> None:
    assert GAME.lesson() == LESSON
    assert 5 <= len(LESSON) <= 10
    assert {step.variant for step in LESSON} == {"basic-2", "basic-3", "double-2"}


@pytest.mark.parametrize("step", LESSON, ids=lambda step: step.title)
def test_every_step_is_the_seats_own_turn_and_has_all_its_texts(step: Step) -> None:
    assert shown(step).to_move == step.seat
    assert step.text and step.hint and step.praise
    assert done(step)
    if isinstance(step.wanted, frozenset):
        assert done(step) == step.wanted


def test_a_letter_is_placed_anywhere_in_its_row() -> None:
    assert done(LESSON[0]) == {f"C@C{column}" for column in range(1, 10)}


def test_a_number_or_a_symbol_beside_the_first_tile_keeps_one_group() -> None:
    assert done(LESSON[1]) == {"5@C5", "e@D4"}


def test_only_the_wild_tile_joins_the_two_groups() -> None:
    position = shown(WILD)
    joining = {str(move) for move in position.legal_moves() if position.play(move).groups_of(0) == 1}
    assert joining == done(WILD) == {"*@D4"}


def test_the_capture_that_joins_leaves_the_score_as_it_was_and_takes_a_group_of_yellow() -> None:
    step = BY_TITLE["Capture a tile"]
    assert shown(step).scores() == (2, 2)
    assert {scores(step, move) for move in done(step)} == {(2, 1)}


@pytest.mark.parametrize("move", ["D@D5", "e@D5", "*@D5"])
def test_the_middle_of_the_group_is_refused_by_the_rules_and_its_ends_are_not(move: str) -> None:
    verdict = answer(GAME, REFUSED, move)
    assert not verdict.done
    assert isinstance(verdict.message, RuleError)
    assert verdict.message.code == "splits"
    assert "D4, D5, D6" in str(verdict.message)
    assert {text[-2:] for text in done(REFUSED)} == {"D4", "D6"}


def test_what_was_the_middle_is_an_end_afterwards() -> None:
    after = answer(GAME, REFUSED, "D@D6").after
    assert isinstance(after, Position)
    assert after.free(0) >> (3 * 9 + 4) & 1
    assert after.scores()[1] == 1


def test_a_second_yellow_tile_costs_a_point_and_a_first_green_one_none() -> None:
    assert shown(SPREAD).captured_by_colour(0) == [0, 1, 0]
    assert shown(SPREAD).scores()[0] == 4
    assert scores(SPREAD, "*@F4")[0] == 3
    assert scores(SPREAD, "*@C5")[0] == 4


def test_capturing_the_own_red_tile_is_worth_it() -> None:
    assert (shown(DOUBLE).scores()[0], scores(DOUBLE, "g:D@D4")[0]) == (3, 2)


def test_the_last_tile_decides() -> None:
    assert shown(LAST).scores() == (2, 2)
    assert not any(shown(LAST).captured)
    assert done(LAST) == {"d@D2", "d@E2"}
    after = answer(GAME, LAST, "d@D2").after
    assert after is not None
    outcome = after.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ((2, 1), (2, 1))
