"""The lesson of Nibble: what its texts say is so in the positions that they are about."""

from __future__ import annotations

import re
from typing import cast

import pytest

from games.kit.lesson import Step, answer, position
from games.kit.protocol import RuleError
from games.nibble import GAME
from games.nibble.endgame import settled, winning_take
from games.nibble.lesson import LESSON
from games.nibble.rules import Position
from tests.games.nibble_positions import refusal

STEPS = {step.title: step for step in LESSON}
every_step = pytest.mark.parametrize("step", LESSON, ids=STEPS)


def shown(title: str) -> Position:
    return cast("Position", position(GAME, STEPS[title]))


def count(title: str, seat: int, colour: str) -> int:
    names = list(GAME.board_data("square-9")["names"].values())
    return shown(title).counts(seat)[names.index(colour)]


@every_step
def test_each_cell_that_is_named_has_a_block_of_the_colour_that_is_named_with_it(step: Step) -> None:
    data, view = GAME.board_data(step.variant), position(GAME, step).view(0)
    letters = dict(zip([cell["name"] for cell in data["cells"]], view["cells"], strict=True))
    for text in (step.text, step.hint):
        named = re.findall(r"\b([a-i][1-9])\b", text)
        assert all(letters[cell] != "." for cell in named)
        for colour, cell in re.findall(r"(\w+) blocks? (?:on )?([a-i][1-9])\b", text):
            if colour in data["names"].values():
                assert data["names"][letters[cell]] == colour


@every_step
def test_a_step_asks_for_a_move_and_other_moves_get_its_hint(step: Step) -> None:
    assert step.asks and step.hint and step.praise
    legal = {str(move) for move in position(GAME, step).legal_moves()}
    assert isinstance(step.wanted, frozenset) and step.wanted < legal


def test_the_block_between_two_free_sides_that_do_not_meet_is_refused_as_no_corner() -> None:
    title = "Opposite sides make no corner"
    verdict = answer(GAME, STEPS[title], "g3")
    assert isinstance(verdict.message, RuleError)
    assert verdict.message.code == "no_corner"
    assert "g3" in {str(move) for move in cast("Position", answer(GAME, STEPS[title], "g2").after).legal_moves()}


def test_the_blocks_that_cut_are_refused_for_that() -> None:
    error = refusal(shown("Never cut the rest in two"), "e5")
    assert str(error) == "Taking e5 would cut the rest into 5 and 4 blocks."
    error = refusal(shown("Either, but not both"), "e6,f5")
    assert str(error) == "Taking f5, e6 together would cut the rest into 8 and 2 blocks."


def test_the_fifth_majority_wins_for_certain() -> None:
    title = "Win by majorities"
    assert shown(title).scores() == (4, 4)
    assert (count(title, 0, "teal"), count(title, 1, "teal")) == (4, 4)
    after = cast("Position", answer(GAME, STEPS[title], "g6").after)
    assert after.to_move is not None
    assert settled(after) == 0


def test_both_wins_at_once_end_the_match() -> None:
    for title, kind in (("Win with three in a row", "triple"), ("Win with a whole colour", "all")):
        (wanted,) = cast("frozenset[str]", STEPS[title].wanted)
        after = answer(GAME, STEPS[title], wanted).after
        assert after is not None
        assert after.view(0)["won"]["seat"] == 0
        assert after.view(0)["won"]["kind"] == kind
    title = "Win with three in a row"
    assert [count(title, 0, colour) for colour in ("orange", "red", "pink")] == [6, 8, 8]
    assert [count("Win with a whole colour", seat, "purple") for seat in (0, 1)] == [7, 0]


def test_only_the_wanted_take_spoils_the_win_of_the_rival() -> None:
    title = "Spoil a win"
    assert count(title, 1, "blue") == 8
    position = shown(title)
    for move in position.legal_moves():
        assert (winning_take(position.play(move)) is None) == (str(move) == "g4")
