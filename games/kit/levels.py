"""The levels at which the bots of every game play."""

from games.kit.protocol import N_, Level

LEVELS = (
    Level("beginner", N_("Beginner")),
    Level("casual", N_("Casual")),
    Level("skilled", N_("Skilled")),
    Level("strong", N_("Strong")),
)
