"""The rules of Blockers!: positions, whose turn it is, draws, and why a move is refused (rules: Blockers!)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from games.blockers import refusals, scoring, views
from games.blockers.board import ALL_CELLS, CELLS, REACH, bridges, groups
from games.blockers.notation import ALL_TILES, LETTERS, TILES, Drawn, Placement, bits, hand_text, tiles_text
from games.blockers.placements import Placements, Targets
from games.blockers.setup import DEAL, PLACED, RACK, Setup, setup_of
from games.kit.chance import Source
from games.kit.protocol import CHANCE, IllegalMove, Json, Move, Outcome, ToMove

_TILES: Final = len(TILES)


class Last(NamedTuple):
    """The placement made last."""

    colour: int
    tile: int
    cell: int
    captured: int
    """The tile that lay there, as in `Position.cells`; 0 for none."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Blockers!, see `games.kit.protocol.State`.

    A pile is the set of its tiles: it has no order before a tile is drawn, so there is no next tile to be known.
    """

    setup: Setup
    racks: tuple[int, ...]
    """Per colour the set of tiles in its rack."""
    piles: tuple[int, ...]
    """Per colour the set of tiles not drawn yet."""
    boards: tuple[int, ...]
    """Per colour the set of cells it covers."""
    cells: bytes = bytes(CELLS)
    """Per cell 0 where it is empty, or 1 + 28·colour + tile."""
    captured: tuple[bytes, ...] = ()
    """Per seat the tiles it captured, in order, as in `cells`."""
    seat: int | None = 0
    """The seat to move or for which a tile is drawn; `None` at the end."""
    drawing: int | None = DEAL
    """The colour whose draw is due."""
    last: Last | None = None
    shown: bool = False
    """Laid open: everybody sees every rack, as when a match is over."""
    _legal: list[Placements] = field(default_factory=list, init=False, repr=False, compare=False)
    """Holds the legal moves once they were asked for."""

    @property
    def to_move(self) -> ToMove:
        return self.seat if self.drawing is None else CHANCE

    @property
    def chance_label(self) -> str:
        """`deal`, or `draw r 6` for the sixth tile that red draws from its pile."""
        if self.drawing is None:
            raise LookupError("no draw is due")
        if self.drawing == DEAL:
            return "deal"
        drawn = _TILES - RACK - self.piles[self.drawing].bit_count() + 1
        return f"draw {LETTERS[self.drawing]} {drawn}"

    def draw(self, source: Source) -> Drawn:
        """Five tiles of each colour, or one of the colour that has placed; each tile of a pile is equally likely."""
        if self.drawing is None:
            raise LookupError("no draw is due")
        if self.drawing == DEAL:
            return Drawn(tuple((colour, _some_of(pile, RACK, source)) for colour, pile in enumerate(self.piles)))
        return Drawn(((self.drawing, _some_of(self.piles[self.drawing], 1, source)),))

    def legal_moves(self) -> Placements:
        """The placements of the seat to move; empty when a draw is due or the match is over."""
        if not self._legal:
            if self.seat is None or self.drawing is not None:
                return Placements((), named=self.setup.named)
            self._legal.append(self.placements(self.seat))
        return self._legal[0]

    def placements(self, seat: int) -> Placements:
        """Where `seat` could place if it were its turn."""
        targets = []
        for colour in self.setup.colours_of[seat]:
            if not self.stopped(colour):
                free = self.free(colour)
                rack = self.racks[colour]
                targets += [Targets(colour, tile, cells) for tile in bits(rack) if (cells := REACH[tile] & free)]
        return Placements(targets, named=self.setup.named)

    def free(self, colour: int) -> int:
        """The cells where some tile of `colour` may go: all but its own, and those that hold a group together."""
        taken = self.boards[colour]
        for other, cells in enumerate(self.boards):
            if other != colour:
                taken |= bridges(cells)
        return ALL_CELLS & ~taken

    def stopped(self, colour: int) -> bool:
        """Whether `colour` has placed all that it ever will."""
        return not self.piles[colour] and self.racks[colour].bit_count() < RACK

    def play(self, move: Move) -> Position:
        """The position after `move`, seats that cannot place being skipped. Raises `IllegalMove`."""
        if isinstance(move, Drawn):
            return self._drawn(move)
        if not isinstance(move, Placement):
            raise IllegalMove("not_a_placement", "“{move}” is not a placement of Blockers!.", move=move)
        if move not in self.legal_moves():
            raise refusals.refusal(self, move)
        return self._placed(move)

    def _placed(self, move: Placement) -> Position:
        assert self.seat is not None
        seat = self.seat
        colour = seat if move.colour is None else move.colour
        cell, bit = move.cell, 1 << move.cell
        there = self.cells[cell]
        boards, captured = list(self.boards), self.captured
        boards[colour] |= bit
        if there:
            boards[(there - 1) // _TILES] ^= bit
            captured = (*captured[:seat], captured[seat] + bytes((there,)), *captured[seat + 1 :])
        racks = list(self.racks)
        racks[colour] ^= 1 << move.tile
        position = Position(
            self.setup,
            tuple(racks),
            self.piles,
            tuple(boards),
            self.cells[:cell] + bytes((1 + colour * _TILES + move.tile,)) + self.cells[cell + 1 :],
            captured,
            seat,
            colour if self.piles[colour] else None,
            Last(colour, move.tile, cell, there),
        )
        return position if self.piles[colour] else position._turn_after(seat)

    def _drawn(self, drawn: Drawn) -> Position:
        """The position with the drawn tiles in the racks. Raises `IllegalMove`."""
        refusals.check_draw(self, drawn)
        assert self.seat is not None
        racks, piles = list(self.racks), list(self.piles)
        for colour, tiles in drawn.hands:
            racks[colour] |= tiles
            piles[colour] &= ~tiles
        position = replace(self, racks=tuple(racks), piles=tuple(piles), drawing=None)
        return position if self.drawing == DEAL else position._turn_after(self.seat)

    def _turn_after(self, seat: int) -> Position:
        """This position with the turn passed on to the next seat that can place, `seat` last of all, or over."""
        count = self.setup.seat_count
        for step in range(1, count + 1):
            following = (seat + step) % count
            legal = self.placements(following)
            if legal:
                position = replace(self, seat=following)
                position._legal.append(legal)
                return position
        return replace(self, seat=None)

    def groups_of(self, seat: int) -> int:
        """How many groups the colours of `seat` have together."""
        return sum(len(groups(self.boards[colour])) for colour in self.setup.colours_of[seat])

    def captured_by_colour(self, seat: int) -> list[int]:
        """How many tiles of each colour `seat` has captured."""
        counts = [0] * len(self.boards)
        for tile in self.captured[seat]:
            counts[(tile - 1) // _TILES] += 1
        return counts

    def progress(self) -> int:
        """How much of the match is over, in per cent of the tiles to be placed, rounded down; 100 at the end."""
        if self.seat is None:
            return 100
        left = sum(map(int.bit_count, self.racks)) + sum(map(int.bit_count, self.piles))
        placed = _TILES * len(self.boards) - left
        return 100 * placed // (PLACED * len(self.boards))

    def scores(self) -> tuple[int, ...]:
        """The score of each seat as it stands; the lowest is the best."""
        return tuple(
            scoring.score(self.groups_of(seat), self.captured_by_colour(seat)) for seat in range(self.setup.seat_count)
        )

    def ranks(self) -> tuple[int, ...]:
        """By the scores; fewer captured tiles break a tie."""
        return scoring.ranks(self.scores(), list(map(len, self.captured)))

    def outcome(self) -> Outcome | None:
        if self.seat is not None:
            return None
        return Outcome(self.scores(), self.ranks())

    def open_to(self, colour: int, seat: int | None) -> bool:
        """Whether `seat`, a spectator when `None`, sees the rack of `colour`."""
        return self.shown or self.seat is None or self.stopped(colour) or self.setup.seats[colour] == seat

    def laid_open(self) -> Position:
        """The same position with every rack open, for matches that ended by resignation."""
        return replace(self, shown=True)

    def view(self, seat: int | None) -> dict[str, Json]:
        return views.view(self, seat)

    def offer(self) -> list[dict[str, Json]]:
        return views.offer(self)

    def visible(self, ply: Move, seat: int | None) -> str:
        """A draw of other colours is `=?`; of a deal a seat reads its own colours, as in `=r:A3c7* y:?`."""
        if not isinstance(ply, Drawn):
            return str(ply)
        own = [colour for colour, _ in ply.hands if self.setup.seats[colour] == seat]
        if not own:
            return "=?"
        return "=" + " ".join(
            hand_text(colour, tiles_text(tiles) if colour in own else "?") for colour, tiles in ply.hands
        )

    def determinize(self, seat: int, source: Source) -> Position:
        """The tiles that `seat` has not seen dealt anew to racks and piles, each way equally likely."""
        racks, piles = list(self.racks), list(self.piles)
        for colour, rack in enumerate(racks):
            if piles[colour] and rack and not self.open_to(colour, seat):
                unseen = rack | piles[colour]
                racks[colour] = _some_of(unseen, rack.bit_count(), source)
                piles[colour] = unseen ^ racks[colour]
        return replace(self, racks=tuple(racks), piles=tuple(piles))

    def ahead(self, seat: int) -> Position:
        """This position with `seat` to place a tile of its racks.

        Raises `LookupError` when a draw is due, the match is over or `seat` cannot place.
        """
        if self.to_move == seat:
            return self
        if self.seat is None or self.drawing is not None or not self.placements(seat):
            raise LookupError("no placement can be chosen now")
        return replace(self, seat=seat)


def initial_position(variant: str, options: Collection[str]) -> Position:
    """The empty board of `variant`, the deal due."""
    setup = setup_of(variant)
    colours = len(setup.colours)
    return Position(setup, (0,) * colours, (ALL_TILES,) * colours, (0,) * colours, captured=(b"",) * setup.seat_count)


def _some_of(tiles: int, count: int, source: Source) -> int:
    """A set of `count` members of the set `tiles`, each such set equally likely."""
    members = list(bits(tiles))
    taken = 0
    for _ in range(count):
        taken |= 1 << members.pop(source.below(len(members)))
    return taken
