"""What people may be called."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, connections, transaction
from django.urls import reverse
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
    "name",
    [
        "",
        "ab",
        "a" * 25,
        "ann lee",
        "ann@home",
        "-ann",
        "ann-",
        "a..b",
        "a._b",
        "<b>ann",
        "ann\u200b",
        "a\u202enn",
        "\n\n\n",
        "ก" + 9 * "\u0e47",
        "zal\u0336go",
    ],
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
def test_who_wants_a_name_at_the_same_moment_as_another_is_told_so() -> None:
    late = Visitor()

    def sign_up() -> None:
        try:
            answer = late.sign_up("Ann")
            assert answer["Location"] == reverse("account_signup")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            User.objects.create_user("Ann")
            late_sign_up = thread.submit(sign_up)
            while not late_sign_up.done() and not _somebody_waits():
                pass
        late_sign_up.result()
    assert late.user_id is None
    assert "Please choose another" in late.get(reverse("account_signup")).content.decode()
    assert User.objects.count() == 1


def _somebody_waits() -> bool:
    """Whether another session of the database stands at a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')")
        return bool(cursor.fetchone()[0])


ATTACKS = {
    "admin": "аdmin αdmin ɑdmin admіn admın ᴀdmin Ꭺdmin ꓮdmin ａdmin ⓐdmin 𝐚𝐝𝐦𝐢𝐧 admi𝗇 adrnin ádmin ạdmin аԁміп 4dm1n ADMlN adm.in",
    "tessera": "tеssera tesseга ТЕЅЅЕRА ΤΕSSERA ţessera ꞇessera te55era tess-era τessera tesserа",
    "support": "ѕupport suррort supp0rt ꜱupport süpport",
    "moderator": "rnoderator ℳoderator mоderator m0derat0r ｍoderator møderator",
    "owner": "оwner ՕWΝΕR 0wner owпer",
    "staff": "ѕtaff staﬀ ꮪtaff stаff ѕтаff",
}
"""Names as impostors write them: other alphabets, phonetic and mathematical signs, ligatures, strokes, digits, accents."""


@pytest.mark.parametrize(("meant", "name"), [(meant, name) for meant, names in ATTACKS.items() for name in names.split()])
def test_impostors_get_no_name(visitor: Visitor, meant: str, name: str) -> None:
    visitor.sign_up(name)
    assert visitor.user_id is None


LOOKS = [
    ("Nina", "ΝΙΝΑ"), ("Bepa", "Вера"), ("paypal", "раураl"), ("lisa", "Iisa"), ("Coco", "СОСО"), ("Lukas", "Łukas"),
    ("Soren", "Søren"), ("burnt", "bumt"), ("wave", "vvave"), ("jo_hn", "john"), ("zoe10", "zoeIO"), ("Ångel", "Angel"),
    ("Strasse", "Straße"), ("Tony", "ΤΟΝΥ"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two"), [*LOOKS, *((two, one) for one, two in LOOKS)])
def test_two_names_that_look_alike_are_one(db: None, one: str, two: str) -> None:
    assert skeleton(one) == skeleton(two)
    User.objects.create_user(one)
    assert User.looks_taken(two)


@pytest.mark.parametrize(
    "one, two", [("Anna", "Anja"), ("Юлия", "Юля"), ("山田太郎", "山田花子"), ("김철수", "김영희"), ("Ben", "Bea"), ("Νίκος", "Νίκη")]
)
def test_names_that_differ_are_two(one: str, two: str) -> None:
    assert skeleton(one) != skeleton(two)


@pytest.mark.parametrize("name", ["Annа", "Μaria", "ЮliЯ", "ア́Ж", "Annא", "ᏣᎳᎩ", "ᚱᚢᚾᛖ", "ɐnna", "Ꜵron", "ⲁⲃⲃⲁ"])
def test_a_name_mixes_no_alphabets_and_needs_no_phonetic_or_historic_signs(name: str) -> None:
    with pytest.raises(ValidationError):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    ["李Mei", "日本taro", "ケンken", "Nguyễn", "Þórður", "Œdipe", "Großmann", "محمد", "สมชาย", "Ştefan", "Əli", "שרה", "ანა", "अमित"],
)
def test_names_of_living_languages_are_fine(name: str) -> None:
    check_name(name)


def test_keys_of_names_from_before_are_computed_anew(db: None) -> None:
    compute = import_module("accounts.migrations.0005_keys_of_names").compute
    soren, clash = User.objects.create_user("Søren"), User.objects.create_user("Oda")
    User.objects.filter(pk=soren.pk).update(name_key="søren")
    User.objects.filter(pk=clash.pk).update(username="Sören", name_key="sören")
    compute(apps, None)
    assert User.objects.get(pk=soren.pk).name_key == "soren"
    assert User.objects.get(pk=clash.pk).name_key == "sören"


@pytest.mark.parametrize(
    ("name", "reason"), [("ab", "3 to 24 characters"), ("ann lee", "letters and digits"), ("admin", "reserved"), ("guest-1", "reserved")]
)
def test_sign_up_says_what_is_wrong_with_a_name(visitor: Visitor, name: str, reason: str) -> None:
    assert reason in visitor.sign_up(name).content.decode()
    assert visitor.user_id is None
