"""The rules of Blokus: positions, whose turn it is, and why a move is refused (rules: Blokus)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

from games.blokus import scoring
from games.blokus.board import Board, bits, board_of
from games.blokus.notation import Placement
from games.blokus.pieces import PIECES, SINGLE
from games.blokus.placements import Placements
from games.kit.chance import Source
from games.kit.protocol import N_, IllegalMove, Json, Label, Move, Outcome
from games.kit.ranking import rank

FREE_CORNERS: Final = "free-corners"
COLOUR_NAMES: Final = {"blue": Label("Blue"), "yellow": Label("Yellow"), "red": Label("Red"), "green": Label("Green")}


@dataclass(frozen=True, slots=True)
class Hand:
    """What a colour has on the board and beside it."""

    placed: int = 0
    """Bitboard of the squares it covers."""
    pieces: int = scoring.ALL_PIECES
    """Set of the pieces it has left: bit i for piece i."""
    single_last: bool = False
    """Whether the piece it placed last was the single square."""
    out: bool = False
    """Found unable to place when its turn came; it never can again, so it is not asked any more."""

    @property
    def points(self) -> int:
        return scoring.bonus(self.pieces, single_last=self.single_last) - scoring.squares_left(self.pieces)


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Blokus, see `games.kit.protocol.State`."""

    board: Board
    free_corners: bool
    """Whether a first piece may cover any start square that is free (house rule of that name)."""
    hands: tuple[Hand, ...]
    """One per colour, in turn order."""
    colour: int | None = 0
    """Index of the colour to place; `None` at the end."""
    last: tuple[int, Placement] | None = None
    """The colour and the placement that led here."""
    _legal: list[Placements] = field(default_factory=list, init=False, repr=False, compare=False)
    """Holds the legal moves once they were asked for."""

    @property
    def to_move(self) -> int | None:
        """The seat to move. A shared colour's n-th piece is placed by seat n modulo the number of seats."""
        if self.colour is None:
            return None
        seat = self.board.seats[self.colour]
        if seat is not None:
            return seat
        placed = len(PIECES) - self.hands[self.colour].pieces.bit_count()
        return placed % self.board.seat_count

    @property
    def chance_label(self) -> str:
        raise LookupError("Blokus draws nothing")

    def draw(self, source: Source) -> Move:
        """Raises `LookupError`: Blokus draws nothing."""
        raise LookupError("Blokus draws nothing")

    def legal_moves(self) -> Placements:
        """The placements of the colour to move; empty at the end."""
        if not self._legal:
            self._legal.append(Placements(self.board, 0, 0, 0) if self.colour is None else self.placements(self.colour))
        return self._legal[0]

    def placements(self, colour: int) -> Placements:
        """Where `colour` could place if it were its turn."""
        return Placements(self.board, self.allowed(colour), self.corners(colour), self.hands[colour].pieces)

    def allowed(self, colour: int) -> int:
        """The free squares that do not touch `colour` along an edge."""
        return self.board.squares & ~(self.covered() | self.board.edges(self.hands[colour].placed))

    def corners(self, colour: int) -> int:
        """The squares of which a piece of `colour` must cover one, some of them perhaps not allowed."""
        placed = self.hands[colour].placed
        if placed:
            return self.board.corners(placed)
        return self.board.any_start if self.free_corners else self.board.starts[colour]

    def covered(self) -> int:
        """All squares under pieces."""
        covered = 0
        for hand in self.hands:
            covered |= hand.placed
        return covered

    def play(self, move: Move) -> Position:
        """The position after `move`, colours that cannot place being skipped. Raises `IllegalMove`."""
        if self.colour is None:
            raise IllegalMove("match_over", "No colour can place any more; the match is over.")
        if not isinstance(move, Placement):
            raise IllegalMove("not_a_placement", "“{move}” is not a placement of a Blokus piece.", move=move)
        refusal = self._refusal(self.colour, move)
        if refusal is not None:
            raise refusal
        return self._placed(self.colour, move)._turn_after(self.colour)

    def _placed(self, colour: int, move: Placement) -> Position:
        """The position with the piece on the board, the turn not yet passed on."""
        hand = self.hands[colour]
        hand = Hand(
            placed=hand.placed | self.board.mask(move),
            pieces=hand.pieces & ~(1 << move.piece),
            single_last=move.piece == SINGLE,
        )
        hands = (*self.hands[:colour], hand, *self.hands[colour + 1 :])
        return Position(self.board, self.free_corners, hands, colour, (colour, move))

    def _turn_after(self, colour: int) -> Position:
        """This position with the turn passed on from `colour` to the next that can place, or over."""
        hands = list(self.hands)
        count = len(hands)
        for step in range(1, count + 1):
            following = (colour + step) % count
            if hands[following].out:
                continue
            legal = self.placements(following)
            if legal:
                position = Position(self.board, self.free_corners, tuple(hands), following, self.last)
                position._legal.append(legal)
                return position
            hands[following] = replace(hands[following], out=True)
        return Position(self.board, self.free_corners, tuple(hands), None, self.last)

    def _refusal(self, colour: int, move: Placement) -> IllegalMove | None:
        """Why `colour` may not make this move, naming the rule and the squares; `None` when it may."""
        board, hand = self.board, self.hands[colour]
        if not board.holds(move):
            return IllegalMove(
                "off_board", "{move} does not lie on this board of {size}×{size} squares.", move=move, size=board.size
            )
        names = {"colour": COLOUR_NAMES[board.colours[colour]], "piece": PIECES[move.piece]}
        mask = board.mask(move)
        if not hand.pieces >> move.piece & 1:
            return IllegalMove("piece_used", "{colour} has placed its {piece} already.", **names)
        if taken := mask & self.covered():
            text = N_("The {piece} would cover squares that are taken: {squares}.")
            return IllegalMove("overlap", text, squares=board.names(taken), **names)
        if not hand.placed:
            return self._start_refusal(colour, mask, names)
        if beside := mask & board.edges(hand.placed):
            text = N_("Pieces of one colour may not touch along an edge; the {piece} would touch {colour} at {squares}.")
            return IllegalMove("edge_contact", text, squares=board.names(beside), **names)
        if not mask & board.corners(hand.placed):
            text = N_("A piece must touch one of its own colour corner to corner; the {piece} would not touch {colour}.")
            return IllegalMove("no_corner_contact", text, **names)
        return None

    def _start_refusal(self, colour: int, mask: int, names: dict[str, str]) -> IllegalMove | None:
        """Why the first piece of `colour` may not lie on the free squares `mask`."""
        starts = self.corners(colour) & ~self.covered()
        if mask & starts:
            return None
        squares = self.board.names(starts)
        text = N_("The first piece of {colour} must cover {squares}.")
        if starts.bit_count() > 1:
            text = N_("The first piece of {colour} must cover one of {squares}.")
        return IllegalMove("not_start", text, squares=squares, **names)

    def points(self) -> tuple[int, ...]:
        """The points of each colour as it stands."""
        return tuple(hand.points for hand in self.hands)

    def scores(self) -> tuple[int, ...]:
        """The points of each seat as it stands: the sum over its colours."""
        return scoring.seat_scores(self.points(), self.board.seats)

    def ranks(self) -> tuple[int, ...]:
        """By the scores; equal ones share a rank."""
        return rank(self.scores())

    def outcome(self) -> Outcome | None:
        if self.colour is not None:
            return None
        return Outcome(self.scores(), self.ranks())

    def view(self, seat: int | None) -> dict[str, Json]:
        """The whole position, since nothing in Blokus is hidden.

        `cells` has a character per square, at row·size + column: `.` or the first letter of a colour. `colours` are in
        turn order, each with its seat (`None` when it is shared), the indices of its pieces left, and the `corners`:
        cells of which its next piece must cover one. `out` tells that it cannot place, even before its turn shows it.
        """
        letters = {}
        for key, hand in zip(self.board.colours, self.hands, strict=True):
            letters.update(dict.fromkeys(self.board.cells(hand.placed), key[0]))
        return {
            "cells": "".join(letters.get(cell, ".") for cell in range(self.board.size**2)),
            "colours": [self._colour_view(colour) for colour in range(len(self.hands))],
            "colour": self.colour,
            "last": self._last_view(),
        }

    def _colour_view(self, colour: int) -> dict[str, Json]:
        hand = self.hands[colour]
        can_place = bool(self.placements(colour))
        return {
            "key": self.board.colours[colour],
            "seat": self.board.seats[colour],
            "pieces": list(bits(hand.pieces)),
            "squares_left": scoring.squares_left(hand.pieces),
            "score": hand.points,
            "bonus": scoring.bonus(hand.pieces, single_last=hand.single_last),
            "out": not can_place,
            "corners": self.board.cells(self.corners(colour) & self.allowed(colour)) if can_place else [],
        }

    def _last_view(self) -> dict[str, Json] | None:
        if self.last is None:
            return None
        colour, move = self.last
        return {"colour": colour, "piece": move.piece, "cells": self.board.cells(self.board.mask(move))}

    def offer(self) -> dict[str, list[int]]:
        """The legal moves, by orientation: the cells where its bounding box's lower left corner may lie.

        Keys are indices into the orientations of `board_data`, as text; a cell is row·size + column.
        """
        offers: dict[str, list[int]] = {}
        for move in self.legal_moves():
            offers.setdefault(str(move.orientation), []).append(move.y * self.board.size + move.x)
        return offers

    def visible(self, ply: Move, seat: int | None) -> str:
        return str(ply)

    def determinize(self, seat: int, source: Source) -> Position:
        return self

    def ahead(self, seat: int) -> Position:
        """This position with the next colour in turn order that `seat` plays and that can place.

        A shared colour is the seat's only when its next piece is. Raises `LookupError` when the match is over or no
        colour of the seat can place.
        """
        if self.to_move == seat:
            return self
        if self.colour is None:
            raise LookupError("the match is over")
        count = len(self.hands)
        for step in range(1, count):
            position = replace(self, colour=(self.colour + step) % count)
            if position.to_move == seat and position.legal_moves():
                return position
        raise LookupError(f"seat {seat} cannot place any more")


def initial_position(variant: str, options: Collection[str]) -> Position:
    """The empty board of `variant`, blue to place."""
    board = board_of(variant)
    return Position(board, FREE_CORNERS in options, (Hand(),) * len(board.colours))
