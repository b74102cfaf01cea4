"""The lesson of Blockers!: from the first tile in its row to the last one of a match."""

from __future__ import annotations

from typing import Final, cast

from games.blockers.notation import ROWS, TILES, WILD, Placement
from games.blockers.rules import Position
from games.kit.lesson import Step
from games.kit.protocol import N_, Move, State

_DEAL: Final = "=r:C58e* y:AB14c"
_BESIDE: Final = (_DEAL, "C@C4", "=r:6", "B@B8", "=y:9")
_GAP: Final = (*_BESIDE, "e@E4", "=r:h", "9@A9", "=y:I")
_SINGLE: Final = (_DEAL, "C@C4", "=r:6", "4@D4", "=y:9", "e@E4", "=r:D", "B@B8", "=y:I")
_BRIDGE: Final = (
    "=r:CE58e y:D456c", "5@C5", "=r:D", "4@D4", "=y:9", "E@E5", "=r:9", "D@D5", "=y:1", "C@C6", "=r:*", "6@D6", "=y:2",
)  # fmt: skip
_SPREAD: Final = (
    "=r:CD46e y:ABC49 g:FI1hi", "C@C4", "=r:*", "4@D4", "=y:1", "I@I1", "=g:2", "e@E4", "=r:8", "9@A9", "=y:2", "i@I9",
    "=g:3", "D@D4", "=r:9", "C@C5", "=y:3", "F@F4", "=g:4", "4@G4", "=r:h", "A@A8", "=y:5", "2@I2", "=g:5", "6@C6",
    "=r:7", "B@B8", "=y:6", "1@H1", "=g:6",
)  # fmt: skip
_DOUBLE: Final = (
    "=r:AB124 y:AB129 g:CE1h* b:AB12i", "r:4@D4", "=r:3", "y:9@A9", "=y:3", "g:C@C4", "=g:D", "y:A@A8", "=y:4",
    "g:E@E4", "=g:2", "y:B@B9", "=y:5",
)  # fmt: skip
_LAST: Final = (
    "=r:DG9ce y:BDF5b", "c@A9", "=r:A", "b@C4", "=y:G", "e@F4", "=r:1", "D@D4", "=y:g", "A@A8", "=r:7", "B@B2",
    "=y:A", "G@G4", "=r:3", "A@A3", "=y:1", "3@G3", "=r:4", "5@D5", "=y:*", "7@A7", "=r:I", "*@A2", "=y:7", "4@H4",
    "=r:6", "1@D1", "=y:i", "I@I4", "=r:a", "g@G1", "=y:C", "9@B9", "=r:h", "G@G2", "=y:a", "h@I5", "=r:C", "a@C3",
    "=y:9", "C@C9", "=r:i", "C@C2", "=y:4", "D@D9", "=r:b", "7@E7", "=y:I", "6@I6", "=r:*", "4@A4", "=y:e", "i@I7",
    "=r:B", "F@F1", "=y:H", "B@B8", "=r:F", "e@E4", "=y:6", "b@A6", "=r:H", "H@H1", "=y:8", "H@H6", "=r:5", "I@I1",
    "=y:3", "5@F5", "=r:E", "3@E3", "=y:f", "F@F6", "=r:2", "6@D6", "=y:2", "E@E6", "=r:g", "f@D7", "=y:h", "*@E5",
    "=r:d", "2@H2", "=y:c", "g@I3", "=r:8", "c@C7", "=y:E", "8@C8", "=r:f", "E@E1", "=y:d", "d@F3",
)  # fmt: skip


def _letter(before: State, move: Move, after: State) -> bool:
    return TILES[cast("Placement", move).tile] in ROWS


def _beside(before: State, move: Move, after: State) -> bool:
    """Whether a number or a symbol has joined the one group there is."""
    tile = cast("Placement", move).tile
    return TILES[tile] not in ROWS and tile != WILD and cast("Position", after).groups_of(0) == 1


def _captured(before: State, move: Move, after: State) -> bool:
    return len(cast("Position", after).captured[0]) > len(cast("Position", before).captured[0])


def _won(before: State, move: Move, after: State) -> bool:
    outcome = after.outcome()
    return outcome is not None and outcome.ranks == (2, 1)


