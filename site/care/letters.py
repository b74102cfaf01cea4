"""What people are told by the moderators: by mail, push and page, in words that each reads in its own language."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.urls import reverse

from accounts.models import Sanction, User
from care.models import Report
from games.kit.protocol import N_
from notices import news
from notices.models import Kind

TITLES = {
    Sanction.Kind.WARNING: N_("A warning by the moderators"),
    Sanction.Kind.MUTE: N_("You cannot write to others for a while"),
    Sanction.Kind.SUSPENSION: N_("You are shut out for a while"),
}
BODIES = {
    (Sanction.Kind.WARNING, False): N_("The reason: {reason} If you do not agree, write to {address}."),
    (Sanction.Kind.MUTE, True): N_("It ends on {end}. The reason: {reason} If you do not agree, write to {address}."),
    (Sanction.Kind.MUTE, False): N_("It lasts until a moderator lifts it. The reason: {reason} If you do not agree, write to {address}."),
    (Sanction.Kind.SUSPENSION, True): N_(
        "You can sign in again on {end}. Your running matches and open tables have ended. The reason: {reason} "
        "If you do not agree, write to {address}."
    ),
    (Sanction.Kind.SUSPENSION, False): N_(
        "It lasts until a moderator lifts it. Your running matches and open tables have ended. The reason: {reason} "
        "If you do not agree, write to {address}."
    ),
}
"""Per kind of sanction, and whether it has an end, what the person is told."""


def tell_of(sanction: Sanction, now: datetime) -> None:
    """Tell somebody what was imposed, why, until when, and where to appeal."""
    values: dict[str, news.Value] = {"reason": _sentence(sanction.reason), "address": settings.MODERATORS_EMAIL}
    if sanction.ends_at is not None:
        values["end"] = sanction.ends_at
    kind = Sanction.Kind(sanction.kind)
    _tell(sanction.user, f"care:{sanction.pk}", TITLES[kind], BODIES[kind, sanction.ends_at is not None], now, **values)


def tell_lifted(sanction: Sanction, now: datetime) -> None:
    """Tell somebody that a sanction is over before its time."""
    body = N_("A moderator looked at it again. Welcome back.")
    _tell(sanction.user, f"care:{sanction.pk}:lifted", N_("Lifted by the moderators"), body, now)


def tell_renamed(user: User, now: datetime) -> None:
    """Tell somebody to choose another name."""
    body = N_(
        "Your name cannot stay as it was. Until you choose another one you are called {name}. If you do not agree, write to {address}."
    )
    key = f"care:name:{int(now.timestamp())}"
    values: dict[str, news.Value] = {"name": user.username, "address": settings.MODERATORS_EMAIL}
    _tell(user, key, N_("Please choose another name"), body, now, **values)


def tell_handled(report: Report, now: datetime) -> None:
    """Tell who reported something that it was looked at; never what came of it."""
    if report.reporter is None or not report.reporter.is_active:
        return
    body = N_("The moderators have looked at what you told them. What they did about it stays between them and the other person.")
    _tell(report.reporter, f"care:report:{report.pk}", N_("Thank you for your report"), body, now)


def _tell(person: User, key: str, title: str, body: str, now: datetime, **values: news.Value) -> None:
    news.tell(person, key=key, title=title, body=body, values=values, path=reverse("moderation"), kind=Kind.CARE, now=now)


def _sentence(reason: str) -> str:
    return reason if reason[-1:] in ".!?。！？…" else f"{reason}."
