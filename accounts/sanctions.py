"""Whether somebody is muted or shut out just now, and why. What imposes it is `care`."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import Sanction, User

Kind = Sanction.Kind


def in_force(user: User, now: datetime) -> QuerySet[Sanction]:
    """All that holds for somebody at that moment, the longest first."""
    holds = Q(ends_at=None) | Q(ends_at__gt=now)
    return Sanction.objects.filter(holds, user=user, lifted_at=None, made_at__lte=now).order_by("-ends_at")


def of_kind(user: User | None, kind: Sanction.Kind, now: datetime) -> Sanction | None:
    """The one of a kind that holds longest; without an end comes first. `None` for nobody in particular."""
    return None if user is None else in_force(user, now).filter(kind=kind).first()


def unread_warning(user: User, now: datetime) -> Sanction | None:
    """The oldest warning that the person has not confirmed."""
    return in_force(user, now).filter(kind=Kind.WARNING, read_at=None).order_by("made_at").first()
