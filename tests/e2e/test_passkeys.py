"""Passkeys in a real browser: a guest signs up with one and keeps the match, signs in with it alone, and shows it again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from matches.models import Seat
from tests.e2e.conftest import Ear

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
"""A device that always says yes, with its owner's finger on it."""


class Device:
    """A browser with an authenticator built in, as Chromium plays one."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self._wire: Any = page.context.new_cdp_session(page)
        self._wire.send("WebAuthn.enable")
        self._id = self._wire.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]

    def says_no(self) -> None:
        """From now on the owner declines."""
        self._wire.send("WebAuthn.setUserVerified", {"authenticatorId": self._id, "isUserVerified": False})

    def open(self, path: str) -> None:
        self.page.goto(self.url + path)

    def press(self, name: str) -> None:
        self.page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def device(browser: Browser, live_site: Any, quiet: Ear) -> Iterator[Device]:
    with browser.new_context() as context:
        quiet(context)
        # A passkey belongs to a name, never to a number.
        yield Device(context.new_page(), live_site.url.replace("127.0.0.1", "localhost"))


def test_a_passkey_is_all_that_a_guest_needs_to_stay(device: Device) -> None:
    page, name = device.page, f"Ann{uuid4().hex[:8]}"
    device.open("/games/nibble/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/*/")
    match_id = int(page.url.rstrip("/").rsplit("/", 1)[-1])

    device.open("/account/signup/passkey/")
    page.get_by_label("Name").fill(name)
    device.press("Next")
    device.press("Make the passkey")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    expect(page.locator(".recovery-codes code")).to_have_count(10)
    ann = User.objects.get(username=name)
    assert not ann.has_usable_password()
    assert Seat.objects.filter(match=match_id, user=ann).exists()

    page.context.clear_cookies()
    device.open("/account/login/")
    device.press("Sign in with a passkey")
    expect(page.locator(".account-menu summary")).to_contain_text(name)

    # What matters for the account asks for the passkey once more.
    device.open("/account/name/")
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    device.press("Use a passkey or security key")
    page.get_by_label("New name").fill(name[::-1] + "x")
    device.press("Take this name")
    expect(page.locator(".account-menu summary")).to_contain_text(name[::-1] + "x")


def test_a_passkey_is_added_to_an_account_and_a_refusal_is_told(device: Device) -> None:
    page, name = device.page, f"Ben{uuid4().hex[:8]}"
    device.open("/account/signup/")
    page.get_by_label("Name").fill(name)
    for label in ("Password", "The password again"):
        page.get_by_label(label, exact=True).fill("olive-tile-7")
    device.press("Sign up")
    expect(page.locator(".account-menu summary")).to_contain_text(name)

    device.open("/account/2fa/webauthn/add/")
    page.get_by_label("Password").fill("olive-tile-7")
    device.press("Go on")
    page.get_by_label("What you call it").fill("My laptop")
    device.press("Make the passkey")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    device.open("/account/2fa/webauthn/")
    expect(page.get_by_text("My laptop")).to_be_visible()

    page.context.clear_cookies()
    device.open("/account/login/")
    device.says_no()
    device.press("Sign in with a passkey")
    expect(page.locator("#passkey-trouble")).to_be_visible()
    assert re.search(r"/login/$", page.url)
