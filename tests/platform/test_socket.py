"""The live socket: what it shows, what it obeys, what it refuses."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async as in_db
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.db.models import F
from django.test import Client

from config.asgi import application
from matches import consumers, payloads, sockets
from matches.announce import group_of
from matches.models import Match
from tests.platform.conftest import held, legal, now_at, play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


class Wire(WebsocketCommunicator):
    """Channels' own leaves connections open on purpose, which starves our pool of them; this one does not."""

    send_input = ApplicationCommunicator.send_input
    receive_output = ApplicationCommunicator.receive_output


class Socket:
    """A browser's end of a match's socket."""

    def __init__(self, match_id: int, client: Client | None) -> None:
        headers = [(b"origin", settings.SITE_URL.encode())]
        if client is not None:
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
        self.wire = Wire(application, f"/ws/match/{match_id}/", headers=headers)

    async def send(self, **frame: Any) -> None:
        await self.wire.send_to(text_data=json.dumps(frame))

    async def get(self, kind: str) -> dict[str, Any]:
        """The next frame, which must be of this type; what comes unasked for may come in between at any time."""
        frame = await self.next()
        while frame["type"] != kind and frame["type"] in ("beat", "position", "presence", "received", "chat"):
            frame = await self.next()
        assert frame["type"] == kind, frame
        return frame

    async def next(self) -> dict[str, Any]:
        """The next frame, whatever it is."""
        return json.loads(await self.wire.receive_from(timeout=5))

    async def told_of_moves(self, count: int) -> list[dict[str, Any]]:
        """The next frames that a move brings; who comes and goes meanwhile, and signs of life, are told between them."""
        told: list[dict[str, Any]] = []
        while len(told) < count:
            frame = await self.next()
            if frame["type"] not in ("beat", "presence"):
                told.append(frame)
        return told

    async def closed(self) -> int:
        """The code the server closes with."""
        while (output := await self.wire.receive_output(timeout=5))["type"] != "websocket.close":
            pass
        return output["code"]

    async def position(self) -> dict[str, Any]:
        """What a page that just opened is shown."""
        await self.send(type="beat", version=-1)
        await self.get("beat")
        return await self.get("position")

    async def move(self, text: str, ply: int, **more: Any) -> None:
        await self.send(type="move", id=str(uuid4()), ply=ply, text=text, **more)


@asynccontextmanager
async def opened(match: Any, client: Client | None = None) -> Any:
    socket = Socket(match.pk, client)
    connected, _ = await socket.wire.connect()
    assert connected
    try:
        yield socket
    finally:
        await socket.wire.disconnect()


@pytest.fixture
def duel(cast, table):
    """A match of alice, to move, against bob, with their browsers."""
    match = table("cards-2", cast.alice, cast.bob)
    match.alice, match.bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    return match


def fresh(match: Any, seat: int | None) -> dict[str, Any]:
    """What a fresh page load would hold, as it comes out of JSON."""
    return json.loads(json.dumps(payloads.for_seat(now_at(match), seat)))


async def test_the_first_beat_is_answered_with_the_whole_position(duel):
    async with opened(duel, duel.alice) as socket:
        position = await socket.position()
    assert position.pop("type") == "position"
    assert position == await in_db(fresh)(duel, 0)
    assert position["seat"] == 0
    assert position["offer"]


async def test_a_beat_that_is_up_to_date_gets_no_position(duel):
    async with opened(duel, duel.alice) as socket:
        await socket.position()
        await socket.send(type="beat", version=duel.version)
        beat = await socket.get("beat")
        assert beat["version"] == duel.version
        assert await socket.wire.receive_nothing(0.05)


