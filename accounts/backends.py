"""Who a session or a password stands for: nobody, as long as that person is shut out."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import heeding


class AccountBackend(AuthenticationBackend):
    """Allauth's, by name or address. Sessions, pages and sockets alike find people through it.

    A password is still right for somebody who is shut out, so that signing in can say why it ends there
    (`pages.adapter`); but a session stands for nobody then, be it that it was opened in some other way.
    """

    def get_user(self, user_id: Any) -> User | None:
        """The person with that id, with `warned` as `sanctions.heeding` gives it. One query."""
        user = heeding(User.objects.filter(pk=user_id), timezone.now()).first()
        return user if user is not None and self.user_can_authenticate(user) else None
