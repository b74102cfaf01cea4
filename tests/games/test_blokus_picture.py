"""The small picture of a Blokus board shows what the view says."""

from __future__ import annotations

import pytest

from games.blokus import GAME
from tests.games.blokus_positions import after, random_match, start
from tests.games.pictures import shapes

BLUE, YELLOW, RED, GREEN = "#3a70b8", "#e3aa2c", "#c24d38", "#2f8a5f"
FACES = {"b": BLUE, "y": YELLOW, "r": RED, "g": GREEN}


@pytest.mark.parametrize("variant", [variant.key for variant in GAME.variants])
def test_every_covered_square_is_drawn_in_the_colour_of_its_piece(variant: str) -> None:
    for position in random_match(start(variant), "picture")[::7]:
        view = position.view(None)
        drawn = shapes(GAME.picture(variant, view))
        for letter, face in FACES.items():
            assert drawn[face] == view["cells"].count(letter)


def test_the_piece_that_was_placed_last_has_a_dot_on_each_square() -> None:
    view = after("duo-2", "e10,f10,g10").view(None)
    picture = GAME.picture("duo-2", view)
    assert picture.count("<circle ") == 3
    assert "<circle " not in GAME.picture("duo-2", start("duo-2").view(None))


def test_squares_count_from_the_lower_left() -> None:
    picture = GAME.picture("classic-4", after("classic-4", "a20").view(None))
    assert f'<path d="M10.6 10.6h18.8v17.8h-18.8z" fill="{BLUE}"/>' in picture
