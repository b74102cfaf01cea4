"""Nobody loses on time because the site was down, and who was given time back can read it."""

from __future__ import annotations

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.db import connection
from django.utils import timezone

from matches import outages, payloads, tasks
from matches.clock import TimeControl
from matches.errors import TimeIsUp
from matches.models import Event, Outage, Pulse
from matches.outages import AFTERWARDS, MOST, SILENCE, SLIGHT, beat
from matches.services import flag, play_move
from matches.timekeeping import BEAT_SECONDS, flag_overdue, start
from tests.platform.conftest import NOW, legal, now_at, play_on
from tests.threads import at_once

pytestmark = pytest.mark.long

SECOND = timedelta(seconds=1)
BLITZ = TimeControl.parse("3m+0s")


CUT_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


def after(seconds):
    return NOW + seconds * SECOND


@pytest.fixture
def duel(cast, table):
    """Both have moved, alice has 180 seconds from `NOW` on, and the site has just beaten."""
    match = play_on(table("cards-2", cast.alice, cast.bob, control=BLITZ), 2)
    beat(NOW)
    return match


@pytest.mark.long
def test_beats_without_a_silence_change_nothing(duel):
    for second in range(1, 12, 3):
        beat(after(second))
    assert Pulse.objects.get().at == after(10)
    beat(after(7))
    assert Pulse.objects.get().at == after(10), "a process that lags behind does not turn time back"
    assert now_at(duel).version == duel.version
    assert not Outage.objects.exists()


@pytest.mark.long
def test_after_a_silence_the_clocks_are_put_back_before_any_flag(duel):
    late = after(1000)
    beat(late)
    assert flag_overdue(late) == 0
    match = now_at(duel)
    assert (match.status, match.since) == ("running", late + AFTERWARDS)
    assert match.deadline == late + 180 * SECOND + AFTERWARDS
    outage = Outage.objects.get()
    assert (outage.began_at, outage.ended_at, outage.matches) == (NOW, late, 1)


def test_what_was_used_before_the_silence_stays_used(duel):
    for second in range(1, 51, 3):
        beat(after(second))
    beat(after(100))
    match = now_at(duel)
    assert match.deadline == after(100) + AFTERWARDS + 131 * SECOND
    for second in range(103, 116, 3):
        beat(after(second))
    play_move(match.pk, 0, legal(match), ply=match.ply, now=after(115))
    assert now_at(duel).clock["left"][0] == (180 - 49 - 5) * 1000


def test_time_given_back_is_an_event_that_everybody_reads(duel):
    beat(after(30))
    for viewer in (0, 1, None):
        note = payloads.for_seat(now_at(duel), viewer)["note"]
        assert (note["kind"], note["seat"]) == ("credit", 0)
        assert note["text"] == "The site was down for a while. alice got 40 seconds back."
    assert Event.objects.get(match=duel).data == {"seconds": 40}


def test_no_flag_falls_while_no_web_process_lives(duel):
    assert not flag(duel.pk, after(500))
    assert flag_overdue(after(500)) == 0
    tasks.flags()
    assert now_at(duel).status == "running"
    beat(after(500))
    for second in range(503, 701, 3):
        beat(after(second))
    assert flag_overdue(after(700)) == 1


def test_a_move_that_comes_before_the_first_beat_is_made_good_by_itself(duel):
    play_move(duel.pk, 0, legal(duel), ply=duel.ply, client_id=uuid4(), now=after(1000))
    match = now_at(duel)
    assert (match.clock["left"][0], match.to_move) == (180_000, 1)
    deadline = match.deadline
    beat(after(1001))
    assert now_at(duel).deadline == deadline, "the other one's turn lost nothing"
    assert Event.objects.filter(match=duel, kind="credit").count() == 1


def test_a_turn_that_began_within_the_silence_gets_only_what_it_lost(duel):
    match = now_at(duel)
    match.since, match.deadline = after(60), after(240)
    match.save()
    beat(after(100))
    assert now_at(duel).deadline == after(240) + 40 * SECOND + AFTERWARDS


