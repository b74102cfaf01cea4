"""The lesson of Nibble: corners, what must not be cut, and the three ways to win, on the small board."""

from __future__ import annotations

from typing import Final

from games.kit.lesson import Step
from games.kit.protocol import N_

# Plies of whole matches; a step shows one of them where it has come to its point.
_CORNERS: Final = (
    "=decfdihfb/abahcdcih/bheibfiga/ibiegbafg/ghfhadbea/hfhdfcgdc/ecaedieif/ibgcfehga/bdedcgcag",
    "a9", "a1,i9", "h9", "i8,g9", "b1", "a2,h8,f9", "c1,a3,b9", "d1,e9", "e1,g8", "f8", "e8,c9", "a8", "b2,a7,b8",
    "f1,i1,c2", "h1,i2,i7", "i3", "g1,d2,b3,i4", "i5,c8", "a4", "a5,h7", "e2,b4", "b5,b7", "d9", "h2,i6", "f2,c7",
    "d8", "a6,d7,g7", "b6,e7", "c6", "c5,h6,f7", "g6", "c3", "d3,h5,d6", "e3,h4", "f3", "e6", "h3", "f6", "c4", "d4",
    "e4", "f4", "g2", "g3",
)  # fmt: skip
_BRIDGE: Final = (
    "=efefibegc/icghegdha/ebhahfcbh/cdgcbdhea/hcidciahi/dabafadif/fgfcdbfgc/iadbadefg/bgihebgie",
    "i9", "i1", "i2", "a1", "h1", "b1,g1", "h9", "a9", "c1,a8", "a2", "a3,b9", "b8", "b2,i8", "d1", "e1,a7,c9,g9",
    "i3,a6", "h2,d9", "g2", "c2,a4", "b3,c8", "f1,d2,b7,f9", "c7,i7,h8", "e2,i6", "f2,b6", "h3", "g3,i4", "h4,e9",
    "b4", "h7", "i5", "a5,h5,d8", "f3", "e3,g4,g8", "h6", "b5,g7", "f4,g5,d7", "c6,f8", "e8", "c3,e4", "f5", "f7",
    "d6",
)  # fmt: skip
_PAIR: Final = (
    "=giecehbad/iefibfabi/efdachgih/ahaefcdeb/fahdcfibh/gibgbdgci/icdhacfga/dhadbgchg/ecfgebfed",
    "i1,i9", "h1", "g1", "i2", "i3", "h9", "i4", "a1", "a2", "i8", "f1,h8,g9", "h2,i5,i7,f9", "a3,h7", "h3,a9", "e9",
    "b1,g2,h4", "b9", "h5", "c1", "d1,f2", "d9", "g8", "e1,c9", "g7", "i6", "f8", "f7", "a8", "h6", "g3", "f3",
    "a4,g4", "a5", "b8", "a7", "e8", "d8", "e2", "b7", "e3,a6", "c8", "d2,f4,c7", "b2,d3,b6", "c2,c6,d7", "b3,e7",
    "g5", "c3", "d6",
)  # fmt: skip
_LAST: Final = (
    "=adihiaede/bicgedibc/gdhihcfge/dbacagheb/bdihdidaf/fbcefafhb/icfgdhiag/gahagfbce/cfefbechg",
    "a9", "a8", "i1", "a7", "i2,i9", "a1,i8", "a6,h9", "h8", "a2", "b9", "i3", "a3,b8", "c9", "b1", "c1,i7", "d1,a4",
    "b2", "e1,a5,i6", "b3", "b4,i4", "b5,b7", "h1,d9", "h2,c8", "d8", "c2,c7", "c3", "d7,e9", "f1,g9", "i5",
    "d2,h3,f9", "g8", "e2,d3,h7", "g1", "f2", "h4", "c4", "d4,h6,e8", "b6", "e3,f8", "h5,c6", "g2", "f3,e7", "f7",
    "c5", "e4", "d6", "g3", "g4,g7", "d5", "e6",
)  # fmt: skip
_ROW: Final = (
    "=gfcgcfaed/ehdchcidb/dgebeadfa/hbgabfaib/chfeigfce/gfbfhigeg/cihidbdia/daiciahah/ebcdhfbeg",
    "i9", "i1", "a1,h9", "a9", "g9", "b9,f9", "c9,e9", "i2", "i8", "i3", "i4", "a2", "h1,a8", "b8", "a7,h8", "g8",
    "g1", "f1", "b1", "a6", "c1,a3,a5", "h2,i7", "a4,b7", "h7", "d1,c8", "f8", "g2,e8", "c7", "b2,f2", "c2,b3,h3",
    "g7", "e1", "g3", "b6,i6", "c3,b5", "d9", "d2", "e2,d3,h6", "f3", "b4", "e3", "g6", "i5", "c6", "h4", "d8",
    "c4,d7", "g4", "f7", "d4,c5,f6", "d5,e7", "f4",
)  # fmt: skip
_ALL: Final = (
    "=eghdchcif/begedefcb/cbdfhbdgh/fcfgaihag/gaifedece/bcfihcdha/ibibehgbd/gadfiadih/agceabafi",
    "a9", "i1", "h1,i9", "a1,g1", "f1,a8,i8", "a2,b9", "a3,h9", "a7,h8,g9", "a6,g8", "i2,i7,c9", "a5,i6", "b8",
    "b1,h7,c8", "a4,b7", "i3,c7,g7", "b2,i4,h6", "g6,f9", "c1,e9", "d1,i5,f8", "h5,b6", "e8,d9", "c2", "d8", "b3,f7",
    "h4,e7", "h2,c3", "c6", "b4", "d2,d7", "d6", "g2", "f2,b5,e6", "e1", "e2,c5",
)  # fmt: skip


