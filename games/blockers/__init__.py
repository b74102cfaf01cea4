"""Blockers!: place letters, numbers and symbols so that your tiles hang together, and block others from doing so."""

from games.blockers.board import AREAS
from games.blockers.notation import ROWS, TILES, opening, parse_ply
from games.blockers.picture import draw
from games.blockers.reasons import reason
from games.blockers.rules import initial_position
from games.blockers.setup import RACK, setup_of
from games.blockers.story import events
from games.kit.levels import LEVELS
from games.kit.protocol import N_, Game, Json, Variant


def board_data(variant: str) -> dict[str, Json]:
    """What the board in the browser must know once.

    `areas` has the symbol of each cell, at row·9 + column, row A first; `colours` are in order, `seats` tells who plays
    each; `tiles` is how many a colour has, `rack` how many of them it holds.
    """
    setup = setup_of(variant)
    return {
        "areas": AREAS,
        "colours": list(setup.colours),
        "seats": list(setup.seats),
        "rack": RACK,
        "tiles": len(TILES),
        "rows": ROWS,
    }


def _colours(variant: str) -> tuple[tuple[str, ...], ...]:
    setup = setup_of(variant)
    return tuple(tuple(setup.colours[colour] for colour in own) for own in setup.colours_of)


GAME = Game(
    key="blockers",
    name=N_("Blockers!"),
    tagline=N_("Keep your tiles together, and take from everybody a little."),
    version=1,
    variants=(
        Variant(
            key="basic-2",
            name=N_("Two players"),
            seats=2,
            description=N_("One colour each, and room to spare."),
            colours=_colours("basic-2"),
        ),
        Variant(
            key="basic-3",
            name=N_("Three players"),
            seats=3,
            description=N_("One colour each; captures can be spread over two others."),
            colours=_colours("basic-3"),
        ),
        Variant(
            key="basic-4",
            name=N_("Four players"),
            seats=4,
            description=N_("One colour each on a board that fills up."),
            colours=_colours("basic-4"),
        ),
        Variant(
            key="basic-5",
            name=N_("Five players"),
            seats=5,
            description=N_("One colour each, and every cell is fought over."),
            colours=_colours("basic-5"),
        ),
        Variant(
            key="double-2",
            name=N_("Two players, two colours each"),
            seats=2,
            description=N_("Place either of your colours; your own other colour may be captured too."),
            colours=_colours("double-2"),
        ),
    ),
    levels=LEVELS,
    initial_state=initial_position,
    parse_move=parse_ply,
    board_data=board_data,
    bots_module="games.blockers.bots",
    picture=draw,
    opening=opening,
    events=events,
    reason=reason,
)
