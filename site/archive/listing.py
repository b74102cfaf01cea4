"""What the archive's page shows of each match that was found, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from matches import payloads
from matches.models import Match

ENDED: dict[str, Promise] = {
    Match.Termination.COMPLETE: _("Played to the end"),
    Match.Termination.RESIGNED: _("Resigned"),
    Match.Termination.TIMEOUT: _("Time ran out"),
    Match.Termination.ABANDONED: _("Went away"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A match in the list."""

    id: int
    url: str
    game_name: str
    variant_name: str
    seats: list[dict[str, Any]]
    """The players with the best first: what a chip shows, with `rank` and `score`."""
    result: str
    ended: Promise | None
    """How it ended, where it was not played to the end."""
    plies: int
    control: str
    """Empty where nobody counted."""
    rated: bool
    rating: int | None
    finished_at: datetime


def rows(numbers: Sequence[int], player: User | None) -> list[Row]:
    """The matches of these numbers, in the same order. Two queries."""
    found = Match.objects.with_seats().in_bulk(numbers)
    matches = [found[number] for number in numbers if number in found]
    return [_row(match, card) for match, card in zip(matches, payloads.cards(matches, player), strict=True)]


def _row(match: Match, card: dict[str, Any]) -> Row:
    ranks, scores = match.ranks or [], match.scores or []
    seats = [seat | {"rank": rank, "score": score} for seat, rank, score in zip(card["seats"], ranks, scores, strict=True)]
    return Row(
        id=match.pk,
        url=reverse("replay", args=[match.pk]),
        game_name=card["game_name"],
        variant_name=card["variant_name"],
        seats=sorted(seats, key=lambda seat: (seat["rank"], seat["seat"])),
        result=card["result_text"],
        ended=None if match.termination == Match.Termination.COMPLETE else ENDED.get(match.termination),
        plies=match.ply,
        control="" if match.pace == "none" else match.control.describe(),
        rated=match.rated,
        rating=match.rating,
        finished_at=match.finished_at or match.moved_at,
    )
