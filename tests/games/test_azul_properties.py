"""What holds in every match of Azul, tried on random ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.azul import GAME
from games.azul.boards import _open
from games.azul.rules import Position
from games.azul.tiles import ALL_TILES
from games.kit.chance import KeyedSource
from games.kit.checks import play_out
from games.kit.protocol import CHANCE, IllegalMove, Move
from tests.games import azul_brute_force as brute
from tests.games.azul_positions import VARIANTS, all_tiles, start

matches = given(variant=st.sampled_from(VARIANTS), secret=st.binary(min_size=8, max_size=8))


def match(variant: str, secret: bytes) -> list[tuple[Move, Position]]:
    steps = []
    for ply, position in play_out(start(variant), KeyedSource(secret, "match")):
        assert isinstance(position, Position)
        steps.append((ply, position))
    return steps


@settings(max_examples=25, deadline=None)
@matches
def test_a_hundred_tiles_are_there_at_every_ply_and_scores_are_never_negative(variant: str, secret: bytes) -> None:
    for _, position in match(variant, secret):
        assert all_tiles(position) == ALL_TILES
        assert min(position.scores()) >= 0
        assert all(len(board.floor) <= 7 for board in position.boards)
        markers = sum(board.floor.count("*") for board in position.boards)
        assert markers <= (position.marker is not None)


@settings(max_examples=12, deadline=None)
@matches
def test_no_move_is_missed_and_none_invented(variant: str, secret: bytes) -> None:
    wall = GAME.board_data(variant)["wall"]
    for _, position in match(variant, secret):
        if isinstance(position.to_move, int):
            expected = brute.moves(position.view(None), position.to_move, wall)
            assert {str(move) for move in position.legal_moves()} == expected
            assert {entry["move"] for entry in position.offer()} == expected


@settings(max_examples=6, deadline=None)
@matches
def test_every_thinkable_move_is_played_or_refused_as_the_list_says(variant: str, secret: bytes) -> None:
    takes = [f"{source}{colour}{line}" for source in "c123456789" for colour in "BYRKW" for line in "12345f"]
    plies = [GAME.parse_move(text) for text in [*takes, *(f"w{row}{at}" for row in range(1, 6) for at in range(1, 6))]]
    for _, position in match(variant, secret)[::9]:
        legal = position.legal_moves()
        for ply in plies:
            try:
                position.play(ply)
            except IllegalMove as reason:
                assert ply not in legal and reason.code and len(str(reason)) < 200
            else:
                assert ply in legal


@settings(max_examples=20, deadline=None)
@matches
def test_where_takes_may_go_follows_from_lines_and_wall(variant: str, secret: bytes) -> None:
    for _, position in match(variant, secret):
        if position.line is None:
            assert all(board.open == _open(board.wall, board.lines) for board in position.boards)


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant.startswith("coloured")])
@settings(max_examples=8, deadline=None)
@given(secret=st.binary(min_size=8, max_size=8))
def test_forecast_and_round_end_are_what_counting_tile_by_tile_gives(variant: str, secret: bytes) -> None:
    wall = GAME.board_data(variant)["wall"]
    before = start(variant)
    for ply, after in match(variant, secret):
        boards = before.view(None)["boards"]
        ends = [brute.end_of_round(own, wall) for own in boards]
        ended = any("." not in row for _, rows in ends for row in rows)
        if before.to_move is not CHANCE and not ended:
            assert [own["forecast"] for own in boards] == [score for score, _ in ends]
        own_forecasts = {entry["move"]: entry for entry in before.offer()}
        if isinstance(before.to_move, int) and isinstance(after.to_move, int):
            entry, seat = own_forecasts[str(ply)], before.to_move
            then = after.view(None)["boards"][seat]
            assert entry["forecast"] == then["forecast"]
            assert entry["cost"] == then["penalty"] - boards[seat]["penalty"]
        if isinstance(before.to_move, int) and after.to_move is CHANCE:
            expected = [score for score, _ in ends]
            expected[before.to_move] = own_forecasts[str(ply)]["forecast"]
            assert list(after.scores()) == expected
        before = after


@settings(max_examples=15, deadline=None)
@matches
def test_the_steps_of_a_round_end_add_up_to_the_change_of_the_scores(variant: str, secret: bytes) -> None:
    scores = [0] * GAME.variant(variant).seats
    told = 0
    for ply, position in match(variant, secret):
        if not position.tiling:
            told = 0
        for seat, step in position.tiling[told:]:
            scores[seat] += step.points
        told = len(position.tiling)
        assert tuple(scores) == position.scores(), str(ply)
