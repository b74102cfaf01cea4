"""The forms of sign-up and sign-in, in our words."""

from typing import Any

from allauth.account import forms
from django.utils.translation import gettext_lazy as _


class LoginForm(forms.LoginForm):
    """Sign-in by name or email address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Name or email")


class SignupForm(forms.SignupForm):
    """A name, a password, and an address if one likes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")
        self.fields["username"].help_text = _("What the others at the table see.")
        self.fields["email"].label = _("Email, if you like")
        self.fields["email"].help_text = _("Only to let you in again when the password is forgotten.")
        if "password1" in self.fields:
            self.fields["password1"].help_text = _("At least 8 characters; not only digits, and not one that everybody uses.")
            self.fields["password2"].label = _("The password again")
