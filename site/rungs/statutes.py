"""The numbers by which every challenge ladder goes; the page of its rules reads them from here."""

from __future__ import annotations

from datetime import timedelta

from games import registry
from games.kit.protocol import Game, Variant
from matches.clock import Pace, TimeControl

REACH = 5
"""How many rungs above one's own may be challenged."""
ANSWER_WITHIN = timedelta(days=3)
"""To accept a challenge; vacations do not count."""
SAFE_FOR = timedelta(days=3)
"""After holding the rung in a match nobody may challenge its person again for so long."""
AGAIN_AFTER = timedelta(days=7)
"""Between two challenges of the same two people, whoever made the first."""
IDLE_AFTER = timedelta(days=30)
"""Without a ladder match; from then on the rung sinks."""
SINKS_EVERY = timedelta(days=7)
"""By one rung."""
GONE_AFTER = timedelta(days=90)
"""Without a ladder match; then the place is lost."""
WARNED_BEFORE = timedelta(days=5)
"""How long before the first rung, and before the place, is lost the person is told."""
CONTROLS = ("1d", "2d", "3d", "5m+10s", "10m+10s~20s")
"""What who challenges may offer. At least one must be over days, so that both need not be here at once."""
FIRST_CONTROLS = ("1d", "2d", "3d", "10m+10s~20s")
"""What the form offers as long as nothing else is chosen."""


def variant_of(game: str) -> Variant | None:
    """What is played for the rungs of a game: the first of its variants for two; `None` where it has none. Raises `UnknownGame`."""
    return next((variant for variant in registry.get(game).variants if variant.seats == 2), None)


def games() -> list[Game]:
    """Every game that has a challenge ladder."""
    return [game for game in registry.all_games() if variant_of(game.key)]


def over_days(control: str) -> bool:
    """Whether a time control is one of days for a move."""
    return TimeControl.parse(control).pace is Pace.CORRESPONDENCE
