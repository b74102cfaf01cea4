"""Sign-up, sign-in and sign-out where they touch matches: whoever played as a guest loses nothing."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.adapter import get_adapter as account_adapter
from allauth.account.internal.stagekit import clear_login
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import sanctions
from accounts.models import NAME_TAKEN, User
from accounts.names import is_reserved, normal
from accounts.players import SESSION_KEY, guest_of
from care.views.word import shut_out_page
from lobby.services import hand_over_places
from matches import announce
from matches.services import hand_over_seats
from notices.people import hand_over_browsers
from shelf.services import hand_over as hand_over_shelf
from studies.keeping import hand_over_studies

AGAIN = {
    "reauthenticate": _("Use your password"),
    "mfa_reauthenticate:webauthn": _("Use a passkey or security key"),
    "mfa_reauthenticate": _("Use a code of your app, or a recovery code"),
    "reauthenticate_by_code": _("Have a code sent to you"),
}
"""allauth's ways to show again who one is, in our order and words."""


class AccountAdapter(DefaultAccountAdapter):
    """What happens to a guest who becomes somebody. Accounts may not know matches, so it lives here."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": NAME_TAKEN,
        "username_blacklisted": _("This name is reserved. Please choose another."),
        "username_password_mismatch": _("The name and the password do not belong together."),
        "email_password_mismatch": _("The email address and the password do not belong together."),
        "too_many_login_attempts": _("Too many wrong tries. Try again later, in a quarter of an hour, or set a new password."),
        "incorrect_password": _("This is not the password."),
        "enter_current_password": _("This is not the password so far."),
        "invalid_password_reset": _("This link was used already, or is too old. Please ask for a new one."),
        "email_taken": _("This address belongs to another account. Please take another one."),
        "same_as_current": _("This is the address that you have already."),
        "rate_limited": _("That was a little too often. Wait a few minutes, then try again."),
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

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """How somebody can show again who it is, the quickest way first."""
        ways = {way["id"]: way for way in super().get_reauthentication_methods(user)}
        return [ways[key] | {"description": words} for key, words in AGAIN.items() if key in ways]

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whoever comes by another site alone has nothing to be asked for again."""
        asked_for = self.get_reauthentication_methods(self.request.user)
        return bool(asked_for) and super().is_reauthentication_required(app=app, **more)

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

    def logout(self, request: HttpRequest) -> None:
        """Sign out by whatever way, and let the person's pages see it at once."""
        person = request.user
        super().logout(request)
        if isinstance(person, User):
            announce.signed_out(person.pk)

    def pre_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse | None:
        """Let nobody in who is shut out, by whatever way, and say why and until when."""
        if sanctions.of_kind(user, sanctions.Kind.SUSPENSION, timezone.now()) is not None:
            clear_login(request)
            return shut_out_page(request, user)
        return super().pre_login(request, user, **more)

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in by whatever way. The seats of another guest's row become the user's own."""
        guest = guest_of(request.session)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            hand_over_seats(guest, user)
            hand_over_places(guest, user)
            hand_over_browsers(guest, user)
            hand_over_shelf(guest, user)
            hand_over_studies(guest, user)
        request.session.pop(SESSION_KEY, None)


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """Sign-up with an account of another site: the guest's row becomes the account here, too, and its matches with it."""

    error_messages: ClassVar = {
        **DefaultSocialAccountAdapter.error_messages,
        "no_password": _("Without a password this would be your only way in. Please set a password first."),
        "disconnect_last": _("Without a password this would be your only way in. Please set a password first."),
        "connected_other": _("That account already signs in somebody else here."),
    }

    def new_user(self, request: HttpRequest, sociallogin: SocialLogin) -> User:
        """Nobody yet. The guest's row comes in when a name was chosen, for a row that exists would count as an account."""
        return User()

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Take over an address and a name to start from; what somebody is called elsewhere is no business of ours."""
        return super().populate_user(request, sociallogin, {key: data.get(key) for key in ("email", "username")})

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        sociallogin.user = account_adapter(request).new_user(request)
        with transaction.atomic():
            return super().save_user(request, sociallogin, form)
