"""The mails: what they say and link to, when they are not sent, what a crash repeats, and the one click that ends them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone

from lobby.services import Wish, challenge, decline_challenge
from matches import followups, offers
from matches.clock import TimeControl
from matches.models import FollowUp, Seat
from matches.services import resign
from notices import rows as held_rows
from notices import tasks
from notices.models import NoticeSettings
from notices.people import settings_of
from tests.notices.conftest import move, prefers, reachable, rows, told, work
from tests.platform.conftest import now_at
from tests.threads import at_once

HERE = "http://localhost:8000"


class Killed(BaseException):
    """What no handler catches, as when the process is gone."""


class TakesAndKills(EmailBackend):
    """A mail server that takes the message, and the worker dies before it can say so."""

    def send_messages(self, messages):
        super().send_messages(messages)
        raise Killed


class OutOfOrder(EmailBackend):
    """A mail server that takes nothing."""

    def send_messages(self, messages):
        raise ConnectionRefusedError("away")


@pytest.fixture
def duel(cast, days):
    """bob is to move after alice's first move, and knows of the match; both can be mailed."""
    match = days(reachable(cast.alice), reachable(cast.bob))
    work("tell")
    FollowUp.objects.filter(kind="mail").delete()
    return move(match)


def sent():
    return list(mail.outbox)


def test_a_turn_is_mailed_with_what_was_played_until_when_and_where(cast, duel):
    prefers(cast.bob, timezone="Europe/Rome")
    told()
    (letter,) = sent()
    assert letter.to == ["bob@example.org"]
    assert letter.subject == "Your turn in Cards"
    assert f"{HERE}/match/{duel.pk}/" in letter.body
    assert "Against alice" in letter.body
    assert "(Europe/Rome)" in letter.body
    assert "Played since your last move" in letter.body
    played = duel.moves.get(seat=0).text
    assert re.search(rf"^  alice: {played}$", letter.body, re.MULTILINE)
    html = letter.alternatives[0].content
    assert f'href="{HERE}/match/{duel.pk}/"' in html
    assert "<script" not in html
    (picture,) = letter.attachments
    assert picture["Content-ID"] == "<board>"
    assert 'src="cid:board"' in html
    assert picture.get_payload(decode=True).startswith(b"\x89PNG")


def test_only_what_came_after_the_persons_own_last_move_is_listed(cast, duel):
    move(move(duel))
    told()
    letter = sent()[-1]
    assert letter.to == ["bob@example.org"]
    assert len(re.findall(r"^  alice: ", letter.body, re.MULTILINE)) == 1
    assert "  bob: " not in letter.body


def test_mails_of_a_match_hang_together_and_each_has_an_id_of_its_own(cast, duel):
    told()
    move(move(duel))
    told()
    first, second = sent()[0].message(), sent()[-1].message()
    assert first["References"] == second["References"] == second["In-Reply-To"]
    assert first["Message-ID"] == f"<mail.{cast.bob.pk}.turn.{duel.pk}.{duel.version}@localhost>"
    assert first["Message-ID"] != second["Message-ID"]


def test_who_has_moved_or_seen_the_position_gets_no_mail(cast, duel):
    work("tell")
    Seat.objects.filter(match=duel, number=1).update(seen_ply=duel.ply)
    work("mail")
    assert sent() == []
    match = move(duel)
    work("tell")
    move(match)
    work("mail")
    assert [letter.to for letter in sent()] == []
    assert rows("mail") == []


def test_of_several_turns_in_one_match_only_the_newest_is_mailed(cast, duel):
    work("tell")
    move(move(duel))
    work("tell")
    assert len(rows("mail", person=cast.bob)) == 2
    work("mail")
    assert [letter.to for letter in sent()] == [["bob@example.org"]]


def test_a_mail_waits_two_minutes_for_the_sweep(cast, duel):
    work("tell")
    (row,) = rows("mail")
    assert followups.sweep(row.due_at + followups.GRACE - timedelta(seconds=1)) == 0
    assert followups.sweep(row.due_at + followups.GRACE) > 0


def test_a_match_that_begins_with_ones_turn_is_mailed_once(cast, days):
    days(reachable(cast.alice), reachable(cast.bob))
    told()
    assert sorted((letter.to[0], letter.subject) for letter in sent()) == [
        ("alice@example.org", "Cards has begun"),
        ("bob@example.org", "Cards has begun"),
    ]
    assert "it is your turn" in next(letter.body for letter in sent() if letter.to == ["alice@example.org"])


def test_a_crash_between_sending_and_marking_repeats_that_one_mail_with_its_id(cast, duel, settings):
    work("tell")
    (row,) = rows("mail")
    with pytest.raises(Killed):
        settings.EMAIL_BACKEND = f"{__name__}.TakesAndKills"
        tasks.mail(row.pk)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    tasks.mail(row.pk)
    assert len(sent()) == 1
    held = FollowUp.objects.get(pk=row.pk)
    assert held.lease_until > timezone.now() + followups.LEASE
    assert followups.sweep(max(held.lease_until, held.due_at) + followups.GRACE) == 1
    FollowUp.objects.filter(pk=row.pk).update(lease_until=timezone.now())
    tasks.mail(row.pk)
    tasks.mail(row.pk)
    first, second = sent()
    assert first.message()["Message-ID"] == second.message()["Message-ID"]
    assert first.body == second.body


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_once(cast, duel):
    work("tell")
    (row,) = rows("mail")
    at_once(*[lambda: tasks.mail(row.pk)] * 4)
    assert len(sent()) == 1


