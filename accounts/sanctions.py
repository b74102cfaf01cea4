"""Whether somebody is muted or shut out just now, and why. What imposes it is `care`."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import formats
from django.utils.translation import gettext

from accounts.models import Sanction, User
from accounts.zones import zone_of

Kind = Sanction.Kind


class ShutOut(PermissionDenied):
    """A guest who is shut out wants to do something for which it would need a place here."""


def in_force(user: User, now: datetime) -> QuerySet[Sanction]:
    """All that holds for somebody at that moment, the longest first."""
    return holding(now).filter(user=user).order_by("-ends_at")


def of_kind(user: User | None, kind: Sanction.Kind, now: datetime) -> Sanction | None:
    """The one of a kind that holds longest; without an end comes first. `None` for nobody in particular."""
    return None if user is None else in_force(user, now).filter(kind=kind).first()


def unread_warning(user: User, now: datetime) -> Sanction | None:
    """The oldest warning that the person has not confirmed."""
    return in_force(user, now).filter(kind=Kind.WARNING, read_at=None).order_by("made_at").first()


def heeding(people: QuerySet[User], now: datetime) -> QuerySet[User]:
    """Those people who are not shut out, each with `warned`: whether a warning waits to be confirmed. No further query."""
    own = holding(now).filter(user=OuterRef("pk"))
    return people.exclude(Exists(own.filter(kind=Kind.SUSPENSION))).annotate(warned=Exists(own.filter(kind=Kind.WARNING, read_at=None)))


def end_of(sanction: Sanction, reader: User | None = None) -> str:
    """Until when it holds, by the clock of the reader or else of its person: “14 March 2026, 15:00 (UTC)”; empty without an end."""
    if sanction.ends_at is None:
        return ""
    zone = zone_of(reader or sanction.user)
    return f"{formats.date_format(sanction.ends_at.astimezone(zone), 'j F Y, H:i')} ({zone})"


def until(sanction: Sanction, reader: User | None = None) -> str:
    """The same as part of a sentence, with words for what has no end."""
    end = end_of(sanction, reader)
    return gettext("until {end}").format(end=end) if end else gettext("until a moderator lifts it")


def holding(now: datetime) -> QuerySet[Sanction]:
    """All that holds for anybody at that moment."""
    return Sanction.objects.filter(Q(ends_at=None) | Q(ends_at__gt=now), lifted_at=None, made_at__lte=now)
