"""Authenticator apps, recovery codes and passkeys, up to where a browser is needed (see `tests/e2e/test_passkeys.py`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.webauthn.internal.auth import WebAuthn
from cryptography.hazmat.primitives.asymmetric import ec
from django.urls import reverse
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

from accounts.models import User
from accounts.players import SESSION_KEY
from tests.accounts.conftest import PASSWORD, Visitor, matches_of


def code_of(secret: str) -> str:
    """What the app shows now, between what it showed before and what it will show next."""
    counters = list(yield_hotp_counters_from_time())
    return format_hotp_value(hotp_value(secret, counters[len(counters) // 2]))


def a_passkey() -> dict[str, Any]:
    """What a browser sends that has just made one."""
    key = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    number = b"a number of its own"
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    made = AttestedCredentialData.create(bytes(16), number, key)
    data = AuthenticatorData.create(sha256(b"testserver").digest(), flags, 0, made)
    said = json.dumps({"type": "webauthn.create", "challenge": "AAAA", "origin": "http://testserver"}).encode()
    return {
        "id": websafe_encode(number),
        "rawId": websafe_encode(number),
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(said),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        },
        "clientExtensionResults": {},
    }


@pytest.fixture
def secret(visitor: Visitor, account: Callable[..., User]) -> str:
    """Ann set up an authenticator app from her pages; its secret."""
    account("Ann")
    visitor.sign_in("Ann")
    visitor.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    page = visitor.get(reverse("mfa_activate_totp")).content.decode()
    found = re.search(r'id="authenticator_secret">(\w+)<', page)
    assert found
    assert visitor.post(reverse("mfa_activate_totp"), {"code": code_of(found[1])})["Location"] == reverse("mfa_view_recovery_codes")
    return found[1]


def test_the_password_alone_is_not_enough_with_an_app(secret: str, other: Visitor) -> None:
    assert other.sign_in("Ann")["Location"] == reverse("mfa_authenticate")
    assert other.user_id is None
    assert "passkey" not in other.get(reverse("mfa_authenticate")).content.decode()  # she has none
    assert "is not right" in other.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode()
    assert other.user_id is None
    other.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert other.user_id


def test_a_recovery_code_lets_in_once(visitor: Visitor, secret: str, other: Visitor) -> None:
    page = visitor.get(reverse("mfa_view_recovery_codes")).content.decode()
    codes = re.findall(r"<code>(\d{8})</code>", page)
    assert len(codes) == 10
    other.sign_in("Ann")
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert other.user_id
    other.sign_out()
    other.sign_in("Ann")
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert other.user_id is None
    assert "9 codes are left" in visitor.get(reverse("mfa_index")).content.decode()


def test_an_app_is_switched_off_again(visitor: Visitor, secret: str, other: Visitor) -> None:
    visitor.post(reverse("mfa_deactivate_totp"))
    other.sign_in("Ann")
    assert other.user_id
    assert not Authenticator.objects.exists()


def test_codes_cannot_be_tried_without_end(secret: str, other: Visitor) -> None:
    other.sign_in("Ann")
    for number in range(6):
        other.post(reverse("mfa_authenticate"), {"code": f"{number:06}"})
    other.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert other.user_id is None


def test_who_has_a_passkey_can_show_it_as_the_second_step(visitor: Visitor, other: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    WebAuthn.add(ann, "Laptop", a_passkey())
    other.sign_in("Ann")
    page = other.get(reverse("mfa_authenticate")).content.decode()
    assert "Use a passkey or security key" in page
    assert '"allowCredentials"' in page


def test_until_the_passkey_is_there_a_guest_stays_a_guest(visitor: Visitor) -> None:
    played = visitor.play()
    guest = visitor.session[SESSION_KEY]
    page = visitor.post(reverse("account_signup_passkey"), {"username": "Ann"}).content.decode()
    assert "Make the passkey" in page
    row = User.objects.get(pk=guest)
    assert row.is_guest
    assert row.username != "Ann"
    assert matches_of(guest) == {played}
    assert visitor.session[SESSION_KEY] == guest


@pytest.mark.parametrize(
    "credential", ["{}", "[]", "7", '"x"', '{"id": "x", "response": {}}', '{"id": 1, "rawId": "AA", "type": "public-key", "response": 3}']
)
def test_what_is_no_passkey_makes_no_account(visitor: Visitor, credential: str) -> None:
    visitor.post(reverse("account_signup_passkey"), {"username": "Ann"})
    answer = visitor.post(reverse("account_signup_passkey"), {"username": "Ann", "credential": credential})
    assert answer.status_code == 200
    assert visitor.user_id is None
    assert not User.objects.filter(is_guest=False).exists()


@pytest.mark.parametrize("name", ["admin", "ab", "Ben"])
def test_a_name_that_cannot_be_is_refused_before_a_passkey_is_made(visitor: Visitor, account: Callable[..., User], name: str) -> None:
    account("Ben")
    page = visitor.post(reverse("account_signup_passkey"), {"username": name}).content.decode()
    assert "Make the passkey" not in page
    assert 'class="errorlist' in page
