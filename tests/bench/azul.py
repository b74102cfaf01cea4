"""How fast the rules of Azul are, beside azul-game-engine 1.0.2 (pure Python, coloured side) where it is installed.

That engine has no list of legal moves, so its driver finds them by asking its boards. `azul-marl-env` 1.0.6, an
environment on top of it, was left out: its wheel lacks a package that it imports.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from games.azul import GAME
from games.azul.rules import Position
from games.kit.chance import Source
from games.kit.checks import play_out
from games.kit.protocol import State
from games.kit.record import Record, replay
from tests.bench.rates import rates
from tests.games.sources import lines, source

PLY = 5
"""The position measured is so many plies into a match: early in a round, with most of its moves still there."""


def report() -> None:
    """Legal moves early in a round, found afresh each time, and random whole matches."""
    try:
        import azul_game_engine  # noqa: F401

        compared = True
    except ImportError:
        compared = False
        print("azul: azul-game-engine is not installed: pip install --no-deps -r requirements-bench.txt")
    for variant in GAME.variants:
        line = next(line for line in lines("records.jsonl") if line["variant"] == variant.key)
        position = cast("Position", list(replay(Record.from_json(line)))[PLY])
        actions = [position.legal_moves, partial(match, GAME.start(variant.key), source("bench azul"))]
        if compared and not position.table.grey:
            actions.append(partial(peer_match, variant.seats, source("bench azul")))
        found, played, *others = rates(*actions)
        moves = len(position.legal_moves())
        text = (
            f"  {variant.key}: {1000 / found:.4f} ms for {moves} legal moves ({found * moves:,.0f} a second), "
            f"{played:.0f} random whole matches a second"
        )
        for other in others:
            text += f"; azul-game-engine {other:.0f} a second; we play {played / other:.2f} times as many"
        print(text)


def match(state: State, randomness: Source) -> None:
    for _ in play_out(state, randomness):
        pass


def peer_match(seats: int, randomness: Source) -> None:
    """A random whole match of the peer. Its boards share one lid, since it loses the floor's tiles otherwise."""
    from azul_game_engine.board import Board
    from azul_game_engine.floor import Floor
    from azul_game_engine.game import Game
    from azul_game_engine.lid import Lid
    from azul_game_engine.player import Player

    lid = Lid()
    game = Game([Player(Board(floor=Floor(lid))) for _ in range(seats)], starting_player=0, lid=lid)
    while game.is_running:
        moves = _peer_moves(game)
        if not moves:
            break
        factory, tile, fallen, line = moves[randomness.below(len(moves))]
        if factory is None:
            game.execute_factory_offer_phase_with_center(tile, fallen, line)
        else:
            game.execute_factory_offer_phase_with_factory(factory, tile, fallen, line)


def _peer_moves(game: Any) -> list[tuple[int | None, Any, int, int]]:
    """Factory (`None` for the centre), tile, how many go to the floor at once, and line."""
    board = game.players[game.current_player].board
    sources = [(None, game.peek_center()), *((at, each.tiles) for at, each in enumerate(game.factory_displays))]
    moves: list[tuple[int | None, Any, int, int]] = []
    for factory, tiles in sources:
        for tile in set(tiles):
            moves.append((factory, tile, tiles.count(tile), 0))
            for at, line in enumerate(board.pattern_lines):
                open_line = not line.is_filled() and not line.is_colour_invalid(tile)
                if open_line and not board.wall.already_has(tile, at):
                    moves.append((factory, tile, 0, at))
    return moves
