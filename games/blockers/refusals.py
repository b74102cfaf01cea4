"""Why a placement or a draw is refused, in sentences that name the rule, the cells and the groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.blockers.board import AREAS, CELLS, REACH, bridges, group_at, groups
from games.blockers.notation import COLUMNS, LETTERS, ROWS, TILES, Drawn, Placement, bits, cell_name, cell_names
from games.blockers.setup import DEAL, RACK
from games.kit.protocol import N_, IllegalMove, Label

if TYPE_CHECKING:
    from games.blockers.rules import Position

NAMES: Final = (Label(N_("Red")), Label(N_("Yellow")), Label(N_("Green")), Label(N_("Blue")), Label(N_("Purple")))
"""Per colour its name, to be shown in the reader's language."""


def refusal(position: Position, move: Placement) -> IllegalMove:
    """Why `move`, which is not legal, is refused."""
    if position.seat is None:
        return IllegalMove("match_over", "Nobody can place any more; the match is over.")
    if position.drawing is not None:
        return IllegalMove("draw_due", "A tile is drawn before the next one is placed.")
    if not (0 <= move.cell < CELLS and 0 <= move.tile < len(TILES)):
        return IllegalMove("not_a_placement", "There is no such tile or no such cell.")
    own = position.setup.colours_of[position.seat]
    if position.setup.named and move.colour is None:
        return IllegalMove(
            "no_colour",
            "You play two colours, so say which one places, like {letter}:{move}.",
            letter=LETTERS[own[0]],
            move=move,
        )
    if not position.setup.named and move.colour is not None:
        return IllegalMove(
            "colour_named",
            "Everybody plays one colour here, so a move does not name it: write {tile}@{cell}.",
            tile=TILES[move.tile],
            cell=cell_name(move.cell),
        )
    colour = own[0] if move.colour is None else move.colour
    if colour not in own:
        return IllegalMove("not_your_colour", "{colour} is not yours to place.", colour=NAMES[colour])
    return _tile_refusal(position, colour, move) or _cell_refusal(position, colour, move.cell)


def _tile_refusal(position: Position, colour: int, move: Placement) -> IllegalMove | None:
    """Why this tile cannot be placed, or not on this cell whatever lies there; `None` when it can."""
    names = {"colour": NAMES[colour], "tile": TILES[move.tile], "cell": cell_name(move.cell)}
    if position.stopped(colour):
        return IllegalMove(
            "stopped",
            "{colour} has stopped: its pile is empty, and the last four tiles of its rack are not placed.",
            **names,
        )
    if not position.racks[colour] >> move.tile & 1:
        return IllegalMove("not_in_rack", "{colour} has no tile {tile} in its rack.", **names)
    if REACH[move.tile] >> move.cell & 1:
        return None
    if TILES[move.tile] in ROWS:
        return IllegalMove("wrong_row", "The tile {tile} belongs in row {tile}, and {cell} is not there.", **names)
    if TILES[move.tile] in COLUMNS:
        return IllegalMove(
            "wrong_column",
            "The tile {tile} belongs in column {tile}, and {cell} is not there.",
            **names,
        )
    return IllegalMove(
        "wrong_area",
        "The tile {tile} belongs in area {tile}, and {cell} is in area {area}.",
        area=AREAS[move.cell],
        **names,
    )


def _cell_refusal(position: Position, colour: int, cell: int) -> IllegalMove:
    """Why `colour` can place nothing on a cell that is its own or holds a group together."""
    name = cell_name(cell)
    if position.boards[colour] >> cell & 1:
        return IllegalMove(
            "own_colour",
            "On {cell} there is a tile of {colour} already, and a colour never covers its own.",
            cell=name,
            colour=NAMES[colour],
        )
    other = next(other for other, cells in enumerate(position.boards) if bridges(cells) >> cell & 1)
    cells = position.boards[other]
    return IllegalMove(
        "splits",
        "Capturing {cell} would split a group of {colour} ({group}): {before} → {after} groups. "
        "A capture may not raise their number.",
        cell=name,
        colour=NAMES[other],
        group=cell_names(bits(group_at(1 << cell, cells))),
        before=len(groups(cells)),
        after=len(groups(cells & ~(1 << cell))),
    )


def check_draw(position: Position, drawn: Drawn) -> None:
    """Raises `IllegalMove` unless this can be drawn now: the right number of tiles for the right colours, all left."""
    if position.drawing is None:
        raise IllegalMove("no_draw_due", "No tile is to be drawn now.")
    deal = position.drawing == DEAL
    due = list(range(len(position.piles))) if deal else [position.drawing]
    count = RACK if deal else 1
    if [colour for colour, _ in drawn.hands] != due:
        letters = ", ".join(LETTERS[colour] for colour in due)
        raise IllegalMove("wrong_colours", "The colours that draw now: {colours}.", colours=letters)
    for colour, tiles in drawn.hands:
        name = NAMES[colour]
        if tiles.bit_count() != count:
            raise IllegalMove("wrong_number", "{colour} draws {count} now.", colour=name, count=count)
        if gone := tiles & ~position.piles[colour]:
            raise IllegalMove(
                "not_in_pile",
                "The tile {tile} is not in the pile of {colour} any more.",
                tile=TILES[next(bits(gone))],
                colour=name,
            )
