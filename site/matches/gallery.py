"""Cards with a picture: matches in a list as somebody may see them, with the time that is left and what was offered.

A list costs one query for its plies and one for its spectators, however long it is; pictures come out of `payloads`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.kit.protocol import N_
from matches import payloads, presence, words
from matches.models import Match
from matches.payloads import Payload
from matches.replay import BrokenLog, warm

log = logging.getLogger(__name__)

URGENT = 0.25
"""The share of a turn's time below which it is said with urgency."""
ASKED = {
    "abort": N_("Call off?"),
    "takeback": N_("Take back?"),
    "pause": N_("Pause?"),
    "rematch": N_("Rematch?"),
}
"""Per kind of offer the question that a card shows."""
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def gallery(matches: Iterable[Match], player: User | None, now: datetime) -> list[Payload]:
    """Matches as cards, each seen from the seat of `player` where it has one; load them `with_seats`.

    To what `payloads.cards` tells come `picture` (an SVG), `pace`, `control_name`, `rated`, `rating`, `paused`, `waits_for`
    (names), `deadline`, `left` (in words), `urgent`, `asked` (questions that wait for the player's answer) and `watching`.
    """
    shown = list(matches)
    warm(shown)
    watching = presence.watching_each([match.pk for match in shown if match.running], now) if shown else {}
    cards = payloads.cards(shown, player)
    return [
        {**card, **_more(match, card, match.seat_held_by(player), now), "watching": watching.get(match.pk, 0)}
        for match, card in zip(shown, cards, strict=True)
    ]


def picture_of(match: Match, seat: int | None) -> SafeString:
    """The newest position as a small SVG that is whole in itself, as that viewer may see it; nothing when its plies cannot be read."""
    try:
        drawn = match.rules.picture(match.variant, payloads.view_for(match, seat))
    except BrokenLog as trouble:  # one match that was tampered with does not take a whole list down
        log.error("no picture of %s: %s", match, trouble)
        return SafeString("")
    return mark_safe(drawn)  # noqa: S308 - built by games.kit.svg, which escapes


def time_left(left: timedelta) -> str:
    """How long there is still, as people say it: “3 days left”, “2 h left”, “less than a minute left”."""
    if left >= 2 * DAY:
        return ngettext("{n} day left", "{n} days left", round(left / DAY)).format(n=round(left / DAY))
    if left >= 1.5 * HOUR:
        return gettext("{n} h left").format(n=round(left / HOUR))
    if left >= MINUTE:
        return gettext("{n} min left").format(n=left // MINUTE)
    return gettext("less than a minute left") if left > timedelta() else gettext("time is up")


def is_urgent(match: Match, now: datetime) -> bool:
    """Whether most of the time of this turn is gone."""
    if match.deadline is None or match.since is None:
        return False
    return match.deadline - now < URGENT * (match.deadline - match.since)


def _more(match: Match, card: Payload, own: int | None, now: datetime) -> Payload:
    control = match.control
    return {
        "picture": picture_of(match, own),
        "pace": match.pace,
        "control_name": control.describe(),
        "rated": match.rated,
        "rating": match.rating,
        "paused": match.paused_at is not None,
        "your_turn": card["your_turn"] and match.paused_at is None,
        "waits_for": [seat["name"] for seat in card["seats"] if match.running and seat["seat"] == match.to_move],
        "deadline": match.deadline,
        "left": time_left(match.deadline - now) if match.deadline else "",
        "urgent": is_urgent(match, now),
        "asked": _asked(match, own),
    }


def _asked(match: Match, own: int | None) -> Sequence[str]:
    """What the others offered and this seat has not answered."""
    if own is None:
        return []
    return [words.say(ASKED[kind]) for kind, offer in match.offers.items() if kind in ASKED and own not in offer["agreed"]]
