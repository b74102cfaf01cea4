"""All that a moderator should know to decide: what was reported and what stood around it, the match, and what there was before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts import sanctions
from accounts.models import Sanction, User
from care.detect.findings import explain
from care.models import Finding, Report
from matches import chat, payloads, words
from matches.models import ChatLine, Match

AROUND = 8
"""Lines before and after the reported one."""
EARLIER = 20


@dataclass(frozen=True)
class Case:
    """Everything about one person, and about one report where it began with one."""

    person: User
    report: Report | None
    lines: list[dict[str, Any]]
    match: dict[str, Any] | None
    reports: list[Report]
    sanctions: list[tuple[Sanction, bool]]
    """With whether each holds now, or waits to be confirmed."""
    findings: list[tuple[Finding, str]]
    others: int = 0
    """Open reports about the person besides this one."""
    waiting: int = 0
    """Reports that this moderator may not read yet, see `readable_by`."""
    browsers: int = 0
    former_names: list[str] = field(default_factory=list)


def of(person: User, moderator: User, report: Report | None = None) -> Case:
    """The case of a person as `moderator` may read it."""
    now = timezone.now()
    holding = {one.pk for one in sanctions.in_force(person, now) if one.read_at is None}
    every = Report.objects.filter(about=person)
    earlier = readable_by(moderator, every).exclude(pk__in=[report.pk] if report else [])
    return Case(
        person=person,
        report=report,
        lines=around(report) if report else [],
        match=_match(report.match_id) if report and report.match_id else None,
        reports=list(earlier.select_related("sanction", "handled_by").order_by("-made_at")[:EARLIER]),
        sanctions=[(one, one.pk in holding) for one in person.sanctions.select_related("made_by").order_by("-made_at")[:EARLIER]],
        findings=[(one, explain(one)) for one in Finding.objects.filter(user=person)[:EARLIER]],
        others=earlier.filter(state=Report.State.OPEN).count(),
        waiting=every.count() - readable_by(moderator, every).count(),
        browsers=person.browsers.count(),
        former_names=list(person.former_names.exclude(name="").order_by("-left_at").values_list("name", flat=True)),
    )


def readable_by(moderator: User, reports: QuerySet[Report]) -> QuerySet[Report]:
    """Without those about what was said at a running match in which the moderator plays: one half of a table hears nothing of the other."""
    return reports.exclude(match__in=Match.objects.of(moderator).filter(status=Match.Status.RUNNING), line__isnull=False)


def around(report: Report) -> list[dict[str, Any]]:
    """The reported line with those before and after it in the same room, as they were said; none for a report without a line."""
    if report.line is None:
        return []
    room = ChatLine.objects.filter(match=report.line.match_id, room=report.line.room).select_related("user")
    before = list(room.filter(pk__lt=report.line_id).order_by("-pk")[:AROUND])
    after = list(room.filter(pk__gt=report.line_id).order_by("pk")[:AROUND])
    return [_line(one, report) for one in (*reversed(before), report.line, *after)]


def _line(line: ChatLine, report: Report) -> dict[str, Any]:
    return {
        "at": line.at,
        "name": line.user.display_name if line.user else gettext("Deleted player"),
        "text": words.say(chat.PHRASES.get(line.phrase, "")) if line.phrase else line.text,
        "reported": line.pk == report.line_id,
        "own": line.user_id == report.about_id,
    }


def _match(match_id: int) -> dict[str, Any] | None:
    """What everybody may know of a match: the game, who plays, how it ended and who left."""
    match = Match.objects.with_seats().filter(pk=match_id).first()
    if match is None:
        return None
    (card,) = payloads.cards([match], None)
    return {
        "number": match.pk,
        "url": card["url"],
        "title": f"{card['game_name']}, {card['variant_name']}",
        "control": match.control.describe(),
        "rated": match.rated,
        "running": match.running,
        "result": card["result_text"],
        "termination": match.get_termination_display() if match.termination else "",
        "plies": match.ply,
        "began": match.created_at,
        "ended": match.finished_at,
        "seats": [
            {"name": seat["name"], "rating": seat["rating"], "rank": match.ranks[seat["seat"]] if match.ranks else None,
             "left": row.left_at_ply, "why": row.get_left_why_display() if row.left_why else ""}
            for seat, row in zip(card["seats"], match.seats.all(), strict=True)
        ],
    }  # fmt: skip
