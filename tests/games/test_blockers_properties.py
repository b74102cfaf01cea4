"""Random matches of Blockers! against the rules told cell by cell, and what a viewer can learn from them."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from games.blockers import GAME
from games.blockers.board import ALL_CELLS, bridges, groups
from games.blockers.notation import ALL_TILES, TILES
from games.blockers.rules import Position
from games.kit.checks import play_out
from games.kit.protocol import CHANCE
from tests.games.blockers_brute_force import EVERY, Table, count_groups
from tests.games.blockers_positions import start
from tests.games.sources import source

VARIANTS = [variant.key for variant in GAME.variants]
quick = settings(max_examples=8, deadline=None, derandomize=True)
matches = st.tuples(st.sampled_from(VARIANTS), st.integers(0, 10**6))


def whole_match(match: tuple[str, int]) -> list[Position]:
    """All positions of a random match."""
    variant, number = match
    positions = [start(variant)]
    for _, position in play_out(positions[0], source(f"property {number}")):
        assert isinstance(position, Position)
        positions.append(position)
    return positions


@quick
@given(matches)
def test_no_legal_move_is_missed_or_invented_and_turns_draws_and_scores_are_those_of_the_rules(
    match: tuple[str, int],
) -> None:
    position, table = start(match[0]), Table(match[0])
    for ply, after in play_out(position, source(f"property {match[1]}")):
        if position.to_move is CHANCE:
            table.drawn(str(ply))
        else:
            assert position.to_move == table.seat
            assert set(map(str, position.legal_moves())) == table.legal(table.seat)
            table.placed(str(ply))
        assert isinstance(after, Position)
        position = after
        assert (position.to_move is CHANCE) == bool(table.to_draw())
        assert list(position.scores()) == table.scores()
        if position.to_move is not CHANCE and any(position.boards):
            assert position.to_move == table.pass_on()


@quick
@given(matches)
def test_every_tile_of_a_colour_is_in_one_place(match: tuple[str, int]) -> None:
    for position in whole_match(match):
        lying = [code for code in (*position.cells, *b"".join(position.captured)) if code]
        assert len(set(lying)) == len(lying)
        for colour, (rack, pile) in enumerate(zip(position.racks, position.piles, strict=True)):
            own = sum(1 << (code - 1) % len(TILES) for code in lying if (code - 1) // len(TILES) == colour)
            assert rack & pile == rack & own == pile & own == 0
            assert rack | pile | own == ALL_TILES
        for cell, code in enumerate(position.cells):
            holders = [colour for colour, board in enumerate(position.boards) if board >> cell & 1]
            assert holders == ([(code - 1) // len(TILES)] if code else [])


@quick
@given(matches, st.integers(0, 10**6))
def test_a_view_is_byte_for_byte_the_same_in_every_world_that_its_viewer_cannot_tell_apart(
    match: tuple[str, int], number: int
) -> None:
    randomness = source(f"worlds {number}")
    for position in whole_match(match)[::11]:
        for seat in range(position.setup.seat_count):
            shown = [json.dumps(position.view(viewer)) for viewer in (seat, None)]
            for _ in range(2):
                world = position.determinize(seat, randomness)
                assert [json.dumps(world.view(viewer)) for viewer in (seat, None)] == shown
                if position.to_move == seat:
                    assert json.dumps(world.offer()) == json.dumps(position.offer())


@quick
@given(matches, st.integers(0, 10**6))
def test_play_goes_on_by_the_rules_from_every_world(match: tuple[str, int], number: int) -> None:
    """The viewer's own moves stay the same, and a match from there ends with as many tiles placed."""
    randomness = source(f"on {number}")
    for position in whole_match(match)[1::40]:
        for seat in range(position.setup.seat_count):
            world = position.determinize(seat, randomness)
            for own in position.setup.colours_of[seat]:
                assert (world.racks[own], world.piles[own]) == (position.racks[own], position.piles[own])
            assert world.placements(seat).targets == position.placements(seat).targets
            *_, (_, end) = [(None, world), *play_out(world, randomness)]
            assert end.to_move is None
            assert isinstance(end, Position)
            assert sum(map(int.bit_count, end.racks)) + sum(map(int.bit_count, end.piles)) >= 4 * len(end.boards)


@quick
@given(matches)
def test_a_view_never_names_a_hidden_tile(match: tuple[str, int]) -> None:
    """Built up from what may be known: the rack of another colour appears nowhere, not even as a set."""
    for position in whole_match(match)[:-20:7]:
        for viewer in (None, *range(position.setup.seat_count)):
            for colour, shown in enumerate(position.view(viewer)["colours"]):
                hidden = not position.stopped(colour) and position.setup.seats[colour] != viewer
                assert (shown["rack"] is None) == hidden


@settings(quick, max_examples=150)
@given(st.sets(st.sampled_from(range(81)), max_size=40))
def test_groups_and_bridges_are_those_found_cell_by_cell(members: set[int]) -> None:
    cells = sum(1 << cell for cell in members)
    plain = {EVERY[cell] for cell in members}
    assert len(groups(cells)) == count_groups(plain)
    assert sum(groups(cells)) == cells
    assert bridges(cells) & ~cells & ALL_CELLS == 0
    for cell in members:
        assert bool(bridges(cells) >> cell & 1) == (count_groups(plain - {EVERY[cell]}) > count_groups(plain))


@settings(quick, max_examples=300)
@given(st.text(alphabet="=rgyA1a*I9i@: ?", max_size=16))
def test_any_text_is_a_ply_or_refused(text: str) -> None:
    try:
        ply = GAME.parse_move(text)
    except ValueError as error:
        assert str(error)
    else:
        assert sorted(str(ply)) == sorted(text)
        assert GAME.parse_move(str(ply)) == ply
