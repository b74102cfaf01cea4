"""All sockets of a person close at once, without a word from the browser, when the session behind them ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from channels.db import database_sync_to_async as in_db
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config.asgi import application
from tests.platform.test_socket import duel, opened  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
PASSWORD, NEW = "olive-tile-7", "madder-tile-8"


def sign_out(here: Client, elsewhere: Client, user: User) -> None:
    here.post(reverse("account_logout"))


def take_a_new_password(here: Client, elsewhere: Client, user: User) -> None:
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert elsewhere.post(reverse("account_change_password"), form).status_code == 302


def sign_out_there(here: Client, elsewhere: Client, user: User) -> None:
    there = UserSession.objects.get(session_key=here.session.session_key)
    elsewhere.post(reverse("account_session_end", args=[there.pk]))


def sign_out_everywhere_else(here: Client, elsewhere: Client, user: User) -> None:
    elsewhere.post(reverse("usersessions_list"))


def be_closed(here: Client, elsewhere: Client, user: User) -> None:
    user.is_active = False
    user.save()


@pytest.mark.parametrize("end", [sign_out, take_a_new_password, sign_out_there, sign_out_everywhere_else, be_closed])
async def test_sockets_close_with_their_session(
    duel: Any,  # noqa: F811
    cast: Any,
    end: Callable[[Client, Client, User], None],
) -> None:
    def browsers() -> tuple[Client, Client]:
        alice = cast.alice
        alice.set_password(PASSWORD)
        alice.save()
        signed_in = Client(), Client()
        for client in signed_in:
            client.post(reverse("account_login"), {"login": alice.username, "password": PASSWORD})
        return signed_in

    here, elsewhere = await in_db(browsers)()
    async with opened(duel, here) as match:
        await match.position()
        mine = WebsocketCommunicator(
            application,
            "/ws/me/",
            headers=[
                (b"origin", settings.SOCKET_ORIGINS[0].encode()),
                (b"cookie", f"{settings.SESSION_COOKIE_NAME}={here.cookies[settings.SESSION_COOKIE_NAME].value}".encode()),
            ],
        )
        await mine.connect()
        await mine.receive_json_from(timeout=5)
        await in_db(lambda: end(here, elsewhere, cast.alice))()
        assert await match.closed() == 4001
        while (output := await mine.receive_output(timeout=5))["type"] != "websocket.close":
            pass
        assert output["code"] == 4001


async def test_a_socket_whose_session_goes_on_stays_open(duel: Any, cast: Any) -> None:  # noqa: F811
    def another_browser() -> Client:
        client = Client()
        client.force_login(cast.alice)
        return client

    other = await in_db(another_browser)()
    async with opened(duel, duel.alice) as match:
        await match.position()
        await in_db(other.post)(reverse("account_logout"))
        await match.send(type="beat", version=-1)
        assert (await match.get("beat"))["type"] == "beat"