async def test_what_is_pushed_after_every_move_equals_a_fresh_page_load_for_every_viewer(duel):
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob, opened(duel) as watcher:
        for socket in (alice, bob, watcher):
            await socket.position()
        match = duel
        while match.running:
            mover = (alice, bob)[match.to_move]
            await mover.move(await in_db(legal)(match), match.ply)
            seen = []
            for seat, socket in ((0, alice), (1, bob), (None, watcher)):
                frames = await socket.told_of_moves(3 if socket is mover else 1)
                assert {frame["type"] for frame in frames} == ({"received", "ack", "position"} if socket is mover else {"position"})
                pushed = next(frame for frame in frames if frame.pop("type") == "position")
                assert pushed == await in_db(fresh)(match, seat)
                seen.append(pushed)
            assert seen[2]["offer"] is None
            assert seen[0]["view"]["hand"] != seen[2]["view"]["hand"] or not seen[0]["view"]["hand"]
            match = await in_db(now_at)(match)
    assert match.status == "finished"


async def test_a_move_is_acknowledged_with_its_ply_and_version(duel):
    async with opened(duel, duel.alice) as socket:
        await socket.move(await in_db(legal)(duel), duel.ply)
        ack = await socket.get("ack")
    assert (ack["ply"], ack["version"], ack["repeated"]) == (duel.ply + 1, duel.version + 1, False)


async def test_the_same_move_sent_again_over_another_socket_gets_the_first_answer(duel):
    frame = {"type": "move", "id": str(uuid4()), "ply": duel.ply, "text": await in_db(legal)(duel)}
    async with opened(duel, duel.alice) as socket:
        await socket.send(**frame)
        first = await socket.get("ack")
    async with opened(duel, duel.alice) as socket:
        await socket.send(**frame)
        again = await socket.get("ack")
    assert again == first | {"repeated": True}


async def test_refusals_name_a_code_and_a_reason(duel):
    text = await in_db(legal)(duel)
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob:
        codes = []
        for socket, attempt, ply in (
            (bob, text, duel.ply),
            (alice, text, duel.ply - 1),
            (alice, "99", duel.ply),
            (alice, "nonsense", duel.ply),
            (alice, "=1", duel.ply),
            (alice, "7" * 501, duel.ply),
        ):
            await socket.move(attempt, ply)
            refused = await socket.get("refused")
            assert refused["message"]
            assert refused["version"] == duel.version
            codes.append(refused["code"])
    assert codes == ["not_your_turn", "stale", "not_held", "no_card", "chance", "too_long"]


@pytest.mark.parametrize("stranger", ["nobody known", "a player of another match"])
async def test_a_watcher_gets_neither_an_offer_nor_a_move(duel, cast, stranger):
    browser = None if stranger == "nobody known" else await in_db(lambda: cast.at_browser(cast.carol))()
    async with opened(duel, browser) as watcher:
        position = await watcher.position()
        assert position["offer"] is None
        assert position["seat"] is None
        assert not any(position["may"].values())
        for frame in ({"type": "move", "ply": duel.ply, "text": "1"}, {"type": "resign"}, {"type": "abort"}):
            await watcher.send(id=str(uuid4()), **frame)
            assert (await watcher.get("refused"))["code"] == "not_seated"


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"flag","id":"8d0d5ad3-45a5-4d3f-9b4e-6f3b1c2a7e10"}', '{"type":"seen","ply":"1"}', '{"type":"echo"}',
        '{"type":"ahead","id":1}',
        '{"type":"chat","id":"8d0d5ad3-45a5-4d3f-9b4e-6f3b1c2a7e10","room":"players","text":"x"}',
        '{"type":"offer","id":"8d0d5ad3-45a5-4d3f-9b4e-6f3b1c2a7e10","kind":null}',
        "nonsense", "[]", "null", "[" * 9000, '{"type":"beat"}', '{"type":"beat","version":"1"}', '{"type":"beat","version":true}',
        '{"type":"beat","version":1.5}', '{"type":"beat","version":NaN}', '{"type":"beat","version":99999999999999}',
        '{"type":"beat","version":1,"more":1}', '{"type":"fly"}', '{"type":["beat"]}', '{"version":1}',
        '{"type":"move","id":"1","ply":1,"text":"7"}', '{"type":"resign","id":"8d0d5ad3-45a5-4d3f-9b4e-6f3b1c2a7e10","seat":1}',
    ],
)  # fmt: skip
async def test_a_frame_outside_the_protocol_is_refused_and_the_socket_lives_on(duel, text):
    async with opened(duel, duel.alice) as socket:
        await socket.wire.send_to(text_data=text)
        refused = await socket.get("refused")
        assert (refused["id"], refused["code"]) == (None, "bad_frame")
        await socket.position()


