"""The rules of Azul: positions, whose turn it is, and what follows from a ply (rules: Azul)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from games.azul import deals, display
from games.azul.boards import FULL_LINE, TARGETS, Board, Bonus, Step, settle
from games.azul.notation import CENTRE, COLUMNS, TAKES, Column, Deal, Take
from games.azul.refusals import refusal
from games.azul.scoring import COLOUR_BONUS, COLUMN_BONUS, ROW_BONUS, complete, rows
from games.azul.standstill import stands_still
from games.azul.table import Table, table_of
from games.azul.tiles import ALL_TILES, FIELD, NO_TILE, colours_in, count
from games.kit.chance import Source
from games.kit.protocol import CHANCE, Json, Move, Outcome, ToMove
from games.kit.ranking import rank

_TARGETS_MASK = (1 << TARGETS) - 1
# By source and colour, for each set of open lines: the takes.
_TAKES_TO = tuple(
    tuple(
        tuple(tuple(take for take in takes if lines >> take.line & 1) for lines in range(1 << TARGETS)) for takes in by
    )
    for by in TAKES
)


class Played(NamedTuple):
    """The take or the choice of a column that led to a position."""

    seat: int
    move: Take | Column
    colour: int
    tiles: int


class Position(NamedTuple):
    """A position of Azul, see `games.kit.protocol.State`."""

    table: Table
    round: int
    """The round that is played, or that the deal now due begins, counted from 1."""
    to_move: ToMove
    sources: tuple[int, ...]
    """A heap per source: the centre, then the factories."""
    bag: int
    lid: int
    boards: tuple[Board, ...]
    starter: int
    """The seat that started this round or is going to."""
    marker: int | None = None
    """The seat that took the starting marker in this round; it lies in the centre when `None`."""
    line: int | None = None
    """The full line for which the seat to move has to choose a column of its grey wall."""
    tiling: tuple[tuple[int, Step], ...] = ()
    """What the latest round end did, step by step with the seats; until the next take."""
    last: Played | None = None
    """The move that led here, if it was not a draw."""

    @property
    def chance_label(self) -> str:
        """Raises `LookupError` when no deal is due."""
        self._check_deal_due()
        return f"round {self.round}"

    def _check_deal_due(self) -> None:
        if self.to_move is not CHANCE:
            raise LookupError("no deal is due")

    def draw(self, source: Source) -> Deal:
        """Raises `LookupError` when no deal is due."""
        self._check_deal_due()
        return deals.draw(self.bag, self.lid, self.table.factories, source)

    def legal_moves(self) -> tuple[Take, ...] | tuple[Column, ...]:
        seat = self.to_move
        if not isinstance(seat, int):
            return ()
        board = self.boards[seat]
        if self.line is not None:
            return tuple(COLUMNS[self.line][column] for column in self.choices(board, self.line))
        takes: list[Take] = []
        targets = board.open
        for source, heap in enumerate(self.sources):
            if heap:
                by_colour = _TAKES_TO[source]
                for colour in colours_in(heap):
                    takes += by_colour[colour][targets >> TARGETS * colour & _TARGETS_MASK]
        return tuple(takes)

    def choices(self, board: Board, line: int) -> tuple[int, ...]:
        """The columns to which the tile of that full line may go."""
        return board.columns(line, FULL_LINE[line][board.lines[line]], grey=self.table.grey)

    def allows(self, move: Move) -> bool:
        """Whether `move` may be played now."""
        seat = self.to_move
        if isinstance(move, Deal):
            return seat is CHANCE and deals.refusal(self.bag, self.lid, self.table.factories, move) is None
        if not isinstance(seat, int):
            return False
        if isinstance(move, Column):
            return move.line == self.line and move.column in self.choices(self.boards[seat], move.line)
        return (
            isinstance(move, Take)
            and self.line is None
            and move.source < len(self.sources)
            and bool(self.sources[move.source] & FIELD[move.colour])
            and bool(self.boards[seat].open >> TARGETS * move.colour + move.line & 1)
        )

    def play(self, move: Move) -> Position:
        """The position after `move`; when it ended the round, all is tiled for which no seat has to choose.

        Raises `IllegalMove`.
        """
        if not self.allows(move):
            raise refusal(self, move)
        if isinstance(move, Take):
            return self._take(move)
        if isinstance(move, Column):
            return self._place(move)
        assert isinstance(move, Deal)
        return self._deal(move)

    def _deal(self, deal: Deal) -> Position:
        bag, lid = deals.after(self.bag, self.lid, deal)
        return self._replace(
            to_move=self.starter, sources=(NO_TILE, *deal.factories), bag=bag, lid=lid, marker=None, last=None
        )

    def _take(self, move: Take) -> Position:
        table, number, seat, sources, bag, lid, boards, starter, marker, *_ = self
        assert isinstance(seat, int)
        source, colour, line = move
        heap = sources[source]
        tiles = count(heap, colour)
        rest = heap & ~FIELD[colour]
        first = source == CENTRE and marker is None
        left = (rest,) if source == CENTRE else (sources[CENTRE] + rest, *sources[1:source], NO_TILE)
        sources = left + sources[source + 1 :]
        board, spilt = boards[seat].put(colour, tiles, line, marker=first)
        position = Position(
            table,
            number,
            (seat + 1) % table.seats,
            sources,
            bag,
            lid + spilt,
            (*boards[:seat], board, *boards[seat + 1 :]),
            starter,
            seat if first else marker,
            None,
            (),
            Played(seat, move, colour, tiles),
        )
        return position if any(sources) else position._tiled(starter)

    def _place(self, move: Column) -> Position:
        seat = self.to_move
        assert isinstance(seat, int)
        board, step, discarded = self.boards[seat].tile(*move)
        return self._replace(
            lid=self.lid + discarded,
            boards=(*self.boards[:seat], board, *self.boards[seat + 1 :]),
            tiling=(*self.tiling, (seat, step)),
            last=Played(seat, move, step.colour, 1),
        )._tiled(seat)

    def _tiled(self, seat: int) -> Position:
        """This position with the round's end gone on from the board of `seat`, to a choice of a column or to its end."""
        boards = list(self.boards)
        steps = list(self.tiling)
        lid = self.lid
        seats = self.table.seats
        while True:
            settled = settle(boards[seat], self.table.grey)
            boards[seat] = settled.board
            steps += [(seat, step) for step in settled.steps]
            lid += settled.lid
            if settled.line is not None:
                return self._replace(
                    to_move=seat, lid=lid, boards=tuple(boards), line=settled.line, tiling=tuple(steps)
                )
            seat = (seat + 1) % seats
            if seat == self.starter:
                return self._next_round(lid, boards, steps)

    def _next_round(self, lid: int, boards: list[Board], steps: list[tuple[int, Step]]) -> Position:
        """The position before the next deal, or the end of the match with its bonuses."""
        undealt = self.bag + lid
        over = any(rows(board.wall) for board in boards) or not undealt
        over = over or stands_still(boards, undealt, grey=self.table.grey)
        if over:
            for seat, board in enumerate(boards):
                bonuses = _bonuses(board)
                steps += [(seat, bonus) for bonus in bonuses]
                boards[seat] = board._replace(score=board.score + sum(bonus.points for bonus in bonuses))
        return Position(
            table=self.table,
            round=self.round if over else self.round + 1,
            to_move=None if over else CHANCE,
            sources=self.sources,
            bag=self.bag,
            lid=lid,
            boards=tuple(boards),
            starter=self.starter if self.marker is None else self.marker,
            tiling=tuple(steps),
            last=self.last,
        )

    def scores(self) -> tuple[int, ...]:
        """What stands on the scoring tracks; the bonuses come at the end of the match."""
        return tuple(board.score for board in self.boards)

    def ranks(self) -> tuple[int, ...]:
        """By the scores; more complete rows break a tie."""
        return rank([(board.score, rows(board.wall)) for board in self.boards])

    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        return Outcome(self.scores(), self.ranks())

    def view(self, seat: int | None) -> dict[str, Json]:
        """The whole position, since nothing that is already decided is hidden; see `games.azul.display`."""
        return display.view(self)

    def offer(self) -> list[dict[str, Json]]:
        """The legal moves with what follows from each; see `games.azul.display`."""
        return display.offer(self)

    def visible(self, ply: Move, seat: int | None) -> str:
        return str(ply)

    def determinize(self, seat: int, source: Source) -> Position:
        """This position: tiles are drawn when a deal is due, so the order of the bag is nowhere yet."""
        return self

    def ahead(self, seat: int) -> Position:
        """This position with `seat` to take.

        Raises `LookupError` when a deal or a column is due, or the match is over.
        """
        if seat == self.to_move:
            return self
        if not isinstance(self.to_move, int) or self.line is not None:
            raise LookupError("takes cannot be chosen now")
        return self._replace(to_move=seat)


def _bonuses(board: Board) -> list[Bonus]:
    kinds = zip(("row", "column", "colour"), complete(board.wall), (ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS), strict=True)
    return [Bonus(kind, number, number * worth) for kind, number, worth in kinds if number]


def initial_position(variant: str, options: Collection[str]) -> Position:
    """Empty boards and a full bag, the first deal due. Azul has no options."""
    table = table_of(variant)
    return Position(
        table=table,
        round=1,
        to_move=CHANCE,
        sources=(NO_TILE,) * (1 + table.factories),
        bag=ALL_TILES,
        lid=NO_TILE,
        boards=(Board(),) * table.seats,
        starter=0,
    )
