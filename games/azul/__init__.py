"""Azul: take tiles of one colour, fill your lines, and lay a wall that hangs together."""

from games.azul.display import board_data
from games.azul.notation import opening, parse_ply
from games.azul.picture import draw
from games.azul.reasons import reason
from games.azul.rules import initial_position
from games.azul.story import events
from games.kit.levels import LEVELS
from games.kit.protocol import N_, Game, Variant

GAME = Game(
    key="azul",
    name=N_("Azul"),
    tagline=N_("Take tiles of one colour, fill your lines, and build a wall that hangs together."),
    version=1,
    variants=(
        Variant(
            key="coloured-2",
            name=N_("Coloured side, two players"),
            seats=2,
            description=N_("Five factories; the wall shows where each colour goes."),
            colours=((),) * 2,
        ),
        Variant(
            key="coloured-3",
            name=N_("Coloured side, three players"),
            seats=3,
            description=N_("Seven factories; the wall shows where each colour goes."),
            colours=((),) * 3,
        ),
        Variant(
            key="coloured-4",
            name=N_("Coloured side, four players"),
            seats=4,
            description=N_("Nine factories; the wall shows where each colour goes."),
            colours=((),) * 4,
        ),
        Variant(
            key="grey-2",
            name=N_("Grey side, two players"),
            seats=2,
            description=N_("Five factories; you choose each tile's column, a colour only once in any row and column."),
            colours=((),) * 2,
        ),
        Variant(
            key="grey-3",
            name=N_("Grey side, three players"),
            seats=3,
            description=N_("Seven factories; you choose each tile's column, a colour only once in any row and column."),
            colours=((),) * 3,
        ),
        Variant(
            key="grey-4",
            name=N_("Grey side, four players"),
            seats=4,
            description=N_("Nine factories; you choose each tile's column, a colour only once in any row and column."),
            colours=((),) * 4,
        ),
    ),
    levels=LEVELS,
    initial_state=initial_position,
    parse_move=parse_ply,
    board_data=board_data,
    bots_module="games.azul.bots",
    picture=draw,
    opening=opening,
    events=events,
    reason=reason,
)
