"""Golden playthroughs of Azul: whole matches in text, to the letter. To write them anew, after a change that is meant:

    python -m tests.games.test_azul_playthroughs

The matches are between casual and beginner bots, so that they look like play. Read the difference before you commit it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

import games
from games.azul import GAME
from games.kit.checks import perft, play_match, read_playthrough, write_playthrough
from games.kit.record import check, replay
from tests.games.azul_positions import VARIANTS, after, picture

FOLDER = Path(games.__file__).parent / "azul" / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))


def main() -> None:
    for variant in VARIANTS:
        bots = [GAME.bot(("casual", "beginner")[seat % 2]) for seat in range(GAME.variant(variant).seats)]
        record = play_match(GAME, variant, bots, sha256(b"azul " + variant.encode()).digest())
        (FOLDER / f"{variant}.txt").write_text(write_playthrough(record, picture))


def test_every_variant_has_a_playthrough_and_no_file_is_left_over() -> None:
    assert {path.stem for path in FILES} == set(VARIANTS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_played_again_to_the_letter(path: Path) -> None:
    text = path.read_text()
    record = read_playthrough(text)
    assert len(record.plies) > 40
    assert check(record) == []
    assert write_playthrough(record, picture) == text


@pytest.mark.parametrize(
    ("name", "ply", "counts"),
    [("coloured-2", 19, [7, 32, 104]), ("grey-3", 35, [5, 25, 100])],
)
def test_perft_inside_a_round(name: str, ply: int, counts: list[int]) -> None:
    record = read_playthrough((FOLDER / f"{name}.txt").read_text())
    state = list(replay(record))[ply]
    assert [perft(state, depth) for depth in range(len(counts) + 1)] == [1, *counts]


def test_perft_of_a_first_round() -> None:
    dealt = after("coloured-2", "=BBYR/BKWW/YYRK/BRWW/YRKK")
    assert [perft(dealt, depth) for depth in (1, 2)] == [90, 7560]


if __name__ == "__main__":
    main()
