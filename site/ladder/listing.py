"""Who is in the lists: people who are shut out or gone are taken out of all of them, and come back when that is over."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts import sanctions
from accounts.models import User
from ladder import scale
from ladder.models import Placing, Unlisted

AT_ONCE = 500


def unlist(user: User) -> None:
    """Take somebody out of all lists, until `relist`. Results go on counting meanwhile. Doing it twice changes nothing."""
    with transaction.atomic():
        _hold(user)
        Unlisted.objects.get_or_create(user=user)
        Placing.objects.filter(user=user, listed=True).update(listed=False)


def relist(user: User) -> None:
    """Let somebody back into the lists where the rating is narrow enough. Doing it twice changes nothing."""
    with transaction.atomic():
        _hold(user)
        if not Unlisted.objects.filter(user=user).delete()[0]:
            return
        Placing.objects.filter(user=user, sigma__lte=scale.WIDEST).update(listed=True)


def keep(now: datetime) -> tuple[int, int]:
    """Bring the lists up to what holds at that moment: how many people were taken out, and how many let back in.

    Who shuts somebody out calls `unlist` at once; this is for sanctions that end by themselves, and for what was forgotten.
    """
    shut_out = sanctions.holding(now).filter(kind=sanctions.Kind.SUSPENSION)
    out = Q(Exists(shut_out.filter(user=OuterRef("pk")))) | Q(is_active=False)
    leaving = User.objects.filter(out, Exists(Placing.objects.filter(user=OuterRef("pk"), listed=True)))
    coming = User.objects.filter(~out, Exists(Unlisted.objects.filter(user=OuterRef("pk"))))
    gone, back = list(leaving[:AT_ONCE]), list(coming[:AT_ONCE])
    for user in gone:
        unlist(user)
    for user in back:
        relist(user)
    return len(gone), len(back)


def _hold(user: User) -> None:
    """Whoever rates holds the people's rows, too (`services.held`), so the two never cross."""
    User.objects.select_for_update().get(pk=user.pk)
