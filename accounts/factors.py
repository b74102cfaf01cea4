"""Passkeys, authenticator apps and recovery codes, as far as we say it otherwise than allauth."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class MFAAdapter(DefaultMFAAdapter):
    """Our names for things, and the name that people see rather than an address."""

    error_messages: ClassVar = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is not right. Codes of an app are good for half a minute, recovery codes once."),
        "cannot_generate_recovery_codes": _("Recovery codes come with an authenticator app or a passkey. Please set up one of them first."),
    }

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """What a browser calls us when it asks for a passkey."""
        return {**super().get_public_key_credential_rp_entity(), "name": "Tessera"}

    def get_totp_label(self, user: User) -> str:
        return user.username

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """What a browser calls the account, next to its number."""
        return {**super().get_public_key_credential_user_entity(user), "display_name": user.username, "name": user.username}

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """“Passkey”, “Passkey 2” and so on, until the person calls it otherwise."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return gettext("Passkey") if number == 1 else gettext("Passkey {number}").format(number=number)