async def test_frames_that_are_too_big_or_not_text_close_the_socket(duel):
    async with opened(duel, duel.alice) as socket:
        await socket.wire.send_to(text_data=" " * (16 * 1024 + 1))
        assert await socket.closed() == 1009
    async with opened(duel, duel.alice) as socket:
        await socket.wire.send_to(bytes_data=b"{}")
        assert await socket.closed() == 1009


async def test_too_many_frames_at_once_close_the_socket(duel):
    async with opened(duel, duel.alice) as socket:
        for _ in range(consumers.MatchConsumer.BURST + 5):
            await socket.send(type="nonsense")
        assert await socket.closed() == 4008


def test_the_bucket_allows_a_burst_and_then_a_steady_rate():
    bucket = sockets.Bucket(3, 2, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.4), bucket.take(0.5), bucket.take(0.6)] == [False, True, False]
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


async def test_a_browser_that_never_says_what_it_has_seen_is_closed(duel, monkeypatch):
    monkeypatch.setattr(consumers, "MOST_UNSEEN", 4000)
    async with opened(duel, duel.alice) as socket:
        for _ in range(10):
            await socket.send(type="beat", version=-1)
        assert await socket.closed() == 4009
    async with opened(duel, duel.alice) as socket:
        for _ in range(10):
            await socket.send(type="beat", version=duel.version)
            await socket.get("beat")


async def test_no_such_match_is_told_by_the_close_code(duel):
    duel.pk = 10**9
    async with opened(duel, duel.alice) as socket:
        assert await socket.closed() == 4404


async def test_a_page_of_another_site_gets_no_socket(duel):
    socket = Socket(duel.pk, duel.alice)
    socket.wire.scope["headers"][0] = (b"origin", b"https://elsewhere.example")
    connected, _ = await socket.wire.connect()
    assert not connected


async def test_once_signed_out_the_socket_obeys_and_shows_nothing_any_more(duel):
    async with opened(duel, duel.alice) as mover, opened(duel, duel.alice) as reader:
        await mover.position()
        await reader.position()
        await in_db(duel.alice.logout)()
        await mover.move(await in_db(legal)(duel), duel.ply)
        assert await mover.closed() == 4001
        assert (await in_db(now_at)(duel)).ply == duel.ply
        await in_db(play_on)(duel, 1)
        assert await reader.closed() == 4001


async def test_a_new_password_elsewhere_and_a_closed_account_end_the_socket(duel, cast):
    def change_password() -> None:
        alice = cast.alice
        alice.set_password("another one entirely")
        alice.save()

    def close_account() -> None:
        bob = cast.bob
        bob.is_active = False
        bob.save()

    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob:
        for socket in (alice, bob):
            await socket.position()
        await in_db(change_password)()
        await alice.send(type="beat", version=-1)
        assert await alice.closed() == 4001
        await in_db(close_account)()
        await bob.send(type="beat", version=-1)
        assert await bob.closed() == 4001


async def test_a_guest_plays_by_its_session(cast, table):
    def set_up() -> Any:
        guest = cast.guest()
        match = table("cards-2", guest, "low")
        match.browser = cast.at_browser(guest)
        return match

    match = await in_db(set_up)()
    async with opened(match, match.browser) as socket:
        assert (await socket.position())["seats"][0]["kind"] == "guest"
        await socket.move(await in_db(legal)(match), match.ply)
        await socket.get("ack")


