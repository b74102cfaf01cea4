"""Which passwords are refused: those that are too long to be hashed in good time, and those that have leaked somewhere."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables
from pwned_passwords_django.api import PwnedPasswords
from pwned_passwords_django.exceptions import PwnedPasswordsError

LONGEST = 128
"""Characters of a password. Hashing is slow on purpose, so nobody may hand us a book."""
TOO_LONG = _("A password has at most 128 characters.")

logging.getLogger("pwned_passwords_django").setLevel(logging.CRITICAL)  # its troubles are told below, in one line
log = logging.getLogger(__name__)


class LengthValidator:
    """Refuses what is longer than `LONGEST`."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raises `ValidationError`."""
        if len(password) > LONGEST:
            raise ValidationError(TOO_LONG, code="password_too_long")

    def get_help_text(self) -> str:
        return str(TOO_LONG)


class LeakValidator:
    """Refuses what is known from leaks of other sites. Five characters of its SHA-1 leave us, never the password.

    Whom the list does not answer in time may choose freely: an outage elsewhere shuts nobody out.
    """

    def __init__(self) -> None:
        self._list = PwnedPasswords()
        self._list.api_endpoint = settings.LEAKED_PASSWORDS_URL

    @sensitive_variables("password")
    def validate(self, password: str, user: Any = None) -> None:
        """Raises `ValidationError`."""
        if not settings.LEAKED_PASSWORDS_URL or len(password) > LONGEST:
            return
        try:
            times = self._list.check_password(password)
        except PwnedPasswordsError as trouble:
            log.warning("the list of leaked passwords did not answer (%s)", trouble.code.name)
            return
        if times:
            raise ValidationError(
                _("This password has leaked from another site, so others try it, too. Please choose another."), code="password_leaked"
            )

    def get_help_text(self) -> str:
        return gettext("Not one that is known from leaks.")
