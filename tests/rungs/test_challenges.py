"""Challenges: who may challenge whom, what the answers do, and what a match changes on the ladder."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction

from accounts.browsers import note
from accounts.models import Sanction, Tie, User
from accounts.ties import tie
from matches import vacations
from matches.errors import MatchError
from matches.models import Match
from matches.services import abort
from rungs import services
from rungs.errors import Blocked, Busy, NotNow, NotOnLadder, NotYours, OutOfReach, Settled, TooSoon, Unavailable
from rungs.ladder import join, swap
from rungs.models import Challenge, Rung, Step
from rungs.settling import sweep
from rungs.statutes import AGAIN_AFTER, ANSWER_WITHIN, REACH, SAFE_FOR
from tests.platform.conftest import play_on
from tests.rungs.conftest import NOW, dare, ladder, lose, order, playing, told
from tests.threads import at_once, kinds

pytestmark = pytest.mark.long

State = Challenge.State
LATER = NOW + timedelta(hours=2)


def test_a_win_lets_the_two_change_places_and_nobody_else_moves(cast):
    _, _, cid, _, eve = ladder(cast, "ann", "bob", "cid", "dan", "eve")
    made, match = playing(eve, cid)
    lose(match, cid)
    assert sweep(LATER) == 1
    assert order() == ["ann", "bob", "eve", "dan", "cid"]
    made.refresh_from_db()
    assert (made.state, made.swapped, made.settled_at) == (State.WON, True, LATER)
    assert list(Step.objects.order_by("pk").values_list("user__username", "before", "after", "why")) == [
        ("cid", 3, 5, "lost"),
        ("eve", 5, 3, "won"),
    ]
    assert Rung.objects.get(user=eve).best == 3
    assert told(eve)[-1] == "You win your ladder match against {name}"
    assert told(cid)[-1] == "{name} wins your ladder match"


def test_a_loss_leaves_both_where_they_are_and_keeps_the_winner_safe_for_some_days(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    made, match = playing(bob, ann)
    lose(match, bob)
    sweep(LATER)
    made.refresh_from_db()
    assert (made.state, order()) == (State.LOST, ["ann", "bob", "cid"])
    with pytest.raises(TooSoon):
        dare(cid, ann, now=LATER + SAFE_FOR - timedelta(seconds=1))
    assert dare(cid, ann, now=LATER + SAFE_FOR).state == State.OPEN


def test_a_match_played_to_its_end_decides_by_its_ranks(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made, match = playing(bob, ann)
    over = play_on(match)
    sweep(LATER)
    made.refresh_from_db()
    mine, theirs = (over.ranks[over.seat_held_by(person)] for person in (bob, ann))
    expected = State.WON if mine < theirs else State.DRAWN if mine == theirs else State.LOST
    assert made.state == expected
    assert order() == (["bob", "ann"] if mine < theirs else ["ann", "bob"])


def test_a_draw_leaves_both_where_they_are(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made, match = playing(bob, ann)
    Match.objects.filter(pk=match.pk).update(status="finished", termination="complete", ranks=[1, 1], scores=[5, 5], finished_at=NOW)
    sweep(LATER)
    made.refresh_from_db()
    assert (made.state, order(), told(ann)[-1]) == (State.DRAWN, ["ann", "bob"], "Your ladder match against {name} is drawn")


def test_the_match_is_the_usual_one_for_two_rated_with_the_time_control_that_was_chosen(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made, match = playing(bob, ann)
    assert (match.game, match.variant, match.rated, match.private, match.time_control) == ("cards", "cards-2", True, False, "3d")
    assert {seat.user_id for seat in match.seats.all()} == {ann.pk, bob.pk}
    assert made.state == State.PLAYING
    assert told(bob) == ["{name} accepts your challenge"]


def test_only_people_up_to_some_rungs_above_can_be_challenged(cast):
    people = ladder(cast, *(f"p{number}" for number in range(REACH + 2)))
    for target in (people[0], people[-1]):
        with pytest.raises(OutOfReach):
            dare(people[-1], target)
    with pytest.raises(OutOfReach):
        dare(people[0], people[1])
    assert dare(people[-1], people[1]).to_position == 2


def test_one_challenge_is_made_and_one_got_at_a_time(cast):
    ann, bob, cid, dan = ladder(cast, "ann", "bob", "cid", "dan")
    dare(cid, ann)
    with pytest.raises(Busy):
        dare(cid, bob)
    with pytest.raises(Busy):
        dare(dan, ann)
    assert dare(dan, cid).state == State.OPEN


def test_the_same_two_wait_some_days_whoever_challenged_first(cast):
    ann, bob = ladder(cast, "ann", "bob")
    _, match = playing(bob, ann)
    lose(match, ann)
    sweep(LATER)
    with pytest.raises(TooSoon):
        dare(ann, bob, now=LATER + AGAIN_AFTER - timedelta(seconds=1))
    assert dare(ann, bob, now=LATER + AGAIN_AFTER).from_position == 2


def test_a_challenge_that_was_withdrawn_counts_for_that_too_and_a_void_one_does_not(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    services.withdraw(dare(bob, ann).pk, bob, now=NOW)
    with pytest.raises(TooSoon):
        dare(bob, ann, now=LATER)
    _, match = playing(cid, ann)
    abort(match.pk, match.seat_held_by(cid), now=NOW)
    sweep(LATER)
    assert dare(cid, ann, now=LATER).state == State.OPEN


@pytest.mark.parametrize("blocker", [0, 1])
def test_who_blocked_and_who_is_blocked_cannot_challenge_each_other(cast, blocker):
    people = ladder(cast, "ann", "bob")
    tie(people[blocker], people[1 - blocker], Tie.Kind.BLOCK, now=NOW)
    with pytest.raises(Blocked):
        dare(people[1], people[0])


def test_who_may_not_play_can_neither_be_challenged_nor_challenge_nor_join(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    Sanction.objects.create(user=bob, kind=Sanction.Kind.SUSPENSION, reason="r", made_at=NOW)
    with pytest.raises(Unavailable):
        dare(cid, bob)
    with pytest.raises(NotNow):
        dare(bob, ann)
    with pytest.raises(NotNow):
        join(bob, "blokus", now=NOW)


def test_who_is_on_vacation_can_neither_be_challenged_nor_challenge(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    User.objects.filter(pk=bob.pk).update(date_joined=NOW - timedelta(days=365))
    bob.refresh_from_db()
    vacations.take(bob, NOW + timedelta(days=5), now=NOW)
    with pytest.raises(NotNow, match="vacation"):
        dare(cid, bob, now=LATER)
    with pytest.raises(NotNow, match="vacation"):
        dare(bob, ann, now=LATER)


def test_two_accounts_of_one_browser_do_not_play_for_rungs(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made, match = playing(bob, ann)
    for person in (ann, bob):
        note(person, "t" * 43, NOW)
    lose(match, ann)
    sweep(LATER)
    made.refresh_from_db()
    assert (made.state, made.why, order()) == (State.VOID, "linked", ["ann", "bob"])
    with pytest.raises(NotNow, match="one browser"):
        dare(bob, ann, now=LATER + AGAIN_AFTER)


def test_guests_and_strangers_to_the_ladder_cannot_challenge(cast):
    (ann,) = ladder(cast, "ann")
    with pytest.raises(NotOnLadder):
        dare(cast.bob, ann)
    with pytest.raises(NotNow):
        join(cast.guest(), "cards", now=NOW)


def test_at_least_one_time_control_of_days_must_be_offered(cast):
    ann, bob = ladder(cast, "ann", "bob")
    for controls in ((), ("10m+10s~20s",), ("none", "7d")):
        with pytest.raises(NotNow):
            dare(bob, ann, controls=controls)


def test_a_live_match_begins_only_while_who_challenged_is_here_and_only_by_what_was_offered(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made = dare(bob, ann, controls=("1d", "10m+10s~20s"))
    with pytest.raises(NotNow, match="not here"):
        services.accept(made.pk, ann, "10m+10s~20s", now=LATER)
    with pytest.raises(NotNow):
        services.accept(made.pk, ann, "3d", now=NOW)
    User.objects.filter(pk=bob.pk).update(seen_at=LATER)
    assert services.accept(made.pk, ann, "10m+10s~20s", now=LATER).match.pace == "live"


def test_declining_gives_the_rung_away(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    made = services.decline(dare(cid, ann).pk, ann, now=NOW)
    assert (made.state, made.why, order()) == (State.FORFEITED, "declined", ["cid", "bob", "ann"])
    assert told(cid) == ["You win your challenge against {name} without a match"]
    assert told(ann) == ["{name} challenges you for your rung", "You gave your rung to {name}"]
    assert told(bob) == []


def test_a_challenge_that_is_not_answered_in_time_is_won(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made = dare(bob, ann)
    assert sweep(NOW + ANSWER_WITHIN - timedelta(seconds=1)) == 0
    assert sweep(NOW + ANSWER_WITHIN) == 1
    made.refresh_from_db()
    assert (made.state, made.why, order()) == (State.FORFEITED, "late", ["bob", "ann"])
    with pytest.raises(Settled):
        services.accept(made.pk, ann, "3d", now=NOW + ANSWER_WITHIN)


def test_too_late_an_answer_is_refused_before_the_sweep_has_come_by_too(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made = dare(bob, ann)
    with pytest.raises(Settled):
        services.accept(made.pk, ann, "3d", now=NOW + ANSWER_WITHIN)


def test_a_vacation_of_who_was_challenged_gives_more_time_to_answer(cast):
    ann, bob = ladder(cast, "ann", "bob")
    User.objects.filter(pk=ann.pk).update(date_joined=NOW - timedelta(days=365))
    ann.refresh_from_db()
    made = dare(bob, ann)
    vacations.take(ann, NOW + timedelta(days=6), now=NOW + timedelta(days=1))
    assert sweep(NOW + ANSWER_WITHIN) == 0
    made.refresh_from_db()
    assert made.answer_by == NOW + timedelta(days=8)
    assert sweep(NOW + timedelta(days=8)) == 1
    assert order() == ["bob", "ann"]


def test_who_was_challenged_cannot_save_the_rung_by_calling_the_match_off(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made, match = playing(bob, ann)
    abort(match.pk, match.seat_held_by(ann), now=NOW)
    sweep(LATER)
    made.refresh_from_db()
    assert (made.state, made.why, order()) == (State.FORFEITED, "called_off", ["bob", "ann"])


def test_a_challenge_whose_challenger_blocks_the_other_is_void(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made = dare(bob, ann)
    tie(bob, ann, Tie.Kind.BLOCK, now=NOW)
    with pytest.raises(Blocked):
        services.accept(made.pk, ann, "3d", now=NOW)
    assert sweep(LATER) == 1
    made.refresh_from_db()
    assert (made.state, made.why, order()) == (State.VOID, "barred", ["ann", "bob"])


def test_a_challenge_of_somebody_who_may_not_play_any_more_is_void(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made = dare(bob, ann)
    Sanction.objects.create(user=bob, kind=Sanction.Kind.SUSPENSION, reason="r", made_at=NOW)
    sweep(LATER)
    made.refresh_from_db()
    assert (made.state, made.why) == (State.VOID, "barred")


def test_only_the_two_answer_and_withdraw_a_challenge(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    made = dare(bob, ann)
    for person, act in ((cid, services.decline), (bob, services.decline), (ann, services.withdraw), (cid, services.withdraw)):
        with pytest.raises(NotYours):
            act(made.pk, person, now=NOW)
    with pytest.raises(NotYours):
        services.accept(made.pk, cid, "3d", now=NOW)


def test_somebody_who_stands_above_already_takes_nothing_by_winning(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made, match = playing(bob, ann)
    with transaction.atomic():
        swap(*Rung.objects.order_by("position"), NOW, down=Step.Why.LOST)
    lose(match, ann)
    sweep(LATER)
    made.refresh_from_db()
    assert (made.state, made.swapped, order()) == (State.WON, False, ["bob", "ann"])


def test_a_challenge_of_somebody_whose_account_is_gone_is_void_and_the_gap_closed(cast):
    ann, bob, cid, dan = ladder(cast, "ann", "bob", "cid", "dan")
    made, match = playing(cid, ann)
    open_one = dare(dan, bob)
    ann.delete()
    bob.delete()
    lose(match, cid)
    sweep(LATER)
    made.refresh_from_db()
    open_one.refresh_from_db()
    assert (made.state, open_one.state, order()) == (State.VOID, State.VOID, ["cid", "dan"])
    assert told(cid)[-1] == "A challenge came to nothing"


@pytest.mark.django_db(transaction=True)
def test_two_who_challenge_the_same_person_at_once_make_one_challenge(cast):
    ann, bob, cid = ladder(cast, "ann", "bob", "cid")
    results = at_once(lambda: dare(bob, ann), lambda: dare(cid, ann))
    assert kinds(results) == {"Challenge": 1, "Busy": 1}


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_once_settle_each_challenge_once(cast):
    ann, bob, cid, dan = ladder(cast, "ann", "bob", "cid", "dan")
    _, match = playing(bob, ann)
    dare(dan, cid)
    lose(match, ann)
    done = at_once(*[lambda: sweep(NOW + ANSWER_WITHIN)] * 4)
    assert sum(done) == 2
    assert order() == ["bob", "ann", "dan", "cid"]
    assert Step.objects.count() == 4
    assert len(told(cid)) == 2


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_the_end_of_its_time_at_once_agree_on_one_outcome(cast):
    ann, bob = ladder(cast, "ann", "bob")
    made = dare(bob, ann)
    just = NOW + ANSWER_WITHIN - timedelta(seconds=1)
    at_once(
        lambda: services.accept(made.pk, ann, "3d", now=just),
        lambda: services.decline(made.pk, ann, now=just),
        lambda: sweep(NOW + ANSWER_WITHIN),
        lambda: services.withdraw(made.pk, bob, now=just),
    )
    made.refresh_from_db()
    assert (made.state == State.PLAYING) == (Match.objects.count() == 1)
    assert (order() == ["bob", "ann"]) == (made.state == State.FORFEITED)


def test_a_worker_killed_in_the_middle_leaves_nothing_half_done(cast, monkeypatch):
    ann, bob = ladder(cast, "ann", "bob")
    made, match = playing(bob, ann)
    lose(match, ann)

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("rungs.news.decided", killed)
        with pytest.raises(KeyboardInterrupt):
            sweep(LATER)
    made.refresh_from_db()
    assert (made.state, order(), Step.objects.count()) == (State.PLAYING, ["ann", "bob"], 0)
    sweep(LATER)
    assert order() == ["bob", "ann"]


def test_a_refusal_is_a_sentence(cast):
    ann, bob = ladder(cast, "ann", "bob")
    with pytest.raises(MatchError, match="up to 5 rungs above"):
        dare(ann, bob)
