"""What a viewer of Blockers! may know, and the legal moves with what they would change, as JSON for the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.blockers.board import groups
from games.blockers.notation import TILES, bits, tiles_text
from games.blockers.scoring import score
from games.kit.protocol import Json

if TYPE_CHECKING:
    from games.blockers.placements import Targets
    from games.blockers.rules import Position


def view(position: Position, seat: int | None) -> dict[str, Json]:
    """All that `seat`, a spectator when `None`, may know; at the end everybody knows all.

    `cells` are by row·9 + column; colours are numbered as in `board_data`, tiles are their characters. `unseen` are per
    colour the tiles in racks and piles that this viewer cannot see, `standing` per seat what its score is made of, and
    `last` is the last placement.
    """
    colours = range(len(position.boards))
    return {
        "cells": [_tile(code) for code in position.cells],
        "colours": [_colour(position, colour, seat) for colour in colours],
        "captured": [
            {"tiles": [_tile(code) for code in codes], "by_colour": position.captured_by_colour(owner)}
            for owner, codes in enumerate(position.captured)
        ],
        "standing": [_standing(position, owner) for owner in range(position.setup.seat_count)],
        "unseen": [tiles_text(_unseen(position, colour, seat)) for colour in colours],
        "last": _last(position),
        "progress": position.progress(),
    }


def _tile(code: int) -> dict[str, Json] | None:
    """A tile by its number in `Position.cells`."""
    if not code:
        return None
    colour, tile = divmod(code - 1, len(TILES))
    return {"colour": colour, "tile": TILES[tile]}


def _colour(position: Position, colour: int, seat: int | None) -> dict[str, Json]:
    rack = position.racks[colour]
    return {
        "key": position.setup.colours[colour],
        "seat": position.setup.seats[colour],
        "pile": position.piles[colour].bit_count(),
        "rack": tiles_text(rack) if position.open_to(colour, seat) else None,
        "rack_size": rack.bit_count(),
        "groups": [list(bits(group)) for group in groups(position.boards[colour])],
        "stopped": position.stopped(colour),
    }


def _unseen(position: Position, colour: int, seat: int | None) -> int:
    pile = position.piles[colour]
    return pile if position.open_to(colour, seat) else pile | position.racks[colour]


def _standing(position: Position, seat: int) -> dict[str, Json]:
    captured = position.captured_by_colour(seat)
    own = position.groups_of(seat)
    return {
        "groups": own,
        "captured": max(captured),
        "score": score(own, captured),
        "total_captured": sum(captured),
    }


def _last(position: Position) -> dict[str, Json] | None:
    if position.last is None:
        return None
    colour, tile, cell, captured = position.last
    return {"colour": colour, "tile": TILES[tile], "cell": cell, "captured": _tile(captured)}


def offer(position: Position) -> list[dict[str, Json]]:
    """The legal moves, each with the groups of its colour, what it captures, and the seat's score, before and after."""
    legal = position.legal_moves()
    return [
        {"move": str(move), **_change(position, target, move.cell)}
        for target in legal.targets
        for move in legal.moves_of(target)
    ]


def _change(position: Position, target: Targets, cell: int) -> dict[str, Json]:
    """What placing a tile on `cell` would change."""
    colour, tile, _ = target
    seat = position.setup.seats[colour]
    boards = list(position.boards)
    boards[colour] |= 1 << cell
    counts = position.captured_by_colour(seat)
    before = score(position.groups_of(seat), counts)
    captures: dict[str, Json] | None = None
    taken = _tile(position.cells[cell])
    if taken is not None:
        loser = taken["colour"]
        boards[loser] ^= 1 << cell
        counts[loser] += 1
        captures = {**taken, "groups": [len(groups(position.boards[loser])), len(groups(boards[loser]))]}
    own = sum(len(groups(boards[mine])) for mine in position.setup.colours_of[seat])
    return {
        "colour": colour,
        "tile": TILES[tile],
        "cell": cell,
        "groups": [len(groups(position.boards[colour])), len(groups(boards[colour]))],
        "captures": captures,
        "score": [before, score(own, counts)],
    }
