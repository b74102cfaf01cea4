"""Two who blocked each other: neither meets, hears nor watches the other, by no page, form or socket."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async as in_db
from django.urls import reverse
from django.utils import timezone

from accounts import ties
from accounts.models import Tie, User
from lobby.models import Place, Seek
from lobby.pairing import quick_match
from lobby.services import Wish, challenge, join_seek, post_seek
from matches import chat
from matches.errors import Blocked
from matches.models import Match
from matches.services import Person, start_match, take_over
from tests.care.conftest import LIVE, now_at, play_on
from tests.lobby.test_sockets import opened as lobby_opened
from tests.platform.test_socket import opened

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture(params=["alice blocked bob", "bob blocked alice"])
def pair(cast: Any, request: pytest.FixtureRequest) -> tuple[User, User]:
    """Alice and bob, one of whom blocked the other."""
    first, second = (cast.alice, cast.bob) if request.param.startswith("alice") else (cast.bob, cast.alice)
    ties.tie(first, second, Tie.Kind.BLOCK, now=timezone.now())
    return cast.alice, cast.bob


def wish(variant: str = "classic-4", **more: Any) -> Wish:
    return Wish("blokus", variant, **({"control": LIVE} | more))


def test_they_meet_at_no_table_that_fills_up(pair, cast):
    alice, bob = pair
    now = timezone.now()
    seek = post_seek(alice, wish(), now=now)
    with pytest.raises(Blocked):
        join_seek(seek.pk, bob, now=now)
    third = post_seek(cast.carol, wish(), now=now)
    join_seek(third.pk, alice, now=now)
    with pytest.raises(Blocked):
        join_seek(third.pk, bob, now=now)
    with pytest.raises(Blocked):
        challenge(alice, [bob], wish("duo-2"), now=now)
    with pytest.raises(Blocked):
        challenge(cast.carol, [alice, bob], wish("classic-3"), now=now)
    with pytest.raises(Blocked):
        start_match("cards", "cards-2", seats=[Person(alice), Person(bob)], now=now)


def test_they_are_not_paired_and_take_no_seat_beside_each_other(pair, table):
    alice, bob = pair
    now = timezone.now()
    assert quick_match(alice, "blokus", "live", now=now).status == Seek.Status.OPEN
    assert quick_match(bob, "blokus", "live", now=now).status == Seek.Status.OPEN
    assert not Match.objects.exists()
    match = table("cards-3", alice, "low", "low", open_seats=True)
    with pytest.raises(Blocked):
        take_over(match.pk, 1, bob, now=now)


def test_the_forms_without_scripts_refuse_with_a_sentence(pair, cast):
    alice, bob = pair
    browser = cast.at_browser(bob)
    seek = post_seek(alice, wish(), now=timezone.now())
    page = browser.post(reverse("table_join", args=[seek.token]), follow=True)
    assert "do not play with each other" in page.content.decode()
    form = {"table": "blokus:duo-2", "control": "5m+10s", "rated": "casual", "who": "people", "names": "alice"}
    assert "do not play with each other" in browser.post(reverse("lobby_post"), form, follow=True).content.decode()
    assert not Place.objects.filter(user=bob).exists()


def test_the_lobby_shows_neither_the_table_nor_the_name_of_the_other(pair, cast):
    alice, bob = pair
    User.objects.filter(pk=alice.pk).update(seen_at=timezone.now())
    post_seek(alice, wish(message="come and play"), now=timezone.now())
    assert "come and play" in cast.at_browser(cast.carol).get(reverse("lobby")).content.decode()
    page = cast.at_browser(bob).get(reverse("lobby")).content.decode()
    assert "come and play" not in page
    assert reverse("person", args=["alice"]) not in page


def test_in_one_match_they_read_nothing_of_each_other(pair, table, cast):
    alice, bob = pair
    Tie.objects.all().delete()
    match = table("cards-3", alice, bob, cast.carol)
    for user in (alice, bob, cast.carol):
        chat.say(match.pk, user, room=chat.PLAYERS, text=f"said by {user}", client_id=uuid4(), now=timezone.now())
    ties.tie(alice, bob, Tie.Kind.BLOCK, now=timezone.now())
    for reader, heard in ((alice, {"alice", "carol"}), (bob, {"bob", "carol"}), (cast.carol, {"alice", "bob", "carol"})):
        page = cast.at_browser(reader).get(reverse("match", args=[match.pk])).content.decode()
        assert {name for name in ("alice", "bob", "carol") if f"said by {name}" in page} == heard


def test_a_spectator_and_a_player_read_nothing_of_each_other_after_the_end(pair, table, cast):
    alice, bob = pair
    match = table("cards-2", alice, cast.carol)
    chat.say(match.pk, bob, room=chat.SPECTATORS, text="alice plays badly", client_id=uuid4(), now=timezone.now())
    match = play_on(match)
    assert chat.lines_for(match, alice) == []
    assert len(chat.lines_for(match, cast.carol)) == 1


def test_private_matches_are_watched_by_nobody_and_so_not_by_each_other(pair, table, cast):
    alice, bob = pair
    match = table("cards-2", alice, cast.carol, private=True)
    browser = cast.at_browser(bob)
    for page in ("match", "replay", "record", "fairness", "match_history", "match_history_file", "match_since", "report_match"):
        assert browser.get(reverse(page, args=[match.pk])).status_code == 404, page
    for name in ("home", "watch", "lobby"):
        assert f"/match/{match.pk}/" not in browser.get(reverse(name)).content.decode(), name
    assert f"/match/{match.pk}/" not in browser.get(reverse("person", args=["alice"])).content.decode()
    assert now_at(match).running


@pytest.mark.django_db(transaction=True)
async def test_the_sockets_keep_to_it_too(pair, table, cast):
    alice, bob = pair
    match = await in_db(table)("cards-2", alice, await in_db(lambda: cast.carol)(), private=True)
    browser = await in_db(cast.at_browser)(bob)
    async with opened(match, browser) as socket:
        assert await socket.closed() == 4404
    await in_db(User.objects.filter(pk=alice.pk).update)(seen_at=timezone.now())
    await in_db(post_seek)(alice, wish(message="come and play"), now=timezone.now())
    async with lobby_opened(client=browser) as lobby:
        frame = await lobby.get()
        assert "come and play" not in frame["parts"]["seeks"]
        assert "alice" not in frame["parts"]["online"]
