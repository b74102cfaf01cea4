"""The rungs: joining at the bottom, leaving without gaps, sinking when idle, and who goes away altogether."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from matches import vacations
from rungs import tasks
from rungs.decay import decay
from rungs.errors import NotNow, NotOnLadder
from rungs.ladder import close_gaps, join
from rungs.leaving import leave, leave_all
from rungs.models import Rung, Step
from rungs.settling import sweep
from rungs.statutes import GONE_AFTER, IDLE_AFTER, SINKS_EVERY, WARNED_BEFORE, games, variant_of
from tests.rungs.conftest import NOW, dare, ladder, lose, order, playing, told
from tests.threads import at_once

pytestmark = pytest.mark.long

WARNED_AT = NOW + IDLE_AFTER - WARNED_BEFORE
DAY = timedelta(days=1)


def busy(*people):
    """Let these be no topic of idleness."""
    Rung.objects.filter(user__in=people).update(active_at=NOW + GONE_AFTER * 2)


def test_everybody_joins_at_the_bottom_and_joining_again_changes_nothing(cast):
    ann, _ = ladder(cast, "ann", "bob")
    assert join(ann, "cards", now=NOW).position == 1
    assert order() == ["ann", "bob"]


@pytest.mark.django_db(transaction=True)
def test_people_who_join_at_once_stand_on_rungs_of_their_own(cast):
    people = [getattr(cast, name) for name in ("ann", "bob", "cid", "dan")]
    at_once(*[lambda person=person: join(person, "cards", now=NOW) for person in people])
    assert sorted(order()) == ["ann", "bob", "cid", "dan"]


def test_whoever_leaves_makes_all_below_move_up_and_comes_back_at_the_bottom(cast):
    _, bob, *_ = ladder(cast, "ann", "bob", "cid", "dan")
    leave(bob, "cards", now=NOW)
    assert order() == ["ann", "cid", "dan"]
    assert list(Rung.objects.order_by("position").values_list("best", flat=True)) == [1, 2, 3]
    with pytest.raises(NotOnLadder):
        leave(bob, "cards", now=NOW)
    join(bob, "cards", now=NOW)
    assert order()[-1] == "bob"


@pytest.mark.django_db(transaction=True)
def test_leaving_joining_and_winning_at_once_leave_no_gap(cast):
    ann, bob, cid, dan = ladder(cast, "ann", "bob", "cid", "dan")
    _, match = playing(dan, bob)
    lose(match, bob)
    eve = cast.eve
    at_once(
        lambda: leave(ann, "cards", now=NOW),
        lambda: join(eve, "cards", now=NOW),
        lambda: sweep(NOW),
        lambda: leave(cid, "cards", now=NOW),
    )
    assert order() == ["dan", "bob", "eve"]


def test_whoever_leaves_loses_to_the_challenger_and_takes_back_the_own_challenge(cast):
    ann, bob, _, dan = ladder(cast, "ann", "bob", "cid", "dan")
    own, got = dare(bob, ann), dare(dan, bob)
    leave(bob, "cards", now=NOW)
    own.refresh_from_db()
    got.refresh_from_db()
    assert ((own.state, own.why), (got.state, got.why)) == (("void", "left"), ("forfeited", "left"))
    assert order() == ["ann", "dan", "cid"]
    assert told(ann)[-1] == "The challenge between you and {name} came to nothing"
    assert told(dan) == ["You win your challenge against {name} without a match"]
    assert told(bob) == ["{name} challenges you for your rung"]


def test_a_result_that_no_sweep_has_seen_yet_counts_before_somebody_leaves(cast):
    ann, bob, _ = ladder(cast, "ann", "bob", "cid")
    made, match = playing(bob, ann)
    lose(match, bob)
    leave(ann, "cards", now=NOW)
    made.refresh_from_db()
    assert (made.state, order()) == ("lost", ["bob", "cid"])


def test_a_person_leaves_all_ladders_at_once_before_the_account_goes(cast):
    ann, _ = ladder(cast, "ann", "bob")
    ladder(cast, "cid", "ann", "dan", game="blokus")
    assert leave_all(ann, NOW) == 2
    assert (order(), order("blokus")) == (["bob"], ["cid", "dan"])


def test_gaps_left_by_a_deleted_account_are_closed_by_the_sweep(cast):
    ladder(cast, "ann", "bob", "cid", "dan")
    User.objects.filter(username__in=("ann", "cid")).delete()
    tasks.sweep()
    assert order() == ["bob", "dan"]
    assert list(Rung.objects.order_by("position").values_list("best", flat=True)) == [1, 2]
    assert close_gaps() == 0


def test_there_is_a_ladder_in_every_game_that_two_can_play(cast):
    assert {game.key for game in games()} >= {"azul", "blokus"}
    assert all(variant_of(game.key).seats == 2 for game in games())
    with pytest.raises(NotNow):
        join(cast.guest(), "blokus", now=NOW)


def test_an_idle_rung_is_warned_about_then_sinks_by_one_each_week(cast):
    _, bob, cid, dan = ladder(cast, "ann", "bob", "cid", "dan")
    busy(cid, dan)
    assert decay(WARNED_AT - DAY) == 0
    assert decay(WARNED_AT) == 1
    assert told(bob) == ["Your rung waits for a match"]
    assert decay(NOW + IDLE_AFTER - timedelta(hours=1)) == 0
    assert decay(NOW + IDLE_AFTER) == 1
    assert order() == ["ann", "cid", "bob", "dan"]
    assert decay(NOW + IDLE_AFTER + SINKS_EVERY - DAY) == 0
    assert decay(NOW + IDLE_AFTER + SINKS_EVERY) == 1
    assert order() == ["ann", "cid", "dan", "bob"]
    assert decay(NOW + IDLE_AFTER + 2 * SINKS_EVERY) == 1
    assert order() == ["ann", "cid", "dan", "bob"]
    assert [(step.before, step.after, step.why) for step in Step.objects.order_by("pk")] == [(2, 3, "idle"), (3, 4, "idle")]
    assert told(bob) == ["Your rung waits for a match"]


def test_a_long_silence_costs_the_place_after_another_warning(cast):
    _, bob = ladder(cast, "ann", "bob")
    moment = WARNED_AT
    while Rung.objects.filter(user=bob).exists():
        decay(moment)
        moment += DAY
    assert NOW + GONE_AFTER <= moment - DAY <= NOW + GONE_AFTER + DAY
    assert told(bob) == [
        "Your rung waits for a match",
        "You are about to leave the challenge ladder",
        "You are no longer on the challenge ladder",
    ]
    assert order() == ["ann"]


def test_a_site_that_was_down_for_months_warns_before_it_takes_anything(cast):
    _, bob, cid = ladder(cast, "ann", "bob", "cid")
    busy(cid)
    back = NOW + 3 * GONE_AFTER
    Rung.objects.filter(user=cid).update(active_at=back)
    for _ in range(3):
        decay(back)
    assert order() == ["ann", "bob", "cid"]
    assert told(bob) == ["Your rung waits for a match", "You are about to leave the challenge ladder"]
    decay(back + WARNED_BEFORE)
    assert order() == ["ann", "cid"]


def test_a_ladder_match_makes_one_busy_again(cast):
    ann, bob = ladder(cast, "ann", "bob")
    decay(WARNED_AT)
    _, match = playing(bob, ann, now=WARNED_AT)
    lose(match, bob, now=WARNED_AT + DAY)
    sweep(WARNED_AT + DAY)
    assert decay(WARNED_AT + IDLE_AFTER) == 1
    assert Rung.objects.get(user=bob).warned_at == WARNED_AT + IDLE_AFTER
    assert len(Step.objects.all()) == 0


def test_nobody_sinks_while_a_challenge_is_on(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    busy(cid)
    playing(bob, ann)
    for days in (26, 31, 40, 80, 100):
        assert decay(NOW + timedelta(days=days)) == 0
    assert order() == ["ann", "bob", "cid"]


def test_vacations_are_not_idle_time(cast):
    ann, bob = ladder(cast, "ann", "bob")
    User.objects.filter(pk=bob.pk).update(date_joined=NOW - timedelta(days=400))
    bob.refresh_from_db()
    vacations.take(bob, NOW + 20 * DAY, now=NOW + 5 * DAY)
    assert decay(WARNED_AT) == 0
    assert decay(WARNED_AT + 15 * DAY) == 1
    assert told(ann) == []


def test_the_top_rung_never_sinks(cast):
    ladder(cast, "ann", "bob")
    for days in range(25, 200, 5):
        decay(NOW + timedelta(days=days))
    assert order() == ["ann"]
    assert told(cast.ann) == []


@pytest.mark.django_db(transaction=True)
def test_looks_at_idleness_at_once_sink_a_rung_once(cast):
    _, bob, cid, dan = ladder(cast, "ann", "bob", "cid", "dan")
    busy(cid, dan)
    decay(WARNED_AT)
    assert sum(at_once(*[lambda: decay(NOW + IDLE_AFTER)] * 4)) == 1
    assert order() == ["ann", "cid", "bob", "dan"]
    assert told(bob) == ["Your rung waits for a match"]


def test_the_worker_looks_by_the_clock_of_now(cast):
    _, bob = ladder(cast, "ann", "bob")
    Rung.objects.update(active_at=timezone.now() - IDLE_AFTER)
    tasks.idle()
    assert Rung.objects.get(user=bob).warned_at is not None
