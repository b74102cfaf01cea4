"""Where an account is signed in, and how it is signed out there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.usersessions.models import UserSession
from django.urls import reverse

from accounts.devices import words
from accounts.models import User
from tests.accounts.conftest import Visitor

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/604.1"


def is_signed_in(visitor: Visitor) -> bool:
    return visitor.get(reverse("account_email")).status_code == 200


def test_one_device_is_signed_out_from_another(visitor: Visitor, other: Visitor, account: Callable[..., User]) -> None:
    third = Visitor()
    account("Ann")
    for browser, agent in ((visitor, FIREFOX), (other, SAFARI), (third, FIREFOX)):
        browser.sign_in("Ann", headers={"user-agent": agent})
    page = visitor.get(reverse("usersessions_list")).content.decode()
    assert page.count("Firefox on Windows") == 3  # one of them in the label of its button
    assert "Safari on iPhone" in page
    there = UserSession.objects.get(session_key=other.session.session_key)
    visitor.post(reverse("account_session_end", args=[there.pk]))
    assert not is_signed_in(other)
    assert is_signed_in(visitor)
    assert is_signed_in(third)


def test_all_other_devices_are_signed_out_at_once(visitor: Visitor, other: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    visitor.sign_in("Ann")
    other.sign_in("Ann")
    visitor.post(reverse("usersessions_list"))
    assert is_signed_in(visitor)
    assert not is_signed_in(other)


def test_nobody_signs_somebody_else_out(visitor: Visitor, other: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    account("Ben")
    visitor.sign_in("Ann")
    other.sign_in("Ben")
    ann = UserSession.objects.get(session_key=visitor.session.session_key)
    assert other.post(reverse("account_session_end", args=[ann.pk])).status_code == 404
    assert Visitor().post(reverse("account_session_end", args=[ann.pk])).status_code == 302
    assert is_signed_in(visitor)


def test_a_new_password_signs_all_other_devices_out(visitor: Visitor, other: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    visitor.sign_in("Ann")
    other.sign_in("Ann")
    change = {"oldpassword": "olive-tile-7", "password1": "madder-tile-8", "password2": "madder-tile-8"}
    visitor.post(reverse("account_change_password"), change)
    assert is_signed_in(visitor)
    assert not is_signed_in(other)


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (FIREFOX, "Firefox on Windows"),
        (SAFARI, "Safari on iPhone"),
        (
            "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
            "Chrome on ChromeOS",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("curl/8", "A browser that we do not know"),
    ],
)
def test_a_device_is_called_by_words_that_its_owner_knows(agent: str, said: str) -> None:
    assert words(agent) == said
