"""The page of one's notices: what it shows, what it keeps, and that it needs no script."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from matches.chat import readable
from matches.commands import find
from matches.models import FollowUp
from matches.services import Person, resign, start_match
from notices.models import NoticeSettings
from tests.notices.conftest import reachable, work

FORM = {"digest_hour": "8"} | {f"mail_{kind}": "now" for kind in ("turn", "deadline", "challenge", "start", "offer", "end")}


@pytest.fixture
def alice(cast):
    """The browser of alice, who can be mailed."""
    reachable(cast.alice)
    return cast.at_browser(cast.alice)


def test_the_page_shows_the_usual_and_keeps_what_is_chosen(cast, alice):
    page = alice.get("/notices/").content.decode()
    assert page.count('<option value="now" selected>') == 5
    assert page.count('<option value="digest" selected>') == 2
    assert "alice@example.org" in page
    done = alice.post("/notices/", FORM | {"mail_turn": "off", "digest_hour": "19", "push_end": "on", "title": "on"}, follow=True)
    assert b"This is how you will hear from us" in done.content
    kept = NoticeSettings.objects.get(user=cast.alice)
    assert (kept.mail_for("turn"), kept.mail_for("end"), kept.digest_hour) == ("off", "now", 19)
    assert (kept.push_for("end"), kept.push_for("turn")) == (True, False)
    assert (kept.sound, kept.title, kept.badge) == (False, True, False)


@pytest.mark.parametrize("change", [{"mail_turn": "hourly"}, {"digest_hour": "24"}, {"digest_hour": "soon"}])
def test_what_cannot_be_chosen_is_not_kept_and_said_so(cast, alice, change):
    page = alice.post("/notices/", FORM | change)
    assert page.status_code == 200
    assert b"Nothing was kept" in page.content
    assert not NoticeSettings.objects.exists()


def test_without_a_confirmed_address_there_is_no_mail_to_choose(cast):
    page = cast.at_browser(cast.bob).get("/notices/").content.decode()
    assert "Mails go only to an address that you have confirmed." in page
    assert "<select" not in page


def test_a_guest_chooses_pushes_and_marks(cast):
    client = cast.at_browser(cast.guest())
    page = client.get("/notices/").content.decode()
    assert "Mails need an account" in page
    client.post("/notices/", {"digest_hour": "8", "push_turn": "on"})
    assert NoticeSettings.objects.get().push_for("turn") is True
    assert NoticeSettings.objects.get().mail_for("turn") == "now"


@pytest.mark.parametrize(("choice", "rooms"), [("all", {"players", "spectators"}), ("players", {"players"}), ("off", set())])
def test_everybody_chooses_which_chat_is_read_and_a_form_without_that_choice_changes_nothing(cast, alice, choice, rooms):
    assert 'name="chat" value="all" checked' in alice.get("/notices/").content.decode()
    alice.post("/notices/", FORM | {"chat": choice})
    alice.post("/notices/", FORM)
    assert f'name="chat" value="{choice}" checked' in alice.get("/notices/").content.decode()
    match = start_match("cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], now=timezone.now())
    resign(match.pk, 1, now=timezone.now())
    assert readable(find(match.pk), User.objects.get(username="alice")) == rooms


def test_a_chat_that_there_is_not_is_not_kept(cast, alice):
    assert b"Nothing was kept" in alice.post("/notices/", FORM | {"chat": "loud"}).content
    cast.alice.refresh_from_db()
    assert "chat" not in cast.alice.preferences


def test_somebody_new_is_told_how_to_begin(db):
    assert b"once we know you" in Client().get("/notices/").content
    assert Client().post("/notices/test/", {"channel": "mail"}).status_code == 302
    assert not FollowUp.objects.exists()


def test_a_test_mail_comes_to_oneself(cast, alice):
    alice.post("/notices/test/", {"channel": "mail"})
    work("mail")
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["alice@example.org"], "A test from Tessera")
    assert "List-Unsubscribe" not in letter.message()
    assert b"Mail: last sent" in alice.get("/notices/").content


def test_every_page_of_somebody_who_plays_keeps_the_marks_and_others_do_not(cast, alice):
    assert b"notices.js" in alice.get("/").content
    assert b"notices.js" not in Client().get("/").content