LESSON: Final[tuple[Step, ...]] = (
    Step(
        title=N_("A letter goes to its row"),
        text=N_(
            "Your five tiles are red. What a tile shows says where it may go: a letter to any cell of its row. "
            "Place the C somewhere in row C."
        ),
        variant="basic-2",
        plies=(_DEAL,),
        seat=0,
        wanted=_letter,
        hint=N_("That is allowed too, but this step asks for the letter: the C in row C."),
        praise=N_("Row C it is. After a placement you draw a new tile, so you hold five again."),
    ),
    Step(
        title=N_("Numbers, symbols and groups"),
        text=N_(
            "A number goes to its column, a symbol to its area of nine cells. Tiles of one colour that touch along a "
            "side are one group, and groups are what you pay for in the end. "
            "Put a number or a symbol beside your tile on C4, so that you still have one group."
        ),
        variant="basic-2",
        plies=_BESIDE,
        seat=0,
        wanted=_beside,
        hint=N_("Look for a number or symbol that may lie right beside C4: the 5 on C5, or the symbol e on D4."),
        praise=N_("Two tiles, one group. Tiles that only meet at a corner would be two groups."),
    ),
    Step(
        title=N_("The wild tile joins two groups"),
        text=N_(
            "The wild tile goes anywhere. You have two groups with one cell between them, and no other tile of yours "
            "fits there. Join them."
        ),
        variant="basic-2",
        plies=_GAP,
        seat=0,
        wanted=frozenset({"*@D4"}),
        hint=N_("That leaves you with two groups or more. The cell between them is D4, and the wild tile fits."),
        praise=N_("One group instead of two. There is just one wild tile in your 28, so spend it well."),
    ),
    Step(
        title=N_("Capture a tile"),
        text=N_(
            "Yellow has put a tile between your groups. You may place on it and keep it before you: the D and the wild "
            "tile both fit. In the end you pay for your captures too, so let this one be worth it."
        ),
        variant="basic-2",
        plies=_SINGLE,
        seat=0,
        wanted=frozenset({"D@D4", "*@D4"}),
        hint=N_("That does not join your groups. Capture the yellow tile on D4."),
        praise=N_("One group less and one captured tile more: your score stays. Yellow has a group less as well."),
    ),
    Step(
        title=N_("A capture must not split a group"),
        text=N_(
            "Yellow's three tiles are one group. The middle one holds it together, so nobody may capture that: try it "
            "and read why. Then capture one of its ends."
        ),
        variant="basic-2",
        plies=_BRIDGE,
        seat=0,
        wanted=_captured,
        hint=N_("That captures nothing. The ends of yellow's group are D4 and D6."),
        praise=N_("Without an end yellow still has one group. And what was the middle is an end now."),
    ),
    Step(
        title=N_("Spread your captures"),
        text=N_(
            "Only the colour that you captured most counts. You have one yellow tile already. The wild tile would join "
            "two of your groups on C5, where yellow is, or on F4, where green is. Choose the one that costs nothing."
        ),
        variant="basic-3",
        plies=_SPREAD,
        seat=0,
        wanted=frozenset({"*@F4"}),
        hint=N_(
            "There is a better move: with one yellow tile before you, a first green one adds nothing to your score."
        ),
        praise=N_("One yellow and one green count as one, so all you did was to lose a group."),
    ),
    Step(
        title=N_("Two colours each"),
        text=N_(
            "In one variant for two you play two colours and pay for the groups of both. You may even capture your own "
            "other colour. Your red tile stands alone between two green groups: take it with green."
        ),
        variant="double-2",
        plies=_DOUBLE,
        seat=0,
        wanted=frozenset({"g:D@D4", "g:*@D4"}),
        hint=N_("Place a green tile on your own red one on D4: the green D or the green wild tile fits."),
        praise=N_("Two groups less, one green and one red, for one captured tile."),
    ),
    Step(
        title=N_("The last tile"),
        text=N_(
            "When the pile is empty, a colour places until four tiles are left, and those stay. You are yellow now, and "
            "this is the last placement of the match. You both have two groups and have captured nothing, and the lowest "
            "score wins. Find the move that wins."
        ),
        variant="basic-2",
        plies=_LAST,
        seat=1,
        wanted=_won,
        hint=N_("That does not win. One of your tiles can join your two groups: the symbol d, in area d."),
        praise=N_("One group and no more to pay: the lowest score wins."),
    ),
)
