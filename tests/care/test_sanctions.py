"""Warnings, silence and being shut out: who may impose them, what they bring with them, and how they end."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async as in_db
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sanctions
from accounts.models import FormerName, Sanction, User
from accounts.players import SESSION_KEY
from care import enforcement, services
from care.errors import BadSanction, NotForYou
from care.models import Finding, Report
from ladder.models import Placing
from lobby.models import Seek
from lobby.services import Wish, challenge, join_seek, post_seek
from matches import chat
from matches.errors import Muted
from matches.models import Match
from matches.services import play_move
from tests.accounts.conftest import PASSWORD, Visitor
from tests.care.conftest import LIVE, carried_out, impose, later, legal, now_at
from tests.notices.conftest import reachable, work
from tests.platform.test_socket import opened

pytestmark = [pytest.mark.django_db, pytest.mark.long]
HTML = {"headers": {"accept": "text/html,*/*;q=0.8", "sec-fetch-mode": "navigate"}}


def say(match: Any, user: User, text: str = "hi", **more: Any) -> Any:
    return chat.say(match.pk, user, room=chat.PLAYERS, text=text, client_id=uuid4(), now=more.pop("now", timezone.now()), **more)


def account(name: str, email: str = "") -> User:
    return User.objects.create_user(name, email, PASSWORD)


# --- Who may


def test_nobody_judges_oneself_an_owner_or_an_equal(cast, chief):
    helper = User.objects.create_user("Helper", is_staff=True)
    other = User.objects.create_user("Other", is_staff=True)
    for moderator, user in ((helper, helper), (helper, chief), (helper, other), (chief, chief)):
        with pytest.raises(NotForYou):
            impose(moderator, user)
    assert not Sanction.objects.exists()
    assert impose(chief, helper).user == helper


def test_nobody_decides_about_a_report_of_its_own(cast):
    helper = User.objects.create_user("Helper", is_staff=True)
    report, _ = services.report(helper, cast.bob, "name", now=timezone.now())
    with pytest.raises(NotForYou):
        impose(helper, cast.bob, reports=[report])
    with pytest.raises(NotForYou):
        services.dismiss(helper, [report], now=timezone.now())
    assert Report.objects.get().state == "open"


def test_a_sanction_needs_a_kind_a_reason_and_an_end_to_come(cast, chief):
    for wrong in ({"kind": "whip"}, {"reason": "  "}, {"reason": "x" * 501}, {"days": -1}):
        with pytest.raises(BadSanction):
            impose(chief, cast.bob, **wrong)
    assert not Sanction.objects.exists()


def test_every_act_is_in_the_staffs_log(cast, chief):
    report, _ = services.report(cast.alice, cast.bob, "name", now=timezone.now())
    finding = Finding.objects.create(key="x", kind="pair", user=cast.bob, score=1, found_at=timezone.now())
    sanction = impose(chief, cast.bob, "mute", reports=[report])
    services.lift(chief, sanction, now=timezone.now())
    services.put_aside(chief, [finding], now=timezone.now())
    services.rename(chief, cast.carol, now=timezone.now())
    other, _ = services.report(cast.alice, cast.dave, "name", now=timezone.now())
    services.dismiss(chief, [other], now=timezone.now())
    logged = list(LogEntry.objects.filter(user=chief).order_by("pk").values_list("content_type__model", "object_id"))
    assert logged == [
        ("report", str(report.pk)),
        ("user", str(cast.bob.pk)),
        ("sanction", str(sanction.pk)),
        ("sanction", str(sanction.pk)),
        ("finding", str(finding.pk)),
        ("user", logged[5][1]),
        ("report", str(other.pk)),
    ]
    assert User.objects.get(pk=logged[5][1]).username.startswith("player-")


def test_a_decision_settles_the_reports_it_was_made_for(cast, chief):
    reports = [services.report(who, cast.bob, "name", now=timezone.now())[0] for who in (cast.alice, cast.carol)]
    sanction = impose(chief, cast.bob, "warning", reports=reports)
    assert set(Report.objects.values_list("state", "sanction", "handled_by")) == {("acted", sanction.pk, chief.pk)}


# --- Told


def test_it_is_mailed_with_the_reason_the_end_and_the_address_for_appeals(cast, chief, settings):
    reachable(cast.bob, mail={"care": "off"})
    impose(chief, cast.bob, "mute", "No insults, please", days=7)
    work("tell", "mail")
    (letter,) = mail.outbox
    assert letter.to == ["bob@example.org"]
    assert "You cannot write to others" in letter.subject
    for words in ("No insults, please.", settings.MODERATORS_EMAIL, f"{later(days=7):%B}"):
        assert words in letter.body


# --- A warning


def test_a_warning_comes_before_the_next_page_and_once(cast, chief):
    sanction = impose(chief, cast.bob, "warning", "No insults")
    bob = cast.at_browser(cast.bob)
    asked = bob.get(reverse("lobby"), {"filter": "0"}, **HTML)
    assert asked.status_code == 302
    page = bob.get(asked.url, **HTML)
    assert "No insults" in page.content.decode()
    done = bob.post(reverse("warning_confirm", args=[sanction.pk]), {"next": "/lobby/"})
    assert (done.status_code, done.url) == (302, "/lobby/")
    assert bob.get(reverse("lobby"), **HTML).status_code == 200
    assert Sanction.objects.get().read_at is not None
    assert bob.get(asked.url, **HTML).status_code == 302


def test_at_a_match_a_warning_is_a_bar_and_the_move_can_be_made(cast, chief, duel):
    impose(chief, cast.alice, "warning", "No insults")
    alice = cast.at_browser(cast.alice)
    page = alice.get(reverse("match", args=[duel.pk]), **HTML)
    assert page.status_code == 200
    assert "No insults" in page.content.decode()
    form = {"move": legal(duel), "ply": duel.ply, "id": str(uuid4())}
    alice.post(reverse("match_play", args=[duel.pk]), form)
    assert now_at(duel).ply > duel.ply


def test_a_guest_is_warned_too_and_scripts_are_not_sent_away(cast, chief):
    guest = cast.guest()
    impose(chief, guest, "warning")
    browser = cast.at_browser(guest)
    assert browser.get("/", **HTML).status_code == 302
    script = {"headers": {"accept": "*/*", "sec-fetch-mode": "cors"}}
    assert browser.get("/", **script).status_code == 200
    assert browser.get(reverse("moderation"), **HTML).status_code == 200


def test_nobody_confirms_the_warning_of_another_or_leads_the_browser_elsewhere(cast, chief):
    sanction = impose(chief, cast.bob, "warning")
    carol = cast.at_browser(cast.carol)
    for onward in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        assert carol.post(reverse("warning_confirm", args=[sanction.pk]), {"next": onward}).url == "/"
    assert Sanction.objects.get().read_at is None


# --- Silence


def test_who_is_muted_plays_on_but_writes_to_nobody(cast, chief, duel):
    impose(chief, cast.alice, "mute", "No insults", days=7)
    with pytest.raises(Muted) as refused:
        say(duel, cast.alice)
    assert "No insults" in str(refused.value)
    assert "until" in str(refused.value)
    with pytest.raises(Muted):
        say(duel, cast.alice, "", phrase="hello")
    with pytest.raises(Muted):
        post_seek(cast.alice, Wish("blokus", "duo-2", message="idiots welcome"), now=timezone.now())
    assert post_seek(cast.alice, Wish("blokus", "duo-2"), now=timezone.now()).pk
    play_move(duel.pk, 0, legal(duel), ply=duel.ply, now=timezone.now())
    say(duel, cast.bob)


def test_silence_ends_by_itself_or_when_it_is_lifted(cast, chief, duel):
    impose(chief, cast.alice, "mute", days=7)
    assert say(duel, cast.alice, now=later(days=8))
    forever = impose(chief, cast.bob, "mute", days=None)
    with pytest.raises(Muted):
        say(duel, cast.bob, now=later(days=1000))
    services.lift(chief, forever, now=timezone.now())
    assert say(duel, cast.bob)


def test_the_form_without_scripts_says_why_too(cast, chief, duel):
    impose(chief, cast.alice, "mute", "No insults")
    page = cast.at_browser(cast.alice).post(reverse("match_chat", args=[duel.pk]), {"room": "players", "text": "x"}, follow=True)
    assert "No insults" in "".join(str(message) for message in page.context["messages"])


@pytest.mark.django_db(transaction=True)
async def test_the_socket_refuses_with_the_sentence_and_lives_on(cast, duel):
    alice = await in_db(cast.at_browser)(await in_db(lambda: cast.alice)())
    chief = await in_db(User.objects.create_superuser)("Chief")
    async with opened(duel, alice) as socket:
        await socket.position()
        await in_db(impose)(chief, await in_db(lambda: cast.alice)(), "mute", "No insults")
        await socket.send(type="chat", id=str(uuid4()), room="players", text="x", phrase="")
        refused = await socket.get("refused")
        assert refused["code"] == "muted"
        assert "No insults" in refused["message"]
        await socket.move(await in_db(legal)(duel), duel.ply)
        await socket.get("ack")


# --- Shut out


def test_who_is_shut_out_cannot_sign_in_and_reads_why(chief):
    bob = account("Bobby", "bobby@example.org")
    impose(chief, bob, reason="Bots played for you", days=7)
    for login in ("Bobby", "bobby@example.org"):
        visitor = Visitor()
        page = visitor.sign_in(login)
        assert page.status_code == 403
        text = page.content.decode()
        assert "Bots played for you" in text
        assert "You can come back on" in text
        assert "mailto:" in text
        assert visitor.user_id is None
    wrong = Visitor().sign_in("Bobby", "not-the-password-7")
    assert "Bots played for you" not in wrong.content.decode()


def test_after_the_end_everything_is_as_before(chief):
    bob = account("Bobby")
    sanction = impose(chief, bob)
    visitor = Visitor()
    assert visitor.sign_in("Bobby").status_code == 403
    Sanction.objects.update(made_at=later(days=-3), ends_at=later(days=-2))
    assert visitor.sign_in("Bobby").status_code == 302
    assert visitor.user_id == bob.pk
    assert sanction.pk


def test_open_sessions_end_at_once_and_stay_ended(chief):
    bob = account("Bobby")
    visitor = Visitor()
    visitor.sign_in("Bobby")
    visitor.get("/")
    sanction = impose(chief, bob)
    assert visitor.get(reverse("usersessions_list")).status_code == 302
    services.lift(chief, sanction, now=timezone.now())
    assert visitor.get(reverse("usersessions_list")).status_code == 302


def test_a_session_that_nobody_listed_stands_for_nobody_either(cast, chief):
    bob = cast.at_browser(cast.bob)
    impose(chief, cast.bob)
    assert not bob.get("/").context["user"].is_authenticated


def test_running_matches_are_left_through_the_real_door(cast, chief, table):
    begun, fresh = (table("cards-2", cast.alice, cast.bob) for _ in range(2))
    for seat in (0, 1):
        play_move(begun.pk, seat, legal(begun), ply=now_at(begun).ply, now=timezone.now())
    three = table("cards-3", cast.alice, cast.bob, cast.carol)
    for seat in range(3):
        play_move(three.pk, seat, legal(three), ply=now_at(three).ply, now=timezone.now())
    impose(chief, cast.bob)
    assert carried_out() == 1
    begun, fresh, three = map(now_at, (begun, fresh, three))
    assert (begun.status, begun.termination, begun.ranks) == (Match.Status.FINISHED, "resigned", [1, 2])
    assert fresh.status == Match.Status.ABORTED
    assert (three.running, three.seats.get(user=cast.bob).left_why) == (True, "resigned")
    assert enforcement.leave_matches(cast.bob, timezone.now()) == 0


def test_open_tables_are_closed_left_and_declined(cast, chief):
    now = timezone.now()
    wish = Wish("blokus", "classic-4", control=LIVE)
    own = post_seek(cast.bob, wish, now=now)
    other = post_seek(cast.alice, wish, now=now)
    join_seek(other.pk, cast.bob, now=now)
    asked = challenge(cast.carol, [cast.bob], Wish("blokus", "duo-2", control=LIVE), now=now)
    impose(chief, cast.bob)
    carried_out()
    states = [Seek.objects.get(pk=seek.pk).status for seek in (own, other, asked)]
    assert states == ["cancelled", "open", "declined"]
    assert not other.places.filter(user=cast.bob).exists()


def test_ladders_leave_out_who_is_shut_out_until_it_ends(cast, chief):
    for user in (cast.alice, cast.bob):
        Placing.objects.create(
            user=user, game="blokus", pace="live", mu=25.0, sigma=1.0, matches=40, listed=True, updated_at=timezone.now()
        )
    listed = Placing.objects.filter(user=cast.bob, listed=True)
    assert listed.exists()
    impose(chief, cast.bob, days=1)
    carried_out()
    assert not listed.exists()
    assert Placing.objects.filter(user=cast.alice, listed=True).exists()
    Sanction.objects.update(made_at=later(days=-2), ends_at=later(minutes=-1))
    assert carried_out(also_due_later=True) == 1
    assert listed.exists()


def test_of_two_sanctions_the_longer_one_holds(cast, chief):
    impose(chief, cast.bob, days=1)
    longer = impose(chief, cast.bob, days=30)
    Sanction.objects.exclude(pk=longer.pk).update(made_at=later(days=-2), ends_at=later(minutes=-1))
    carried_out(also_due_later=True)
    assert sanctions.of_kind(cast.bob, Sanction.Kind.SUSPENSION, timezone.now()) == longer
    assert not cast.at_browser(cast.bob).get("/").context["user"].is_authenticated


def test_a_guest_who_is_shut_out_plays_no_more_in_that_browser_and_reads_why(cast, chief):
    guest = cast.guest()
    impose(chief, guest, reason="Spam in every chat")
    browser = cast.at_browser(guest)
    form = {"table": "blokus:duo-2", "control": "5m+10s", "rated": "casual", "who": "open"}
    answer = browser.post(reverse("lobby_post"), form)
    assert (answer.status_code, answer.url) == (302, reverse("shut_out"))
    page = browser.get(answer.url)
    assert page.status_code == 403
    assert "Spam in every chat" in page.content.decode()
    by_script = browser.post(reverse("lobby_post"), form, headers={"accept": "application/json"})
    assert by_script.json()["go"] == reverse("shut_out")
    assert browser.session[SESSION_KEY] == guest.pk
    assert not Seek.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_sockets_are_closed_and_nothing_is_obeyed_any_more(cast, duel):
    alice = await in_db(lambda: cast.alice)()
    browser = await in_db(cast.at_browser)(alice)
    chief = await in_db(User.objects.create_superuser)("Chief")
    async with opened(duel, browser) as socket:
        await socket.position()
        await in_db(impose)(chief, alice)
        await socket.move(await in_db(legal)(duel), duel.ply)
        assert await socket.closed() == 4001
    assert (await in_db(now_at)(duel)).ply == duel.ply


@pytest.mark.django_db(transaction=True)
async def test_leaving_the_match_closes_the_socket_without_a_word_from_it(cast, duel):
    alice = await in_db(lambda: cast.alice)()
    browser = await in_db(cast.at_browser)(alice)
    chief = await in_db(User.objects.create_superuser)("Chief")
    async with opened(duel, browser) as socket:
        await socket.position()
        await in_db(impose)(chief, alice)
        await in_db(carried_out)()
        assert await socket.closed() == 4001


def test_lifting_lets_somebody_in_again_and_tells_so(chief):
    bob = reachable(account("Bobby"))
    sanction = impose(chief, bob, days=None)
    carried_out()
    services.lift(chief, sanction, now=timezone.now())
    services.lift(chief, sanction, now=timezone.now())
    assert Visitor().sign_in("Bobby").status_code == 302
    work("tell", "mail")
    assert [("Lifted" in letter.subject) for letter in mail.outbox].count(True) == 1


# --- Names


def test_a_name_that_was_taken_away_is_nobodys_and_leads_nowhere(cast, chief):
    bob = cast.bob
    fresh = services.rename(chief, bob, now=timezone.now())
    bob.refresh_from_db()
    assert (bob.username, bob.named_at) == (fresh, None)
    assert User.looks_taken("bob")
    assert User.looks_taken("bob", besides=bob.pk)
    assert FormerName.objects.get().user is None
    assert Client().get("/people/bob/").status_code == 410
    assert Client().get(reverse("person", args=[fresh])).status_code == 200


def test_a_guest_has_no_name_to_take_away(cast, chief):
    with pytest.raises(BadSanction):
        services.rename(chief, cast.guest(), now=timezone.now())
