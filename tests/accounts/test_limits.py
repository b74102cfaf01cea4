"""What trying again and again, and asking around, brings to light: nothing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings as site
from django.urls import reverse
from django.utils.html import strip_tags

from accounts.models import User
from config import settings as real
from tests.accounts.conftest import PASSWORD, Visitor

pytestmark = pytest.mark.long


def wrong(visitor: Visitor, times: int, name: str = "Ann", **more: Any) -> Iterator[str]:
    """Send that many wrong passwords, as if from ever other addresses; the pages that come back."""
    for number in range(times):
        address = f"203.0.{number // 256}.{number % 256}"
        yield visitor.sign_in(name, f"nonsense-{number}", headers={"x-forwarded-for": address}, **more).content.decode()


@pytest.mark.long
def test_another_address_in_a_header_is_no_new_start(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    pages = list(wrong(visitor, 200))
    assert "Try again later" in pages[5]
    assert all("Try again later" in page or "a little too often" in page for page in pages[5:])
    visitor.sign_in("Ann", headers={"x-forwarded-for": "203.0.113.250"})
    assert visitor.user_id is None


def test_behind_a_proxy_only_what_the_proxy_added_counts(visitor: Visitor, account: Callable[..., User], settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(35):
        name = f"Person{number}"  # each account by itself was tried once
        visitor.sign_in(name, "nonsense", headers={"x-forwarded-for": f"203.0.113.{number}, 198.51.100.7"})
    account("Ann")
    visitor.sign_in("Ann", headers={"x-forwarded-for": "203.0.113.99, 198.51.100.7"})
    assert visitor.user_id is None
    visitor.sign_in("Ann", headers={"x-forwarded-for": "203.0.113.99, 198.51.100.8"})
    assert visitor.user_id


def test_who_tries_many_accounts_from_one_place_has_to_wait(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    for number in range(31):
        visitor.sign_in(f"Person{number}", "nonsense")
    visitor.sign_in("Ann")
    assert visitor.user_id is None


def test_too_many_sign_ups_are_told_to_wait_in_our_frame(visitor: Visitor) -> None:
    for _ in range(21):
        answer = visitor.sign_up("x")
    assert answer.status_code == 429
    page = answer.content.decode()
    assert "a little too often" in page
    assert 'class="site-header"' in page


def test_somebody_elses_tries_do_not_shut_out_another_account(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    account("Ben")
    list(wrong(visitor, 8))
    visitor.sign_in("Ben")
    assert visitor.user_id


@pytest.mark.parametrize(
    "action", ["login", "login_failed", "signup", "reset_password", "manage_email", "change_password", "reauthenticate"]
)
def test_every_limit_is_written_down(action: str) -> None:
    assert site.ACCOUNT_RATE_LIMITS[action]


def test_sign_up_does_not_tell_which_addresses_are_known(visitor: Visitor, other: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann", "ann@example.org")
    known = visitor.sign_up("Anna", "ann@example.org")
    unknown = other.sign_up("Benno", "ben@example.org")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert visitor.user_id not in (None, ann.pk)


def test_a_reset_sends_a_mail_to_whom_it_may_concern(visitor: Visitor, account: Callable[..., User], mailoutbox: list[Any]) -> None:
    account("Ann", "ann@example.org")
    for address in ("ann@example.org", "ben@example.org"):
        visitor.post(reverse("account_reset_password"), {"email": address})
    assert [mail.to for mail in mailoutbox] == [["ann@example.org"], ["ben@example.org"]]


def test_an_account_that_signed_up_with_somebody_elses_address_does_not_stand_in_the_way(
    visitor: Visitor, other: Visitor, mailoutbox: list[Any]
) -> None:
    visitor.sign_up("Mallory", "ann@example.org")
    other.sign_up("Ann", "ann@example.org", password="madder-tile-8")
    ann = other.user_id
    other.sign_out()
    other.sign_in("ann@example.org", "madder-tile-8")
    assert other.user_id == ann


@pytest.mark.long
def test_an_unknown_name_takes_as_long_to_refuse_as_a_wrong_password(visitor: Visitor, account: Callable[..., User], settings: Any) -> None:
    settings.PASSWORD_HASHERS = real.PASSWORD_HASHERS
    settings.ACCOUNT_RATE_LIMITS = False
    account("Ann")
    took: dict[str, list[float]] = {"Ann": [], "Nobody1": []}
    for _ in range(25):
        for name, times in took.items():
            began = time.thread_time()
            page = visitor.sign_in(name, "nonsense").content
            times.append(time.thread_time() - began)
            assert b"do not belong together" in page
    known, unknown = (statistics.median(times) for times in took.values())
    assert abs(known - unknown) < 0.25 * known


def test_the_staffs_door_has_the_same_lock(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    User.objects.filter(pk=ann.pk).update(is_staff=True, is_superuser=True)
    page = visitor.get("/staff/login/?next=/staff/")
    assert page["Location"].startswith(reverse("account_login"))
    visitor.sign_in("Ann", PASSWORD)
    assert visitor.get("/staff/").status_code == 200


def test_the_answer_to_a_wrong_password_is_the_same_text_for_all(visitor: Visitor, other: Visitor, account: Callable[..., User]) -> None:
    account("Ann", "ann@example.org")
    known = visitor.sign_in("ann@example.org", "nonsense").content.decode().replace("ann@", "x@")
    unknown = other.sign_in("ben@example.org", "nonsense").content.decode().replace("ben@", "x@")
    assert strip_tags(known) == strip_tags(unknown)
