"""The pages of an account that allauth does not have: another name, one device signed out, and sign-up with a passkey."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.signup import complete_signup
from allauth.account.views import SignupView
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import get_adapter as mfa_adapter
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.flows import auto_generate_recovery_codes
from allauth.mfa.webauthn.internal import auth
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import names_had
from accounts.forms import NameForm, PasskeySignupForm
from accounts.models import User
from accounts.players import ensure_player, guest_of

PASSKEY_FOR = "passkey_for"
"""Key of the session: the guest whose number the passkey carries that the browser is asked for."""


@login_required
@reauthentication_required(app="allauth.account")  # type: ignore[untyped-decorator]
def change_name(request: HttpRequest) -> HttpResponse:
    """Take another name, once in a while."""
    user, now = request.user, timezone.now()
    assert isinstance(user, User)
    form = NameForm(request.POST or None)
    if form.is_valid():
        try:
            names_had.change(user, form.cleaned_data["name"], now)
        except ValidationError as refusal:
            form.add_error("name", refusal)
        else:
            messages.success(request, _("You are called {name} now.").format(name=user.username))
            return redirect("account_name")
    later = names_had.may_change_at(user)
    return render(request, "account/name.html", {"form": form, "later": later if later and later > now else None})


@login_required
@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign this account out on one other device."""
    session = get_object_or_404(UserSession, pk=pk, user=request.user)
    if not session.is_current():
        session.end()
        messages.success(request, _("Signed out there."))
    return redirect("usersessions_list")


class PasskeySignup(SignupView):
    """Sign-up without a password. The account comes with its passkey, or not at all: until then a guest stays a guest."""

    template_name = "account/signup_by_passkey.html"

    def get_form_class(self) -> type[PasskeySignupForm]:
        return PasskeySignupForm

    def form_valid(self, form: PasskeySignupForm) -> HttpResponse:
        """Ask the browser for a passkey once the name is fine; then make the account with it."""
        credential = form.cleaned_data["credential"]
        if not credential:
            return self._ask_for_passkey(form)
        try:
            _check(credential)
        except ValidationError as refusal:
            form.add_error(None, refusal)
            return self.form_invalid(form)
        guest = guest_of(self.request.session)
        if guest is None or guest.pk != self.request.session.pop(PASSKEY_FOR, None):
            return self._ask_for_passkey(form)
        try:
            return self._sign_up(form, credential)
        except ImmediateHttpResponse as instead:
            return instead.response

    def _ask_for_passkey(self, form: PasskeySignupForm) -> HttpResponse:
        guest = ensure_player(self.request)
        self.request.session[PASSKEY_FOR] = guest.pk
        guest.username = form.cleaned_data["username"]  # as the browser shows it; nothing is stored yet
        options = auth.begin_registration(guest, passwordless=True)
        return self.render_to_response(self.get_context_data(form=form, js_data={"creation_options": options}))

    def _sign_up(self, form: PasskeySignupForm, credential: dict[str, Any]) -> HttpResponse:
        with transaction.atomic():
            user, instead = form.try_save(self.request)
            if instead:
                return instead
            name = mfa_adapter().generate_authenticator_name(user, Authenticator.Type.WEBAUTHN)
            passkey = auth.WebAuthn.add(user, name, credential).instance
        post_authentication(self.request, passkey, reauthenticated=True, passwordless=True)
        response = complete_signup(self.request, user=user, redirect_url=self.get_success_url())
        if auto_generate_recovery_codes(self.request) is None:
            return response
        return redirect("mfa_view_recovery_codes")


def _check(credential: Any) -> None:
    """Raises `ValidationError` for anything but a passkey that this browser was asked for just now."""
    try:
        auth.parse_registration_response(credential)
        made = auth.complete_registration(credential)
    except (KeyError, AttributeError, ValueError, TypeError):
        raise ValidationError(_("Your browser sent no passkey that we can read. Please try again.")) from None
    if not made.is_user_verified():
        raise ValidationError(_("This key does not ask who you are, so it cannot stand in for a password. Please use another one."))
