"""Which rated matches change ratings: those in which enough was played, between people who are not one and the same."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count

from accounts.browsers import linked
from games.kit.protocol import N_
from matches.models import Match, Move, Seat

ENOUGH = 2
"""How often every seat must have moved before leaving costs anything.

A match that is played to its end by the rules always counts. In none of the games can two moves each decide anything, so a match that
was left before that says only that somebody did not want to play: neither is anybody's rating to be had by such losses, nor is it
spoilt by a guest who closes the window. A seat whose person left is moved for by a bot, and these moves count with it.
"""

REASONS = {
    Match.Uncounted.SHORT: N_("It does not count for the ratings: somebody left before every seat had moved twice."),
    Match.Uncounted.LINKED: N_("It does not count for the ratings: two accounts at this table are used in one browser."),
}
ANY_REASON = N_("It does not count for the ratings.")


def why_not(match: Match, seats: Sequence[Seat], termination: Match.Termination, now: datetime) -> str:
    """Why a rated match that ends now changes no rating; empty where it does. At most two queries, inside the caller's transaction."""
    if termination != Match.Termination.COMPLETE and not _enough(match, len(seats)):
        return Match.Uncounted.SHORT
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    if len(people) > 1 and linked(people, now):
        return Match.Uncounted.LINKED
    return ""


def reason_for(match: Match, seat: int | None) -> str:
    """The sentence, still to be translated, that tells a viewer why a match did not count; empty where it did.

    Which accounts share a browser is for the people at the table only.
    """
    if not match.uncounted:
        return ""
    told = seat is not None or match.uncounted == Match.Uncounted.SHORT
    return REASONS[Match.Uncounted(match.uncounted)] if told else ANY_REASON


def _enough(match: Match, seats: int) -> bool:
    moved = Move.objects.filter(match=match, seat__isnull=False).values("seat").annotate(moves=Count("pk")).filter(moves__gte=ENOUGH)
    return len(moved) == seats
