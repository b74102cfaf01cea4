"""Changes of name: who may make one when, and whom a name of old leads to."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from accounts.models import NAME_TAKEN, FormerName, User
from accounts.names import check_name, hashed, is_reserved, normal, skeleton

APART = timedelta(days=30)
"""How long a name lasts at least."""
RESERVED = _("This name is reserved. Please choose another.")

renamed = Signal()
"""Somebody has another name, sent after the commit with `user`."""


def find(name: str) -> User | None:
    """Who has this name, spelled or looking a little otherwise, or had it once; `None` when nobody did or the account is gone."""
    key = skeleton(name)
    people = User.objects.filter(is_active=True, is_guest=False)
    return people.filter(name_key=key).first() or people.filter(former_names__key_hash=hashed(key)).first()


def may_change_at(user: User) -> datetime | None:
    """When the next change of name is possible; `None` when it was always."""
    return None if user.named_at is None else user.named_at + APART


def change(user: User, name: str, now: datetime) -> None:
    """Call `user` otherwise; the name so far stays theirs. Raises `ValidationError` with a sentence for the person."""
    name = normal(name)
    check_name(name)
    if is_reserved(name):
        raise ValidationError(RESERVED, code="username_blacklisted")
    try:
        with transaction.atomic():
            _change(User.objects.select_for_update().get(pk=user.pk), name, now)
    except IntegrityError:  # somebody took it in this very moment
        raise ValidationError(NAME_TAKEN, code="unique") from None
    user.refresh_from_db(fields=["username", "name_key", "named_at"])


def _change(row: User, name: str, now: datetime) -> None:
    if (at := may_change_at(row)) is not None and now < at:
        raise ValidationError(_("You changed your name less than 30 days ago. Please wait until then."), code="too_soon")
    if name == row.username:
        raise ValidationError(_("This is your name already."), code="same")
    if User.looks_taken(name, besides=row.pk) or User.objects.filter(username__iexact=name).exclude(pk=row.pk).exists():
        raise ValidationError(NAME_TAKEN, code="unique")
    had = {"user": row, "name": row.username, "left_at": now}
    FormerName.objects.update_or_create(key_hash=hashed(skeleton(row.username)), defaults=had)
    row.username, row.named_at = name, now
    row.save(update_fields=["username", "named_at"])
    transaction.on_commit(lambda: renamed.send(User, user=row))
