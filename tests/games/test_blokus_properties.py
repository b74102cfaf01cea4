"""Random Blokus positions against the rules told square by square."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from games.blokus import GAME
from games.blokus.notation import Placement
from games.blokus.pieces import ORIENTATIONS
from games.blokus.rules import FREE_CORNERS, Position
from tests.games.blokus_positions import start
from tests.games.brute_force import SHAPES, Table

VARIANTS = [variant.key for variant in GAME.variants]
quick = settings(max_examples=6, deadline=None, derandomize=True)


def random_position(variant: str, free: bool, plies: int, picks: st.DataObject) -> tuple[Position, Table]:
    """A position some random plies into a match, and the same on the plain table."""
    position = start(variant, *([FREE_CORNERS] if free else []))
    data = GAME.board_data(variant)
    starts = [(cells[0] % data["size"], cells[0] // data["size"]) for cells in data["starts"].values()]
    table = Table(data["size"], starts, free)
    for _ in range(plies):
        if position.colour is None:
            break
        legal = position.legal_moves()
        move = legal[picks.draw(st.integers(0, len(legal) - 1))]
        table.place(position.colour, frozenset(move.cells))
        position = position.play(move)
    return position, table


def test_the_shapes_grown_square_by_square_are_our_orientations() -> None:
    assert {frozenset(shape.cells) for shape in ORIENTATIONS} == set(SHAPES)
    assert len(set(SHAPES.values())) == 21


@quick
@given(st.sampled_from(VARIANTS), st.booleans(), st.integers(0, 45), st.data())
def test_the_legal_moves_are_those_that_the_rules_allow(
    variant: str, free: bool, plies: int, picks: st.DataObject
) -> None:
    position, table = random_position(variant, free, plies, picks)
    for colour in range(len(position.hands)):
        found = {frozenset(move.cells) for move in position.placements(colour)}
        assert found == table.legal(colour)


@settings(quick, max_examples=40)
@given(st.sampled_from(VARIANTS), st.integers(0, 30), st.data())
def test_any_placement_is_legal_refused_or_off_the_board(variant: str, plies: int, picks: st.DataObject) -> None:
    position, table = random_position(variant, False, plies, picks)
    if position.colour is None:
        return
    for _ in range(20):
        move = Placement(
            picks.draw(st.integers(0, len(ORIENTATIONS) - 1)),
            picks.draw(st.integers(0, 15)),
            picks.draw(st.integers(0, 15)),
        )
        assert (move in position.legal_moves()) == table.allows(position.colour, frozenset(move.cells))


@settings(quick, max_examples=300)
@given(st.text(alphabet="abt0123459, =", max_size=22))
def test_any_text_is_a_placement_or_refused(text: str) -> None:
    try:
        move = GAME.parse_move(text)
    except ValueError as error:
        assert str(error)
    else:
        assert sorted(str(move).split(",")) == sorted(text.split(","))
