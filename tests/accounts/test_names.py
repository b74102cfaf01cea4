"""What people may be called."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connections, transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from accounts.names import check_name, is_reserved, normal, skeleton
from tests.accounts.conftest import Visitor


@pytest.mark.parametrize("name", ["Ann", "jo-ann.42", "Łukasz", "Ελένη", "Юлия", "a" * 24, "山田太郎"])
def test_ordinary_names_of_many_scripts_are_fine(name: str) -> None:
    check_name(name)
    assert not is_reserved(name)


@pytest.mark.parametrize(
    "name", ["", "ab", "a" * 25, "ann lee", "ann@home", "-ann", "ann-", "a..b", "a._b", "<b>ann", "ann\u200b", "a\u202enn", "\n\n\n"]
)
def test_names_that_hide_or_break_something_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "ADMIN",
        "аdmin",
        "4dmin",
        "ad.min",
        "ádmín",
        "Tessera",
        "te55era",
        "guest",
        "guest-0123",
        "GUEST-x",
        "ｇuest-7",
        "rnod",
        "staff",
    ],
)
def test_nobody_passes_for_the_site_or_a_guest(name: str) -> None:
    assert is_reserved(name)


def test_a_name_is_stored_in_one_spelling() -> None:
    assert normal("Ａｎｎ") == "Ann"
    assert normal("Zoe\u0308") == "Zo\u00eb"


@given(st.text("abcXYZ019äÖßéŁяЯаβΣςıİ", max_size=24))
def test_case_and_spelling_do_not_change_how_a_name_looks(name: str) -> None:
    assert skeleton(name.upper()) == skeleton(name.casefold()) == skeleton(normal(name)) == skeleton(name)


@pytest.mark.parametrize("second", ["ann", "ANN", "аnn", "A-n-n", "Ánn"])
def test_two_accounts_never_look_the_same(visitor: Visitor, other: Visitor, second: str) -> None:
    visitor.sign_up("Ann")
    assert visitor.user_id
    answer = other.sign_up(second)
    assert answer.status_code == 200
    assert other.user_id is None
    assert "Please choose another" in answer.content.decode()


def test_the_database_holds_names_apart_whoever_writes_them(db: None) -> None:
    User.objects.create_user("Ann")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("аnn")


def test_a_form_of_the_staff_tells_apart_what_looks_the_same(db: None) -> None:
    ann, ben = User.objects.create_user("Ann"), User.objects.create_user("Ben")
    ann.clean()
    ben.username = "аnn"
    with pytest.raises(ValidationError):
        ben.clean()


def test_a_renamed_account_frees_its_old_name(db: None) -> None:
    ann = User.objects.create_user("Ann")
    ann.username = "Beth"
    ann.save(update_fields=["username"])
    assert User.objects.get(pk=ann.pk).name_key == skeleton("Beth")
    User.objects.create_user("Ann")


@pytest.mark.django_db(transaction=True)
def test_one_of_many_gets_a_name_that_all_want_at_once() -> None:
    together = Barrier(6)

    def sign_up(_: int) -> tuple[int, int | None]:
        visitor = Visitor(raise_request_exception=False)
        together.wait()
        try:
            return visitor.sign_up("Ann").status_code, visitor.user_id
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(sign_up, range(6)))
    assert all(status in (200, 302) for status, _ in answers)
    assert len([user for _, user in answers if user]) == User.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "reason"), [("ab", "3 to 24 characters"), ("ann lee", "letters and digits"), ("admin", "reserved"), ("guest-1", "reserved")]
)
def test_sign_up_says_what_is_wrong_with_a_name(visitor: Visitor, name: str, reason: str) -> None:
    assert reason in visitor.sign_up(name).content.decode()
    assert visitor.user_id is None
