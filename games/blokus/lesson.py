"""The lesson of Blokus: from the first corner to the last square, on the small board where contact comes early."""

from __future__ import annotations

from typing import Final, cast

from games.blokus.notation import Placement
from games.blokus.pieces import PIECES, SINGLE, SQUARES
from games.blokus.rules import Position
from games.kit.lesson import Step
from games.kit.protocol import N_, Move, State

BLUE, GREEN = 0, 1
LARGEST: Final = max(SQUARES)
BLOCKED: Final = 3

_OPENING: Final = ("f9,e10,f10,g10,f11", "j4,i5,j5,k5,j6")
_MEETING: Final = (*_OPENING, "c7,c8,d8,e8,d9", "g4,h4,g5,g6")
_ENDGAME: Final = (
    "e10,e11,f11,g11,f12", "j5", "h7,h8,h9,i9,h10", "k6,l6", "k9,j10,k10,l10,k11", "k2,k3,k4", "g4,h4,h5,i5,i6",
    "m7,m8,n8", "c6,c7,d7,d8,d9", "m3,n3,m4,m5", "c2,c3,d3,e3,f3", "i1,i2,i3,i4", "b10,c10,b11,c11,c12",
    "j7,i8,j8,k8", "l12,m12,l13,k14,l14", "h12,h13,f14,g14,h14", "d1,e1,f1,g1,h1", "b13,d13,b14,c14,d14",
    "e6,f6,g6,f7,f8", "j1,j2,j3,j4", "l3,l4,k5,l5", "n5,m6,n6,n7", "b4,a5,b5,a6", "m1,n1,m2,n2", "a1,b1,a2",
    "n9,n10,n11",
)  # fmt: skip


def _any(before: State, move: Move, after: State) -> bool:
    return True


def _straight(before: State, move: Move, after: State) -> bool:
    return PIECES[cast("Placement", move).piece] == "I5"


def _large(before: State, move: Move, after: State) -> bool:
    return SQUARES[cast("Placement", move).piece] == LARGEST


def _beside_green(before: State, move: Move, after: State) -> bool:
    position = cast("Position", before)
    return bool(position.board.mask(cast("Placement", move)) & position.board.edges(position.hands[GREEN].placed))


def _in_the_way(before: State, move: Move, after: State) -> bool:
    """Whether at least `BLOCKED` of the squares where green may go on are covered."""
    position = cast("Position", before)
    wanted_by_green = position.corners(GREEN) & position.allowed(GREEN)
    return (position.board.mask(cast("Placement", move)) & wanted_by_green).bit_count() >= BLOCKED


def _not_the_single(before: State, move: Move, after: State) -> bool:
    """The other piece first, and somewhere the single square still fits afterwards."""
    position = cast("Position", after)
    return cast("Placement", move).piece != SINGLE and bool(position.placements(BLUE))


LESSON: Final = (
    Step(
        title=N_("Start in your corner"),
        text=N_(
            "You are blue, and your corner is a20, marked with your colour. Take any piece, turn it as you like,"
            " and let it cover that square."
        ),
        variant="classic-4",
        plies=(),
        seat=BLUE,
        wanted=_any,
        praise=N_("That is a start. From here the blue pieces spread over the whole board."),
    ),
    Step(
        title=N_("Corner to corner"),
        text=N_(
            "This is Duo, on a smaller board. Each new piece must touch one of your own at a corner."
            " Dots show where you can attach; place a piece there."
        ),
        variant="duo-2",
        plies=_OPENING,
        seat=BLUE,
        wanted=_any,
        praise=N_("Corner to corner: that is how a colour grows."),
    ),
    Step(
        title=N_("Never edge to edge"),
        text=N_(
            "Your own pieces may not touch along an edge. Try it: lay a piece flush against the blue one, and read why it"
            " is refused. Then place the long straight piece, I5, where it is legal."
        ),
        variant="duo-2",
        plies=_OPENING,
        seat=BLUE,
        wanted=_straight,
        hint=N_("That is legal, but this time it should be the straight piece of five squares, I5."),
        praise=N_("Right: only a corner of it meets blue."),
    ),
    Step(
        title=N_("Other colours do not matter"),
        text=N_(
            "Edges count between pieces of one colour only. Squeeze in beside green: place a piece that touches green"
            " along an edge."
        ),
        variant="duo-2",
        plies=_MEETING,
        seat=BLUE,
        wanted=_beside_green,
        hint=N_("That is legal, but it does not touch green along an edge. Look for a place right beside a green piece."),
        praise=N_("Well squeezed. Going through gaps like this is how you reach the other side."),
    ),
    Step(
        title=N_("Large pieces first"),
        text=N_(
            "Late in a match only small gaps are left, and every square you cannot place costs a point. So place large"
            " pieces while there is room: play one of five squares."
        ),
        variant="duo-2",
        plies=_MEETING,
        seat=BLUE,
        wanted=_large,
        hint=N_("That is legal, but it keeps the bulky pieces in hand. Play one of five squares now."),
        praise=N_("Good. Small pieces can wait: they fit almost anywhere."),
    ),
    Step(
        title=N_("Get in the way"),
        text=N_(
            "Green, too, can go on only from its corners. Cover squares where green would attach: at least three of them"
            " with one piece."
        ),
        variant="duo-2",
        plies=_MEETING,
        seat=BLUE,
        wanted=_in_the_way,
        hint=N_("That is legal, but it covers fewer than three of the squares at green’s corners."),
        praise=N_("That hurts green, and blue has gained ground as well."),
    ),
    Step(
        title=N_("When nothing fits"),
        text=N_(
            "A colour that can place nothing is out: its corners never come back, so it is passed over from then on. The"
            " match ends when no colour can place, and each square left in hand costs a point."
        ),
        variant="duo-2",
        plies=_ENDGAME[:-1],
        seat=BLUE,
    ),
    Step(
        title=N_("The last square"),
        text=N_(
            "Placing all 21 pieces brings 15 points, and 5 more if the single square goes last. You have two pieces left:"
            " play the right one now."
        ),
        variant="duo-2",
        plies=_ENDGAME,
        seat=BLUE,
        wanted=_not_the_single,
        hint=N_("That is legal, but then the single square is not the last piece to go, and 5 points are lost."),
        praise=N_("Now the single square goes last, for 20 points in all. That is all there is to know: play!"),
    ),
)
