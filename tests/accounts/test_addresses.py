"""The one address of an account: none, given, confirmed, replaced, forgotten; and the mails that come of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from tests.accounts.conftest import PASSWORD, Visitor

pytestmark = pytest.mark.long

EMAIL = "account_email"


def link_in(mail: Any) -> str:
    """The path that a mail leads to."""
    found = re.search(r"http://[^/]+(/\S+)", mail.body)
    assert found, mail.body
    return found[1]


@pytest.fixture
def ann(visitor: Visitor) -> Visitor:
    """Somebody without an address, who showed just now that it is her."""
    visitor.sign_up("Ann")
    visitor.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return visitor


def give(visitor: Visitor, address: str) -> None:
    visitor.post(reverse(EMAIL), {"action_add": "1", "email": address})


def addresses() -> dict[str, bool]:
    return dict(EmailAddress.objects.values_list("email", "verified"))


def test_an_address_counts_once_it_is_confirmed(ann: Visitor, mailoutbox: list[Any]) -> None:
    assert "No address is known" in ann.get(reverse(EMAIL)).content.decode()
    give(ann, "ann@example.org")
    assert addresses() == {"ann@example.org": False}
    assert "not confirmed yet" in ann.get(reverse(EMAIL)).content.decode()
    ann.post(link_in(mailoutbox[0]))
    assert addresses() == {"ann@example.org": True}
    page = ann.get(reverse(EMAIL)).content.decode()
    assert "confirmed" in page
    assert "not confirmed yet" not in page


def test_a_new_address_replaces_the_old_one_once_it_is_confirmed_and_the_old_one_is_told(ann: Visitor, mailoutbox: list[Any]) -> None:
    give(ann, "ann@example.org")
    ann.post(link_in(mailoutbox[0]))
    give(ann, "ann@example.net")
    assert addresses() == {"ann@example.org": True, "ann@example.net": False}
    asked = next(mail for mail in reversed(mailoutbox) if mail.to == ["ann@example.net"])
    ann.post(link_in(asked))
    assert addresses() == {"ann@example.net": True}
    assert User.objects.get(username="Ann").email == "ann@example.net"
    told = next(mail for mail in reversed(mailoutbox) if mail.to == ["ann@example.org"])
    assert "ann@example.net" in told.body


def test_a_change_of_mind_keeps_the_old_address(ann: Visitor, mailoutbox: list[Any]) -> None:
    give(ann, "ann@example.org")
    ann.post(link_in(mailoutbox[0]))
    give(ann, "ann@example.net")
    ann.post(reverse(EMAIL), {"action_remove": "1", "email": "ann@example.net"})
    assert addresses() == {"ann@example.org": True}


def test_an_address_is_forgotten_on_demand(ann: Visitor, mailoutbox: list[Any]) -> None:
    give(ann, "ann@example.org")
    ann.post(link_in(mailoutbox[0]))
    assert "Forget this address" in ann.get(reverse(EMAIL)).content.decode()
    ann.post(reverse(EMAIL), {"action_remove": "1", "email": "ann@example.org"})
    assert addresses() == {}
    assert User.objects.get(username="Ann").email == ""


def test_an_address_is_changed_only_by_who_shows_the_password(visitor: Visitor) -> None:
    visitor.sign_up("Ann")
    answer = visitor.post(reverse(EMAIL), {"action_add": "1", "email": "ann@example.org"})
    assert reverse("account_reauthenticate") in answer["Location"]
    assert addresses() == {}


MAILS = [
    *(f"account/email/{name}" for name in ("email_confirmation", "email_confirmation_signup", "password_reset_key", "unknown_account")),
    *(f"account/email/{name}" for name in ("email_changed", "email_confirm", "email_deleted")),
    *(f"account/email/password_{name}" for name in ("changed", "reset", "set")),
    *(
        f"mfa/email/{name}"
        for name in ("totp_activated", "totp_deactivated", "webauthn_added", "webauthn_removed", "recovery_codes_generated")
    ),
    *(f"socialaccount/email/account_{name}" for name in ("connected", "disconnected")),
]


@pytest.mark.parametrize("mail", MAILS)
def test_mails_are_short_plain_and_ours(db: None, mail: str) -> None:
    known = {
        "user": User(username="Ann & <Ben>"), "username": "Ann", "email": "ann@example.org", "activate_url": "http://testserver/x/",
        "password_reset_url": "http://testserver/y/", "signup_url": "http://testserver/z/", "from_email": "a@example.org",
        "to_email": "b@example.org", "deleted_email": "a@example.org", "provider": "Tile Club", "ip": "203.0.113.7",
        "user_agent": "Firefox/128.0 Windows", "timestamp": timezone.now(),
        "current_site": {"domain": "tessera.example", "name": "tessera.example"},
    }  # fmt: skip
    body, subject = render_to_string(f"{mail}_message.txt", known), render_to_string(f"{mail}_subject.txt", known)
    assert "Tessera\ntessera.example" in body
    assert not re.search(r"&amp;|&lt;|&#|{{|{%", body + subject)
    assert len(subject.strip().splitlines()) == 1
    assert "Hello from" not in body
    if "email_confirmation" in mail or "key" in mail or "unknown" in mail:
        assert "http://testserver/" in body
    else:
        assert "Firefox on Windows" in body
        assert "203.0.113.7" in body
