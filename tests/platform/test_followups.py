"""What must follow a commit does, whatever is lost on the way: wake-ups, workers, the broker."""

from __future__ import annotations

import logging
import time
from datetime import timedelta

import pytest
from channels.layers import channel_layers
from django.conf import settings
from django.utils import timezone

from config.celery import app
from ladder.models import RatedMatch, Rating
from matches import announce, followups, tasks
from matches.clock import TimeControl
from matches.courier import Courier
from matches.errors import TimeIsUp
from matches.models import FollowUp, Move
from matches.services import abort, call_time, flag, play_move, resign
from tests.games import fake_cards
from tests.platform.conftest import NOW, legal, now_at, play_on


class Raising:
    """A bot that always fails."""

    def choose(self, state, source):
        raise ZeroDivisionError(f"with {state.hands} in hand")


class Cheating:
    """A bot that plays a card nobody has."""

    def choose(self, state, source):
        return fake_cards.Card(99)


class Peeking:
    """A bot that remembers what it was shown."""

    def __init__(self):
        self.shown = []

    def choose(self, state, source):
        self.shown.append(state)
        return state.legal_moves()[0]


@pytest.fixture
def duel(cast, table):
    """alice has moved; the bot's turn is a row."""
    return play_on(table("cards-2", cast.alice, "low"), 1)


def row_of(match):
    return FollowUp.objects.get(match=match, ply=match.ply, kind=followups.THINK)


def bot_moves(match):
    return Move.objects.filter(match=match, seat=1).count()


def test_a_bots_turn_is_a_row_written_with_the_move_before_it(duel):
    row = row_of(duel)
    assert (row.key, row.attempts, row.done_at) == (f"think:{duel.pk}:{duel.version}", 0, None)
    assert row.due_at == NOW + timedelta(seconds=settings.BOT_PACE_SECONDS)


def test_a_bot_that_begins_is_asked_at_the_start(cast, table):
    assert row_of(table("cards-2", "low", cast.alice)).ply == 1


def test_thinking_plays_one_legal_move_and_is_done(duel):
    tasks.think(row_of(duel).pk)
    after = now_at(duel)
    assert (bot_moves(duel), after.to_move) == (1, 0)
    assert FollowUp.objects.get(match=duel).done_at is not None


def test_thinking_again_changes_nothing(duel):
    row = row_of(duel)
    for _ in range(3):
        tasks.think(row.pk)
    assert bot_moves(duel) == 1
    tasks.think(10**9)


def test_a_bot_is_shown_no_more_than_its_seat_knows(cast, table, monkeypatch):
    bot = Peeking()
    monkeypatch.setitem(fake_cards.BOTS, "low", bot)
    for _ in range(12):
        match = play_on(table("cards-2", cast.alice, "low", secret=b"s" * 32), 1)
        tasks.think(row_of(match).pk)
    assert len({shown.hands[1] for shown in bot.shown}) == 1
    assert len({shown.hands[0] for shown in bot.shown}) > 1


def test_a_lost_wake_up_is_made_good_by_the_sweep(duel):
    row = row_of(duel)
    assert followups.sweep(row.due_at) == 0
    assert followups.sweep(row.due_at + followups.GRACE) == 1


def test_a_row_that_waits_in_a_long_queue_is_not_woken_at_every_sweep(duel):
    due = row_of(duel).due_at + followups.GRACE
    seconds = range(0, 21, 2)
    assert sum(followups.sweep(due + timedelta(seconds=second)) for second in seconds) == 3


def test_a_worker_that_died_while_thinking_frees_its_row_with_its_lease(duel):
    row = row_of(duel)
    now = timezone.now()
    assert followups.claim(row.pk, now) is not None
    assert followups.claim(row.pk, now) is None
    assert followups.sweep(now + followups.LEASE - timedelta(seconds=1)) == 0
    assert followups.sweep(now + followups.LEASE) == 1
    FollowUp.objects.filter(pk=row.pk).update(lease_until=now)
    tasks.think(row.pk)
    assert bot_moves(duel) == 1


