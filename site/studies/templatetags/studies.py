"""What other pages take from the studies: the review of the match or record that the page shows."""

from __future__ import annotations

from typing import Any

from django.template import Context, Library
from django.urls import reverse

from accounts.models import User
from games.kit.protocol import N_
from matches import words
from matches.models import Match
from studies import positions, reviews
from studies.models import Imported

register = Library()

KINDS = {"inaccuracy": N_("Inaccuracy"), "mistake": N_("Mistake"), "blunder": N_("Blunder")}
"""What the kinds of bad moves are called, the mildest first."""


@register.simple_tag(takes_context=True)
def review_here(context: Context) -> dict[str, Any] | None:
    """The review of the page's `match`, which is over, else of its `imported` record; `None` where there is none of them.

    `data` is for the script; `rows` and `moments` tell the same without one: per seat, and per move that was not good.
    """
    match, imported = context.get("match"), context.get("imported")
    thing = match if isinstance(match, Match) else imported
    if not isinstance(thing, Match | Imported) or (isinstance(thing, Match) and thing.status != Match.Status.FINISHED):
        return None
    player = context.get("player")
    review = reviews.brief(thing, player if isinstance(player, User) else None)
    seats = positions.seats_of(reviews.line_for(thing))
    data = {
        "review": review,
        "seats": [{"seat": seat["seat"], "name": seat["name"], "colours": seat["colours"]} for seat in seats],
        **_addresses(thing),
    }
    moments = [_moment(ply, seats) for ply in review["plies"] if ply["kind"] in KINDS] if review else []
    kinds = [words.say(kind) for kind in KINDS.values()]
    return {"data": data, "review": review, "rows": _rows(review, seats), "moments": moments, "kinds": kinds}


def _addresses(thing: Match | Imported) -> dict[str, str]:
    if isinstance(thing, Match):
        return {"url": reverse("match_review", args=[thing.pk]), "analysis_url": reverse("analysis", args=[thing.pk])}
    return {"url": reverse("imported_review", args=[thing.token]), "analysis_url": reverse("imported_analysis", args=[thing.token])}


def _rows(review: dict[str, Any] | None, seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per seat its name, its accuracy and how many moves of each kind."""
    if review is None or review["accuracy"] is None:
        return []
    return [
        {"name": seat["name"], "accuracy": accuracy, "counts": [counts[kind] for kind in KINDS]}
        for seat, accuracy, counts in zip(seats, review["accuracy"], review["counts"], strict=True)
    ]


def _moment(ply: dict[str, Any], seats: list[dict[str, Any]]) -> dict[str, Any]:
    return {**ply, "name": seats[ply["seat"]]["name"], "word": words.say(KINDS[ply["kind"]])}
