"""The lesson of Azul: taking tiles, lines, the floor, runs on the wall, and what pays at the end of a match."""

from __future__ import annotations

from typing import Final

from games.kit.lesson import Step
from games.kit.protocol import N_

# Plies of matches; a step shows one of them where it has come to its point.
_FIRST: Final = (
    "=BBYR/BKWW/YYRK/BRWW/YRKK", "3Y2", "2W2", "cK3", "4W3", "5K3", "1B4", "cR4", "cB4", "cY5",
    "=YYRK/BBKW/RKWW/BBYR/RKKW",
)  # fmt: skip
_LEFTOVERS: Final = (
    "=BBBW/BBYR/BBYR/YYRK/BRKW", "2R1", "cB5", "4Y2", "5W2", "1B3", "3B1", "cW4", "cRf", "cK5", "cY3", "cBf",
    "=BKKK/BYYR/BYWW/BKWW/YKKW", "2R1", "1K5", "5W2", "cY3", "3Y3", "cW4", "cB4", "4W4", "cB4", "cK2",
    "=YKWW/YKWW/RRRW/YYYK/BBWW", "3R3", "1Y1", "2Y1", "5B2", "4Y4", "cK3",
)  # fmt: skip
_COLUMN: Final = (
    "=BYYY/YRWW/BYKK/BBRW/BYWW", "4B2", "cW1", "2Y1", "3K2", "cW3", "cR3", "5W3", "cB4", "1Y5", "cB5", "cY5",
    "=YKKW/BYYW/RWWW/BYRK/BBYR", "3R3", "4R1", "2B1", "cY2", "5R2", "cB3", "cYf", "cW4", "1Wf", "cK5", "cYf",
    "=BWWW/RRKW/RKKW/BBYY/BKKW",
)  # fmt: skip
_ROW: Final = (
    "=RRWW/BBRW/RRWW/BRRK/BYKW", "4R2", "cK3", "2R1", "1W4", "3R4", "5K2", "cR4", "cW1", "cY5", "cB5",
    "=BYKK/BYYK/YRRK/YKKW/BYRW", "2K1", "3K1", "4K3", "1K2", "5B5", "cR3", "cW4", "cY4", "cBf",
    "=YYYW/KKWW/BYRW/BBKK/BYKW", "3W1", "5K2", "1Y3", "cR1", "cY2", "2W5", "cB4", "4B4", "cWf", "cKf",
    "=YRRW/BBWW/BBRW/BKKW/BBRK", "1R2", "cY1", "2B4", "3B2", "cW5", "5B4", "4B1", "cK3", "cR3", "cWf",
    "=BYYR/YYRK/YRKW/YYKW/BRRK",
)  # fmt: skip


def _step(title: str, text: str, plies: tuple[str, ...], *wanted: str, hint: str = "", praise: str = "") -> Step:
    """A step for seat 0 on the coloured side."""
    return Step(title, text, "coloured-2", plies, 0, frozenset(wanted), hint, praise)


LESSON: Final = (
    _step(
        N_("Take from a factory"),
        N_(
            "On your turn you take all tiles of one colour from one factory and lay them on one of your lines. Line 1 "
            "holds one tile, line 2 two, and so on to line 5. Take the two yellow tiles of factory 3 for line 2."
        ),
        _FIRST[:1],
        "3Y2",
        hint=N_("That would be legal too. Here, take yellow from factory 3, and lay it on line 2."),
        praise=N_("Line 2 is full. The other tiles of the factory have moved to the centre, for anyone to take."),
    ),
    _step(
        N_("Take from the centre"),
        N_(
            "What others left lies in the centre, and you may take a colour from there as well. The first to do so in a "
            "round also gets the starting marker: it costs a place on your floor, but you begin the next round. Take the "
            "two black tiles from the centre for line 3."
        ),
        _FIRST[:3],
        "cK3",
        hint=N_("Not this time: take black from the centre, and lay it on line 3."),
        praise=N_("Two of three places are filled, and the marker lies on your floor. That costs 1 point."),
    ),
    _step(
        N_("Too many tiles"),
        N_(
            "You always take all tiles of the colour. Those that do not fit on the line fall to your floor and cost "
            "points. Line 3 needs one more black tile, and factory 5 has two. Take them all the same."
        ),
        _FIRST[:5],
        "5K3",
        hint=N_("That works too, but let us see a tile fall: black from factory 5 to line 3."),
        praise=N_("Line 3 is full, and one tile lies beside the marker. Your floor costs 2 points now."),
    ),
    _step(
        N_("Tiles side by side"),
        N_(
            "When the round ends, one tile of each full line moves to its place on the wall, from the top line down. It "
            "scores 1 point alone, or the length of the runs it makes across and down. Black of line 3 goes to the left "
            "edge, and red of line 4 right under it. Fill line 4 with red."
        ),
        _FIRST[:7],
        "cR4",
        hint=N_("Have a look at the centre: four red tiles just fill line 4."),
        praise=N_("Black will score 1 point, and red 2: both stand in one run down."),
    ),
    _step(
        N_("The round has ended"),
        N_(
            "Your yellow, black and red tiles scored 1, 1 and 2 points. Then the floor took 2, so you have 2. A score never "
            "falls below 0. Lines that are not full keep their tiles: line 5 still has two yellow ones. The factories are "
            "filled again, and you begin, because you had the marker."
        ),
        _FIRST,
    ),
    _step(
        N_("Once in a row"),
        N_(
            "Each row of the wall takes a colour only once. Row 2 has its yellow tile, so line 2 takes no more yellow. Try "
            "it with the yellow tiles of factory 1 if you like, then lay them on the line that waits for yellow."
        ),
        _FIRST,
        "1Y5",
        hint=N_("Two yellow tiles wait on line 5. Add those of factory 1 to them."),
        praise=N_("Four of five. The line stays as it is until you can fill it."),
    ),
    _step(
        N_("When everything costs"),
        N_(
            "Seven white tiles are left, and you have to take them. The places of the floor cost 1, 1, 2, 2, 2, 3 and 3 "
            "points. Find the line from which the fewest tiles fall."
        ),
        _LEFTOVERS,
        "cW5",
        hint=N_("That costs more than it must. The longest empty line holds five of the seven."),
        praise=N_("Only two tiles fall, for 2 points, and line 5 is full as well."),
    ),
    _step(
        N_("Plan for a column"),
        N_(
            "At the end of the match a complete column pays 7 points, all five tiles of a colour pay 10, and a complete row "
            "pays 2. In your third column only the bottom place is free, and black belongs there. Fill line 5."
        ),
        _COLUMN,
        "3K5",
        "5K5",
        hint=N_("Line 5 lacks two black tiles. Two factories have just as many."),
        praise=N_("The tile scores 5 for its run down, and the column pays 7 more at the end."),
    ),
    _step(
        N_("End the match"),
        N_(
            "The match ends after the round in which someone completes a row of the wall. You lead by 41 to 10, so there is "
            "nothing to wait for. Your first row lacks only blue: take one for line 1."
        ),
        _ROW,
        "1B1",
        "5B1",
        hint=N_("Take a blue tile for line 1. Two factories have a single one."),
        praise=N_("Five across score 5, and the row pays 2 more. After this round the match is won."),
    ),
)
