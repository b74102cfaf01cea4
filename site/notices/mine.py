"""What every open page of a person's is told: which matches wait for it, who challenges it, and what happened lately."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q
from django.urls import reverse

from accounts.models import User
from lobby.models import Seek
from matches.models import Match, Seat
from notices import wording
from notices.models import DECLINED, NEWS, Kind, Notice
from notices.people import settings_of

LATELY = timedelta(hours=1)
ANSWERED = timedelta(days=3)
"""How long a person who was away is still told that a challenge of its own came to nothing, and other news without a match."""
MOST_WAITING, MOST_CHALLENGES, MOST_NOTICES = 50, 5, 8

Mine = dict[str, Any]


def mine(person: User, now: datetime) -> Mine:
    """What waits for the person, in the active language.

    `waiting` holds what the marks count: matches in which it is to move and somebody else is a person too, since a match
    against bots alone keeps nobody waiting; the nearest deadline first. `notices` are those of the last hour, and for longer
    what became of the person's challenges, the oldest first.
    """
    settings = settings_of(person)
    return {
        "waiting": [_waiting(match, person) for match in waiting_for(person)[:MOST_WAITING]],
        "challenges": [_challenge(seek) for seek in challenges_to(person, now)[:MOST_CHALLENGES]],
        "notices": [_notice(notice, person) for notice in _lately(person, now)],
        "settings": {"sound": settings.sound, "title": settings.title, "badge": settings.badge},
    }


def waiting_for(person: User) -> Any:
    """The matches in which it is the person's turn and somebody else waits for it."""
    others = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False).exclude(user=person)
    return Match.objects.with_seats().awaiting(person).filter(Exists(others))


def challenges_to(person: User, now: datetime) -> Any:
    """The open challenges that the person has not answered, the newest first."""
    asked = Seek.objects.open(now).filter(kind=Seek.Kind.CHALLENGE, places__invited=person, places__user=None)
    return asked.select_related("host").distinct().order_by("-created_at")


def _lately(person: User, now: datetime) -> list[Notice]:
    seats = Prefetch("match__seats", Seat.objects.select_related("user"))
    # Challenges to the person stand in a list of their own.
    news = Q(match__isnull=False, at__gt=now - LATELY) | Q(data__event__in=(DECLINED, NEWS))
    told = Notice.objects.filter(news, user=person, at__gt=now - ANSWERED).exclude(kind=Kind.TURN)
    return list(told.select_related("match").prefetch_related(seats).order_by("-pk")[:MOST_NOTICES])[::-1]


def _waiting(match: Match, person: User) -> Mine:
    return {
        "match": match.pk,
        "ply": match.ply,
        "title": wording.turn(match),
        "body": wording.against(match, person),
        "url": reverse("match", args=[match.pk]),
    }


def _challenge(seek: Seek) -> Mine:
    said = wording.challenge(seek)
    answers = {verb: reverse(f"table_{verb}", args=[seek.token]) for verb in ("join", "decline")}
    return {"id": seek.pk, "title": said.title, "body": said.body, "url": said.path, **answers}


def _notice(notice: Notice, person: User) -> Mine:
    said = wording.say(notice, person)
    return {"id": notice.pk, "kind": notice.kind, "match": notice.match_id, "title": said.title, "body": said.body, "url": said.path}
