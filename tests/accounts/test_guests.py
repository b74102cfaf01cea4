"""Guests, and how they become somebody without losing a match."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.urls import reverse

from accounts.models import User
from accounts.players import SESSION_KEY
from pages.adapter import AccountAdapter
from tests.accounts.conftest import PASSWORD, Visitor, matches_of
from tests.accounts.test_factors import code_of


def test_looking_around_makes_nobody_a_guest(visitor: Visitor) -> None:
    visitor.get("/")
    visitor.get(reverse("account_login"))
    assert SESSION_KEY not in visitor.session
    assert not User.objects.exists()


def test_a_guest_who_signs_up_keeps_the_matches_under_the_new_name(visitor: Visitor) -> None:
    played = {visitor.play(), visitor.play()}
    guest = visitor.session[SESSION_KEY]
    visitor.sign_up("Ann", "ann@example.org")
    assert visitor.user_id == guest
    assert SESSION_KEY not in visitor.session
    ann = User.objects.get(pk=guest)
    assert (ann.username, ann.email, ann.is_guest, ann.display_name) == ("Ann", "ann@example.org", False, "Ann")
    assert ann.check_password(PASSWORD)
    assert matches_of(ann.pk) == played
    assert User.objects.count() == 1


def test_somebody_new_may_sign_up_at_once(visitor: Visitor) -> None:
    visitor.sign_up("Ann")
    assert User.objects.get(pk=visitor.user_id).username == "Ann"


def test_a_refused_sign_up_leaves_the_guest_as_it_was(visitor: Visitor) -> None:
    played = visitor.play()
    visitor.sign_up("Ann", password="123")
    assert visitor.user_id is None
    assert User.objects.get(pk=visitor.session[SESSION_KEY]).is_guest
    assert played in matches_of(visitor.session[SESSION_KEY])


def test_a_guest_who_signs_in_hands_the_seats_to_the_account(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    played = {visitor.play(), visitor.play()}
    guest = visitor.session[SESSION_KEY]
    visitor.sign_in("ann")
    assert visitor.user_id == ann.pk
    assert SESSION_KEY not in visitor.session
    assert matches_of(ann.pk) == played
    assert not matches_of(guest)


def test_the_seats_wait_for_the_second_factor(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    secret = generate_totp_secret()
    TOTP.activate(ann, secret)
    played = visitor.play()
    visitor.sign_in("Ann")
    assert visitor.user_id is None
    assert not matches_of(ann.pk)
    visitor.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert visitor.user_id == ann.pk
    assert matches_of(ann.pk) == {played}


def test_one_row_becomes_one_account_when_two_sign_ups_race(visitor: Visitor, other: Visitor, rf: Any) -> None:
    visitor.play()
    other.cookies = visitor.cookies.copy()
    guest = visitor.session[SESSION_KEY]
    visitor.sign_up("Ann")
    late = User(pk=guest, username="guest-late", is_guest=True)
    with pytest.raises(ImmediateHttpResponse):
        AccountAdapter().save_user(rf.post("/"), late, None)
    assert User.objects.get(pk=guest).username == "Ann"


def test_two_guests_are_two_people(visitor: Visitor, other: Visitor) -> None:
    first, second = visitor.play(), other.play()
    assert visitor.session[SESSION_KEY] != other.session[SESSION_KEY]
    assert matches_of(visitor.session[SESSION_KEY]) == {first}
    assert matches_of(other.session[SESSION_KEY]) == {second}


def test_after_sign_out_the_next_match_is_a_new_guests(visitor: Visitor) -> None:
    visitor.play()
    visitor.sign_up("Ann")
    ann = visitor.user_id
    visitor.sign_out()
    assert visitor.user_id is None
    played = visitor.play()
    assert visitor.session[SESSION_KEY] != ann
    assert played not in matches_of(ann)


def test_a_guest_cannot_be_reached_by_password_or_reset(visitor: Visitor, other: Visitor, mailoutbox: list[Any]) -> None:
    visitor.play()
    guest = User.objects.get(pk=visitor.session[SESSION_KEY])
    assert not guest.has_usable_password()
    for password in ("", "!", guest.password):
        other.sign_in(guest.username, password)
        assert other.user_id is None
    other.post(reverse("account_reset_password"), {"email": guest.email})
    assert mailoutbox == []


def test_the_pages_tell_a_guest_how_to_keep_the_matches(visitor: Visitor) -> None:
    assert "Keep my matches" not in visitor.get("/").content.decode()
    visitor.play()
    page = visitor.get("/").content.decode()
    assert re.search(r"Guest \d+", page)
    assert "Keep my matches" in page
