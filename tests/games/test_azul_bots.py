"""The Azul bots: stronger level by level, always done in time, and sensible where the choice is plain."""

from __future__ import annotations

import pytest

from games.azul import GAME
from games.azul.judgement import Judgement, appeals, promises
from games.azul.rules import Position
from games.kit.checks import play_match, play_out
from tests.games.azul_positions import VARIANTS, after, board, coloured_wall, play, position_of, start
from tests.games.duels import AnyMove, move_within_a_second, wins
from tests.games.sources import source

pytestmark = pytest.mark.long

DEAL = "=BBRY/KWWB/YYRK/BWWR/KKYR"


@pytest.mark.parametrize(("variant", "matches"), [("coloured-2", 40), ("grey-2", 12)])
def test_casual_beats_random_moves(variant: str, matches: int) -> None:
    assert wins(GAME, variant, GAME.bot("casual"), AnyMove(), matches) >= 0.95 * matches


def test_casual_beats_beginner() -> None:
    assert wins(GAME, "coloured-2", GAME.bot("casual"), GAME.bot("beginner"), 16) >= 12


def test_skilled_beats_casual() -> None:
    assert wins(GAME, "coloured-2", GAME.bot("skilled"), GAME.bot("casual"), 4) >= 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_level_decides_in_less_than_a_second_of_cpu_time(variant: str) -> None:
    position = after(variant, str(start(variant).draw(source("think"))))
    for level in GAME.levels:
        assert move_within_a_second(GAME.bot(level.key), position) in position.legal_moves()


@pytest.mark.parametrize("level", ["casual", "skilled", "strong"])
def test_no_tile_falls_where_a_line_takes_all(level: str) -> None:
    position = position_of([board(lines="- - - KKK", score=9)], factories="KRRR/YYYB")
    move = GAME.bot(level).choose(position, source("fill"))
    entry = next(entry for entry in position.offer() if entry["move"] == str(move))
    assert entry["line"] != "f" and entry["falls"] == 0


@pytest.mark.parametrize("level", ["skilled", "strong"])
def test_a_search_ends_a_match_that_is_won(level: str) -> None:
    winner = board(coloured_wall("BYRK"), score=60)
    position = position_of([winner, board(score=20)], factories="WYYY", centre="", number=5)
    assert str(GAME.bot(level).choose(position, source("win"))) == "1W1"


def test_a_grey_bot_lays_its_tile_where_it_scores() -> None:
    wall = ["BYR..", ".....", ".....", ".....", "....."]
    position = play(position_of([board(wall, lines="K")], variant="grey-2", factories="WWWW"), "1W5")
    assert str(GAME.bot("strong").choose(position, source("grey"))) == "w14"


def test_a_match_between_bots_ends_soon() -> None:
    for variant in VARIANTS:
        bots = [GAME.bot(("casual", "beginner")[seat % 2]) for seat in range(GAME.variant(variant).seats)]
        for number in range(3):
            record = play_match(GAME, variant, bots, b"ends %d" % number)
            assert sum(ply.startswith("=") for ply in record.plies) <= 14


def test_the_judgement_spreads_its_priors_over_legal_moves() -> None:
    guide = Judgement(width=8)
    for _, state in play_out(after("coloured-3", "=BBRY/KWWB/YYRK/BWWR/KKYR/BYRK/BYRK"), source("judged")):
        assert isinstance(state, Position)
        values = guide.values(state) if state.to_move is None or isinstance(state.to_move, int) else [0.5]
        assert all(0 <= value <= 1 for value in values)
        if isinstance(state.to_move, int):
            candidates = guide.candidates(state)
            assert 1 <= len(candidates) <= 8
            assert abs(sum(prior for _, prior in candidates) - 1) < 1e-9
            assert all(move in state.legal_moves() for move, _ in candidates)
    assert promises(state) == list(state.scores())
    assert appeals(state) == []
