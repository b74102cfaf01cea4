"""Sign-up, sign-in and sign-out where they touch matches: whoever played as a guest loses nothing."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.models import NAME_TAKEN, User
from accounts.names import is_reserved, normal
from accounts.players import SESSION_KEY, guest_of
from lobby.services import hand_over_places
from matches.services import hand_over_seats
from notices.people import hand_over_browsers


class AccountAdapter(DefaultAccountAdapter):
    """What happens to a guest who becomes somebody. Accounts may not know matches, so it lives here."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": NAME_TAKEN,
        "username_blacklisted": _("This name is reserved. Please choose another."),
        "username_password_mismatch": _("The name and the password do not belong together."),
        "email_password_mismatch": _("The email address and the password do not belong together."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name as it is stored. Refuses one that is reserved, taken, or looks like one that is."""
        username = super().clean_username(normal(username), shallow=shallow)
        if is_reserved(username):
            raise self.validation_error("username_blacklisted")
        if not shallow and User.looks_taken(username):
            raise self.validation_error("username_taken")
        return username

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Somebody may type the name in another spelling of the same letters."""
        if username := credentials.get("username"):
            credentials["username"] = normal(username)
        return super().authenticate(request, **credentials)

    def new_user(self, request: HttpRequest) -> User:
        """A guest keeps the row, and with it the matches."""
        return guest_of(request.session) or User()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Turn the guest into the account once, even when the button was pressed twice or two want one name at once."""
        try:
            with transaction.atomic():
                if user.pk and not User.objects.select_for_update().filter(pk=user.pk, is_guest=True).exists():
                    raise ImmediateHttpResponse(redirect("account_login"))
                user.is_guest = False
                return super().save_user(request, user, form, commit)
        except IntegrityError:
            messages.error(request, NAME_TAKEN)
            raise ImmediateHttpResponse(redirect("account_signup")) from None

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in by whatever way. The seats of another guest's row become the user's own."""
        guest = guest_of(request.session)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            hand_over_seats(guest, user)
            hand_over_places(guest, user)
            hand_over_browsers(guest, user)
        request.session.pop(SESSION_KEY, None)
