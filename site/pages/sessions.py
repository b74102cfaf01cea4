"""What other pages of a person must hear of at once: that the session ended, the account was closed, or the name is another."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.usersessions.models import UserSession
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from accounts.models import User
from accounts.names_had import renamed
from matches import announce


@receiver([password_changed, password_reset, password_set], dispatch_uid="sessions.password")
def password_is_another(user: User, **_: Any) -> None:
    """All other sessions ended with the old password."""
    announce.signed_out(user.pk)


@receiver(post_delete, sender=UserSession, dispatch_uid="sessions.session")
def session_ended(instance: UserSession, **_: Any) -> None:
    """Somebody signed another device out."""
    announce.signed_out(instance.user_id)


@receiver(post_save, sender=User, dispatch_uid="sessions.account")
def account_closed(instance: User, **_: Any) -> None:
    """An account that was shut has no sessions any more."""
    if not instance.is_active:
        announce.signed_out(instance.pk)


@receiver(renamed, dispatch_uid="sessions.name")
def name_is_another(user: User, **_: Any) -> None:
    """The lobby shows names."""
    announce.lobby()
    announce.persons([user.pk])
