"""Accounts used in one browser, as far as the site may know."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from accounts import browsers
from accounts.models import Browser, User
from accounts.tasks import tidy
from tests.accounts.conftest import Visitor

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_two_accounts_of_one_browser_are_linked_and_others_are_not(
    visitor: Visitor, other: Visitor, account: Callable[..., User], django_assert_num_queries: Callable
) -> None:
    ann, ben, cem = account("Ann"), account("Ben"), account("Cem")
    visitor.sign_in("Ann")
    visitor.sign_out()
    visitor.sign_in("Ben")
    other.sign_in("Cem")
    now = Browser.objects.latest("last_at").last_at
    with django_assert_num_queries(1):
        pairs = browsers.linked([ann.pk, ben.pk, cem.pk], now)
    assert pairs == {frozenset({ann.pk, ben.pk})}
    assert browsers.linked([ann.pk, cem.pk], now) == set()


def test_the_cookie_is_for_the_server_alone_and_its_number_is_stored_nowhere(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    visitor.sign_in("Ann")
    cookie = visitor.cookies[browsers.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == browsers.COOKIE_AGE.total_seconds()
    row = Browser.objects.get()
    assert cookie.value not in row.token_hash
    assert len(row.token_hash) == 64


def test_who_is_not_signed_in_is_not_noted(visitor: Visitor) -> None:
    visitor.play()
    visitor.get(reverse("account_login"))
    assert browsers.COOKIE not in visitor.cookies
    assert not Browser.objects.exists()


def test_a_browser_is_written_once_a_day(visitor: Visitor, account: Callable[..., User], monkeypatch: pytest.MonkeyPatch) -> None:
    account("Ann")
    clock = [NOW]
    monkeypatch.setattr("accounts.browsers.timezone.now", lambda: clock[0])
    visitor.sign_in("Ann")
    visitor.get("/")
    clock[0] += timedelta(hours=2)
    visitor.get("/")
    assert Browser.objects.get().last_at == NOW
    clock[0] += timedelta(hours=20)
    visitor.get("/")
    row = Browser.objects.get()
    assert (row.first_at, row.last_at) == (NOW, clock[0])


def test_a_cookie_that_we_did_not_write_is_replaced(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    visitor.cookies[browsers.COOKIE] = "x" * 5000
    visitor.sign_in("Ann")
    assert len(visitor.cookies[browsers.COOKIE].value) == 43


def test_a_page_for_everybody_does_not_ask_who_is_there(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    visitor.sign_in("Ann")
    assert "Cookie" not in visitor.get("/healthz").get("Vary", "")


def test_a_browser_that_was_not_used_for_90_days_is_forgotten(account: Callable[..., User]) -> None:
    ann, ben = account("Ann"), account("Ben")
    token = "t" * 43
    browsers.note(ann, token, NOW)
    browsers.note(ben, token, NOW + timedelta(days=60))
    pair = {frozenset({ann.pk, ben.pk})}
    assert browsers.linked([ann.pk, ben.pk], NOW + timedelta(days=89)) == pair
    assert browsers.linked([ann.pk, ben.pk], NOW + timedelta(days=90)) == set()
    assert browsers.linked([ann.pk, ben.pk], NOW) == set()  # Ben came later
    assert browsers.prune(NOW + timedelta(days=90)) == 1
    assert set(Browser.objects.values_list("user", flat=True)) == {ben.pk}


def test_the_workers_forget_old_browsers(account: Callable[..., User]) -> None:
    browsers.note(account("Ann"), "t" * 43, NOW - timedelta(days=4000))
    tidy()
    assert not Browser.objects.exists()
