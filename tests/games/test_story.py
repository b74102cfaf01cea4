"""What every game tells of plies and moves: whole sentences, about seats that there are, and nothing that is hidden."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from string import Formatter

import pytest

from games import registry
from games.kit.checks import play_out
from games.kit.protocol import Game, Hides, Label, Move, Remark, State
from games.kit.story import from_json, most, to_json
from tests.games.fake_cards import CARDS
from tests.games.sources import source

GAMES = (*registry.all_games(), CARDS)
every_variant = pytest.mark.parametrize(
    ("game", "variant"),
    [pytest.param(game, variant.key, id=f"{game.key}:{variant.key}") for game in GAMES for variant in game.variants],
)
every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in GAMES])
Steps = list[tuple[State, Move, State]]


@cache
def steps(game: Game, variant: str, label: str = "story") -> Steps:
    """A random match: each ply with the position before and after it."""
    start = game.start(variant)
    played = list(play_out(start, source(f"{label} {game.key} {variant}")))
    states = [start, *(state for _, state in played)]
    return [(before, move, after) for (before, after), (move, _) in zip(pairwise(states), played, strict=True)]


def sentence(remark: Remark, seats: int) -> str:
    """What the remark says, if it keeps its promises."""
    names = dict(remark.names)
    wanted = {name for _, name, _, _ in Formatter().parse(remark.text) if name is not None}
    assert wanted <= names.keys()
    assert all(isinstance(value, str) for value in names.values())
    assert re.fullmatch("[a-z]+", remark.kind)
    assert remark.seat is None or 0 <= remark.seat < seats
    text = remark.text.format(**names)
    assert "{" not in text and "-" not in text and text[0].isupper()
    return text


@every_variant
def test_what_is_told_of_a_ply_is_a_caption_about_a_seat_of_the_match(game: Game, variant: str) -> None:
    seats = game.variant(variant).seats
    told = [remark for label in ("one", "two") for step in steps(game, variant, label) for remark in game.events(*step)]
    texts = [sentence(remark, seats) for remark in told]
    assert texts and not any(text.endswith(".") for text in texts)


@every_variant
def test_the_reason_for_a_better_move_is_a_whole_sentence(game: Game, variant: str) -> None:
    chance, given, asked = source(f"reasons {game.key} {variant}"), 0, 0
    made = steps(game, variant)
    for before, played, _ in made[:: 1 + len(made) // 40]:
        legal = before.legal_moves()
        if len(legal) < 2:
            continue
        other = legal[chance.below(len(legal))]
        remarks = [game.reason(before, other, played), game.reason(before, played, other)]
        assert game.reason(before, played, played) is None
        for remark in remarks:
            if remark is not None:
                assert sentence(remark, game.variant(variant).seats).endswith(".")
        asked += other != played
        given += any(remarks)
    assert given >= asked / 2


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        pytest.param(game, variant.key, id=f"{game.key}:{variant.key}")
        for game in GAMES
        for variant in game.variants
        if isinstance(game.start(variant.key), Hides)
    ],
)
def test_what_is_told_of_a_ply_rests_on_what_everybody_may_know(game: Game, variant: str) -> None:
    chance = source(f"redealt {game.key} {variant}")
    for before, move, after in steps(game, variant):
        if isinstance(before.to_move, int):
            redealt = before.determinize(before.to_move, chance)
            assert game.events(redealt, move, redealt.play(move)) == game.events(before, move, after)
        else:
            assert game.events(before, move, after) == ()


@every_game
def test_the_ranks_of_an_end_are_those_of_its_scores_unless_something_else_decided(game: Game) -> None:
    for variant in game.variants:
        for _, _, after in steps(game, variant.key):
            ranks, scores, outcome = after.ranks(), after.scores(), after.outcome()
            assert len(ranks) == len(scores) and min(ranks) == 1
            if outcome is not None and len(set(scores)) == len(scores):
                assert sorted(outcome.ranks) == sorted(ranks)


def test_a_remark_that_was_stored_is_the_same_again_with_its_words_still_to_be_translated() -> None:
    remark = Remark("capture", "Captures {tile} of {colour}", (("tile", "7"), ("colour", Label("Red"))), 1)
    again = from_json(to_json(remark))
    assert again == remark
    assert [type(value) for _, value in again.names] == [str, Label]


def test_the_remark_that_is_worth_most_is_chosen_and_none_that_is_worth_too_little() -> None:
    small, big = Remark("small", "Small."), Remark("big", "Big.")
    assert most([(1.0, small), (2.0, big), (2.0, small)]) == big
    assert most([(1.0, small)], least=1.0) is None
    assert most([]) is None


def test_every_sentence_of_a_story_is_marked_for_translation() -> None:
    """A text with a space that is neither a docstring, nor a type, nor handed to `N_` would stay English for everybody."""
    found = []
    for path in sorted(Path(registry.__file__).parent.glob("*/*.py")):
        if path.name in ("story.py", "reasons.py") and path.parent.name != "kit":
            tree = ast.parse(path.read_text("utf-8"))
            calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
            marked = {id(call.args[0]) for call in calls if ast.unparse(call.func) in ("N_", "cast")}
            notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
            found += [f"{path.parent.name}: {text.value}" for text in texts if " " in text.value and id(text) not in marked | notes]
    assert found == []
