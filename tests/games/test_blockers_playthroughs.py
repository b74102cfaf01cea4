"""Golden playthroughs of Blockers!: whole matches in text, to the letter. To write them anew, after a change that is
meant:

    python -m tests.games.test_blockers_playthroughs

The matches are between casual and beginner bots, so that they look like play. Read the difference before you commit it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

import games
from games.blockers import GAME
from games.blockers.rules import Position
from games.kit.checks import play_match, read_playthrough, write_playthrough
from games.kit.record import check, replay
from tests.games.blockers_positions import picture

FOLDER = Path(games.__file__).parent / "blockers" / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))
VARIANTS = [variant.key for variant in GAME.variants]


def main() -> None:
    for variant in VARIANTS:
        bots = [GAME.bot(("casual", "beginner")[seat % 2]) for seat in range(GAME.variant(variant).seats)]
        record = play_match(GAME, variant, bots, sha256(b"blockers " + variant.encode()).digest())
        (FOLDER / f"{variant}.txt").write_text(write_playthrough(record, picture))


def test_every_variant_has_a_playthrough_and_no_file_is_left_over() -> None:
    assert {path.stem for path in FILES} == set(VARIANTS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_played_again_to_the_letter(path: Path) -> None:
    text = path.read_text()
    record = read_playthrough(text)
    assert check(record) == []
    assert write_playthrough(record, picture) == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_ends_with_open_racks_of_four_and_has_captures(path: Path) -> None:
    *_, end = replay(read_playthrough(path.read_text()))
    assert isinstance(end, Position)
    assert end.to_move is None
    assert all(len(colour["rack"]) == 4 for colour in end.view(None)["colours"])
    assert any(end.captured)


if __name__ == "__main__":
    main()