def test_a_worker_that_comes_back_late_with_its_move_finds_it_played(duel):
    row, other = row_of(duel), legal(duel)
    late = followups.claim(row.pk, timezone.now())
    play_move(duel.pk, 1, other, ply=duel.ply, client_id=tasks.intent_of(row), now=NOW, automatic=True)
    tasks._move(late)
    assert bot_moves(duel) == 1


def test_a_bot_that_always_fails_is_logged_and_a_plain_move_is_played_in_the_end(cast, table, monkeypatch, caplog):
    for name, player, error in (("low", Raising(), "ZeroDivisionError"), ("low", Cheating(), "IllegalMove")):
        monkeypatch.setitem(fake_cards.BOTS, name, player)
        match = play_on(table("cards-2", cast.alice, "low"), 1)
        row = row_of(match)
        for _ in range(tasks.PATIENCE):
            tasks.think(row.pk)
            row.refresh_from_db()
            assert (bot_moves(match), row.error) == (0, error)
        tasks.think(row.pk)
        assert bot_moves(match) == 1
        assert sum(record.levelno >= logging.ERROR for record in caplog.records) == tasks.PATIENCE + 1
        assert "with ((" not in caplog.text
        caplog.clear()


def test_a_row_that_cannot_be_done_is_buried_after_a_number_of_attempts(duel):
    row = row_of(duel)
    now = timezone.now()
    FollowUp.objects.filter(pk=row.pk).update(attempts=followups.ATTEMPTS, error="MemoryError")
    assert followups.claim(row.pk, now) is None
    assert followups.sweep(now + followups.GRACE) == 0
    row.refresh_from_db()
    assert row.dead_at is not None
    assert followups.sweep(now + timedelta(days=1)) == 0


def test_a_turn_that_is_past_or_whose_match_is_over_is_simply_done(duel):
    row = row_of(duel)
    resign(duel.pk, 0, now=NOW)
    tasks.think(row.pk)
    row.refresh_from_db()
    assert row.done_at is not None
    assert bot_moves(duel) == 0


def test_the_next_level_plays_on_for_a_person_who_left(cast, table, monkeypatch):
    monkeypatch.setitem(fake_cards.BOTS, "any", Raising())
    match = table("cards-3", cast.alice, cast.bob, cast.carol)
    resign(match.pk, 0, now=NOW)
    tasks.think(row_of(now_at(match)).pk)
    assert Move.objects.filter(match=match, seat=0).count() == 1


@pytest.mark.django_db(transaction=True)
def test_with_the_broker_and_the_layer_gone_a_move_is_stored_and_answered(duel, settings, tmp_path, caplog, monkeypatch):
    for module in (announce, followups):
        monkeypatch.setattr(module, "_courier", Courier())
    nowhere = tmp_path / "no.sock"
    settings.CHANNEL_LAYERS = {
        "default": settings.CHANNEL_LAYERS["default"] | {"CONFIG": {"hosts": [f"unix://{nowhere}"]}},
    }
    channel_layers.backends.clear()
    real = app.conf.broker_url
    try:
        app.conf.broker_url = f"redis+socket://{nowhere}"
        app.pool.force_close_all()
        app._pool = app.amqp._producer_pool = None
        tasks.think(row_of(duel).pk)
        ply = now_at(duel).ply
        began = time.monotonic()
        receipt = play_move(duel.pk, 0, legal(duel), ply=ply, now=NOW)
        took = time.monotonic() - began
    finally:
        app.conf.broker_url = real
        app._pool = app.amqp._producer_pool = None
        channel_layers.backends.clear()
    assert receipt.ply == ply + 1
    assert took < 2
    messages = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert any("the hint" in message for message in messages)
    assert any("the wake-up" in message for message in messages)


def test_the_schedule_and_the_queues_name_tasks_that_exist():
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    names |= {task for task, _ in followups.TASKS.values()} | set(settings.CELERY_TASK_ROUTES)
    app.loader.import_default_modules()
    assert names <= set(app.tasks)


# --- What follows an end, and who is told

BLITZ = TimeControl.parse("3m+2s")


def to_the_end(match):
    play_on(match)


def by_resigning(match):
    resign(match.pk, 1, now=NOW)


