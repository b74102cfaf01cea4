"""The small picture of a Nibble board shows what the view says."""

from __future__ import annotations

import pytest

from games.nibble import GAME
from tests.games.nibble_positions import SQUARE_LAYOUT, VARIANTS, after, random_match
from tests.games.pictures import shapes

WHITE, YELLOW, GREEN = "#f2ecde", "#f2c22e", "#377a2f"
LETTERS = {WHITE: "a", YELLOW: "b", GREEN: "i"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_block_is_drawn_in_its_colour_and_every_one_taken_last_in_outline(variant: str) -> None:
    for position in random_match(variant, "picture")[:-1:9]:
        view = position.view(None)
        last = view["last"] or {"colour": "", "cells": []}
        drawn = shapes(GAME.picture(variant, view))
        for face, letter in LETTERS.items():
            outlines = len(last["cells"]) if last["colour"] == letter else 0
            assert drawn[face] == view["cells"].count(letter) + outlines


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_end_shows_what_both_seats_have_taken(variant: str) -> None:
    view = random_match(variant, "picture")[-1].view(None)
    drawn = shapes(GAME.picture(variant, view))
    for face, letter in LETTERS.items():
        colour = "abcdefghi".index(letter)
        assert drawn[face] == sum(counts[colour] for counts in view["counts"])


def test_the_blocks_that_may_be_taken_stand_on_an_edge_of_their_own() -> None:
    white, yellow, red, green = "#857b68", "#8f6207", "#6c1a12", "#1b4617"
    drawn = shapes(GAME.picture("square-9", after("square-9", SQUARE_LAYOUT).view(None)))
    assert [drawn[edge] for edge in (white, yellow, red, green)] == [1, 1, 0, 2]
