"""The socket of pages that wait for the bot: progress while it works, what it found, and nothing for others."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_db
from django.conf import settings
from django.test import Client

from config.asgi import application
from matches.models import Match
from studies import analysis, news, reviews
from tests.platform.test_socket import Wire
from tests.studies.conftest import NOW, asked, play_on, worked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


class Page:
    """A browser's end of the socket."""

    def __init__(self, client: Client) -> None:
        cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
        headers = [(b"origin", settings.SITE_URL.encode())]
        headers += [(b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie.value}".encode())] if cookie else []
        self.wire = Wire(application, "/ws/analysis/", headers=headers)

    async def follow(self, key: str) -> None:
        await self.wire.send_to(text_data=json.dumps({"type": "follow", "key": key}))

    async def heard_nothing_before(self, known: str) -> None:
        """All that was sent has been done, and the first word since is about the known key, which is followed now."""
        await self.follow(known)
        assert (await self.heard())["key"] == known

    async def heard(self) -> dict[str, Any]:
        return json.loads(await self.wire.receive_from(timeout=5))


@asynccontextmanager
async def opened(client: Client) -> Any:
    page = Page(client)
    connected, _ = await page.wire.connect()
    assert connected
    try:
        yield page
    finally:
        await page.wire.disconnect()


@pytest.fixture
def alice(cast) -> Client:
    return cast.at_browser(cast.alice)


def ask(client: Client, match: Match, ply: int) -> str:
    return asked(client, "evaluate", {"match": match.pk}, ply).json()["key"]


def known(client: Client, match: Match, ply: int = 3) -> str:
    """The key of a position that the bot has looked at for that person."""
    key = ask(client, match, ply)
    worked()
    return key


async def test_progress_comes_while_the_bot_thinks_and_then_what_it_found(over, alice, cast):
    ready = await in_db(known)(alice, over)
    key = await in_db(ask)(alice, over, 1)
    async with opened(alice) as page:
        await page.follow(key)
        await page.heard_nothing_before(ready)
        await in_db(worked)()
        assert await page.heard() == {"type": "progress", "key": key, "done": analysis.PLAYOUTS, "total": analysis.PLAYOUTS}
        found = await page.heard()
        assert found == await in_db(lambda: analysis.answer_to(cast.alice, key))()
        await page.follow(key)  # asked again, as after a hint that was lost
        assert await page.heard() == found


async def test_who_did_not_ask_is_told_nothing_of_a_position(over, alice, cast):
    key = await in_db(known)(alice, over, 1)
    bob = await in_db(lambda: cast.at_browser(cast.bob))()
    ready = await in_db(known)(bob, over)
    async with opened(bob) as page:
        await page.follow(key)
        await page.heard_nothing_before(ready)


async def test_a_position_that_ones_match_has_reached_meanwhile_is_refused(cast, table):
    def play() -> tuple[Match, Match]:
        secret = bytes(range(32))
        over = play_on(table("cards-2", cast.carol, cast.dan, secret=secret))
        return over, play_on(table("cards-2", cast.alice, cast.bob, secret=secret), 1)

    over, running = await in_db(play)()
    client = await in_db(lambda: cast.at_browser(cast.alice))()
    ready = await in_db(known)(client, over, 7)
    key = await in_db(ask)(client, over, 5)
    async with opened(client) as page:
        await page.follow(key)
        await page.heard_nothing_before(ready)
        await in_db(play_on)(running, 1)
        await in_db(worked)()
        told = await page.heard()
    assert (told["type"], told["key"], told["code"]) == ("refused", key, "played_now")


async def test_a_review_is_followed_by_everybody_who_may_see_its_match(over, cast):
    def begin() -> tuple[str, Client]:
        return reviews.key_of(reviews.ask(over, cast.alice, NOW)), Client()

    key, anybody = await in_db(begin)()
    async with opened(anybody) as page:
        await page.follow(key)
        assert await page.heard() == {"type": "progress", "key": key, "done": 0, "total": over.ply}
        await in_db(worked)()
        frames = [await page.heard() for _ in range(over.ply + 1)]
    assert [frame["done"] for frame in frames[:-1]] == list(range(1, over.ply + 1))
    assert frames[-1] == {"type": "review", "key": key}


async def test_of_a_private_match_strangers_hear_not_even_how_long_it_was(cast, table):
    def begin() -> tuple[str, Client, str]:
        match = play_on(table("cards-2", cast.alice, cast.bob, private=True))
        carol = cast.at_browser(cast.carol)
        ready = known(carol, play_on(table("cards-2", cast.alice, cast.bob)))
        return reviews.key_of(reviews.ask(match, cast.alice, NOW)), carol, ready

    key, stranger, ready = await in_db(begin)()
    async with opened(stranger) as page:
        await page.follow(key)
        await page.heard_nothing_before(ready)
        await in_db(worked)()
        await page.heard_nothing_before(ready)


@pytest.mark.parametrize("text", ["[]", "{", '{"type": "follow"}', '{"type": "follow", "key": 7}', '{"type": "follow", "key": "a b"}'])
async def test_what_is_no_frame_is_passed_over(over, alice, text):
    key = await in_db(known)(alice, over)
    async with opened(alice) as page:
        await page.wire.send_to(text_data=text)
        await page.heard_nothing_before(key)


async def test_only_the_keys_followed_last_are_told_of(over, alice):
    ready = await in_db(known)(alice, over)
    async with opened(alice) as page:
        for number in range(8):
            await page.follow(f"key{number}")
        await page.heard_nothing_before(ready)
        for key in ("key0", "key1"):
            await in_db(news.progress)(key, 1, 2)
        assert (await page.heard())["key"] == "key1"