def test_a_worker_that_lost_its_row_to_another_sends_nothing(cast, duel):
    work("tell")
    (row,) = rows("mail")
    slow = followups.claim(row.pk, timezone.now())
    FollowUp.objects.filter(pk=row.pk).update(lease_until=timezone.now())
    quick = followups.claim(row.pk, timezone.now())
    assert held_rows.hold(quick, timezone.now()) is True
    assert held_rows.hold(slow, timezone.now()) is False


def test_a_mail_that_fails_is_tried_again_with_growing_pauses_then_given_up(cast, duel, settings):
    settings.EMAIL_BACKEND = f"{__name__}.OutOfOrder"
    work("tell")
    (row,) = rows("mail")
    pauses = []
    for _ in range(followups.ATTEMPTS):
        tasks.mail(row.pk)
        now, row = timezone.now(), FollowUp.objects.get(pk=row.pk)
        assert row.error == "ConnectionRefusedError"
        pauses.append((row.due_at - now).total_seconds())
    assert pauses[0] < 30 < pauses[1] < pauses[2] < pauses[4]
    tasks.mail(row.pk)
    assert FollowUp.objects.get(pk=row.pk).attempts == followups.ATTEMPTS
    followups.sweep(row.due_at + followups.GRACE)
    assert FollowUp.objects.get(pk=row.pk).dead_at is not None
    assert settings_of(cast.bob).mail_failed_at is not None


def test_when_the_last_mail_went_out_is_kept(cast, duel):
    told()
    assert settings_of(cast.bob).mailed_at is not None
    assert settings_of(cast.bob).mail_failed_at is None


def test_a_kind_that_was_turned_off_meanwhile_is_not_sent(cast, duel):
    work("tell")
    NoticeSettings.objects.create(user=cast.bob, mail={"turn": "off"})
    work("mail")
    assert sent() == []


def test_a_mail_is_in_the_language_of_the_person(cast, duel):
    prefers(cast.bob, language="it", timezone="Europe/Rome")
    told()
    html = sent()[0].alternatives[0].content
    assert '<html lang="it">' in html
    assert re.search(r"\b(lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)\b", sent()[0].body.lower())


def test_an_offer_that_waits_is_mailed_and_one_that_was_answered_is_not(cast, duel):
    reachable(cast.bob, mail={"offer": "now", "turn": "off"})
    offers.offer(duel.pk, 0, "pause", now=timezone.now())
    work("tell")
    work("mail")
    assert [letter.subject for letter in sent()] == ["Cards: alice asks for a pause."]
    offers.decline(duel.pk, 1, "pause", now=timezone.now())
    offers.offer(duel.pk, 0, "pause", now=timezone.now())
    work("tell")
    offers.decline(duel.pk, 1, "pause", now=timezone.now())
    work("mail")
    assert len(sent()) == 1


def test_an_end_that_is_mailed_at_once_says_how_it_ended(cast, duel):
    reachable(cast.alice, mail={"end": "now"})
    resign(duel.pk, 1, now=timezone.now())
    told()
    (letter,) = sent()
    assert letter.subject == "Cards is over"
    assert "Alice won by resignation." in letter.body


def test_a_challenge_is_mailed_with_the_way_to_its_table_unless_it_is_gone(cast):
    reachable(cast.bob)
    wish = Wish("blokus", "duo-2", control=TimeControl.parse("3d"))
    seek = challenge(cast.alice, [cast.bob], wish, now=timezone.now())
    told()
    (letter,) = sent()
    assert letter.subject == "alice challenges you"
    assert f"{HERE}/table/{seek.token}/" in letter.body
    again = challenge(cast.alice, [cast.bob], wish, now=timezone.now())
    work("tell")
    decline_challenge(again.pk, cast.bob, now=timezone.now())
    work("mail")
    assert len(sent()) == 1


def off_link(letter):
    found = re.fullmatch(rf"<{HERE}(/notices/off/[^>]+/)>", letter.message()["List-Unsubscribe"])
    assert found
    return found[1]


def test_the_link_in_a_mail_asks_first_and_its_button_ends_that_kind(cast, duel):
    told()
    link, client = off_link(sent()[0]), Client(enforce_csrf_checks=True)
    page = client.get(link)
    assert page.status_code == 200
    assert b"It is my turn" in page.content
    assert settings_of(cast.bob).mail_for("turn") == "now"
    done = client.post(link)
    assert b"No more mails" in done.content
    assert settings_of(cast.bob).mail_for("turn") == "off"
    assert settings_of(cast.bob).mail_for("deadline") == "now"


def test_a_mail_program_ends_a_kind_with_one_post(cast, duel):
    told()
    letter = sent()[0]
    assert letter.message()["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    answer = Client(enforce_csrf_checks=True).post(off_link(letter), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert settings_of(cast.bob).mail_for("turn") == "off"
    move(move(now_at(duel)))
    told()
    assert [other.to for other in sent()] == [["bob@example.org"]]


def test_a_link_that_is_none_of_ours_ends_nothing(cast, duel):
    told()
    link = off_link(sent()[0])
    for changed in (link[:-3] + "x" + link[-2:], "/notices/off/nonsense/"):
        assert Client().post(changed).status_code == 404
    assert settings_of(cast.bob).mail_for("turn") == "now"
