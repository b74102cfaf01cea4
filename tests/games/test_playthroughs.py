"""Golden playthroughs: whole matches in text, to the letter, and the moves that lie ahead in some of them, counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import registry
from games.blockers.rules import Position
from games.kit.checks import perft, random_record, read_playthrough, write_playthrough
from games.kit.protocol import Game
from games.kit.record import Record, check
from tests.games.azul_positions import after
from tests.games.blokus_positions import start
from tests.games.fake_cards import CARDS
from tests.games.playthroughs import folder, matches, picture, positions
from tests.games.sources import source

GAMES = registry.all_games()
FILES = [pytest.param(game.key, path, id=f"{game.key}:{path.stem}") for game in GAMES for path in sorted(folder(game.key).glob("*.txt"))]
MORE_THAN = {"azul": 40}
"""Per game a number of plies that every playthrough exceeds; 20 where none is given."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_variant_has_a_playthrough_and_no_file_is_left_over(game: Game) -> None:
    assert {path.stem for path in folder(game.key).iterdir()} == set(matches(game))


@pytest.mark.parametrize(("key", "path"), FILES)
def test_a_playthrough_is_played_again_to_the_letter(key: str, path: Path) -> None:
    text = path.read_text()
    record = read_playthrough(text)
    assert (record.game, record.variant, record.options) == (key, *matches(registry.get(key))[path.stem])
    assert len(record.plies) > MORE_THAN.get(key, 20)
    assert check(record) == []
    assert write_playthrough(record, picture(key)) == text


@pytest.mark.parametrize("variant", [variant.key for variant in registry.get("blockers").variants])
def test_a_playthrough_of_blockers_ends_with_open_racks_of_four_and_has_captures(variant: str) -> None:
    *_, end = positions("blockers", variant)
    assert isinstance(end, Position)
    assert end.to_move is None
    assert all(len(colour["rack"]) == 4 for colour in end.view(None)["colours"])
    assert any(end.captured)


def test_a_playthrough_tells_draws_and_an_unfinished_match_too() -> None:
    whole = random_record(CARDS, "cards-2", source("told"))
    part = Record("cards", "cards-2", whole.plies[:3], options=("low-wins",))
    text = write_playthrough(part, lambda state: str(state.view(None)))
    assert "  1. draw (draw 0): =" in text
    assert "  2. seat 0 of 2: " in text
    assert text.endswith("not finished\n")
    assert read_playthrough(text) == part


def test_a_match_without_a_ply_has_a_playthrough() -> None:
    empty = Record("blokus", "duo-2", ())
    assert read_playthrough(write_playthrough(empty, picture("blokus"))) == empty


def test_a_draw_cannot_be_counted() -> None:
    with pytest.raises(ValueError, match="a draw is due"):
        perft(CARDS.start("cards-2"), 2)


@pytest.mark.parametrize(
    ("key", "name", "ply", "counts"),
    [
        ("azul", "coloured-2", 19, [7, 32, 104]),
        ("azul", "grey-3", 35, [5, 25, 100]),
        ("blokus", "duo-2", -6, [77, 3477, 85413]),
        ("blokus", "classic-2", -6, [20, 270, 2906, 12453]),
        ("blokus", "classic-3", -7, [4, 48, 1008, 6414]),
        ("blokus", "classic-4", -7, [8, 63, 441, 938, 2181]),
        ("nibble", "square-9", -11, [12, 106, 740, 4262]),
        ("nibble", "square-13", -9, [6, 26, 84, 224]),
        ("nibble", "hex-13", -9, [5, 22, 89, 324]),
    ],
)
def test_perft_of_positions_inside_a_match(key: str, name: str, ply: int, counts: list[int]) -> None:
    """A negative `ply` counts the positions from the end, which is -1."""
    state = positions(key, name)[ply]
    assert [perft(state, depth) for depth in range(len(counts) + 1)] == [1, *counts]


def test_perft_of_a_first_round() -> None:
    dealt = after("coloured-2", "=BBYR/BKWW/YYRK/BRWW/YRKK")
    assert [perft(dealt, depth) for depth in (1, 2)] == [90, 7560]


def test_perft_at_no_depth_is_the_position_itself() -> None:
    assert perft(start("duo-2"), 0) == 1
