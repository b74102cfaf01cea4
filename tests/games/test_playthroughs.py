"""Golden playthroughs: whole matches in text, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.blokus import GAME
from games.kit.checks import perft, random_record, read_playthrough, write_playthrough
from games.kit.record import Record, check, replay
from tests.games.blokus_positions import picture, start
from tests.games.fake_cards import CARDS
from tests.games.playthroughs import FOLDER, MATCHES
from tests.games.sources import source

FILES = sorted(FOLDER.glob("*.txt"))


def test_every_variant_has_a_playthrough_and_no_file_is_left_over() -> None:
    assert {path.stem for path in FILES} == set(MATCHES)
    assert {variant for variant, _ in MATCHES.values()} == {variant.key for variant in GAME.variants}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_played_again_to_the_letter(path: Path) -> None:
    text = path.read_text()
    record = read_playthrough(text)
    assert len(record.plies) > 20
    assert check(record) == []
    assert write_playthrough(record, picture) == text


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
    assert read_playthrough(write_playthrough(empty, picture)) == empty


def test_a_draw_cannot_be_counted() -> None:
    with pytest.raises(ValueError, match="a draw is due"):
        perft(CARDS.start("cards-2"), 2)


@pytest.mark.parametrize(
    ("name", "before_end", "counts"),
    [
        ("duo-2", 5, [77, 3477, 85413]),
        ("classic-2", 5, [20, 270, 2906, 12453]),
        ("classic-3", 6, [4, 48, 1008, 6414]),
        ("classic-4", 6, [8, 63, 441, 938, 2181]),
    ],
)
def test_perft_of_late_positions(name: str, before_end: int, counts: list[int]) -> None:
    record = read_playthrough((FOLDER / f"{name}.txt").read_text())
    state = list(replay(record))[-1 - before_end]
    assert [perft(state, depth) for depth in range(len(counts) + 1)] == [1, *counts]


def test_perft_at_no_depth_is_the_position_itself() -> None:
    assert perft(start("duo-2"), 0) == 1
