"""The reminder of a turn whose time runs out: once, and by the deadline as it is then."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from matches import offers
from matches.models import FollowUp, Match
from notices import reminders, tasks
from notices.models import Notice
from tests.notices.conftest import later, move, reachable, rows, work
from tests.platform.conftest import now_at


@pytest.fixture
def duel(cast, days):
    """alice is to move within three days; she can be mailed."""
    match = days(reachable(cast.alice), cast.bob)
    work("tell")
    return match


def deadline_in(match, **more):
    Match.objects.filter(pk=match.pk).update(deadline=later(**more))


def told(user):
    return Notice.objects.filter(user=user, kind="deadline").count()


@pytest.mark.parametrize(("control", "hours"), [("1d", 6), ("2d", 12), ("3d", 18), ("7d", 24), ("14d", 24)])
def test_a_reminder_is_planned_a_day_ahead_or_at_a_quarter_of_the_time(cast, days, control, hours):
    match = days(cast.alice, cast.bob, control=control)
    work("tell")
    (row,) = rows("remind")
    assert row.due_at == match.deadline - timedelta(hours=hours)
    assert row.person == cast.alice


def test_none_is_planned_where_nobody_counts_the_days(cast, days):
    days(cast.alice, cast.bob, control="none")
    work("tell")
    assert rows("remind") == []


def test_a_reminder_is_sent_once_while_the_turn_runs_out(cast, duel):
    deadline_in(duel, hours=10)
    (row,) = rows("remind")
    tasks.remind(row.pk)
    tasks.remind(row.pk)
    assert told(cast.alice) == 1
    (letter,) = rows("mail", key__contains=":deadline:")
    mail.outbox.clear()
    tasks.mail(letter.pk)
    assert [sent.subject for sent in mail.outbox] == ["Cards: your time is running out"]
    assert "Please move by" in mail.outbox[0].body


def test_a_deadline_that_moved_away_puts_the_reminder_off(cast, duel):
    """As a vacation moves it."""
    deadline_in(duel, days=9)
    (row,) = rows("remind")
    tasks.remind(row.pk)
    assert told(cast.alice) == 0
    (row,) = rows("remind")
    assert row.due_at == now_at(duel).deadline - reminders.ahead(duel)
    assert (row.attempts, row.lease_until) == (0, None)
    deadline_in(duel, hours=17)
    tasks.remind(row.pk)
    assert told(cast.alice) == 1


def test_a_reminder_can_be_put_off_as_often_as_the_deadline_moves(cast, duel):
    (row,) = rows("remind")
    for days in range(5, 25):
        deadline_in(duel, days=days)
        tasks.remind(row.pk)
    deadline_in(duel, hours=1)
    tasks.remind(row.pk)
    assert told(cast.alice) == 1


def test_in_a_pause_a_reminder_waits(cast, duel):
    for seat in (0, 1):
        offers.offer(duel.pk, seat, "pause", now=timezone.now())
    (row,) = rows("remind")
    tasks.remind(row.pk)
    assert told(cast.alice) == 0
    (row,) = rows("remind")
    assert row.due_at > timezone.now()


def test_who_has_moved_is_not_reminded(cast, duel):
    (row,) = rows("remind")
    move(duel)
    deadline_in(duel, hours=1)
    tasks.remind(row.pk)
    assert told(cast.alice) == 0
    assert FollowUp.objects.get(pk=row.pk).done_at is not None


def test_a_reminder_mail_is_not_sent_to_who_has_moved_meanwhile(cast, duel):
    deadline_in(duel, hours=10)
    work("remind")
    move(duel)
    mail.outbox.clear()
    work("mail")
    assert mail.outbox == []
