"""The stored clocks: what a move costs, when time is up, and that it is up once, however many say so at the same moment."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection

from ladder.models import RatedMatch
from matches import followups, payloads, tasks
from matches.clock import FIRST_MOVE_MS, GRACE_MS, TimeControl
from matches.errors import NotNow, TimeIsUp
from matches.models import Connection, Event, FollowUp, Match, Move
from matches.services import call_time, flag, play_move, resign
from matches.timekeeping import flag_overdue
from tests.platform.conftest import NOW, legal, now_at
from tests.threads import at_once, kinds

BLITZ = TimeControl.parse("3m+2s")
DAYS = TimeControl.parse("2d")
SECOND = timedelta(seconds=1)
GRACE = timedelta(milliseconds=GRACE_MS)


def after(seconds):
    return NOW + seconds * SECOND


def move(match, seconds, **more):
    """Whoever's turn it is plays a legal move so many seconds after the start."""
    match = now_at(match)
    play_move(match.pk, match.to_move, legal(match), ply=match.ply, client_id=uuid4(), now=after(seconds), **more)
    return now_at(match)


@pytest.fixture
def duel(cast, table):
    return table("cards-2", cast.alice, cast.bob, control=BLITZ)


@pytest.fixture
def underway(duel):
    """Both have moved at once; alice's clock runs since the tenth second."""
    move(duel, 0)
    return move(duel, 10)


def test_moves_keep_what_they_cost_and_what_was_left(duel):
    for seconds in (20, 50, 62.5, 70):
        match = move(duel, seconds)
    rows = Move.objects.filter(match=duel, seat__isnull=False).values_list("seat", "used_ms", "left_ms", "lag_ms")
    assert list(rows) == [(0, 0, 180_000, 0), (1, 0, 180_000, 0), (0, 12_500, 169_500, 0), (1, 7_500, 174_500, 0)]
    assert match.clock["left"] == [169_500, 174_500]
    assert (match.since, match.deadline) == (after(70), after(70) + timedelta(milliseconds=169_500))


def test_measured_lag_is_given_back(underway):
    match = move(underway, 20, lag=100)
    assert Move.objects.filter(match=match, seat=0).last().lag_ms == 140
    assert match.clock["left"][0] == 180_000 - 10_000 + 140 + 2_000


def test_the_clock_that_is_shown_is_the_one_that_is_kept(underway):
    shown = payloads.for_seat(underway, 1)["clock"]
    assert shown == {
        "left": [180_000, 180_000], "since": after(10).isoformat(), "deadline": after(190).isoformat(), "bonus": 0, "first": False,
        "paused": None, "control": "3m+2s", "control_name": "3 min + 2 s",
    }  # fmt: skip


def test_a_move_within_the_grace_is_played_with_nothing_left_but_the_increment(underway):
    match = move(underway, 190.25)
    assert (match.status, match.clock["left"][0]) == ("running", 2_000)


def test_lag_that_may_be_given_back_saves_a_move_that_was_sent_in_time(underway):
    assert move(underway, 190.45, lag=200).status == "running"


def test_a_move_after_its_time_ends_the_match_instead_and_says_so_each_time(underway):
    intent = uuid4()
    with pytest.raises(TimeIsUp):
        play_move(underway.pk, 0, legal(underway), ply=underway.ply, client_id=intent, now=after(190.26))
    over = now_at(underway)
    assert (over.status, over.termination, over.ranks, over.ply) == ("finished", "timeout", [2, 1], underway.ply)
    assert [seat.left_why for seat in over.seats.all()] == ["timeout", ""]
    with pytest.raises(TimeIsUp):
        play_move(underway.pk, 0, legal(underway), ply=underway.ply, client_id=intent, now=after(191))
    assert now_at(underway).version == over.version
    assert not flag(underway.pk, after(400))
    assert Event.objects.filter(match=underway).count() == 1


def test_no_flag_falls_early_not_even_by_a_millisecond(underway):
    assert not flag(underway.pk, underway.deadline)
    assert not flag(underway.pk, underway.deadline + GRACE)
    assert flag(underway.pk, underway.deadline + GRACE + timedelta(milliseconds=1))


def test_the_flag_waits_for_the_lag_of_who_is_connected(underway):
    Connection.objects.create(match=underway, seat=0, opened_at=NOW, seen_at=after(189), lag_ms=160)
    assert not flag(underway.pk, underway.deadline + GRACE + timedelta(milliseconds=200))
    assert flag(underway.pk, underway.deadline + GRACE + timedelta(milliseconds=201))


def test_the_sweep_flags_whom_nobody_claims_with_nobody_connected(underway, cast, table):
    other = move(move(table("cards-2", cast.carol, cast.dave, control=BLITZ), 0), 40)
    assert flag_overdue(after(191)) == 1
    assert (now_at(underway).status, now_at(other).status) == ("finished", "running")
    assert flag_overdue(after(191)) == 0


def test_who_does_not_begin_lets_the_match_be_called_off_for_nobodys_account(cast, table):
    for moves in (0, 1):
        match = table("cards-2", cast.alice, cast.bob, control=BLITZ, rated=True)
        for _ in range(moves):
            match = move(match, 0)
        end = NOW + timedelta(milliseconds=FIRST_MOVE_MS) + GRACE
        assert payloads.for_seat(match, 0)["clock"]["first"]
        assert not flag(match.pk, end)
        assert flag(match.pk, end + SECOND)
        match = now_at(match)
        assert (match.status, match.ranks, match.deadline) == ("aborted", None, None)
        assert not RatedMatch.objects.exists()
        note = payloads.for_seat(match, 0)["note"]
        assert note["text"] == f"{['alice', 'bob'][moves]} did not begin, so the match is called off. It counts for nobody."