def by_time(match):
    assert flag(match.pk, NOW + timedelta(hours=1))


def by_a_late_move(match):
    with pytest.raises(TimeIsUp):
        play_move(match.pk, 0, legal(match), ply=match.ply, now=NOW + timedelta(hours=1))


def by_calling_the_time(match):
    call_time(match.pk, 0, 1, now=NOW + timedelta(minutes=2))


@pytest.mark.parametrize("end", [to_the_end, by_resigning, by_time, by_a_late_move, by_calling_the_time])
def test_however_a_rated_match_ends_it_is_entered_and_rated_once(cast, table, end):
    match = play_on(table("cards-2", cast.alice, cast.bob, control=BLITZ, rated=True), 4)
    end(match)
    over = now_at(match)
    entered = RatedMatch.objects.get()
    assert (entered.match_id, entered.pace, entered.ranks, entered.applied_at) == (match.pk, "live", over.ranks, None)
    row = FollowUp.objects.get(kind=followups.RATE)
    for _ in range(2):
        tasks.rate(row.pk)
    assert Rating.objects.filter(game="cards", pace="live", matches=1).count() == 2
    assert RatedMatch.objects.get().applied_at is not None
    row.refresh_from_db()
    assert row.done_at is not None


def test_nothing_is_rated_of_casual_matches_or_those_called_off(cast, table):
    play_on(table("cards-2", cast.alice, cast.bob, control=BLITZ))
    abort(table("cards-2", cast.alice, cast.bob, control=BLITZ, rated=True).pk, 0, now=NOW)
    assert flag(table("cards-2", cast.alice, cast.bob, control=BLITZ, rated=True).pk, NOW + timedelta(hours=1))
    assert not RatedMatch.objects.exists()
    assert not FollowUp.objects.filter(kind=followups.RATE).exists()


def test_who_left_a_rated_match_of_three_is_rated_last_when_it_ends(cast, table):
    match = play_on(table("cards-3", cast.alice, cast.bob, cast.carol, control=BLITZ, rated=True), 6)
    resign(match.pk, 1, now=NOW)
    assert not RatedMatch.objects.exists()
    resign(match.pk, 0, now=NOW)
    assert now_at(match).ranks == RatedMatch.objects.get().ranks == [2, 2, 1]


@pytest.mark.parametrize("control", ["none", "3d", "3m+2s"])
def test_people_are_told_of_each_others_turns_except_live_and_nobody_who_plays_alone(cast, table, control):
    control = TimeControl.parse(control)
    play_on(table("cards-2", cast.alice, "low", control=control), 1)
    assert not FollowUp.objects.filter(kind=followups.TELL).exists()
    match = play_on(table("cards-2", cast.alice, cast.bob, control=control), 1)
    told = FollowUp.objects.filter(match=match, kind=followups.TELL).order_by("pk")
    turns = [{"event": "turn", "seat": seat} for seat in (0, 1)] if control.pace != "live" else []
    assert sorted((row.data for row in told), key=str) == sorted([{"event": "start"}, *turns], key=str)
    assert {row.key.rsplit(":", 1)[1] for row in told} == {row.data["event"] for row in told}
    resign(match.pk, 0, now=NOW)
    assert told.last().data == {"event": "end"}


def test_rows_that_were_done_a_week_ago_are_deleted_and_others_are_kept(duel):
    row = row_of(duel)
    tasks.think(row.pk)
    FollowUp.objects.update(done_at=NOW)
    open_row = FollowUp.objects.create(key="open", kind=followups.THINK, match=duel, due_at=NOW - timedelta(days=99))
    assert followups.prune(NOW + followups.KEPT) == 0
    assert followups.prune(NOW + followups.KEPT + timedelta(seconds=1)) == 1
    assert FollowUp.objects.get() == open_row


def test_rows_that_were_given_up_a_month_ago_are_deleted_too(duel):
    FollowUp.objects.update(dead_at=NOW)
    assert followups.prune(NOW + followups.KEPT_DEAD) == 0
    assert followups.prune(NOW + followups.KEPT_DEAD + timedelta(seconds=1)) == 1
