"""Golden playthroughs of Nibble: whole matches in text, to the letter. After a change that is meant, write them anew:

    python -m tests.games.test_nibble_playthroughs

The matches are between casual and beginner bots, so that they look like play. Read the difference before you commit it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

import games
from games.kit.checks import perft, play_match, read_playthrough, write_playthrough
from games.kit.record import check, replay
from games.nibble import GAME
from tests.games.nibble_positions import VARIANTS, picture

FOLDER = Path(games.__file__).parent / "nibble" / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))


def main() -> None:
    for variant in VARIANTS:
        bots = [GAME.bot("casual"), GAME.bot("beginner")]
        record = play_match(GAME, variant, bots, sha256(b"nibble " + variant.encode()).digest())
        (FOLDER / f"{variant}.txt").write_text(write_playthrough(record, picture))


def test_every_variant_has_a_playthrough_and_no_file_is_left_over() -> None:
    assert {path.stem for path in FILES} == set(VARIANTS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_played_again_to_the_letter(path: Path) -> None:
    text = path.read_text()
    record = read_playthrough(text)
    assert len(record.plies) > 20
    assert check(record) == []
    assert write_playthrough(record, picture) == text


@pytest.mark.parametrize(
    ("name", "before_end", "counts"),
    [
        ("square-9", 10, [12, 106, 740, 4262]),
        ("square-13", 8, [6, 26, 84, 224]),
        ("hex-13", 8, [5, 22, 89, 324]),
    ],
)
def test_perft_of_late_positions(name: str, before_end: int, counts: list[int]) -> None:
    record = read_playthrough((FOLDER / f"{name}.txt").read_text())
    state = list(replay(record))[-1 - before_end]
    assert [perft(state, depth) for depth in range(len(counts) + 1)] == [1, *counts]


if __name__ == "__main__":
    main()
