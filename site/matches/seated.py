"""Who sits in a seat as people are shown: name, kind, picture and page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from accounts import mosaic
from games.kit.protocol import Game
from matches import words
from matches.models import Seat


def names(rules: Game, seats: Sequence[Seat]) -> list[str]:
    """A name per seat; bots of one level are numbered where there are several."""
    levels = {level.key: level.name for level in rules.levels}
    several = Counter(seat.level for seat in seats)
    met: Counter[str] = Counter()
    found = []
    for seat in seats:
        if seat.level:
            met[seat.level] += 1
            name = gettext("{level} bot {number}") if several[seat.level] > 1 else gettext("{level} bot")
            found.append(name.format(level=words.say(levels.get(seat.level, seat.level)), number=met[seat.level]))
        else:
            found.append(seat.user.display_name if seat.user else gettext("Deleted player"))
    return found


def kind(seat: Seat) -> str:
    """`bot`, `guest`, `person`, or `gone` when the account was deleted."""
    if seat.level:
        return "bot"
    if seat.user is None:
        return "gone"
    return "guest" if seat.user.is_guest else "person"


def looks(seat: Seat) -> dict[str, Any]:
    """The code of the person's picture and the address of its page, where there are such; guests have no page."""
    if seat.user is None:
        return {"avatar": None, "page": None}
    page = None if seat.user.is_guest else reverse("person", args=[seat.user.username])
    return {"avatar": mosaic.of(seat.user.avatar, seat.user.pk), "page": page}
