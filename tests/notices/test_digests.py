"""The daily mail: everything that waits in one, once a day, at the hour that the person chose."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from matches.models import FollowUp
from matches.services import resign
from notices import digests, tasks
from notices.models import Notice, NoticeSettings
from tests.notices.conftest import move, prefers, reachable, rows, work
from tests.platform.conftest import now_at
from tests.threads import at_once

ALL = dict.fromkeys(("turn", "start", "end", "deadline", "offer", "challenge"), "digest")
EVE = datetime(2026, 3, 1, 20, tzinfo=UTC)
EIGHT = datetime(2026, 3, 2, 8, tzinfo=UTC)


@pytest.fixture
def duel(cast, days):
    """alice is to move against bob, since yesterday; she wants one mail a day at eight."""
    match = days(reachable(cast.alice, mail=ALL), cast.bob)
    work("tell")
    Notice.objects.update(at=EVE)
    return match


def digest_rows():
    return rows("mail", key__contains=":digest:")


def send():
    """What the daily mails say that wait to be sent."""
    mail.outbox.clear()
    for row in digest_rows():
        tasks.mail(row.pk)
    return [letter.body for letter in mail.outbox]


def test_everything_that_waits_is_in_one_mail(cast, days, duel):
    other = days(cast.alice, cast.carol, variant="cards-2")
    over = days(cast.alice, cast.dave, variant="cards-2")
    resign(over.pk, 1, now=timezone.now())
    work("tell")
    assert rows("mail") == []
    Notice.objects.update(at=EVE)
    assert digests.ask_for_all(EIGHT) == 1
    (body,) = send()
    assert mail.outbox[0].subject == "2 matches wait for you"
    for match in (duel, other):
        assert f"/match/{match.pk}/" in body
    assert "Cards is over\n  alice won by resignation." in body


def test_it_comes_at_its_hour_where_the_person_lives(cast, duel):
    prefers(cast.alice, timezone="America/New_York")
    NoticeSettings.objects.filter(user=cast.alice).update(digest_hour=7)
    seven = datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert digests.ask_for_all(seven - timedelta(minutes=1)) == 0
    assert digests.ask_for_all(seven) == 1


def test_what_comes_after_the_hour_waits_for_the_next_day(cast, duel):
    Notice.objects.update(at=EIGHT + timedelta(hours=1))
    assert digests.ask_for_all(EIGHT + timedelta(hours=2)) == 0
    assert digests.ask_for_all(EIGHT + timedelta(days=1)) == 1


def test_a_server_that_slept_over_the_hour_makes_up_for_it(cast, duel):
    assert digests.ask_for_all(EIGHT + timedelta(hours=5)) == 1
    assert len(send()) == 1


def test_it_comes_once_a_day_however_often_it_is_asked_for(cast, duel):
    for minutes in range(0, 60, 5):
        digests.ask_for_all(EIGHT + timedelta(minutes=minutes))
    assert len(digest_rows()) == 1
    assert len(send()) == 1
    Notice.objects.update(digested_at=None)
    digests.ask_for_all(EIGHT + timedelta(hours=3))
    assert send() == []


@pytest.mark.django_db(transaction=True)
def test_two_clocks_at_once_ask_for_one(cast, duel):
    at_once(*[lambda: digests.ask_for_all(EIGHT)] * 4)
    (row,) = digest_rows()
    mail.outbox.clear()
    at_once(*[lambda: tasks.mail(row.pk)] * 4)
    assert len(mail.outbox) == 1


def test_what_was_said_is_not_said_again(cast, duel):
    digests.ask_for_all(EIGHT)
    assert len(send()) == 1
    assert digests.ask_for_all(EIGHT + timedelta(days=1)) == 0


def test_when_nothing_is_left_to_say_no_mail_goes_out(cast, duel):
    digests.ask_for_all(EIGHT)
    move(duel)
    assert send() == []
    assert FollowUp.objects.get(key=f"mail:{cast.alice.pk}:digest:{EIGHT.date()}").done_at is not None


def test_ending_the_daily_mail_ends_all_kinds_that_went_into_it(cast, duel, client):
    digests.ask_for_all(EIGHT)
    send()
    link = mail.outbox[0].message()["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")
    assert b"the daily mail" in client.get(link).content
    client.post(link)
    assert set(NoticeSettings.objects.get(user=cast.alice).mail.values()) == {"off"}
    move(move(now_at(duel)))
    work("tell")
    assert rows("mail") == []


def test_old_notices_are_forgotten(cast, duel):
    assert digests.prune(EVE + digests.KEPT) == 0
    assert digests.prune(EVE + digests.KEPT + timedelta(seconds=1)) == 3
