"""Sign-in, the forgotten password, and what outsiders may learn from either."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from accounts.models import User
from tests.accounts.conftest import PASSWORD, Visitor


def said(page: bytes) -> str:
    """The errors on a page, as text."""
    return " ".join(strip_tags(part) for part in re.findall(r'<ul class="errorlist.*?</ul>', page.decode(), re.DOTALL)).strip()


@pytest.mark.parametrize("login", ["Ann", "ann", "Ａｎｎ", "ann@example.org", "ANN@example.org"])
def test_name_and_address_both_sign_in(visitor: Visitor, account: Callable[..., User], login: str) -> None:
    ann = account("Ann", "ann@example.org")
    visitor.sign_in(login)
    assert visitor.user_id == ann.pk


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    wrong, unknown = visitor.sign_in("Ann", "nonsense"), visitor.sign_in("Nobody1", "nonsense")
    assert said(wrong.content) == said(unknown.content) == "The name and the password do not belong together."
    assert wrong.status_code == unknown.status_code
    assert visitor.user_id is None


def test_after_many_wrong_passwords_even_the_right_one_has_to_wait(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    for number in range(10):
        visitor.sign_in("Ann", f"nonsense-{number}")
    assert "later" in said(visitor.sign_in("Ann").content)
    assert visitor.user_id is None


def test_the_link_in_the_mail_sets_a_new_password(
    visitor: Visitor, other: Visitor, account: Callable[..., User], mailoutbox: list[Any]
) -> None:
    ann = account("Ann", "ann@example.org")
    visitor.post(reverse("account_reset_password"), {"email": "ann@example.org"})
    (mail,) = mailoutbox
    assert mail.to == ["ann@example.org"]
    assert mail.subject.startswith("Tessera: ")
    link = re.search(r"http://[^/]+(/\S+)", mail.body)
    assert link
    form = visitor.get(link[1], follow=True).redirect_chain[-1][0]
    visitor.post(form, {"password1": "madder-tile-8", "password2": "madder-tile-8"})
    other.sign_in("Ann")
    assert other.user_id is None
    other.sign_in("Ann", "madder-tile-8")
    assert other.user_id == ann.pk
    assert "invalid" in Client().get(link[1], follow=True).content.decode()


def test_an_address_is_confirmed_by_the_link_in_the_mail(visitor: Visitor, mailoutbox: list[Any]) -> None:
    visitor.sign_up("Ann", "ann@example.org")
    (mail,) = mailoutbox
    link = re.search(r"http://[^/]+(/\S+)", mail.body)
    assert link
    page = visitor.get(link[1]).content.decode()
    assert "ann@example.org" in page
    assert 'class="site-header"' in page
    assert not EmailAddress.objects.get().verified
    visitor.post(link[1])
    assert EmailAddress.objects.get().verified


def test_asking_for_a_link_does_not_tell_who_has_an_account(
    visitor: Visitor, other: Visitor, account: Callable[..., User], mailoutbox: list[Any]
) -> None:
    account("Ann", "ann@example.org")
    known = visitor.post(reverse("account_reset_password"), {"email": "ann@example.org"}, follow=True)
    unknown = other.post(reverse("account_reset_password"), {"email": "ben@example.org"}, follow=True)
    assert strip_tags(known.content.decode()) == strip_tags(unknown.content.decode())


def test_a_changed_password_needs_the_old_one(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    visitor.sign_in("Ann")
    change = {"password1": "madder-tile-8", "password2": "madder-tile-8"}
    visitor.post(reverse("account_change_password"), {"oldpassword": "nonsense"} | change)
    assert User.objects.get(pk=ann.pk).check_password(PASSWORD)
    visitor.post(reverse("account_change_password"), {"oldpassword": PASSWORD} | change)
    assert User.objects.get(pk=ann.pk).check_password("madder-tile-8")
    assert visitor.user_id == ann.pk


def test_signing_in_goes_on_to_where_one_came_from_but_never_to_another_site(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    there = visitor.post(reverse("account_login") + "?next=/components/", {"login": "Ann", "password": PASSWORD, "next": "/components/"})
    assert there["Location"] == "/components/"
    visitor.sign_out()
    away = visitor.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD, "next": "https://example.org/"})
    assert away["Location"] == "/"


def test_the_session_id_changes_at_sign_in(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    visitor.play()
    before = visitor.session.session_key
    visitor.sign_in("Ann")
    assert visitor.session.session_key != before


def test_staff_sees_people_but_no_password(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann", "ann@example.org")
    User.objects.filter(pk=ann.pk).update(is_staff=True, is_superuser=True)
    visitor.force_login(User.objects.get(pk=ann.pk))
    page = visitor.get(reverse("admin:accounts_user_change", args=[ann.pk])).content.decode()
    assert "ann@example.org" in page
    assert ann.password not in page
    assert ann.password.split("$")[-1] not in page
