"""The socket of a person: what waits, told to every page at once, and never to anybody else."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_db
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from config.asgi import application
from lobby.services import Wish, challenge, decline_challenge
from matches import announce
from matches.clock import TimeControl
from matches.services import BotSeat, Person, resign, start_match
from notices.models import NoticeSettings
from tests.notices.conftest import move, work
from tests.platform.test_socket import Wire

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


class Page:
    """A page's end of the socket."""

    def __init__(self, client: Any, language: str) -> None:
        headers = [(b"origin", settings.SITE_URL.encode()), (b"accept-language", language.encode())]
        if client is not None:
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
        self.wire = Wire(application, "/ws/me/", headers=headers)

    async def mine(self) -> dict[str, Any]:
        frame = json.loads(await self.wire.receive_from(timeout=5))
        assert frame["type"] == "mine"
        return frame

    async def waiting(self) -> list[int]:
        """The matches of the next frame."""
        return [match["match"] for match in (await self.mine())["waiting"]]

    async def beat(self, zone: str = "UTC") -> None:
        await self.wire.send_to(text_data=json.dumps({"type": "beat", "zone": zone}))

    async def closed(self) -> int:
        while (output := await self.wire.receive_output(timeout=5))["type"] != "websocket.close":
            pass
        return output["code"]


@asynccontextmanager
async def opened(client: Any = None, language: str = "en") -> Any:
    page = Page(client, language)
    connected, _ = await page.wire.connect()
    assert connected
    try:
        yield page
    finally:
        await page.wire.disconnect()


@pytest.fixture
def duel(cast, days):
    """alice, to move, against bob, with their browsers."""
    match = days(cast.alice, cast.bob)
    match.alice, match.bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    return match


async def test_a_page_hears_at_once_what_waits_and_where(duel):
    async with opened(duel.alice) as alice, opened(duel.bob) as bob:
        (waiting,) = (await alice.mine())["waiting"]
        assert waiting == {
            "match": duel.pk, "ply": duel.ply, "title": "Your turn in Cards", "body": "against bob", "url": f"/match/{duel.pk}/",
        }  # fmt: skip
        assert await bob.waiting() == []


async def test_after_a_move_every_page_of_both_hears_of_it(duel):
    async with opened(duel.alice) as alice, opened(duel.bob) as bob, opened(duel.bob) as other:
        for page in (alice, bob, other):
            await page.mine()
        await in_db(move)(duel)
        assert await alice.waiting() == []
        assert await bob.waiting() == await other.waiting() == [duel.pk]


async def test_many_hints_at_once_make_one_look_soon_after(duel):
    async with opened(duel.bob) as bob:
        await bob.mine()
        await in_db(move)(duel)
        for _ in range(5):
            await in_db(announce.persons)([(await in_db(lambda: duel.seats.get(number=1))()).user_id])
        assert await bob.waiting() == [duel.pk]
        assert await bob.wire.receive_nothing(0.3)


async def test_a_hint_that_was_lost_is_made_good_by_the_next_beat(duel, settings):
    async with opened(duel.bob) as bob:
        await bob.mine()
        settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
        await in_db(move)(duel)
        assert await bob.wire.receive_nothing(0.1)
        await bob.beat()
        assert await bob.waiting() == [duel.pk]


async def test_what_has_not_changed_is_not_sent_again(duel):
    async with opened(duel.alice) as alice:
        await alice.mine()
        await alice.beat()
        assert await alice.wire.receive_nothing(0.2)


async def test_a_match_against_bots_alone_marks_nothing(cast, days):
    def start() -> Any:
        start_match("cards", "cards-2", seats=[Person(cast.alice), BotSeat("low")], now=timezone.now())
        return cast.at_browser(cast.alice)

    async with opened(await in_db(start)()) as alice:
        assert await alice.waiting() == []


async def test_a_challenge_comes_and_goes(cast):
    alice, bob = await in_db(lambda: (cast.alice, cast.bob))()
    client = await in_db(cast.at_browser)(bob)
    async with opened(client) as page:
        assert (await page.mine())["challenges"] == []
        seek = await in_db(challenge)(alice, [bob], Wish("blokus", "duo-2", control=TimeControl.parse("3d")), now=timezone.now())
        await in_db(work)("tell")
        (asked,) = (await page.mine())["challenges"]
        assert asked["title"] == "alice challenges you"
        assert asked["url"] == f"/table/{seek.token}/"
        await in_db(decline_challenge)(seek.pk, bob, now=timezone.now())
        await page.beat()
        assert (await page.mine())["challenges"] == []


async def test_starts_and_ends_are_told_for_an_hour(duel):
    await in_db(work)("tell")
    await in_db(resign)(duel.pk, 0, now=timezone.now())
    await in_db(work)("tell")
    async with opened(duel.bob) as bob:
        told = (await bob.mine())["notices"]
    assert [(notice["kind"], notice["title"]) for notice in told] == [("start", "Cards has begun"), ("end", "Cards is over")]


async def test_a_beat_says_that_the_person_is_here_and_keeps_zone_and_language(duel):
    before = timezone.now() - timedelta(seconds=1)
    async with opened(duel.alice, "nl") as alice:
        await alice.mine()
        await alice.beat("Europe/Amsterdam")
        assert await alice.wire.receive_nothing(0.2)
        await alice.beat("Middle/Earth")
        assert await alice.wire.receive_nothing(0.2)
    person = await in_db(User.objects.get)(username="alice")
    assert person.seen_at > before
    assert person.preferences == {"timezone": "Europe/Amsterdam", "language": "nl"}


async def test_pages_know_which_marks_the_person_likes(cast, duel):
    await in_db(lambda: NoticeSettings.objects.create(user=cast.alice, sound=False, title=True, badge=False))()
    async with opened(duel.alice) as alice:
        assert (await alice.mine())["settings"] == {"sound": False, "title": True, "badge": False}


async def test_a_guest_has_a_socket_too_and_nobody_has_none(cast, db):
    client = await in_db(lambda: cast.at_browser(cast.guest()))()
    async with opened(client) as guest:
        assert await guest.waiting() == []
    async with opened() as nobody:
        assert await nobody.closed() == 4001


async def test_who_signs_out_hears_no_more(duel):
    async with opened(duel.alice) as alice:
        await alice.mine()
        await in_db(duel.alice.logout)()
        await alice.beat()
        assert await alice.closed() == 4001


@pytest.mark.parametrize(("text", "code"), [("x" * 300, 1009), (None, 1009)])
async def test_a_frame_that_is_too_big_or_no_text_closes_the_socket(duel, text, code):
    async with opened(duel.alice) as alice:
        await alice.mine()
        await alice.wire.send_to(text_data=text, bytes_data=None if text else b"x")
        assert await alice.closed() == code


async def test_nonsense_is_passed_over_and_a_flood_closes_the_socket(duel):
    async with opened(duel.alice) as alice:
        await alice.mine()
        for text in ("nonsense", "[]", '{"type": "beat"}', '{"type": "beat", "zone": 7}'):
            await alice.wire.send_to(text_data=text)
        assert await alice.wire.receive_nothing(0.1)
        for _ in range(12):
            await alice.wire.send_to(text_data="nonsense")
        assert await alice.closed() == 4008
