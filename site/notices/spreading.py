"""Spreads one piece of news to one person: a notice, and by the person's settings the rows for its mail and its pushes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from matches import followups
from matches.clock import Pace
from matches.models import Match
from notices.models import Kind, Mail, Notice
from notices.people import address_of, settings_of

MAIL_WAITS = timedelta(minutes=2)
"""How long a mail about a match waits, so that whoever is looking gets none and one about a newer turn takes its place."""
PUSH_WAITS = timedelta(seconds=10)
"""The same for a push about a turn: who has the board before the eyes needs none."""


@dataclass(frozen=True, slots=True)
class News:
    """Something to tell one person. `tag` names what happened, so that it is told once; such as `turn:7:12`."""

    user: User
    kind: Kind
    tag: str
    match: Match | None = None
    version: int = 0
    ply: int = 0
    data: dict[str, Any] = field(default_factory=dict)
    quiet: bool = False
    """Whether it is for pages, and the daily mail of who reads the kind there, but for no mail of its own and no push."""

    @property
    def live(self) -> bool:
        return self.match is not None and self.match.pace == Pace.LIVE


def spread(news: News, now: datetime) -> int:
    """Write the notice and the rows for its mail and its pushes, inside the caller's transaction; the id of the person."""
    settings = settings_of(news.user)
    mail = settings.mail_for(news.kind) if not news.live and address_of(news.user) else Mail.OFF
    stored = _store(news, now, digest=mail == Mail.DIGEST)
    if news.quiet:
        return news.user.pk
    row: dict[str, Any] = {"match": news.match, "person": news.user, "data": {"notice": stored.pk}, "now": now}
    if mail == Mail.NOW:
        waits = MAIL_WAITS if news.match else timedelta()
        followups.ask(followups.MAIL, key=f"mail:{news.user.pk}:{news.tag}", due_at=now + waits, **row)
    if settings.push_for(news.kind):
        waits = PUSH_WAITS if news.kind == Kind.TURN else timedelta()
        for browser in news.user.push_subscriptions.values_list("pk", flat=True):
            more = row | {"data": {"notice": stored.pk, "to": browser}}
            followups.ask(followups.PUSH, key=f"push:{news.user.pk}:{news.tag}:{browser}", due_at=now + waits, **more)
    return news.user.pk


def _store(news: News, now: datetime, *, digest: bool) -> Notice:
    notice, _ = Notice.objects.get_or_create(
        key=f"{news.user.pk}:{news.tag}",
        defaults={
            "user": news.user, "kind": news.kind, "match": news.match, "version": news.version, "ply": news.ply, "data": news.data,
            "at": now, "digest": digest,
        },
    )  # fmt: skip
    return notice
