"""The forms of accounts, in our words. No password is longer than what we hash in good time."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account import forms
from allauth.mfa.webauthn.forms import AddWebAuthnForm as AllauthAddWebAuthnForm
from allauth.mfa.webauthn.forms import EditWebAuthnForm as AllauthEditWebAuthnForm
from allauth.socialaccount import forms as social
from django import forms as django_forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from accounts.passwords import LONGEST, TOO_LONG

PASSWORD_HELP = _("At least 8 characters; not only digits, and not one that everybody uses.")
AGAIN = _("The password again")


class ShortPasswords(django_forms.Form):
    """Refuses an endless password before anything is computed from it; `labels` and `helps` give fields our words."""

    labels: ClassVar[dict[str, Any]] = {}
    helps: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            if isinstance(field.widget, django_forms.PasswordInput):
                field.validators.append(MaxLengthValidator(LONGEST, TOO_LONG))
                field.help_text = ""
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, field.help_text)


class LoginForm(ShortPasswords, forms.LoginForm):
    """Sign-in by name or email address."""

    labels: ClassVar = {"login": _("Name or email"), "password": _("Password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].validators.append(MaxLengthValidator(254))


class SignupForm(ShortPasswords, forms.SignupForm):
    """A name, a password, and an address if one likes."""

    labels: ClassVar = {"username": _("Name"), "email": _("Email, if you like"), "password1": _("Password"), "password2": AGAIN}
    helps: ClassVar = {
        "username": _("What the others at the table see."),
        "email": _("Only to let you in again when the password is forgotten."),
        "password1": PASSWORD_HELP,
    }


class PasskeySignupForm(SignupForm):
    """A name and a passkey, and an address if one likes."""

    helps: ClassVar = {
        "username": _("What the others at the table see."),
        "email": _("Only to let you in again when the passkey is lost. Without it, nobody can."),
    }
    credential = django_forms.JSONField(required=False, widget=django_forms.HiddenInput)
    """What the browser made; empty in the first step."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, by_passkey=True, **kwargs)


class SocialSignupForm(social.SignupForm):
    """A name, for somebody who comes from another site."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("username", "email"):
            self.fields[name].label = SignupForm.labels[name]
        self.fields["username"].help_text = SignupForm.helps["username"]
        self.fields["email"].help_text = _("Only to let you in again when the other site does not.")


class ReauthenticateForm(ShortPasswords, forms.ReauthenticateForm):
    """The password once more."""

    labels: ClassVar = {"password": _("Password")}


class ChangePasswordForm(ShortPasswords, forms.ChangePasswordForm):
    """The old password, and the new one twice."""

    labels: ClassVar = {"oldpassword": _("The password so far"), "password1": _("New password"), "password2": AGAIN}
    helps: ClassVar = {"password1": PASSWORD_HELP}


class SetPasswordForm(ShortPasswords, forms.SetPasswordForm):
    """A first password."""

    labels: ClassVar = {"password1": _("Password"), "password2": AGAIN}
    helps: ClassVar = {"password1": PASSWORD_HELP}


class ResetPasswordKeyForm(ShortPasswords, forms.ResetPasswordKeyForm):
    """A new password, for who came by the link in a mail."""

    labels: ClassVar = {"password1": _("New password"), "password2": AGAIN}
    helps: ClassVar = {"password1": PASSWORD_HELP}


class AddWebAuthnForm(AllauthAddWebAuthnForm):
    """A passkey, or a key that only confirms the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("What you call it")
        self.fields["passwordless"].label = _("Sign in with this alone")
        self.fields["passwordless"].help_text = _("A passkey needs no password. Without the tick it only confirms the password.")
        self.fields["passwordless"].initial = True


class EditWebAuthnForm(AllauthEditWebAuthnForm):
    """Another label for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("What you call it")
        self.fields["name"].validators.append(MaxLengthValidator(60))


class NameForm(django_forms.Form):
    """Another name. What is wrong with it, the view finds out when it changes it."""

    name = django_forms.CharField(label=_("New name"), max_length=100, widget=django_forms.TextInput(attrs={"autocomplete": "username"}))
