"""Lessons: every step of every game can be taken, and says the truth."""

from __future__ import annotations

import string
from itertools import islice

import pytest

from games import registry
from games.kit.lesson import Step, answer, position
from games.kit.protocol import CHANCE, Game, RuleError, is_chance
from tests.games.fake_cards import CARDS

STEPS = [
    pytest.param(game, step, id=f"{game.key}-{number}")
    for game in registry.all_games()
    for number, step in enumerate(game.lesson(), 1)
]
every_step = pytest.mark.parametrize(("game", "step"), STEPS)
LOOKED_AT = 2000
"""Legal moves of a position that are tried."""


def test_a_game_without_a_lesson_has_no_steps() -> None:
    assert CARDS.lesson() == ()


@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in registry.all_games()])
def test_a_lesson_has_five_to_ten_steps_with_titles_of_their_own(game: Game) -> None:
    steps = game.lesson()
    assert 5 <= len(steps) <= 10
    assert len({step.title for step in steps}) == len(steps)
    assert sum(step.asks for step in steps) >= len(steps) // 2


@every_step
def test_a_step_shows_a_position_of_a_real_match(game: Game, step: Step) -> None:
    state = position(game, step)
    assert state.to_move is not CHANCE
    assert 0 <= step.seat < game.variant(step.variant).seats
    if step.asks:
        assert state.to_move == step.seat
    for text in step.plies:
        assert is_chance(text) or str(game.parse_move(text))


@every_step
def test_what_a_step_asks_for_can_be_done_and_other_moves_get_its_hint(game: Game, step: Step) -> None:
    if not step.asks:
        assert not (step.hint or step.praise)
        return
    legal = [str(move) for move in islice(position(game, step).legal_moves(), LOOKED_AT)]
    verdicts = {text: answer(game, step, text) for text in legal}
    done = [text for text, verdict in verdicts.items() if verdict.done]
    assert done
    assert {verdicts[text].message for text in done} == {step.praise}
    others = [verdict for verdict in verdicts.values() if not verdict.done]
    assert bool(others) == bool(step.hint)
    assert all(verdict.message == step.hint and verdict.after is not None for verdict in others)
    if not callable(step.wanted):
        assert step.wanted <= set(legal)


@every_step
def test_what_is_no_move_is_explained_by_the_rules(game: Game, step: Step) -> None:
    for text in ("", "=", "=?", "nonsense", "a" * 400):
        verdict = answer(game, step, text)
        assert not verdict.done
        assert verdict.after is None
        assert isinstance(verdict.message, RuleError)


@every_step
def test_the_texts_of_a_step_are_whole_sentences_without_placeholders(game: Game, step: Step) -> None:
    assert step.title and not step.title.endswith(".")
    for text in filter(None, (step.text, step.hint, step.praise)):
        assert text.strip() == text
        assert text[-1] in ".!?"
    for text in (step.title, step.text, step.hint, step.praise):
        assert not [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
