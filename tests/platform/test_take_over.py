"""Late join: a person sits down in a bot's seat of a match that was opened for that, while the match is young."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts import ties
from accounts.models import Tie
from matches import followups, payloads, tasks
from matches.clock import TimeControl
from matches.errors import Blocked, MatchOver, NotNow, NotSeated
from matches.models import FollowUp
from matches.services import play_move, resign, take_over
from tests.platform.conftest import NOW, legal, now_at, play_on
from tests.threads import at_once, kinds


@pytest.fixture
def opened(cast, table):
    return table("classic-3", cast.alice, "casual", "casual", open_seats=True, control=TimeControl.parse("3d"))


def play_one(match):
    match = now_at(match)
    automatic = match.seats.all()[match.to_move].automatic
    play_move(match.pk, match.to_move, legal(match), ply=match.ply, now=NOW, automatic=automatic)


def test_who_sits_down_plays_from_then_on_and_everybody_reads_it(opened, cast):
    play_on(opened, 1)
    assert payloads.for_seat(now_at(opened), None)["may"]["take_over"] == [1, 2]
    take_over(opened.pk, 1, cast.bob, now=NOW)
    assert take_over(opened.pk, 1, cast.bob, now=NOW).repeated
    match = now_at(opened)
    assert match.deadline == NOW + timedelta(days=3), "it is the newcomer's turn, whose clock runs now"
    assert payloads.for_seat(match, 0)["note"]["text"] == "bob sat down."
    tasks.think(FollowUp.objects.get(match=match, kind=followups.THINK).pk)
    assert now_at(match).ply == match.ply, "the bot that was asked to think plays no more"
    play_move(match.pk, 1, legal(match), ply=match.ply, now=NOW)
    with pytest.raises(NotSeated):
        play_move(match.pk, 1, "x", ply=match.ply + 1, now=NOW, automatic=True)


def test_a_seat_is_to_be_had_only_early_and_by_who_may_sit_there(opened, cast, table):
    closed = table("classic-3", cast.alice, "casual", "casual")
    secret = table("classic-3", cast.alice, "casual", "casual", open_seats=True, private=True)
    ties.tie(cast.mallory, cast.alice, Tie.Kind.BLOCK, now=NOW)
    for match, seat, user, error in (
        (closed, 1, cast.bob, NotNow),
        (secret, 1, cast.bob, NotNow),
        (opened, 0, cast.bob, NotNow),
        (opened, 1, cast.alice, NotNow),
        (opened, 7, cast.bob, NotSeated),
        (opened, 1, cast.mallory, Blocked),
    ):
        with pytest.raises(error):
            take_over(match.pk, seat, user, now=NOW)
    for _ in range(12):
        play_one(opened)
    assert payloads.for_seat(now_at(opened), None)["may"]["take_over"] == []
    with pytest.raises(NotNow):
        take_over(opened.pk, 1, cast.bob, now=NOW)
    resign(opened.pk, 0, now=NOW)
    while now_at(opened).running:
        play_one(opened)
    with pytest.raises(MatchOver):
        take_over(opened.pk, 1, cast.bob, now=NOW)


def test_the_seat_of_who_left_is_nobodys_to_take(cast, table):
    match = table("classic-3", cast.alice, cast.bob, "casual", open_seats=True)
    resign(match.pk, 0, now=NOW)
    with pytest.raises(NotNow):
        take_over(match.pk, 0, cast.carol, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_of_several_who_sit_down_at_once_one_gets_the_seat(opened, cast):
    people = [cast.bob, cast.carol, cast.dave, cast.eve]
    results = at_once(*(lambda user=user: take_over(opened.pk, 1, user, now=NOW) for user in people))
    assert kinds(results) == {"Receipt": 1, "NotNow": 3}
    assert now_at(opened).seats.all()[1].user in people
