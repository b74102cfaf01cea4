"""What notices must know about a person: settings, address, language and time zone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils import formats

from accounts.models import User
from accounts.zones import zone_of
from notices.models import NoticeSettings, PushSubscription


def settings_of(user: User) -> NoticeSettings:
    """What the person chose; a row that is not stored yet for somebody who has not."""
    return NoticeSettings.objects.filter(user=user).first() or NoticeSettings(user=user)


def address_of(user: User) -> str | None:
    """Where mail reaches the person. Only a confirmed address counts: anybody can type somebody else's."""
    if user.is_guest or not user.is_active:
        return None
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").values_list("email", flat=True)
    return found.first()


def language_of(user: User) -> str:
    """The language in which the person last looked at the site."""
    known = user.preferences.get("language")
    return known if known in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def hand_over_browsers(guest: User, user: User) -> None:
    """Let the browsers that take pushes for a guest take them for the account it signed in to."""
    PushSubscription.objects.filter(user=guest).update(user=user)


def moment(when: datetime, user: User) -> str:
    """A moment as the person's clock and language show it, with the time zone: “Monday 2 March, 14:30 (Europe/Rome)”."""
    zone = zone_of(user)
    local = when.astimezone(zone)
    return f"{formats.date_format(local, 'l j F, H:i')} ({zone})"


def keep(user: User, **preferences: Any) -> None:
    """Store what a page of the person's told about itself, where it is news."""
    if all(user.preferences.get(name) == value for name, value in preferences.items()):
        return
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        row.preferences.update(preferences)
        row.save(update_fields=["preferences"])
    user.preferences = row.preferences
