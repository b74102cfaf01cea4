"""What a table agrees on: nothing happens before all people agreed, and what happens then leaves no trace that it should not."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches import commands, followups, offers, payloads, replay, tasks
from matches.clock import TimeControl
from matches.errors import MatchOver, NothingOffered, NotNow, NotSeated, Paused, StalePly
from matches.models import Event, FollowUp, Match, Move, TakenBack
from matches.offers import KINDS, decline, end_long_pauses, offer, resume
from matches.services import BotSeat, Person, flag, play_move, resign, start_match
from tests.platform.conftest import NOW, legal, now_at, play_on
from tests.threads import at_once, kinds

BLITZ = TimeControl.parse("5m+2s")
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def after(seconds):
    return NOW + seconds * SECOND


def move(match, seconds=0):
    match = now_at(match)
    play_move(match.pk, match.to_move, legal(match), ply=match.ply, client_id=uuid4(), now=after(seconds))
    return now_at(match)


def of_game(game, variant, *seats, **more):
    plan = [BotSeat(seat) if isinstance(seat, str) else Person(seat) for seat in seats]
    return commands.find(start_match(game, variant, seats=plan, now=NOW, **more).pk)


@pytest.fixture
def duel(cast, table):
    return table("duo-2", cast.alice, cast.bob, control=BLITZ)


def ready_for(kind, match):
    return play_on(match) if kind == "rematch" else play_on(match, 2)


def happened(kind, match):
    match = now_at(match)
    return {
        "abort": match.status == "aborted",
        "takeback": match.ply == 0,
        "pause": match.paused_at is not None,
        "rematch": Match.objects.filter(previous=match).exists(),
    }[kind]


# --- Every kind


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_offers_happens_when_the_other_agrees(duel, kind):
    match = ready_for(kind, duel)
    first = offer(match.pk, 0, kind, now=NOW)
    assert offer(match.pk, 0, kind, now=NOW) == type(first)(first.ply, first.version, repeated=True)
    open_offers = payloads.for_seat(now_at(match), 1)["offers"]
    assert (open_offers[kind]["by"], open_offers[kind]["agreed"]) == (0, [0])
    assert not happened(kind, match)
    offer(match.pk, 1, kind, now=NOW)
    assert happened(kind, match)
    assert now_at(match).offers == {}


@pytest.mark.parametrize("kind", KINDS)
def test_in_a_match_of_three_both_others_must_agree(cast, table, kind):
    match = table("classic-3", cast.alice, cast.bob, cast.carol, control=BLITZ)
    match = play_on(match) if kind == "rematch" else play_on(match, 1)
    offer(match.pk, 0, kind, now=NOW)
    offer(match.pk, 2, kind, now=NOW)
    assert not happened(kind, match)
    offer(match.pk, 1, kind, now=NOW)
    assert happened(kind, match)


@pytest.mark.parametrize("kind", KINDS)
def test_bots_agree_to_everything(cast, table, kind):
    match = table("classic-3", cast.alice, "casual", "casual", control=BLITZ)
    if kind == "rematch":
        resign(match.pk, 0, now=NOW)
        while (match := now_at(match)).running:
            play_move(match.pk, match.to_move, legal(match), ply=match.ply, now=NOW, automatic=True)
    else:
        match = play_on(match, 1)
    offer(match.pk, 0, kind, now=NOW)
    assert happened(kind, match)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_declined_is_off_the_table_and_can_be_offered_again(duel, kind):
    match = ready_for(kind, duel)
    offer(match.pk, 0, kind, now=NOW)
    decline(match.pk, 1, kind, now=NOW)
    match = now_at(match)
    assert match.offers == {}
    assert payloads.for_seat(match, 0)["note"]["text"].startswith("bob ")
    with pytest.raises(NothingOffered):
        decline(match.pk, 1, kind, now=NOW)
    offer(match.pk, 1, kind, now=NOW)
    assert now_at(match).offers[kind]["by"] == 1


def test_what_cannot_be_offered_is_refused_with_a_reason(cast, duel, table):
    no_clock, over = table("duo-2", cast.alice, cast.bob), play_on(table("duo-2", cast.alice, cast.bob, control=BLITZ))
    for match, seat, kind, error in (
        (duel, 0, "marriage", NothingOffered),
        (duel, 2, "abort", NotSeated),
        (duel, 0, "takeback", NotNow),
        (duel, 0, "rematch", NotNow),
        (no_clock, 0, "pause", NotNow),
        (over, 0, "abort", MatchOver),
        (over, 0, "takeback", MatchOver),
        (over, 0, "pause", MatchOver),
    ):
        with pytest.raises(error, match=r"\w"):
            offer(match.pk, seat, kind, now=NOW)
        assert now_at(match).offers == {}


def test_an_offer_does_not_outlive_its_position_but_a_wish_to_pause_does(duel):
    match = play_on(duel, 2)
    for kind in ("abort", "takeback", "pause"):
        offer(match.pk, 0, kind, now=NOW)
    assert set(move(match).offers) == {"pause"}


def test_nobody_agrees_for_a_seat_that_was_left(cast, table):
    match = play_on(table("classic-3", cast.alice, cast.bob, cast.carol, control=BLITZ), 3)
    offer(match.pk, 0, "abort", now=NOW)
    resign(match.pk, 2, now=NOW)
    assert now_at(match).offers == {}
    with pytest.raises(NotSeated):
        offer(match.pk, 2, "abort", now=NOW)
    offer(match.pk, 0, "abort", now=NOW)
    offer(match.pk, 1, "abort", now=NOW)
    assert now_at(match).status == "aborted"


def test_only_who_others_wait_for_is_told_of_an_offer(duel, cast, table):
    match = play_on(duel, 2)
    offer(match.pk, 0, "abort", now=NOW)
    told = FollowUp.objects.get(match=match, kind=followups.TELL, data__event="offer")
    assert told.data == {"event": "offer", "offer": "abort", "seat": 0}
    alone = play_on(table("duo-2", cast.alice, "casual", control=BLITZ), 1)
    offer(alone.pk, 0, "pause", now=NOW)
    assert not FollowUp.objects.filter(match=alone, kind=followups.TELL).exists()


# --- Taking back


def agree(match, kind, seconds=0):
    for seat in (0, 1):
        offer(match.pk, seat, kind, now=after(seconds))
    return now_at(match)


@pytest.mark.parametrize(("game", "variant"), [("blokus", "duo-2"), ("nibble", "square-9")])
def test_a_move_that_is_taken_back_is_as_if_it_had_not_been(cast, game, variant):
    match = of_game(game, variant, cast.alice, cast.bob, control=BLITZ)
    for seconds in (0, 5, 12, 30):
        before, match = match, move(match, seconds)
    match = agree_from(1, match, 40)
    for viewer in (0, 1, None):
        then, now = (payloads.for_seat(one, viewer) for one in (before, match))
        assert {key: now[key] for key in ("ply", "to_move", "view", "tail", "scores", "offer")} == {
            key: then[key] for key in ("ply", "to_move", "view", "tail", "scores", "offer")
        }
    assert (match.clock["left"], match.chain) == (before.clock["left"], before.chain)
    assert (match.since, match.deadline) == (after(40), after(40) + timedelta(milliseconds=match.clock["left"][1]))
    again = move(match, 41)
    assert [step["ply"] for step in payloads.plies_for(again, None)] == list(range(1, again.ply + 1))


def agree_from(seat, match, seconds=0):
    offer(match.pk, seat, "takeback", now=after(seconds))
    offer(match.pk, 1 - seat, "takeback", now=after(seconds))
    return now_at(match)


def test_the_offer_says_to_which_ply_it_returns_and_the_others_reply_goes_too(duel):
    match = play_on(duel, 4)
    offer(match.pk, 0, "takeback", now=NOW)
    assert payloads.for_seat(now_at(match), 1)["offers"]["takeback"] == {"by": 0, "agreed": [0], "to": 2}
    offer(match.pk, 1, "takeback", now=NOW)
    match = now_at(match)
    assert (match.ply, match.to_move) == (2, 0)
    assert list(TakenBack.objects.values_list("ply", "seat")) == [(3, 0), (4, 1)]
    assert payloads.for_seat(match, None)["note"]["text"] == "Back to move 2: what came after was taken back."


def test_against_a_bot_its_reply_is_taken_back_at_once_and_it_thinks_again(cast, table):
    match = play_on(table("duo-2", cast.alice, "casual", control=BLITZ), 1)
    tasks.think(FollowUp.objects.get(match=match, kind=followups.THINK).pk)
    offer(match.pk, 0, "takeback", now=after(5))
    match = now_at(match)
    assert (match.ply, match.to_move) == (0, 0)
    match = move(match, 6)
    rows = FollowUp.objects.filter(match=match, kind=followups.THINK, done_at=None)
    tasks.think(rows.get().pk)
    assert Move.objects.filter(match=match, seat=1).count() == 1


def test_the_intent_of_a_move_that_was_taken_back_gets_its_first_answer_and_plays_nothing(duel):
    intent, text = uuid4(), legal(duel)
    first = play_move(duel.pk, 0, text, ply=0, client_id=intent, now=NOW)
    match = agree_from(0, duel)
    again = play_move(duel.pk, 0, text, ply=0, client_id=intent, now=NOW)
    assert (again.ply, again.version, again.repeated) == (first.ply, first.version, True)
    assert (now_at(match).ply, now_at(match).version) == (0, match.version)
    assert not play_move(duel.pk, 0, text, ply=0, client_id=uuid4(), now=NOW).repeated


def test_a_process_that_remembers_what_was_taken_back_does_not_serve_it(duel):
    gone = replay.position_of(play_on(duel, 3))
    match = agree_from(0, duel)
    replay.recent.put(match.commitment, gone)
    assert replay.position_of(match).ply == match.ply == 2
    other = legal(match, 7)
    play_move(match.pk, 0, other, ply=2, now=NOW)
    replay.recent.put(match.commitment, gone)
    assert str(replay.position_of(now_at(match)).last.move) == other


def test_where_something_hidden_or_drawn_would_show_nothing_is_taken_back(cast, table):
    rated = table("duo-2", cast.alice, cast.bob, control=BLITZ, rated=True)
    cards = table("cards-2", cast.alice, cast.bob, control=BLITZ)
    blockers = of_game("blockers", "basic-2", cast.alice, cast.bob, control=BLITZ)
    for match in (rated, cards, blockers):
        match = play_on(match, 2)
        assert not payloads.for_seat(match, 0)["may"]["takeback"]
        with pytest.raises(NotNow):
            offer(match.pk, 0, "takeback", now=NOW)


def test_a_round_of_azul_that_was_dealt_is_not_undone_but_a_move_within_it_is(cast):
    match = play_on(of_game("azul", "coloured-2", cast.alice, cast.bob, control=BLITZ), 2)
    assert agree_from(1, match).ply == match.ply - 1
    dealt = Move.objects.filter(match=match, seat=None).count()
    while Move.objects.filter(match=match, seat=None).count() == dealt:
        match = play_on(match, 1)
    for seat in (0, 1):
        with pytest.raises(NotNow, match="drawn"):
            offer(match.pk, seat, "takeback", now=NOW)
    mover = match.to_move
    match = play_on(match, 1)
    assert agree_from(mover, match).ply == match.ply - 1


def test_no_move_is_taken_back_across_somebodys_leaving(cast, table):
    match = play_on(table("classic-3", cast.alice, cast.bob, cast.carol, control=BLITZ), 3)
    resign(match.pk, 2, now=NOW)
    with pytest.raises(NotNow, match="left"):
        offer(match.pk, 0, "takeback", now=NOW)


# --- Pausing


def test_in_a_pause_no_clock_runs_no_flag_falls_and_nobody_moves(duel):
    match = agree(play_on(duel, 2), "pause", 10)
    assert (match.since, match.deadline, match.clock["left"]) == (None, None, [290_000, 300_000])
    assert payloads.for_seat(match, 0)["clock"]["paused"] == after(10).isoformat()
    assert not flag(match.pk, after(10**6))
    with pytest.raises(Paused):
        move(match, 20)
    with pytest.raises(NotNow):
        offer(match.pk, 0, "pause", now=after(20))
    assert not Match.objects.awaiting(match.seats.first().user).exists()
    resume(match.pk, 1, now=after(1000))
    assert resume(match.pk, 1, now=after(1001)).repeated
    match = now_at(match)
    assert (match.since, match.deadline) == (after(1000), after(1290))


def test_a_pause_that_nobody_ends_ends_by_itself(duel):
    match = agree(play_on(duel, 2), "pause")
    assert end_long_pauses(NOW + offers.LONGEST_PAUSE) == 0
    end = NOW + offers.LONGEST_PAUSE + SECOND
    assert end_long_pauses(end) == 1
    assert end_long_pauses(end) == 0
    match = now_at(match)
    assert (match.paused_at, match.deadline) == (None, end + 300 * SECOND)
    assert payloads.for_seat(match, 0)["note"]["text"] == "The match goes on."


def test_a_turn_of_days_goes_on_after_a_pause_where_it_stood(cast, table):
    match = play_on(table("duo-2", cast.alice, cast.bob, control=TimeControl.parse("3d")), 2)
    for start, end in ((86_400, 10 * 86_400), (11 * 86_400, 20 * 86_400)):
        agree(match, "pause", start)
        resume(match.pk, 0, now=after(end))
    assert now_at(match).deadline == NOW + 21 * DAY
    assert move(match, 20 * 86_400).deadline == NOW + 23 * DAY


@pytest.fixture
def two(cast):
    return [cast.alice, cast.bob]


steps = st.lists(st.tuples(st.sampled_from(["move", "pause", "move", "look"]), st.integers(0, 20_000)), max_size=24)


@pytest.mark.long
@given(steps)
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_the_clocks_are_charged_is_exactly_the_time_without_the_pauses(table, two, plan):
    match = play_on(table("duo-2", *two, control=TimeControl.parse("60m+0s")), 2)
    now, ran, paused = NOW, timedelta(), False
    for what, milliseconds in plan:
        passed = timedelta(milliseconds=milliseconds)
        now, ran = now + passed, ran + (timedelta() if paused else passed)
        match = now_at(match)
        if what == "look":
            assert not flag(match.pk, now)
        elif what == "move" and not paused:
            play_move(match.pk, match.to_move, legal(match), ply=match.ply, now=now)
        elif what == "pause":
            if paused:
                resume(match.pk, 0, now=now)
            else:
                offer(match.pk, 0, "pause", now=now)
                offer(match.pk, 1, "pause", now=now)
            paused = not paused
    if not paused:
        for seat in (0, 1):
            offer(match.pk, seat, "pause", now=now)
    left = now_at(match).clock["left"]
    assert 2 * 3_600_000 - sum(left) == ran // timedelta(milliseconds=1)


# --- Playing again


def test_in_a_rematch_everybody_sits_one_seat_further_and_points_go_with_the_people(cast, table):
    first = table("duo-2", cast.alice, cast.bob, control=BLITZ, options=["free-corners"], private=True)
    resign(first.pk, 0, now=NOW)
    second = agree_to_rematch(first)
    assert [seat.user for seat in second.seats.all()] == [cast.bob, cast.alice]
    assert (second.control, second.options, second.private, second.rated) == (BLITZ, ["free-corners"], True, False)
    assert payloads.for_seat(now_at(first), 0)["next"] == second.pk
    assert payloads.for_seat(second, 0)["series"] == [{"name": "bob", "points": 1}, {"name": "alice", "points": 0}]
    resign(second.pk, 0, now=NOW)
    third = agree_to_rematch(second)
    assert payloads.for_seat(third, 0)["series"] == [{"name": "alice", "points": 1}, {"name": "bob", "points": 1}]
    assert third.series == second.series == first.pk


def agree_to_rematch(match):
    for seat in (0, 1):
        offer(match.pk, seat, "rematch", now=NOW)
    return commands.find(Match.objects.get(previous=match).pk)


def test_a_shared_win_is_shared_points_and_a_match_called_off_gives_none(cast, table):
    first = table("classic-3", cast.alice, cast.bob, cast.carol)
    match = now_at(first)
    match.status, match.termination, match.scores, match.ranks, match.to_move = "finished", "complete", [9, 9, 1], [1, 1, 3], None
    match.save()
    for seat in (0, 1, 2):
        offer(first.pk, seat, "rematch", now=NOW)
    second = commands.find(Match.objects.get(previous=first).pk)
    assert {row["name"]: row["points"] for row in payloads.for_seat(second, 0)["series"]} == {"alice": 0.5, "bob": 0.5, "carol": 0}


def test_there_is_no_rematch_without_everybody(duel, cast):
    over = play_on(duel)
    offer(over.pk, 0, "rematch", now=NOW)
    cast.bob.delete()
    assert not payloads.for_seat(now_at(over), 0)["may"]["rematch"]
    with pytest.raises(NotNow, match="gone"):
        decline(over.pk, 0, "rematch", now=NOW)
        offer(over.pk, 0, "rematch", now=NOW)
    assert not Match.objects.filter(previous=over).exists()


@pytest.mark.django_db(transaction=True)
def test_agreeing_twice_at_once_starts_one_rematch(duel):
    over = play_on(duel)
    offer(over.pk, 0, "rematch", now=NOW)
    results = at_once(*[lambda: offer(over.pk, 1, "rematch", now=NOW)] * 4)
    assert kinds(results)["Receipt"] == 4
    assert Match.objects.filter(previous=over).count() == 1
    assert payloads.for_seat(now_at(over), 1)["next"] == Match.objects.get(previous=over).pk


@pytest.mark.django_db(transaction=True)
def test_a_move_and_an_agreement_to_take_back_at_once_are_one_after_the_other(cast, table):
    for _ in range(4):
        match = play_on(table("duo-2", cast.alice, cast.bob, control=BLITZ), 2)
        offer(match.pk, 1, "takeback", now=NOW)
        text = legal(match)
        at_once(
            lambda match=match: offer(match.pk, 0, "takeback", now=NOW),
            lambda match=match, text=text: play_move(match.pk, 0, text, ply=match.ply, client_id=uuid4(), now=NOW),
        )
        now = now_at(match)
        assert [row.ply for row in now.moves.all()] == list(range(1, now.ply + 1))
        assert now.ply in (match.ply - 1, match.ply + 1)
        assert replay.position_of(now).ply == now.ply


def test_a_move_for_the_position_before_a_takeback_is_stale(duel):
    match = play_on(duel, 2)
    text = legal(match)
    agree_from(1, match)
    with pytest.raises(StalePly):
        play_move(match.pk, 0, text, ply=match.ply, client_id=uuid4(), now=NOW)
    assert Event.objects.filter(match=match, kind="taken_back").count() == 1
