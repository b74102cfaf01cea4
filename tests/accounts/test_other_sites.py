"""Sign-in with an account of another site: what the environment switches on, and what becomes of guests and accounts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import environ
import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.conf import settings as site
from django.http import HttpResponse
from django.urls import reverse

from accounts.models import User
from accounts.players import SESSION_KEY
from config.providers import providers
from tests.accounts.conftest import Visitor, matches_of
from tests.accounts.openid import OtherSite, other_site

pytestmark = pytest.mark.long

LOGIN = "/account/oidc/oidc/login/"


@pytest.fixture
def club(settings: Any) -> Iterator[OtherSite]:
    """The other site, with one person signed in there."""
    with other_site() as server:
        server.person = {"sub": "17", "email": "ann@example.org", "email_verified": True, "preferred_username": "Ann", "name": "Ann Real"}
        env = {"OIDC_CLIENT_ID": "tessera", "OIDC_CLIENT_SECRET": "secret", "OIDC_SERVER_URL": server.url, "OIDC_NAME": "Tile Club"}
        settings.SOCIALACCOUNT_PROVIDERS = found(**env).settings
        yield server


def found(**values: str) -> Any:
    """What `config.providers` makes of an environment."""
    env = environ.Env()
    env.ENVIRON = values
    return providers(env)


def go(visitor: Visitor, process: str = "login") -> HttpResponse:
    """Press the button, go to the other site, say yes there, and come back."""
    there = visitor.post(f"{LOGIN}?process={process}")
    assert there.status_code == 302
    back = requests.get(there["Location"], allow_redirects=False, timeout=5).headers["Location"]
    return visitor.get(f"{urlsplit(back).path}?{urlsplit(back).query}")


def test_without_keys_in_the_environment_there_is_nothing() -> None:
    nothing = found()
    assert (nothing.apps, nothing.settings, nothing.origins) == ([], {}, [])


def test_keys_in_the_environment_switch_sites_on() -> None:
    keys = {f"{name}_CLIENT_{part}": "x" for name in ("GOOGLE", "GITHUB", "DISCORD") for part in ("ID", "SECRET")}
    some = found(**keys, OIDC_CLIENT_ID="y", OIDC_SERVER_URL="https://id.example.org/realms/club", OIDC_NAME="Club")
    assert set(some.settings) == {"google", "github", "discord", "openid_connect"}
    assert all(app.startswith("allauth.socialaccount.providers.") for app in some.apps)
    assert some.origins == ["https://accounts.google.com", "https://github.com", "https://discord.com", "https://id.example.org"]
    elsewhere = found(OIDC_CLIENT_ID="y", OIDC_SERVER_URL="https://id.example.org", OIDC_SIGN_IN_ORIGIN="https://login.example.org")
    assert elsewhere.origins == ["https://login.example.org"]


def test_our_forms_may_lead_to_the_sites_that_are_on_and_nowhere_else(visitor: Visitor) -> None:
    policy = visitor.get(reverse("account_login"))["Content-Security-Policy"]
    allowed = re.search(r"form-action ([^;]*)", policy)
    assert allowed
    assert allowed[1].split() == ["'self'", *site.SIGN_IN_WITH.origins]


@pytest.mark.parametrize("page_name", ["account_login", "account_signup"])
def test_buttons_come_with_the_sites(visitor: Visitor, club: OtherSite, settings: Any, page_name: str) -> None:
    assert "Go on with Tile Club" in visitor.get(reverse(page_name)).content.decode()
    settings.SOCIALACCOUNT_PROVIDERS = {}
    assert "Go on with" not in visitor.get(reverse(page_name)).content.decode()


def test_a_guest_who_comes_by_another_site_chooses_a_name_and_keeps_the_matches(visitor: Visitor, club: OtherSite) -> None:
    played = {visitor.play(), visitor.play()}
    guest = visitor.session[SESSION_KEY]
    assert go(visitor)["Location"] == reverse("socialaccount_signup")
    assert User.objects.get(pk=guest).is_guest
    page = visitor.get(reverse("socialaccount_signup")).content.decode()
    assert 'value="Ann"' in page
    assert "Tile Club says that it is you" in page
    visitor.post(reverse("socialaccount_signup"), {"username": "Annie", "email": "ann@example.org"})
    assert visitor.user_id == guest
    ann = User.objects.get(pk=guest)
    assert (ann.username, ann.is_guest, ann.first_name, ann.last_name) == ("Annie", False, "", "")
    assert not ann.has_usable_password()
    assert matches_of(guest) == played
    assert User.objects.count() == 1
    assert EmailAddress.objects.get(user=ann).verified
    assert not SocialToken.objects.exists()


def test_the_second_time_it_signs_in_at_once_and_a_guests_seats_come_along(visitor: Visitor, other: Visitor, club: OtherSite) -> None:
    go(visitor)
    visitor.post(reverse("socialaccount_signup"), {"username": "Ann", "email": ""})
    ann = visitor.user_id
    played = other.play()
    assert go(other)["Location"] == "/"
    assert other.user_id == ann
    assert matches_of(ann) == {played}


def test_a_name_that_is_taken_or_reserved_is_refused_there_too(visitor: Visitor, club: OtherSite, account: Callable[..., User]) -> None:
    account("Ann")
    go(visitor)
    for name, reason in (("ann", "Please choose another"), ("admin", "reserved")):
        page = visitor.post(reverse("socialaccount_signup"), {"username": name, "email": ""}).content.decode()
        assert reason in page
    assert visitor.user_id is None


def test_an_address_alone_opens_nobodys_account(visitor: Visitor, club: OtherSite, account: Callable[..., User]) -> None:
    ann = account("Ann", "ann@example.org")
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    go(visitor)
    assert visitor.user_id is None
    visitor.post(reverse("socialaccount_signup"), {"username": "Annie", "email": "ann@example.org"})
    assert visitor.user_id != ann.pk
    assert EmailAddress.objects.get(email="ann@example.org", verified=True).user == ann


def test_an_account_is_connected_and_disconnected(visitor: Visitor, other: Visitor, club: OtherSite, account: Callable[..., User]) -> None:
    ann = account("Ann")
    visitor.sign_in("Ann")
    visitor.post(reverse("account_reauthenticate"), {"password": "olive-tile-7"})
    assert go(visitor, "connect")["Location"] == reverse("socialaccount_connections")
    assert "Tile Club" in visitor.get(reverse("socialaccount_connections")).content.decode()
    go(other)
    assert other.user_id == ann.pk
    visitor.post(reverse("socialaccount_connections"), {"account": SocialAccount.objects.get().pk})
    assert not SocialAccount.objects.exists()


def test_the_only_way_in_cannot_be_taken_away(visitor: Visitor, club: OtherSite) -> None:
    go(visitor)
    visitor.post(reverse("socialaccount_signup"), {"username": "Ann", "email": ""})
    page = visitor.post(reverse("socialaccount_connections"), {"account": SocialAccount.objects.get().pk}).content.decode()
    assert "your only way in" in page
    assert SocialAccount.objects.exists()


def test_who_has_nothing_to_be_asked_for_again_can_still_set_a_password(visitor: Visitor, other: Visitor, club: OtherSite) -> None:
    club.person["email_verified"] = False
    go(visitor)
    visitor.post(reverse("socialaccount_signup"), {"username": "Ann", "email": ""})
    visitor.post(reverse("account_set_password"), {"password1": "madder-tile-8", "password2": "madder-tile-8"})
    other.sign_in("Ann", "madder-tile-8")
    assert other.user_id == visitor.user_id


def test_who_says_no_there_is_still_the_guest_of_before(visitor: Visitor, club: OtherSite) -> None:
    played = visitor.play()
    club.declines = True
    answer = go(visitor)
    page = visitor.get(answer["Location"]).content.decode() if answer.status_code == 302 else answer.content.decode()
    assert "Not signed in" in page
    assert matches_of(visitor.session[SESSION_KEY]) == {played}


def test_an_answer_that_nobody_asked_for_is_refused(visitor: Visitor, other: Visitor, club: OtherSite) -> None:
    there = other.post(LOGIN)
    back = requests.get(there["Location"], allow_redirects=False, timeout=5).headers["Location"]
    page = visitor.get(f"{urlsplit(back).path}?{urlsplit(back).query}")
    assert "Not signed in" in page.content.decode()
    assert visitor.user_id is None
