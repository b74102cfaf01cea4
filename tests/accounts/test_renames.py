"""Another name, once in a while."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from accounts import names_had
from accounts.models import FormerName, User
from accounts.names_had import APART, change, find
from tests.accounts.conftest import PASSWORD, Visitor

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PAGE = "account_name"


def sure(visitor: Visitor) -> None:
    """Show once more that it is you."""
    visitor.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def test_a_name_is_changed_by_who_can_show_the_password(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    visitor.sign_in("Ann")
    assert "reauthenticate" in visitor.post(reverse(PAGE), {"name": "Beth"})["Location"]
    assert User.objects.get(pk=ann.pk).username == "Ann"
    sure(visitor)
    page = visitor.post(reverse(PAGE), {"name": "Beth"}, follow=True).content.decode()
    assert "You are called Beth now." in page
    assert User.objects.get(pk=ann.pk).username == "Beth"
    assert visitor.user_id == ann.pk


def test_who_is_not_signed_in_has_no_name_to_change(visitor: Visitor) -> None:
    visitor.play()
    assert reverse("account_login") in visitor.get(reverse(PAGE))["Location"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ab", "3 to 24"),
        ("admin", "reserved"),
        ("guest-7", "reserved"),
        ("Ben", "Please choose another"),
        ("bеn", "one alphabet"),
        ("Ann", "already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_a_reason(visitor: Visitor, account: Callable[..., User], name: str, reason: str) -> None:
    ann = account("Ann")
    account("Ben")
    visitor.sign_in("Ann")
    sure(visitor)
    assert reason in visitor.post(reverse(PAGE), {"name": name}).content.decode()
    row = User.objects.get(pk=ann.pk)
    assert (row.username, row.named_at) == ("Ann", None)


def test_the_next_change_has_to_wait(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    change(ann, "Beth", NOW)
    with pytest.raises(ValidationError, match="30 days"):
        change(ann, "Cleo", NOW + APART - timedelta(seconds=1))
    change(ann, "Cleo", NOW + APART)
    assert ann.username == "Cleo"


def test_the_page_says_when_the_next_change_is_possible(visitor: Visitor, account: Callable[..., User]) -> None:
    account("Ann")
    visitor.sign_in("Ann")
    sure(visitor)
    visitor.post(reverse(PAGE), {"name": "Beth"})
    page = visitor.get(reverse(PAGE)).content.decode()
    assert "The next change is possible" in page
    assert 'name="name"' not in page


def test_old_names_lead_on_and_nobody_else_can_take_them(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    change(ann, "Beth", NOW)
    change(ann, "Cleo", NOW + APART)
    assert find("Ann") == find("ann") == find("Beth") == find("cleo") == ann
    assert find("Dora") is None
    for name in ("Ann", "ANN", "beth", "Ánn"):
        visitor.sign_up(name)
        assert visitor.user_id is None, name


def test_who_gave_a_name_up_can_have_it_back(account: Callable[..., User]) -> None:
    ann = account("Ann")
    change(ann, "Beth", NOW)
    change(ann, "Ann", NOW + APART)
    assert ann.username == "Ann"
    assert find("Beth") == ann
    change(ann, "ANN", NOW + 2 * APART)
    assert (find("Ann"), ann.username) == (ann, "ANN")


def test_the_name_of_a_deleted_account_leads_nowhere_and_stays_taken(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    change(ann, "Beth", NOW)
    FormerName.objects.update(user=None, name="")
    assert find("Ann") is None
    visitor.sign_up("Ann")
    assert visitor.user_id is None


def test_the_old_address_of_somebodys_page_leads_to_the_new_one(visitor: Visitor, account: Callable[..., User]) -> None:
    change(account("Ann"), "Beth", NOW)
    answer = visitor.get(reverse("person", args=["Ann"]))
    assert answer["Location"] == reverse("person", args=["Beth"])


def test_others_hear_of_a_new_name(account: Callable[..., User], django_capture_on_commit_callbacks: Any) -> None:
    heard = []

    def hear(user: User, **_: Any) -> None:
        heard.append(user.username)

    names_had.renamed.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            change(account("Ann"), "Beth", NOW)
    finally:
        names_had.renamed.disconnect(hear)
    assert heard == ["Beth"]


def test_a_change_that_was_too_late_says_so(account: Callable[..., User], monkeypatch: pytest.MonkeyPatch) -> None:
    ann = account("Ann")
    account("Beth")
    monkeypatch.setattr(User, "looks_taken", lambda *_, **__: False)  # as it was when the form was checked
    with pytest.raises(ValidationError, match="Please choose another"):
        change(ann, "Béth", NOW)
    assert User.objects.get(pk=ann.pk).username == "Ann"