LESSON: Final = (
    Step(
        title=N_("Take a corner"),
        text=N_(
            "You play in turns. A block may be taken only when two sides that meet are free, and beyond the edge all"
            " is free. So the game starts at the four corners of the board. Take the yellow block on a1."
        ),
        variant="square-9",
        plies=_CORNERS[:1],
        seat=0,
        wanted=frozenset({"a1", "a1,i9"}),
        hint=N_("That is a corner as well, but take the yellow block on a1."),
        praise=N_("It is yours for good, and the blocks that were beside it are corners now."),
    ),
    Step(
        title=N_("One colour, several blocks"),
        text=N_(
            "A turn takes blocks of one colour, as many as you like. Three teal blocks are corners here: g2, c4 and "
            "d5. Take all three."
        ),
        variant="square-9",
        plies=_CORNERS[:39],
        seat=0,
        wanted=frozenset({"g2,c4,d5"}),
        hint=N_("You may take fewer, but here it should be the three teal blocks g2, c4 and d5 together."),
        praise=N_("Three in one turn. The colour table beside the board counts what each of you has."),
    ),
    Step(
        title=N_("Opposite sides make no corner"),
        text=N_(
            "The pink block on g3 is free to the left and to the right, but those two sides do not meet: it is no "
            "corner. Try it and read why not. Then take the block below it, so that it becomes one."
        ),
        variant="square-9",
        plies=_CORNERS[:43],
        seat=0,
        wanted=frozenset({"g2", "g2,d5"}),
        hint=N_("That is allowed, but g3 stays as it is. Take the teal block on g2."),
        praise=N_("Now g3 is free on three sides, and two of them meet."),
    ),
    Step(
        title=N_("Never cut the rest in two"),
        text=N_(
            "What is left must hang together, side to side. Two orange blocks are corners: e5 and d3. Try e5: the "
            "blocks on either side of it touch only at a point. Then take the other one."
        ),
        variant="square-9",
        plies=_BRIDGE,
        seat=0,
        wanted=frozenset({"d3"}),
        hint=N_("That leaves the rest in one piece too, but take the orange block on d3."),
        praise=N_("A block at an end never holds anything together."),
    ),
    Step(
        title=N_("Either, but not both"),
        text=N_(
            "The purple blocks e6 and f5 are corners, and each may go alone: the other still holds f6 and g6. Both "
            "together would cut those two off. Try it, then take one of them."
        ),
        variant="square-9",
        plies=_PAIR,
        seat=0,
        wanted=frozenset({"e6", "f5"}),
        hint=N_("Take one of the purple blocks, e6 or f5."),
        praise=N_("What counts is the board at the end of your turn."),
    ),
    Step(
        title=N_("Win by majorities"),
        text=N_(
            "When the board is empty, the majorities decide: five or more blocks of a colour, in more colours than "
            "the other. You have four, your rival has four. Of teal you have four each, and one block is left. Take "
            "it."
        ),
        variant="square-9",
        plies=_LAST,
        seat=0,
        wanted=frozenset({"g6"}),
        hint=N_("The other colours are decided. It is the teal block on g6 that makes five."),
        praise=N_("Five colours of nine are yours. Nothing on the board can change that now."),
    ),
    Step(
        title=N_("Win with three in a row"),
        text=N_(
            "There are quicker ways. Whoever has seven blocks or more of each of three colours that are neighbours "
            "on the colour table wins at once. You have eight red, eight pink and six orange. Win."
        ),
        variant="square-9",
        plies=_ROW,
        seat=0,
        wanted=frozenset({"h5"}),
        hint=N_("Orange, red and pink are neighbours on the table. The last orange block is on h5."),
        praise=N_("Seven, eight and eight: the match is over, whatever the majorities are."),
    ),
    Step(
        title=N_("Win with a whole colour"),
        text=N_(
            "Whoever has all nine blocks of a colour wins at once as well. You have seven purple blocks, and the "
            "last two are on the board."
        ),
        variant="square-9",
        plies=_ALL,
        seat=0,
        wanted=frozenset({"c4,d5"}),
        hint=N_("Both purple blocks, c4 and d5, are corners. Take them in one turn."),
        praise=N_("All nine. A single purple block in your rival’s hands would have spoilt it."),
    ),
    Step(
        title=N_("Spoil a win"),
        text=N_(
            "Your rival has eight blue blocks, and the ninth is a corner. One block of a colour in your hands is "
            "enough to spoil it for good."
        ),
        variant="square-9",
        plies=_CORNERS,
        seat=0,
        wanted=frozenset({"g4"}),
        hint=N_("Then your rival takes the blue block on g4 and wins. Take it yourself."),
        praise=N_("Well seen. Warnings like this one stand beside the board in every match."),
    ),
)
