"""Keeps what was found, once per what it is about, and says in words what is odd about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, ngettext

from care.models import Finding

SAME_LOOK = timedelta(hours=12)
"""Within so long the same thing may be found from both sides; the odder view of it stays."""
AGAIN = 1.5
"""What was put aside comes back when it has grown so many times."""
MOST_LISTED = 40
"""Matches that a finding names."""


@dataclass(frozen=True)
class Suspicion:
    """Something odd: about whom, how odd from 0 to 1, and the numbers and matches behind it."""

    key: str
    kind: Finding.Kind
    user: int
    score: float
    matches: list[int]
    other: int | None = None
    game: str = ""
    numbers: dict[str, Any] = field(default_factory=dict)


def keep(found: Iterable[Suspicion], now: datetime) -> int:
    """Store or bring up to date; how many are in the list now because of it."""
    return sum(_keep(one, now) for one in found)


def _keep(one: Suspicion, now: datetime) -> bool:
    data = {**one.numbers, "count": len(one.matches), "matches": sorted(one.matches)[-MOST_LISTED:]}
    about = {"kind": one.kind, "user_id": one.user, "other_id": one.other, "game": one.game}
    score = round(one.score, 3)
    news: dict[str, Any] = {**about, "score": score, "data": data, "found_at": now}
    with transaction.atomic():
        known = Finding.objects.select_for_update(no_key=True).filter(key=one.key).first()
        if known is None:
            Finding.objects.create(key=one.key, **news)
            return True
        if known.found_at > now - SAME_LOOK and known.score >= score:
            return known.seen_at is None
        if known.seen_at is not None:
            then = int(known.data.get("aside", 0))
            data["aside"] = then
            if len(one.matches) >= AGAIN * then:
                news |= {"seen_at": None, "seen_by_id": None}
        Finding.objects.filter(pk=known.pk).update(**news)
        return known.seen_at is None or "seen_at" in news


def explain(finding: Finding) -> str:
    """What is odd, in the language that is active, with the numbers behind it."""
    data = dict(finding.data)
    count = int(data.get("count", 0))
    if finding.kind == Finding.Kind.PAIR:
        sentence = gettext(
            "{count} rated matches against each other, {share} % of all that one of them played; {won} of them were won by the first."
        )
    elif finding.kind == Finding.Kind.THROWN:
        sentence = gettext(
            "{count} rated matches left early against players at least {weaker} points weaker, {share} % of all losses; "
            "{dropped} points were lost from the first to the last of them, and {then_won} of the next {then} were won."
        )
    elif finding.kind == Finding.Kind.ENGINE:
        sentence = gettext(
            "{same} of {plies} moves with a real choice are our strongest bot’s: {rate} %, where players of like rank have {usual} %. "
            "That is {z} standard deviations above them."
        )
    else:
        sentence = ngettext(
            "{count} match together, {rated} of them rated, with accounts that were used in one browser. It may be a family.",
            "{count} matches together, {rated} of them rated, with accounts that were used in one browser. It may be a family.",
            count,
        )
    try:
        return sentence.format(**data)
    except (LookupError, ValueError):  # numbers of an older version of this list
        return finding.get_kind_display()