def test_no_more_than_a_day_is_given_back(duel):
    beat(NOW + 3 * MOST)
    assert now_at(duel).deadline == after(180) + MOST + AFTERWARDS


def test_clocks_of_days_notice_only_an_outage_of_more_than_ten_minutes(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob, control=TimeControl.parse("1d")), 2)
    before = match.deadline
    beat(NOW)
    beat(NOW + SLIGHT)
    assert now_at(match).deadline == before
    beat(NOW + 2 * SLIGHT + SECOND)
    assert now_at(match).deadline == before + SLIGHT + SECOND


def test_nothing_is_given_where_no_clock_runs(cast, table):
    untimed = play_on(table("cards-2", cast.alice, cast.bob), 2)
    against_bot = play_on(table("cards-2", cast.alice, "low", control=BLITZ), 1)
    beat(NOW)
    beat(after(100))
    assert [now_at(match).version for match in (untimed, against_bot)] == [untimed.version, against_bot.version]
    assert not Outage.objects.exists()


def test_a_moment_without_a_beat_is_no_outage(duel):
    beat(NOW + SILENCE)
    assert not outages.silent(NOW + SILENCE)
    assert now_at(duel).deadline == duel.deadline


@pytest.mark.django_db(transaction=True)
def test_all_metronomes_that_start_at_once_give_back_once(duel):
    at_once(*[lambda: (beat(after(60)), flag_overdue(after(60)))] * 4)
    assert now_at(duel).deadline == after(180) + 60 * SECOND + AFTERWARDS
    assert Outage.objects.count() == 1
    assert Event.objects.filter(match=duel, kind="credit").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_move_and_the_first_beat_at_once_give_back_once(cast, table):
    for _ in range(4):
        Pulse.objects.all().delete()
        match = play_on(table("cards-2", cast.alice, cast.bob, control=BLITZ), 2)
        beat(NOW)
        text = legal(match)
        at_once(
            lambda: beat(after(300)),
            lambda match=match, text=text: play_move(match.pk, 0, text, ply=match.ply, client_id=uuid4(), now=after(300)),
        )
        assert now_at(match).clock["left"] == [180_000, 180_000]
        assert Event.objects.filter(match=match, kind="credit").count() == 1


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_metronome_flags_within_seconds_and_survives_that_its_database_connection_is_cut(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob, control=BLITZ), 2)
    waiting = threading.Event()
    metronome = start()
    try:
        first = _until(lambda: Pulse.objects.filter(at__gt=timezone.now() - SECOND).first(), waiting)
        with connection.cursor() as cursor:
            cursor.execute(CUT_OTHERS)
        assert _until(lambda: Pulse.objects.filter(at__gt=first.at + 2 * BEAT_SECONDS * SECOND).first(), waiting)
        assert _until(lambda: now_at(match).status == "finished", waiting)
    finally:
        metronome.stop()
    assert not metronome.is_alive()
    with pytest.raises(TimeIsUp):
        play_move(match.pk, 0, "1", ply=match.ply, now=timezone.now())


def _until(true, waiting):
    """What becomes true within a minute: a pool whose connections were cut comes back after up to ten seconds."""
    for _ in range(1200):
        if found := true():
            return found
        waiting.wait(0.05)
    raise AssertionError("nothing came")


# --- The schedule


def test_the_schedule_counts_in_seconds_so_that_no_change_of_the_clocks_can_double_or_skip_a_beat():
    assert site.CELERY_TIMEZONE == "UTC"
    assert site.USE_TZ
    tasks_of_ours = {"matches.tasks.sweep", "matches.tasks.flags", "matches.tasks.tidy"}
    assert tasks_of_ours <= {entry["task"] for entry in site.CELERY_BEAT_SCHEDULE.values()}
    for name, entry in site.CELERY_BEAT_SCHEDULE.items():
        assert isinstance(entry["schedule"], timedelta), name
        assert entry["options"]["expires"] <= entry["schedule"].total_seconds(), name
