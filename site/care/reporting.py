"""Reports by people: about a person, a line of a chat, or a match. Nobody but moderators ever reads them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import override

from accounts.models import User
from care.errors import BadReport, NotAboutYourself
from care.models import Report
from games.kit.protocol import N_
from matches import chat, words
from matches.errors import NoSuchMatch, TooMuch
from matches.models import ChatLine, Match

LIMITS = ((timedelta(minutes=10), 5), (timedelta(days=1), 20))
"""How many reports one person may make within how long."""
LONGEST = 1000
"""Characters of what somebody writes to the moderators."""
QUOTED = Report._meta.get_field("quote").max_length or 0
BY_THEMSELVES = frozenset({Report.Kind.CHAT, Report.Kind.NAME})
"""What a moderator can see without another word from who reports it."""


def report(
    reporter: User,
    about: User,
    kind: str,
    *,
    text: str = "",
    match: Match | None = None,
    line: ChatLine | None = None,
    quote: str = "",
    now: datetime,
) -> tuple[Report, bool]:
    """Tell the moderators about somebody. The report, and whether the same one was open already, which then stays as it is.

    `line` is a line of the chat of `match`, both as the reporter may see them (`line_seen_by` finds it); `quote` is what was written
    elsewhere, of which the beginning is kept. Raises `BadReport`, `NotAboutYourself`, `NoSuchMatch`, `TooMuch`.
    """
    _check(reporter, about, kind, text, match, line)
    with transaction.atomic():
        # One's reports come in one after the other, so that none comes twice and limits count.
        User.objects.select_for_update(no_key=True).get(pk=reporter.pk)
        same = {"reporter": reporter, "about": about, "kind": kind, "match": match, "state": Report.State.OPEN}
        if known := Report.objects.filter(**same).first():
            return known, True
        for span, most in LIMITS:
            if Report.objects.filter(reporter=reporter, made_at__gt=now - span).count() >= most:
                raise TooMuch(N_("You told us about a lot in a short time. The moderators read it all; come back later with more."))
        words = quote_of(line) if line else chat.cleaned(quote)[:QUOTED]
        made = Report.objects.create(**same, text=chat.cleaned(text), line=line, quote=words, made_at=now)
    return made, False


def line_seen_by(player: User | None, match: Match, line_id: int) -> ChatLine | None:
    """A line of the match's chat, where `player` may read it and its author still has an account; load the match with its seats."""
    rooms = chat.readable(match, player)
    return ChatLine.objects.select_related("user").filter(pk=line_id, match=match, room__in=rooms, user__isnull=False).first()


def quote_of(line: ChatLine) -> str:
    """What a line says; a phrase in English."""
    if not line.phrase:
        return line.text
    with override(settings.LANGUAGE_CODE):
        return words.say(chat.PHRASES.get(line.phrase, line.phrase))


def _check(reporter: User, about: User, kind: str, text: str, match: Match | None, line: ChatLine | None) -> None:
    if kind not in Report.Kind.values:
        raise BadReport
    if reporter.pk == about.pk:
        raise NotAboutYourself
    if len(text) > LONGEST:
        raise BadReport(N_("Please say it in at most {limit} characters."), limit=LONGEST)
    if match is not None and not match.visible_to(reporter):
        raise NoSuchMatch
    if line is not None and (match is None or line.match_id != match.pk or line.user_id != about.pk):
        raise NoSuchMatch
    if not chat.cleaned(text) and not (line is not None or kind in BY_THEMSELVES):
        raise BadReport(N_("Please say in a few words what happened, so that we know where to look."))
