"""Reads what people choose about their notices, and what browsers say of themselves."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from notices import endpoints
from notices.models import ALWAYS_MAILED, Kind, Mail, NoticeSettings
from notices.people import keep

CHATS = {"all": _("Everything"), "players": _("Only what players say at my table"), "off": _("Nothing")}
"""Per choice of `User.preferences["chat"]` what it lets through, see `matches.chat`."""


class NoticesForm(forms.ModelForm):
    """The settings page: per kind a choice for the mail and a box for the push, what pages do, and which chat is read."""

    class Meta:
        model = NoticeSettings
        fields = ("sound", "title", "badge", "digest_hour")

    def __init__(self, data: QueryDict | None, instance: NoticeSettings) -> None:
        super().__init__(data, instance=instance)
        for kind in Kind:
            choices = [(Mail.NOW.value, Mail.NOW.label)] if kind in ALWAYS_MAILED else Mail.choices
            self.fields[f"mail_{kind}"] = forms.ChoiceField(choices=choices, required=False, initial=instance.mail_for(kind))
            self.fields[f"push_{kind}"] = forms.BooleanField(required=False, initial=instance.push_for(kind))
        chat = instance.user.preferences.get("chat", "all")
        self.fields["chat"] = forms.ChoiceField(choices=list(CHATS.items()), required=False, initial=chat)

    def save(self, commit: bool = True) -> NoticeSettings:
        """Keep what was chosen; what was not among the choices shown stays as it is."""
        for kind in Kind:
            if choice := self.cleaned_data[f"mail_{kind}"]:
                self.instance.mail[kind] = choice
            self.instance.push[kind] = self.cleaned_data[f"push_{kind}"]
        if chat := self.cleaned_data["chat"]:
            keep(self.instance.user, chat=chat)
        return super().save(commit)


class BadBrowser(ValueError):
    """What a browser sent is no subscription that we can use."""


def read_browser(data: Any) -> dict[str, str]:
    """The `endpoint`, `p256dh` and `auth` of a subscription as browsers write it in JSON. Raises `BadBrowser`, `BadEndpoint`."""
    if not isinstance(data, dict) or not isinstance(data.get("keys"), dict) or not isinstance(data.get("endpoint"), str):
        raise BadBrowser("no subscription")
    keys = data["keys"]
    found = {"endpoint": data["endpoint"], "p256dh": _key(keys.get("p256dh"), 65), "auth": _key(keys.get("auth"), 16)}
    endpoints.check(found["endpoint"])
    return found


def _key(text: Any, length: int) -> str:
    if not isinstance(text, str) or len(text) > 100:
        raise BadBrowser("no key")
    try:
        raw = base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except (binascii.Error, ValueError):
        raise BadBrowser("no key") from None
    if len(raw) != length:
        raise BadBrowser("no key")
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