def test_a_move_of_days_has_its_days_and_no_grace(cast, table):
    match = move(move(table("cards-2", cast.alice, cast.bob, control=DAYS), 0), 60)
    assert match.deadline == after(60) + timedelta(days=2)
    assert payloads.for_seat(match, 0)["clock"]["left"] is None
    match = move(match, 60 + 2 * 86_400)
    assert Move.objects.filter(match=match, seat=0).last().used_ms == 2 * 86_400_000
    late = match.deadline + timedelta(milliseconds=1)
    assert flag_overdue(match.deadline) == 0
    assert flag_overdue(late) == 1
    assert now_at(match).ranks == [1, 2]


def test_without_a_time_control_nobody_counts(cast, table):
    match = move(table("cards-2", cast.alice, cast.bob), 0)
    assert (match.deadline, payloads.for_seat(match, 0)["clock"]) == (None, None)
    assert not flag(match.pk, after(10**8))


def test_bots_are_never_on_the_clock(cast, table):
    for control in (BLITZ, DAYS):
        match = move(table("cards-2", cast.alice, "low", control=control), 5)
        assert (match.since, match.deadline) == (None, None)
        assert not flag(match.pk, after(10**7))
        row = FollowUp.objects.get(match=match, kind=followups.THINK)
        tasks.think(row.pk)
        match = now_at(match)
        bots = Move.objects.get(match=match, seat=1)
        assert (bots.used_ms, bots.left_ms, match.to_move) == (None, None, 0)
        assert match.deadline is not None


def test_time_that_is_up_hands_a_seat_of_a_larger_match_to_a_bot(cast, table):
    match = table("cards-3", cast.alice, cast.bob, cast.carol, control=BLITZ)
    for _ in range(3):
        match = move(match, 0)
    assert flag(match.pk, after(181))
    match = now_at(match)
    assert (match.status, match.deadline) == ("running", None)
    tasks.think(FollowUp.objects.get(match=match, kind=followups.THINK).pk)
    match = now_at(match)
    assert (match.to_move, match.status) == (1, "running")
    assert payloads.for_seat(match, 1)["seats"][0]["why"] == "timeout"
    with pytest.raises(TimeIsUp):
        move(match, 10**9)
    over = now_at(match)
    assert over.status == "finished"
    assert over.ranks == [3, 2, 1]


def test_two_who_leave_at_the_same_ply_share_the_last_place(cast, table):
    match = table("classic-4", cast.alice, cast.bob, cast.carol, cast.dave, control=BLITZ, rated=True)
    for _ in range(8):
        match = move(match, 0)
    resign(match.pk, 2, now=after(1))
    resign(match.pk, 1, now=after(2))
    resign(match.pk, 3, now=after(3))
    over = now_at(match)
    assert (over.status, over.ranks) == ("finished", [1, 2, 2, 2])
    assert RatedMatch.objects.get().ranks == over.ranks


# --- Calling the time of who is away


def test_the_time_of_who_went_away_can_be_called_after_a_while(underway):
    Connection.objects.create(match=underway, seat=1, opened_at=NOW, seen_at=after(20), closed_at=after(20))
    with pytest.raises(NotNow, match="longer"):
        call_time(underway.pk, 0, 1, now=after(49))
    first = call_time(underway.pk, 0, 1, now=after(50))
    assert (now_at(underway).termination, now_at(underway).ranks) == ("abandoned", [1, 2])
    assert call_time(underway.pk, 0, 1, now=after(51)).version == first.version


def test_nobodys_time_is_called_who_is_here_or_over_days_or_by_themselves(underway, cast, table):
    Connection.objects.create(match=underway, seat=1, opened_at=NOW, seen_at=after(55))
    slow = table("cards-2", cast.alice, cast.bob, control=DAYS)
    for match, seat, target in ((underway, 0, 1), (underway, 0, 0), (slow, 0, 1)):
        with pytest.raises(NotNow):
            call_time(match.pk, seat, target, now=after(60))


def test_calling_the_time_of_who_never_came_calls_the_match_off(duel):
    call_time(duel.pk, 0, 1, now=after(59))
    assert now_at(duel).status == "aborted"


# --- At the same moment


@pytest.mark.django_db(transaction=True)
def test_a_flag_a_move_a_resignation_and_a_call_at_once_leave_one_outcome(cast, table):
    late = after(200)
    for _ in range(5):
        match = table("cards-2", cast.alice, cast.bob, control=BLITZ, rated=True)
        for _ in range(4):
            match = move(match, 0)
        text = legal(match)
        results = at_once(
            lambda match=match: flag(match.pk, late),
            lambda match=match: flag(match.pk, late),
            lambda match=match, text=text: play_move(match.pk, 0, text, ply=match.ply, now=late),
            lambda match=match: resign(match.pk, 1, now=late),
            lambda match=match: call_time(match.pk, 1, 0, now=late),
        )
        over = now_at(match)
        assert (over.status, over.version, over.ply) == ("finished", match.version + 1, match.ply)
        assert sum(seat.left for seat in over.seats.all()) == 1
        assert kinds(results)["Receipt"] + sum(result is True for result in results) + kinds(results)["TimeIsUp"] >= 1
        assert Event.objects.filter(match=match, kind="left").count() == 1
        assert RatedMatch.objects.filter(match_id=match.pk).count() == 1
        assert FollowUp.objects.filter(match=match, kind=followups.RATE).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_move_whose_time_is_up_leaves_its_outcome_though_it_is_refused(underway):
    with pytest.raises(TimeIsUp):
        play_move(underway.pk, 0, legal(underway), ply=underway.ply, now=after(300))
    connection.close()
    assert Match.objects.get(pk=underway.pk).termination == "timeout"
