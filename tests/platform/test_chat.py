"""The chat of a match: who says and reads what, once each, at a bearable rate."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from channels.db import database_sync_to_async as in_db
from channels.layers import get_channel_layer
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts import ties
from accounts.models import Tie, User
from matches import chat
from matches.announce import group_of
from matches.errors import NoSuchMatch, NotNow, NotSeated, TooMuch
from matches.models import ChatLine
from matches.services import resign
from tests.platform.conftest import NOW, held, now_at
from tests.platform.test_socket import opened
from tests.threads import at_once, kinds

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(cast, table):
    """A match of alice against bob that carol watches."""
    match = table("cards-2", cast.alice, cast.bob)
    match.alice, match.bob, match.carol = map(cast.at_browser, (cast.alice, cast.bob, cast.carol))
    return match


def say(match: Any, user: User | None, text: str = "", *, room: str = chat.PLAYERS, phrase: str = "", **more: Any) -> ChatLine:
    intent = more.pop("client_id", None) or uuid4()
    line, _ = chat.say(match.pk, user, room=room, text=text, phrase=phrase, client_id=intent, now=more.pop("now", NOW))
    return line


def read(match: Any, user: User | None, after: int = 0) -> list[str]:
    return [line["text"] for line in chat.lines_for(now_at(match), user, after)]


def over(match: Any) -> Any:
    resign(match.pk, 0, now=NOW)
    return now_at(match)


# --- Rooms


def test_while_it_runs_the_table_and_the_spectators_do_not_hear_each_other(duel, cast):
    say(duel, cast.alice, "to the table")
    say(duel, cast.carol, "to the stands", room=chat.SPECTATORS)
    assert [read(duel, user) for user in (cast.alice, cast.bob, cast.carol, None)] == [
        ["to the table"], ["to the table"], ["to the stands"], ["to the stands"],
    ]  # fmt: skip


def test_after_the_end_everybody_reads_both_rooms(duel, cast):
    say(duel, cast.alice, "one")
    say(duel, cast.carol, "two", room=chat.SPECTATORS)
    match = over(duel)
    for user in (cast.alice, cast.carol, None):
        assert read(match, user) == ["one", "two"]
    say(match, cast.bob, "three", room=chat.SPECTATORS)
    assert read(match, None) == ["one", "two", "three"]


def test_nobody_talks_in_a_room_that_is_not_theirs(duel, cast):
    guest = cast.guest()
    for user, room, error in (
        (cast.alice, chat.SPECTATORS, NotNow),
        (cast.carol, chat.PLAYERS, NotSeated),
        (guest, chat.SPECTATORS, NotNow),
        (None, chat.SPECTATORS, NotNow),
        (cast.alice, "kitchen", NotSeated),
    ):
        with pytest.raises(error):
            say(duel, user, "hello", room=room)
    assert not ChatLine.objects.exists()
    assert [chat.speakable(now_at(duel), user) for user in (cast.alice, cast.carol, guest, None)] == [
        {chat.PLAYERS}, {chat.SPECTATORS}, set(), set(),
    ]  # fmt: skip


def test_a_guest_talks_at_its_own_table(cast, table):
    guest = cast.guest()
    match = table("cards-2", guest, cast.bob)
    say(match, guest, "hi")
    (line,) = chat.lines_for(match, cast.bob)
    assert (line["name"], line["seat"], line["text"], line["you"]) == (f"Guest {guest.pk}", 0, "hi", False)


def test_who_resigned_still_sits_at_the_table_and_reads_no_spectators(cast, table):
    match = table("cards-3", cast.alice, cast.bob, cast.dave)
    match = over(match)
    assert match.running
    say(match, cast.carol, "he holds a nine", room=chat.SPECTATORS)
    assert read(match, cast.alice) == []
    with pytest.raises(NotNow):
        say(match, cast.alice, "I held a nine", room=chat.SPECTATORS)


def test_a_private_match_has_no_chat_for_others(cast, table):
    match = table("cards-2", cast.alice, cast.bob, private=True)
    say(match, cast.alice, "just us")
    assert read(match, cast.carol) == []
    with pytest.raises(NoSuchMatch):
        say(match, cast.carol, "hello?", room=chat.SPECTATORS)
    assert read(over(match), cast.carol) == []


@pytest.mark.parametrize(
    ("choice", "reads", "says"),
    [("all", {"players", "spectators"}, {"players", "spectators"}), ("players", {"players"}, {"players"}), ("off", set(), set())],
)
def test_each_may_turn_rooms_off_for_oneself(duel, cast, choice, reads, says):
    alice = cast.alice
    alice.preferences["chat"] = choice
    alice.save()
    match = over(duel)
    assert (chat.readable(match, alice), chat.speakable(match, alice)) == (reads, says)
    for room in {*chat.ROOMS} - says:
        with pytest.raises(NotNow):
            say(match, alice, "hello", room=room)


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_neither_side_of_a_block_reads_the_other(duel, cast, blocker):
    one, other = (cast.alice, cast.bob) if blocker == "alice" else (cast.bob, cast.alice)
    say(duel, cast.alice, "from alice")
    say(duel, cast.bob, "from bob")
    ties.tie(one, other, Tie.Kind.BLOCK, now=NOW)
    assert (read(duel, cast.alice), read(duel, cast.bob)) == (["from alice"], ["from bob"])
    assert read(over(duel), cast.carol) == ["from alice", "from bob"]
    ties.untie(one, other)
    assert read(duel, cast.alice) == ["from alice", "from bob"]


# --- Lines


def test_a_phrase_is_read_in_each_readers_language(duel, cast):
    for key, sentence in chat.PHRASES.items():
        line = say(duel, cast.alice, phrase=key, now=NOW + timedelta(minutes=line_number(key)))
        assert (line.text, line.phrase) == ("", key)
        assert read(duel, cast.bob, line.pk - 1) == [sentence]
    with override("it"):
        translated = {phrase["key"]: phrase["text"] for phrase in chat.phrases()}
        lines = chat.lines_for(duel, cast.bob)
        assert {line["phrase"]: line["text"] for line in lines} == translated


def line_number(key: str) -> int:
    return list(chat.PHRASES).index(key)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  well\tplayed \r\n you ", "well played you"),
        ("a\u202egnp.exe\u202c b\u2066c\u2069", "agnp.exe bc"),
        ("nul\x00 bell\x07 esc\x1b[31m", "nul bell esc[31m"),
        ("\ud800lone", "lone"),
        ("zero\u200bwidth\ufeff soft\xad", "zerowidth soft"),
        ("می\u200cخواهم 👩\u200d👧", "می\u200cخواهم 👩\u200d👧"),
        ("line\u2028para\u2029graph", "line para graph"),
        ('<b>bold</b> & "quotes"', '<b>bold</b> & "quotes"'),
    ],
)
def test_own_words_lose_what_would_trick_the_reader_and_nothing_else(duel, cast, typed, kept):
    assert say(duel, cast.alice, typed).text == kept
    assert read(duel, cast.bob) == [kept]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [("", ""), (" \u202e\x00 ", ""), ("\u200d", ""), ("words", "hello"), ("", "no such phrase"), ("", "\x00"), ("x" * 301, "")],
)
def test_a_line_that_says_nothing_or_too_much_is_refused_with_a_reason(duel, cast, text, phrase):
    with pytest.raises(NotNow) as refusal:
        say(duel, cast.alice, text, phrase=phrase)
    assert str(refusal.value).endswith(".")
    assert not ChatLine.objects.exists()


def test_three_hundred_characters_are_not_too_many(duel, cast):
    assert len(say(duel, cast.alice, "好" * 300).text) == 300


def test_the_same_intent_said_again_is_the_same_line_even_when_it_would_be_refused_now(duel, cast):
    intent = uuid4()
    first = say(duel, cast.alice, "once", client_id=intent)
    for _ in range(9):
        assert say(duel, cast.alice, "once", client_id=intent) == first
    assert say(duel, cast.bob, "another's id is another's", client_id=intent) != first
    assert ChatLine.objects.count() == 2


def test_six_lines_in_ten_seconds_and_sixty_one_in_ten_minutes_are_too_many(duel, cast):
    for _ in range(5):
        say(duel, cast.alice, "x")
    with pytest.raises(TooMuch):
        say(duel, cast.alice, "x", now=NOW + timedelta(seconds=9))
    say(duel, cast.bob, "others may")
    for number in range(1, 56):
        say(duel, cast.alice, "x", now=NOW + timedelta(seconds=10 * number))
    with pytest.raises(TooMuch):
        say(duel, cast.alice, "x", now=NOW + timedelta(seconds=560))
    say(duel, cast.alice, "x", now=NOW + timedelta(seconds=601))


def test_lines_of_a_deleted_account_stay_without_its_name(duel, cast):
    say(duel, cast.alice, "goodbye")
    say(duel, cast.bob, "closed")
    cast.alice.delete()
    bob = cast.bob
    bob.is_active = False
    bob.save()
    lines = chat.lines_for(now_at(over_by_bob(duel)), cast.carol)
    assert [(line["name"], line["text"]) for line in lines] == [("Deleted player", "goodbye"), ("Deleted player", "closed")]


def over_by_bob(match: Any) -> Any:
    resign(match.pk, 1, now=NOW)
    return match


def test_a_page_begins_with_the_newest_lines_in_their_order(duel, cast):
    for number in range(8):
        say(duel, cast.alice, str(number), now=NOW + timedelta(minutes=number))
    newest = chat.lines_for(duel, cast.bob, most=3)
    assert [line["text"] for line in newest] == ["5", "6", "7"]
    assert read(duel, cast.bob, newest[0]["id"]) == ["6", "7"]


# --- Forms


def test_the_plain_form_says_it_and_leads_back(duel, cast):
    url, intent = reverse("match_chat", args=[duel.pk]), str(uuid4())
    for _ in range(2):
        response = duel.alice.post(url, {"room": "players", "text": "hello <script>", "phrase": "", "id": intent})
        assert response.url == reverse("match", args=[duel.pk])
    (line,) = ChatLine.objects.all()
    assert (line.text, line.client_id, line.seat) == ("hello <script>", UUID(intent), 0)
    page = duel.bob.get(response.url)
    assert [line["text"] for line in page.context["page"]["chat"]["lines"]] == ["hello <script>"]
    assert b"hello <script>" not in page.content


def test_the_plain_form_says_why_not(duel):
    for client, form in ((duel.alice, {"room": "players", "text": ""}), (duel.carol, {"room": "players", "text": "x"}), (duel.alice, {})):
        response = client.post(reverse("match_chat", args=[duel.pk]), form, follow=True)
        assert [str(message) for message in response.context["messages"]]
    assert not ChatLine.objects.exists()


def test_a_private_match_takes_no_form_of_others(cast, table):
    match = table("cards-2", cast.alice, cast.bob, private=True)
    for client in (cast.at_browser(cast.carol), Client()):
        assert client.post(reverse("match_chat", args=[match.pk]), {"room": "spectators", "text": "x"}).status_code == 404


# --- At once and live


@pytest.mark.django_db(transaction=True)
def test_a_double_click_on_two_threads_is_one_line(duel, cast):
    alice, intent = cast.alice, uuid4()
    lines = at_once(*[lambda: say(duel, alice, "once", client_id=intent).pk] * 6)
    assert len(set(lines)) == 1
    assert ChatLine.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_writes_on_twelve_threads_at_once_gets_no_more_lines_than_on_one(duel, cast):
    alice = cast.alice
    results = at_once(*[lambda: say(duel, alice, "spam")] * 12)
    assert kinds(results) == {"ChatLine": 5, "TooMuch": 7}


@pytest.mark.django_db(transaction=True)
def test_lines_are_numbered_as_they_are_stored_so_that_no_reader_skips_one(duel, cast):
    """Whoever read up to a line has been given all before it, although others were still being written."""
    people = [cast.alice, cast.bob]
    seen: list[int] = []

    def write(user: User) -> None:
        for _ in range(5):
            say(duel, user, "x")

    def follow() -> None:
        deadline = time.monotonic() + 20
        while len(seen) < 10 and time.monotonic() < deadline:
            for line in chat.lines_for(duel, people[0], seen[-1] if seen else 0):
                seen.append(line["id"])

    at_once(lambda: write(people[0]), lambda: write(people[1]), follow)
    assert seen == list(ChatLine.objects.values_list("pk", flat=True))


@pytest.mark.django_db(transaction=True)
def test_a_match_that_is_held_for_a_move_does_not_hold_up_who_only_reads_its_chat(duel, cast):
    say(duel, cast.alice, "before")
    bob = cast.bob
    with held(duel):
        assert read(duel, bob) == ["before"]


@pytest.mark.django_db(transaction=True)
async def test_a_line_reaches_the_other_sockets_of_its_room_and_no_others(duel):
    async with opened(duel, duel.alice) as alice, opened(duel, duel.bob) as bob, opened(duel, duel.carol) as carol:
        for socket in (alice, bob, carol):
            await socket.position()
        intent = str(uuid4())
        await alice.send(type="chat", id=intent, room="players", text="hello", phrase="")
        assert (await alice.get("ack"))["id"] == intent
        for socket, you in ((alice, True), (bob, False)):
            (line,) = (await socket.get("chat"))["lines"]
            assert (line["text"], line["name"], line["you"]) == ("hello", "alice", you)
        assert await carol.wire.receive_nothing(0.1)
        await alice.send(type="chat", id=intent, room="players", text="hello", phrase="")
        assert (await alice.get("ack"))["repeated"]
        assert await bob.wire.receive_nothing(0.1)


@pytest.mark.django_db(transaction=True)
async def test_a_line_whose_hint_was_lost_comes_with_the_next_beat(duel, cast):
    def unheard() -> None:
        ChatLine.objects.create(match=duel, room="players", user=cast.bob, seat=1, text="psst", client_id=uuid4(), at=NOW)

    async with opened(duel, duel.alice) as alice:
        await alice.position()
        await in_db(unheard)()
        assert await alice.wire.receive_nothing(0.05)
        await alice.send(type="beat", version=duel.version)
        await alice.get("beat")
        assert [line["text"] for line in (await alice.next())["lines"]] == ["psst"]
        await get_channel_layer().group_send(group_of(duel.pk), {"type": "match.talked"})
        assert await alice.wire.receive_nothing(0.1)


@pytest.mark.django_db(transaction=True)
async def test_when_the_match_ends_the_other_room_opens_with_all_that_was_said_in_it(duel, cast):
    def talk() -> None:
        say(duel, cast.carol, "alice will lose", room=chat.SPECTATORS)

    await in_db(talk)()
    async with opened(duel, duel.alice) as alice:
        await alice.position()
        await alice.send(type="resign", id=str(uuid4()))
        await alice.get("ack")
        frame = await alice.next()
        while frame["type"] != "chat":
            frame = await alice.next()
        assert (frame["read"], [line["text"] for line in frame["lines"]]) == (["players", "spectators"], ["alice will lose"])


@pytest.mark.django_db(transaction=True)
async def test_a_refusal_comes_with_its_reason_and_the_socket_lives_on(duel):
    async with opened(duel, duel.carol) as carol:
        await carol.position()
        await carol.send(type="chat", id=str(uuid4()), room="players", text="let me in", phrase="")
        refused = await carol.get("refused")
        assert (refused["code"], bool(refused["message"])) == ("not_seated", True)
        await carol.send(type="chat", id=str(uuid4()), room="spectators", text="", phrase="nice")
        await carol.get("ack")
        (line,) = (await carol.get("chat"))["lines"]
        assert (line["phrase"], line["text"]) == ("nice", "Nice move!")
