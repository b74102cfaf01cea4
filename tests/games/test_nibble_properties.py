"""Random Nibble positions against the rules told cell by cell, and what never changes in a match."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from games.kit.checks import play_out
from games.kit.protocol import IllegalMove
from games.nibble import GAME
from games.nibble.notation import Take
from games.nibble.rules import Position
from tests.games.nibble_brute_force import Table
from tests.games.nibble_positions import VARIANTS, start
from tests.games.sources import source

quick = settings(max_examples=12, deadline=None, derandomize=True)
Cells = frozenset[tuple[int, int]]


@cache
def match(variant: str, number: int) -> list[tuple[str, Position]]:
    """Each ply of a random match with the position after it, the layout first."""
    plies = play_out(start(variant), source(f"{variant} {number}"))
    return [(str(ply), position) for ply, position in plies if isinstance(position, Position)]


def middle(variant: str, number: int, part: float) -> tuple[Position, Table]:
    """A position of a match, after a part of its plies, and the same on the plain table."""
    plies = match(variant, number)
    reached = 1 + int(part * (len(plies) - 1))
    table = Table(variant.partition("-")[0], plies[0][0])
    for text, _ in plies[1:reached]:
        table.take(counted_from_one(GAME.parse_move(text)))
    return plies[reached - 1][1], table


def counted_from_one(move: object) -> Cells:
    assert isinstance(move, Take)
    return frozenset((column + 1, row + 1) for column, row in move.cells)


matches = given(st.sampled_from(VARIANTS), st.integers(0, 3), st.floats(0, 1))


@settings(quick, max_examples=60)
@matches
def test_the_legal_moves_are_those_that_the_rules_allow(variant: str, number: int, part: float) -> None:
    position, table = middle(variant, number, part)
    found = [counted_from_one(move) for move in position.legal_moves()]
    expected = set() if position.to_move is None else table.legal()
    assert len(set(found)) == len(found)
    assert set(found) == expected


@settings(quick, max_examples=30)
@matches
def test_free_sides_anywhere_would_allow_the_same_on_squares(variant: str, number: int, part: float) -> None:
    """Two opposite free sides never make a take legal: the block then joins two parts, so taking it cuts."""
    if variant != "hex-13":
        _, table = middle(variant, number, part)
        assert table.legal(anywhere=True) == table.legal()


@settings(quick, max_examples=40)
@given(st.sampled_from(VARIANTS), st.integers(0, 3), st.floats(0, 1), st.data())
def test_any_set_of_blocks_is_legal_or_refused_with_the_reason_that_holds(
    variant: str, number: int, part: float, picks: st.DataObject
) -> None:
    position, table = middle(variant, number, part)
    if position.to_move is None:
        return
    legal = table.legal()
    board = position.board
    chosen = picks.draw(st.lists(st.sampled_from(board.cells), min_size=1, max_size=3, unique=True))
    move = GAME.parse_move(",".join(str(Take((cell,))) for cell in chosen))
    cells = counted_from_one(move)
    reasons = {
        "empty_cell": not cells <= set(table.blocks),
        "two_colours": len({table.blocks.get(cell) for cell in cells}) > 1,
        "no_corner": not all(table.is_corner(cell) for cell in cells),
        "cuts": not table.stays_whole_without(cells),
    }
    try:
        position.play(move)
    except IllegalMove as error:
        assert reasons[error.code]
        assert cells not in legal
    else:
        assert not any(reasons.values())
        assert cells in legal and move in position.legal_moves()


@quick
@matches
def test_every_refused_cut_tells_the_true_sizes(variant: str, number: int, part: float) -> None:
    position, table = middle(variant, number, part)
    if position.to_move is None:
        return
    for cell in [cell for cell in table.blocks if table.is_corner(cell)]:
        if not table.stays_whole_without(frozenset({cell})):
            try:
                position.play(Take(((cell[0] - 1, cell[1] - 1),)))
            except IllegalMove as error:
                assert error.names["first"] + error.names["second"] == len(table.blocks) - 1  # type: ignore[operator]


@quick
@given(st.sampled_from(VARIANTS), st.integers(0, 3))
def test_blocks_are_on_the_board_or_taken_by_one_seat_and_a_move_always_exists(variant: str, number: int) -> None:
    for _, position in match(variant, number):
        view = position.view(None)
        board = position.board
        for colour, letter in enumerate(board.colours):
            assert view["cells"].count(letter) + sum(counts[colour] for counts in view["counts"]) == board.each
        assert position.left | position.taken[0] | position.taken[1] == board.all
        assert not position.taken[0] & position.taken[1]
        assert (position.to_move is None) or position.legal_moves()
        assert board.connected(position.left)


@quick
@matches
def test_every_part_of_a_legal_take_is_legal(variant: str, number: int, part: float) -> None:
    position, _ = middle(variant, number, part)
    legal = set(position.legal_moves())
    for move in legal:
        for cell in move.cells:
            fewer = Take(tuple(other for other in move.cells if other != cell))
            assert not fewer.cells or fewer in legal


@quick
@matches
def test_one_block_at_a_time_leads_to_the_same_board_in_any_order(variant: str, number: int, part: float) -> None:
    position, _ = middle(variant, number, part)
    for move in position.legal_moves():
        for cells in (move.cells, move.cells[::-1]):
            left = position.left
            for cell in cells:
                block = position.board.mask(Take((cell,)))
                assert block & position.board.corners(left)
                assert not position.board.cuts(block, left)
                left ^= block
            assert left == position.play(move).left


@quick
@matches
def test_the_offer_is_the_legal_moves_by_colour(variant: str, number: int, part: float) -> None:
    position, _ = middle(variant, number, part)
    names = [cell["name"] for cell in GAME.board_data(variant)["cells"]]
    view, offer = position.view(0), position.offer()
    offered = [indices for sets in offer.values() for indices in sets]
    assert {",".join(names[index] for index in indices) for indices in offered} == set(
        map(str, position.legal_moves())
    )
    assert len(offered) == len(position.legal_moves())
    for letter, sets in offer.items():
        assert all(indices == sorted(indices) for indices in sets)
        assert all(view["cells"][index] == letter for indices in sets for index in indices)
    assert view["takeable"] == sorted(indices[0] for indices in offered if len(indices) == 1)


@quick
@matches
def test_all_viewers_see_the_same_since_nothing_is_hidden(variant: str, number: int, part: float) -> None:
    position, _ = middle(variant, number, part)
    assert position.view(None) == position.view(0) == position.view(1)
    for seat in (0, 1):
        dealt = position.determinize(seat, source("dealt"))
        assert dealt == position
        assert dealt.view(1 - seat) == position.view(1 - seat)


@settings(quick, max_examples=300)
@given(st.text(alphabet="abo0159, =/m", max_size=22))
def test_any_text_is_a_ply_or_refused(text: str) -> None:
    try:
        ply = GAME.parse_move(text)
    except ValueError as error:
        assert str(error)
    else:
        assert GAME.parse_move(str(ply)) == ply
        assert sorted(str(ply).split(",")) == sorted(text.split(","))
