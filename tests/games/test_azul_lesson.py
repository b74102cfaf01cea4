"""The lesson of Azul: what its texts say is so in the positions that they are about."""

from __future__ import annotations

from typing import Any, cast

import pytest

from games.azul import GAME
from games.azul.lesson import LESSON
from games.azul.rules import Position
from games.kit.lesson import Step, answer, position
from games.kit.protocol import RuleError
from tests.games.azul_positions import play, refusal

STEPS = {step.title: step for step in LESSON}


def shown(title: str) -> Position:
    return cast("Position", position(GAME, STEPS[title]))


def offered(title: str, move: str) -> dict[str, Any]:
    return next(entry for entry in shown(title).offer() if entry["move"] == move)


@pytest.mark.parametrize("step", [step for step in LESSON if step.asks], ids=lambda step: step.title)
def test_each_wanted_move_is_legal_and_each_other_is_told_more(step: Step) -> None:
    assert step.hint and step.praise
    assert isinstance(step.wanted, frozenset)
    for move in shown(step.title).legal_moves():
        verdict = answer(GAME, step, str(move))
        assert verdict.done == (str(move) in step.wanted)
    assert all(answer(GAME, step, text).done for text in step.wanted)


def test_the_marker_costs_1_and_the_tile_beside_it_1_more() -> None:
    assert offered("Take from the centre", "cK3")["marker"]
    assert offered("Take from the centre", "cK3")["cost"] == -1
    entry = offered("Too many tiles", "5K3")
    assert (entry["fills"], entry["falls"]) == (1, 1)
    assert play(shown("Too many tiles"), "5K3").view(0)["boards"][0]["penalty"] == -2


def test_red_under_black_scores_2() -> None:
    assert offered("Tiles side by side", "cR4")["points"] == 2
    assert offered("Tiles side by side", "cR4")["falls"] == 0


def test_the_round_that_has_ended_scored_1_1_and_2_and_the_floor_took_2() -> None:
    ended = shown("The round has ended")
    own = [step["points"] for step in ended.view(0)["tiling"] if step["seat"] == 0]
    assert own == [1, 1, 2, -2]
    assert (ended.scores()[0], ended.starter, ended.to_move) == (2, 0, 0)
    assert ended.view(0)["boards"][0]["lines"][4] == {"colour": "Y", "count": 2}


def test_yellow_for_line_2_is_refused_with_the_reason_that_the_step_is_about() -> None:
    assert refusal(shown("Once in a row"), "1Y2").code == "colour_on_wall"
    verdict = answer(GAME, STEPS["Once in a row"], "1Y2")
    assert isinstance(verdict.message, RuleError) and verdict.message.code == "colour_on_wall"


def test_the_wanted_line_for_the_leftovers_costs_least() -> None:
    costs = {entry["move"]: entry["cost"] for entry in shown("When everything costs").offer()}
    assert shown("When everything costs").view(0)["centre"] == "W" * 7
    assert costs["cW5"] == -2 and all(cost < -2 for move, cost in costs.items() if move != "cW5")


def test_the_column_and_the_row_are_completed_as_the_steps_say() -> None:
    for move in ("3K5", "5K5"):
        assert offered("Plan for a column", move)["points"] == 5
        assert offered("Plan for a column", move)["falls"] == 0
    before = shown("End the match")
    assert before.scores() == (41, 10)
    for move in ("1B1", "5B1"):
        entry = offered("End the match", move)
        assert entry["points"] == 5
        # The forecast counts the bonuses, since that would be the last round.
        assert entry["forecast"] >= 41 + 5 + 2