async def test_two_tabs_both_follow_and_the_stale_one_is_refused(duel):
    text = await in_db(legal)(duel)
    async with opened(duel, duel.alice) as one, opened(duel, duel.alice) as other:
        await one.position()
        await other.position()
        await one.move(text, duel.ply)
        await one.get("ack")
        assert (await other.get("position"))["ply"] == (await one.get("position"))["ply"]
        await other.move(text, duel.ply)
        assert (await other.get("refused"))["code"] == "stale"


async def test_why_is_answered_from_the_rules(duel):
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob:
        answers = []
        for socket, text in ((alice, await in_db(legal)(duel)), (alice, "99"), (alice, "x"), (bob, "1")):
            await socket.send(type="why", id=str(uuid4()), text=text)
            answers.append((await socket.get("why"))["message"])
    assert answers[:2] == [None, "The card 99 cannot be played."]
    assert "not a card" in answers[2]
    assert answers[3] == "It is not your turn."


async def test_resigning_and_calling_off_go_over_the_socket_too(duel):
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob:
        await alice.position()
        await bob.send(type="resign", id=str(uuid4()))
        await bob.get("ack")
        over = await alice.get("position")
        assert (over["status"], over["termination"], over["ranks"]) == ("finished", "resigned", [1, 2])
        await alice.send(type="abort", id=str(uuid4()))
        assert (await alice.get("refused"))["code"] == "match_over"


@pytest.mark.long
async def test_while_the_database_does_not_answer_a_move_is_put_off_and_the_socket_lives_on(duel):
    async with opened(duel, duel.alice) as socket:
        text = await in_db(legal)(duel)
        with held(duel):
            await socket.move(text, duel.ply)
            assert (await socket.get("refused"))["code"] == "busy"
        await socket.move(text, duel.ply)
        await socket.get("ack")


@pytest.mark.long
async def test_a_move_that_waits_for_its_match_delays_no_other_match(duel, cast, table):
    other = await in_db(lambda: table("cards-2", cast.alice, cast.bob))()
    text, elsewhere = await in_db(legal)(duel), await in_db(legal)(other)
    async with opened(duel, duel.alice) as waiting, opened(other, duel.alice) as socket:
        with held(duel):
            await waiting.move(text, duel.ply)
            await socket.move(elsewhere, other.ply)
            await socket.get("ack")
            await waiting.get("received")
            assert await waiting.wire.receive_nothing(0.01)
        await waiting.get("ack")


def unannounced(match: Match) -> None:
    """Change the match so that the sockets do not hear of it."""
    Match.objects.filter(pk=match.pk).update(version=F("version") + 1)


async def test_a_lost_hint_is_made_good_by_the_next_beat(duel):
    async with opened(duel, duel.alice) as socket:
        await socket.position()
        await in_db(unannounced)(duel)
        assert await socket.wire.receive_nothing(0.05)
        await socket.send(type="beat", version=duel.version)
        await socket.get("beat")
        assert (await socket.get("position"))["version"] == duel.version + 1


async def test_a_burst_of_hints_costs_one_position(duel):
    async with opened(duel, duel.alice) as socket:
        await socket.position()
        await in_db(unannounced)(duel)
        for version in (duel.version - 1, duel.version + 1, duel.version + 1, duel.version, duel.version + 1):
            await socket.wire.send_input({"type": "match.changed", "version": version})
        assert (await socket.get("position"))["version"] == duel.version + 1
        assert await socket.wire.receive_nothing(0.1)


async def test_a_socket_that_dropped_out_of_its_group_comes_back_with_a_beat(duel, monkeypatch):
    monkeypatch.setattr(sockets, "REJOIN_SECONDS", 0)
    async with opened(duel, duel.alice) as socket:
        layer = get_channel_layer()._get_layer()
        for channel in list(layer.groups[f"{layer.prefix}__group__{group_of(duel.pk)}"]):
            await layer.group_discard(group_of(duel.pk), channel)
        await socket.position()
        await in_db(play_on)(duel, 1)
        assert (await socket.get("position"))["version"] == duel.version + 1
