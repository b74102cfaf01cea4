"""Which passwords are refused, and how they are kept."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.conf import settings as site
from django.contrib.auth.hashers import get_hashers
from django.urls import reverse

from accounts.models import User
from accounts.passwords import LONGEST
from config import settings as real
from tests.accounts.conftest import PASSWORD, Visitor

LEAKED = "correct-horse-9"


class LeakList(ThreadingHTTPServer):
    """The list of leaked passwords as its service gives it: the ends of all hashes that begin with five characters."""

    asked: list[str]
    fails = False


@pytest.fixture
def leaks(settings: Any) -> Iterator[LeakList]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append(self.path)
            digest = hashlib.sha1(LEAKED.encode()).hexdigest().upper()
            lines = ["0018A45C4D1DEF81644B54AB7F969B88D65:3"]
            if self.path == f"/range/{digest[:5]}":
                lines.append(f"{digest[5:]}:1,204")
            self.send_response(503 if server.fails else 200)
            self.end_headers()
            self.wfile.write("\r\n".join(lines).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = LeakList(("127.0.0.1", 0), Handler)
    server.asked = []
    settings.LEAKED_PASSWORDS_URL = f"http://127.0.0.1:{server.server_port}/range/"
    _validators_anew()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
    _validators_anew()


def _validators_anew() -> None:
    from django.contrib.auth.password_validation import get_default_password_validators

    get_default_password_validators.cache_clear()


def test_a_leaked_password_is_refused_and_never_leaves_us(visitor: Visitor, leaks: LeakList) -> None:
    page = visitor.sign_up("Ann", password=LEAKED).content.decode()
    assert "has leaked" in page
    assert visitor.user_id is None
    digest = hashlib.sha1(LEAKED.encode()).hexdigest().upper()
    assert leaks.asked == [f"/range/{digest[:5]}"]


def test_a_password_that_is_on_no_list_is_fine(visitor: Visitor, leaks: LeakList) -> None:
    visitor.sign_up("Ann")
    assert visitor.user_id
    assert leaks.asked


def test_a_leaked_password_is_refused_where_it_is_changed_too(visitor: Visitor, leaks: LeakList, account: Callable[..., User]) -> None:
    ann = account("Ann")
    visitor.sign_in("Ann")
    form = {"oldpassword": PASSWORD, "password1": LEAKED, "password2": LEAKED}
    assert "has leaked" in visitor.post(reverse("account_change_password"), form).content.decode()
    assert User.objects.get(pk=ann.pk).check_password(PASSWORD)


def test_who_cannot_reach_the_list_is_let_in(visitor: Visitor, other: Visitor, leaks: LeakList) -> None:
    leaks.fails = True
    visitor.sign_up("Ann", password=LEAKED)
    assert visitor.user_id
    leaks.shutdown()
    leaks.server_close()
    other.sign_up("Ben", password=LEAKED)
    assert other.user_id


def test_the_list_is_waited_for_a_second_at_most() -> None:
    assert site.PWNED_PASSWORDS["API_TIMEOUT"] <= 1


@pytest.mark.parametrize("password", ["password1", "12345678", "short-7", "Annabella", "a" * (LONGEST + 1)])
def test_common_short_endless_and_telling_passwords_are_refused(visitor: Visitor, password: str) -> None:
    visitor.sign_up("Annabella", password=password)
    assert visitor.user_id is None


@pytest.mark.parametrize(
    ("where", "field"),
    [
        ("account_login", "password"),
        ("account_signup", "password1"),
        ("account_reauthenticate", "password"),
        ("account_change_password", "oldpassword"),
        ("account_change_password", "password1"),
    ],
)
def test_a_password_of_a_megabyte_is_refused_before_anything_is_computed_from_it(
    visitor: Visitor, account: Callable[..., User], settings: Any, where: str, field: str
) -> None:
    account("Ann")
    if where in ("account_reauthenticate", "account_change_password"):
        visitor.sign_in("Ann")
    if field != "password1":  # else the password so far is checked, as it must be
        settings.PASSWORD_HASHERS = ["tests.accounts.test_passwords.NoHasher"]
    form = {"login": "Ann", "username": "Ben", "oldpassword": PASSWORD, "password1": PASSWORD, "password2": PASSWORD}
    answer = visitor.post(reverse(where), form | {field: "x" * 1_000_000})
    assert answer.status_code == 200
    assert "at most 128 characters" in answer.content.decode()


class NoHasher:
    """Must not be reached."""

    algorithm = "none"

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("something was hashed")


def test_passwords_are_kept_as_argon2(settings: Any) -> None:
    settings.PASSWORD_HASHERS = real.PASSWORD_HASHERS
    assert get_hashers()[0].algorithm == "argon2"
    user = User(username="Ann")
    user.set_password(PASSWORD)
    assert user.password.startswith("argon2$argon2id$")
    assert user.check_password(PASSWORD)
