"""The lobby's sockets: whole parts for each viewer, sent when something changed, and leading to the match when it begins."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_db
from channels.layers import get_channel_layer
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from config.asgi import application
from lobby.models import Seek
from lobby.pairing import EVERYBODY, quick_match
from lobby.services import challenge, join_seek, post_seek
from matches.announce import LOBBY
from matches.models import Match
from tests.lobby.conftest import DAYS, rate, wish
from tests.platform.test_socket import Wire

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


class Socket:
    """A browser's end of a socket of the lobby."""

    def __init__(self, path: str, client: Client | None) -> None:
        headers = [(b"origin", settings.SITE_URL.encode())]
        if client is not None:
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
        self.wire = Wire(application, path, headers=headers)

    async def get(self, kind: str = "lobby") -> dict[str, Any]:
        """The next frame of this type."""
        while (frame := json.loads(await self.wire.receive_from(timeout=5)))["type"] != kind:
            pass
        return frame

    async def until(self, part: str, words: str) -> dict[str, Any]:
        """The next frame that brings a part with these words in it."""
        while words not in (frame := await self.get())["parts"].get(part, ""):
            pass
        return frame


@asynccontextmanager
async def opened(path: str = "/ws/lobby/", client: Client | None = None) -> Any:
    socket = Socket(path, client)
    connected, _ = await socket.wire.connect()
    assert connected
    try:
        yield socket
    finally:
        await socket.wire.disconnect()


def post(host: User, variant: str = "classic-4", **more: Any) -> Seek:
    kind = more.pop("kind", "open")
    return post_seek(host, wish(variant, **({"control": DAYS} | more)), kind=kind, now=timezone.now())


def browser(cast: Any, name: str) -> Client:
    return cast.at_browser(getattr(cast, name))


async def test_whoever_opens_the_lobby_gets_all_its_parts_at_once(cast):
    await in_db(post)(await in_db(lambda: cast.alice)(), message="first")
    async with opened() as socket:
        frame = await socket.get()
    assert set(frame["parts"]) == {"mine", "seeks", "watch", "online"}
    assert "first" in frame["parts"]["seeks"]
    assert frame["started"] == []


async def test_a_new_table_appears_by_itself_and_only_what_changed_is_sent(cast):
    alice = await in_db(lambda: cast.alice)()
    async with opened() as socket:
        await socket.get()
        await in_db(post)(alice, message="hello there")
        frame = await socket.until("seeks", "hello there")
    assert "watch" not in frame["parts"]


@pytest.mark.long
async def test_filling_is_seen_and_the_beginning_leads_everybody_at_the_table_to_the_match(cast):
    alice, bob, carol = [await in_db(lambda name=name: getattr(cast, name))() for name in ("alice", "bob", "carol")]
    seek = await in_db(post)(alice, "classic-3")
    alices, carols = await in_db(browser)(cast, "alice"), await in_db(browser)(cast, "carol")
    async with opened(client=alices) as host, opened(client=carols) as looker:
        await host.get()
        await looker.get()
        await in_db(join_seek)(seek.pk, bob, now=timezone.now())
        await host.until("mine", "2 of 3 places taken")
        await looker.until("seeks", "2 of 3 places taken")
        match = (await in_db(join_seek)(seek.pk, await in_db(lambda: cast.dave)(), now=timezone.now())).match
        address = reverse("match", args=[match.pk])
        while not (frame := await host.get())["started"]:
            pass
        assert frame["started"] == [address]
        seen = await looker.until("seeks", "No table is open")
        assert seen["started"] == []
    assert carol.pk


@pytest.mark.long
async def test_a_challenge_reaches_only_the_one_who_is_challenged(cast):
    alice, bob = [await in_db(lambda name=name: getattr(cast, name))() for name in ("alice", "bob")]
    bobs, carols = await in_db(browser)(cast, "bob"), await in_db(browser)(cast, "carol")
    async with opened(client=bobs) as challenged, opened(client=carols) as other:
        await challenged.get()
        await other.get()
        seek = await in_db(challenge)(alice, [bob], wish(control=DAYS), now=timezone.now())
        assert seek.token in (await challenged.until("mine", "You are challenged"))["parts"]["mine"]
        await in_db(post)(alice, message="for all")
        frame = await other.until("seeks", "for all")
    assert seek.token not in json.dumps(frame)


async def test_a_burst_of_hints_is_one_rendering_and_what_did_not_change_is_not_sent_again(cast):
    alice = await in_db(lambda: cast.alice)()
    async with opened() as socket:
        await socket.get()
        for _ in range(30):
            await get_channel_layer().group_send(LOBBY, {"type": "lobby.changed"})
        await in_db(post)(alice, message="after the burst")
        frame = await socket.get()
    assert "after the burst" in frame["parts"]["seeks"]


async def test_an_open_lobby_is_a_sign_of_life(cast):
    alices = await in_db(browser)(cast, "alice")
    async with opened(client=alices) as socket:
        frame = await socket.until("online", "alice")
    assert "<strong>" not in frame["parts"]["online"]
    assert (await User.objects.aget(username="alice")).seen_at is not None


async def test_a_beat_of_who_waits_looks_further_for_an_opponent(cast):
    alice, bob = [await in_db(lambda name=name: getattr(cast, name))() for name in ("alice", "bob")]
    await in_db(rate)(bob, 2400)
    now = timezone.now()
    for user in (alice, bob):
        assert (await in_db(quick_match)(user, "blokus", "live", now=now)).status == "open"
    alices = await in_db(browser)(cast, "alice")
    async with opened(client=alices) as socket:
        await socket.until("mine", "Looking for somebody")
        await Seek.objects.filter(host=bob).aupdate(created_at=now - EVERYBODY)
        await socket.wire.send_to(text_data='{"type":"beat"}')
        while not (frame := await socket.get())["started"]:
            pass
    match = await Match.objects.aget()
    assert frame["started"] == [reverse("match", args=[match.pk])]


async def test_a_beat_is_answered(cast):
    async with opened() as socket:
        await socket.wire.send_to(text_data='{"type":"beat"}')
        assert "now" in await socket.get("beat")


async def test_too_many_and_too_big_frames_close_the_socket(cast):
    for text, times, code in (("x" * 2000, 1, 1009), ("{}", 30, 4008)):
        async with opened() as socket:
            for _ in range(times):
                await socket.wire.send_to(text_data=text)
            while (output := await socket.wire.receive_output(timeout=5))["type"] != "websocket.close":
                pass
            assert output["code"] == code


async def test_the_page_of_a_table_is_kept_up_to_date_and_a_table_that_is_not_closes_the_socket(cast):
    alice, bob = [await in_db(lambda name=name: getattr(cast, name))() for name in ("alice", "bob")]
    seek = await in_db(post)(alice, kind="link")
    async with opened(f"/ws/table/{seek.token}/") as socket:
        assert set((await socket.get())["parts"]) == {"table"}
        await in_db(join_seek)(seek.pk, bob, now=timezone.now())
        await socket.until("table", "bob")
    async with opened("/ws/table/no-such-table/") as socket:
        assert (await socket.wire.receive_output(timeout=5))["code"] == 4404


async def test_pages_of_other_origins_get_no_socket(cast):
    wire = Wire(application, "/ws/lobby/", headers=[(b"origin", b"https://elsewhere.example")])
    connected, _ = await wire.connect()
    assert not connected
