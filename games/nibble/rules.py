"""The rules of Nibble: positions, who has won, and why a take is refused (rules: Nibble)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

from games.kit.chance import Source
from games.kit.protocol import CHANCE, N_, IllegalMove, Json, Label, Move, Outcome, ToMove
from games.kit.ranking import rank
from games.nibble.board import COLOUR_NAMES, Board, bits, board_of
from games.nibble.layouts import blocks_of, draw_layout
from games.nibble.notation import Layout, Take, cell_name
from games.nibble.scoring import Threat, Win, immediate_win, majorities, threats
from games.nibble.takes import Takes, takeable

SEATS: Final = 2


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Nibble, see `games.kit.protocol.State`."""

    board: Board
    blocks: tuple[int, ...] = ()
    """Per colour where its blocks were at the start; empty until the layout is known."""
    left: int = 0
    """Bitboard of the blocks that are still on the board."""
    taken: tuple[int, int] = (0, 0)
    """Per seat where the blocks that it has taken were."""
    seat: int = 0
    """The seat to move; at the end, the one that did not move last."""
    win: Win | None = None
    """Why the seat that moved last has won at once."""
    last: int = 0
    """The blocks that were taken last."""
    _legal: list[Takes] = field(default_factory=list, init=False, repr=False, compare=False)
    """Holds the legal moves once they were asked for."""

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.win is not None or (bool(self.blocks) and not self.left)

    @property
    def to_move(self) -> ToMove:
        if not self.blocks:
            return CHANCE
        return None if self.over else self.seat

    @property
    def chance_label(self) -> str:
        if self.blocks:
            raise LookupError("the layout is known and nothing else is drawn")
        return "layout"

    def draw(self, source: Source) -> Layout:
        """A random layout. Raises `LookupError` once there is one."""
        if self.blocks:
            raise LookupError("the layout is known and nothing else is drawn")
        return draw_layout(self.board, source)

    def legal_moves(self) -> Takes:
        if not self._legal:
            self._legal.append(Takes(self.board, self.blocks, 0 if self.over else self.left))
        return self._legal[0]

    def play(self, move: Move) -> Position:
        """The position after a take, or after the layout when that is due. Raises `IllegalMove`."""
        if isinstance(move, Layout):
            return self._laid_out(move)
        if not self.blocks:
            raise IllegalMove("draw_due", "The blocks are not laid out yet.")
        if self.over:
            raise IllegalMove("match_over", "The match is over.")
        if not isinstance(move, Take):
            raise IllegalMove("not_a_take", "“{move}” does not take blocks.", move=move)
        if not self._legal or move not in self._legal[0]:
            refusal = self._refusal(move)
            if refusal is not None:
                raise refusal
        return self.without(self.board.mask(move))

    def _laid_out(self, layout: Layout) -> Position:
        if self.blocks:
            raise IllegalMove("no_draw_due", "The blocks are laid out already.")
        return Position(self.board, blocks_of(self.board, layout), self.board.all)

    def without(self, mask: int) -> Position:
        """The position after the legal take of the blocks `mask`, which is not checked."""
        own = self.taken[self.seat] | mask
        taken = (own, self.taken[1]) if self.seat == 0 else (self.taken[0], own)
        colour = self.colour_of(mask)
        win = None
        if (own & self.blocks[colour]).bit_count() >= self.board.triple:
            win = immediate_win(self.board, [(own & blocks).bit_count() for blocks in self.blocks], colour)
        return Position(self.board, self.blocks, self.left ^ mask, taken, 1 - self.seat, win, mask)

    def colour_of(self, mask: int) -> int:
        """The colour of blocks, as an index into the colour table: that of the first, should they differ."""
        first = mask & -mask
        return next(colour for colour, blocks in enumerate(self.blocks) if first & blocks)

    def _refusal(self, move: Take) -> IllegalMove | None:
        """Why the take is not allowed, naming the rule and the blocks; `None` when it is."""
        board = self.board
        if not move.cells:
            return IllegalMove("no_block", "Take at least one block.")
        for cell in move.cells:
            if not board.holds(cell):
                return IllegalMove("off_board", "This board has no cell {block}.", block=cell_name(cell))
            if not self.left >> board.bit(cell) & 1:
                return IllegalMove("empty_cell", "There is no block on {block} any more.", block=cell_name(cell))
        mask = board.mask(move)
        if mask.bit_count() < len(move.cells):
            return IllegalMove("twice", "{blocks}: a block can be taken only once.", blocks=move)
        return self._two_colours(mask) or self._no_corner(mask) or self._cuts(mask)

    def _two_colours(self, mask: int) -> IllegalMove | None:
        colour = self.colour_of(mask)
        others = mask & ~self.blocks[colour]
        if not others:
            return None
        return IllegalMove(
            "two_colours",
            "All blocks of a move have one colour, but {first} is {colour} and {second} is {other}.",
            first=self.board.names(mask & -mask),
            colour=Label(COLOUR_NAMES[colour]),
            second=self.board.names(others & -others),
            other=Label(COLOUR_NAMES[self.colour_of(others)]),
        )

    def _no_corner(self, mask: int) -> IllegalMove | None:
        stuck = mask & ~self.board.corners(self.left)
        if not stuck:
            return None
        several = stuck & (stuck - 1)
        if self.board.hex:
            text = N_("{blocks} is no corner: it has no three free sides in a row.")
            if several:
                text = N_("{blocks} are no corners: each needs three free sides in a row.")
        else:
            text = N_("{blocks} is no corner: it has no two free sides that meet.")
            if several:
                text = N_("{blocks} are no corners: each needs two free sides that meet.")
        return IllegalMove("no_corner", text, blocks=self.board.names(stuck))

    def _cuts(self, mask: int) -> IllegalMove | None:
        """Names as few blocks as cut, one alone if one does; what so few cut falls into two parts."""
        board = self.board
        if board.connected(self.left & ~mask):
            return None
        for bit in bits(mask):
            if not board.connected(self.left & ~(mask ^ 1 << bit)):
                mask ^= 1 << bit
        first, second = (group.bit_count() for group in board.groups(self.left & ~mask))
        text = N_("Taking {blocks} would cut the rest into {first} and {second} blocks.")
        if mask & (mask - 1):
            text = N_("Taking {blocks} together would cut the rest into {first} and {second} blocks.")
        return IllegalMove("cuts", text, blocks=board.names(mask), first=first, second=second)

    def counts(self, seat: int) -> list[int]:
        """How many blocks of each colour a seat has taken."""
        return [(self.taken[seat] & blocks).bit_count() for blocks in self.blocks] or [0] * self.board.each

    def scores(self) -> tuple[int, ...]:
        """The number of colours in which each seat has the majority."""
        return tuple(len(majorities(self.board, self.counts(seat))) for seat in range(SEATS))

    def ranks(self) -> tuple[int, ...]:
        """By the majorities; a win at once is no matter of them."""
        return rank(self.scores())

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        if self.win is None:
            return Outcome(self.scores(), self.ranks())
        return Outcome(self.scores(), (1, 2) if self.seat == 1 else (2, 1))

    def view(self, seat: int | None) -> dict[str, Json]:
        """The whole position, since nothing in Nibble is hidden.

        Cells are indices into the `cells` of `board_data`; `cells` has the letter of each block and `.` where none is.
        `counts` are per seat the blocks taken of each colour, `threats` the wins at once that need at most 3 blocks,
        the nearest first, and `won` why the match is over.
        """
        board = self.board
        letters = ["."] * len(board.cells)
        for letter, blocks in zip(board.colours, self.blocks, strict=False):
            for index in board.indices(blocks & self.left):
                letters[index] = letter
        counts = [self.counts(owner) for owner in range(SEATS)]
        return {
            "cells": "".join(letters),
            "takeable": [] if self.over or not self.blocks else board.indices(takeable(board, self.left)),
            "counts": counts,
            "majorities": list(self.scores()),
            "last": self._last_view(),
            "threats": [] if self.over else [_threat_view(threat) for threat in threats(board, counts)],
            "won": self._won_view(),
        }

    def _last_view(self) -> dict[str, Json] | None:
        if not self.last:
            return None
        colour = self.board.colours[self.colour_of(self.last)]
        seat = 0 if self.last & self.taken[0] else 1
        return {"seat": seat, "colour": colour, "cells": self.board.indices(self.last)}

    def _won_view(self) -> dict[str, Json] | None:
        outcome = self.outcome()
        if outcome is None:
            return None
        seat = outcome.ranks.index(1)
        win = self.win or Win("majorities", majorities(self.board, self.counts(seat)))
        return {"seat": seat, "kind": win.kind, "colours": win.colours}

    def offer(self) -> dict[str, list[list[int]]]:
        """The legal moves: per colour letter every set of cells whose blocks may be taken together."""
        offers: dict[str, list[list[int]]] = {}
        for mask in self.legal_moves().masks:
            offers.setdefault(self.board.colours[self.colour_of(mask)], []).append(self.board.indices(mask))
        return offers

    def visible(self, ply: Move, seat: int | None) -> str:
        return str(ply)

    def determinize(self, seat: int, source: Source) -> Position:
        return self

    def ahead(self, seat: int) -> Position:
        """The same board with `seat` to take. Raises `LookupError` before the layout and when the match is over."""
        if self.to_move == seat:
            return self
        if self.over or not self.blocks:
            raise LookupError("there is nothing to take")
        position = replace(self, seat=seat)
        position._legal.extend(self._legal)
        return position


def _threat_view(threat: Threat) -> dict[str, Json]:
    return {"seat": threat.seat, "kind": threat.kind, "colours": threat.colours, "needs": list(threat.needs)}


def initial_position(variant: str, options: Collection[str]) -> Position:
    """The board of `variant` before its blocks are laid out."""
    return Position(board_of(variant))
