"""What the site finds odd, in histories that were played through the real services, and what it lets pass."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import browsers
from accounts.models import User
from care import services, tasks
from care.detect import engine, findings, nightly
from care.models import Check, Finding, Report
from matches import followups
from matches import tasks as match_tasks
from matches.models import FollowUp, Match
from matches.replay import position_of
from matches.services import Person, play_move, resign, start_match
from tests.care.conftest import LIVE, now_at
from tests.lobby.conftest import rate

pytestmark = [pytest.mark.django_db, pytest.mark.long]
FIRST = timedelta(hours=30)
"""How long ago the histories begin."""


def began(number: int) -> datetime:
    """When the match of that number begins: spread out, so that nobody starts too many in an hour."""
    return timezone.now() - FIRST + timedelta(minutes=20 * number)


def play(match: Match, *, loser: int | None = None, after: int = 99, choose: Sequence[int] = (0, 0), now: Any = None) -> Match:
    """Play on: each seat its card of that index, until `loser` resigns after so many plies, or to the end."""
    now = now or match.created_at
    while (match := now_at(match)).running:
        if loser is not None and match.ply >= after:
            resign(match.pk, loser, now=now)
            continue
        hand = [str(move) for move in _state(match).legal_moves()]
        text = hand[choose[match.to_move] if len(hand) > 1 else 0]
        play_move(match.pk, match.to_move, text, ply=match.ply, client_id=uuid4(), now=now)
    return match


def _state(match: Match) -> Any:
    return position_of(match).state


def duels(one: User, other: User, count: int, start: int = 0, *, rated: bool = True, **how: Any) -> list[int]:
    """So many matches of the two, one after the other; their numbers."""
    made = []
    for number in range(start, start + count):
        seats = [Person(one), Person(other)]
        made.append(play(start_match("cards", "cards-2", seats=seats, control=LIVE, rated=rated, now=began(number)), **how).pk)
    return made


def look() -> None:
    """The look of the night, batch by batch."""
    after: int | None = 0
    while after is not None:
        after = nightly.look(after, timezone.now())


def found(kind: str) -> Finding | None:
    return Finding.objects.filter(kind=kind).first()


# --- The same two over and over


def test_colluders_who_hand_wins_to_one_account_are_found_with_their_matches(cast):
    matches = duels(cast.alice, cast.bob, 9, loser=1, after=3)
    duels(cast.carol, cast.dave, 2, loser=1, after=3)
    look()
    finding = Finding.objects.get(kind="pair")
    assert (finding.user, finding.other, finding.game) == (cast.alice, cast.bob, "cards")
    assert finding.data["matches"] == matches
    assert (finding.data["share"], finding.data["won"], finding.score) == (100, 9, 1.0)
    assert "9 rated matches" in findings.explain(finding)


def test_friends_who_win_in_turn_and_people_with_many_opponents_are_not_listed(cast):
    for number in range(10):
        duels(cast.alice, cast.bob, 1, number, loser=number % 2, after=3)
    others = [User.objects.create(username=f"other{number}") for number in range(9)]
    for number, other in enumerate(others):
        duels(cast.carol, other, 1, 10 + number, loser=1, after=3)
    look()
    assert found("pair") is None


def test_the_loser_of_a_feeding_pair_is_seen_although_the_winner_has_many_opponents(cast):
    duels(cast.alice, cast.bob, 8, loser=1, after=3)
    for number in range(10):
        duels(cast.alice, User.objects.create(username=f"other{number}"), 1, 10 + number, loser=number % 2, after=3)
    look()
    finding = found("pair")
    assert (finding.user, finding.other, finding.score) == (cast.alice, cast.bob, 1.0)


def test_casual_matches_and_those_of_long_ago_say_nothing(cast):
    duels(cast.alice, cast.bob, 9, rated=False, loser=1, after=3)
    for number in duels(cast.carol, cast.dave, 9, 10, loser=1, after=3)[:-1]:
        Match.objects.filter(pk=number).update(finished_at=timezone.now() - timedelta(days=91))
    look()
    assert not Finding.objects.exists()


# --- Thrown matches


def test_matches_left_early_against_the_weak_are_found_with_what_came_after(cast):
    strong = rate(cast.alice, 2200, game="cards")
    weak = [rate(User.objects.create(username=f"weak{number}"), 1500, game="cards") for number in range(5)]
    thrown = [number for index, other in enumerate(weak) for number in duels(strong, other, 1, index, loser=0, after=2)]
    duels(strong, cast.bob, 2, 20, loser=1, after=4)
    look()
    finding = found("thrown")
    assert finding.user == strong
    assert finding.data["matches"] == thrown
    assert (finding.data["share"], finding.data["then"], finding.data["then_won"]) == (100, 2, 2)
    assert "5 rated matches left early" in findings.explain(finding)


def test_resigning_late_or_against_the_strong_is_not_throwing(cast):
    strong = rate(cast.alice, 2200, game="cards")
    weak = [rate(User.objects.create(username=f"weak{number}"), 1500, game="cards") for number in range(5)]
    for index, other in enumerate(weak):
        duels(strong, other, 1, index, loser=0, after=8)
    for index, other in enumerate(weak):
        duels(other, strong, 1, 10 + index, loser=0, after=2)
    look()
    assert found("thrown") is None


# --- One browser


def test_two_accounts_of_one_match_in_one_browser_are_listed_and_others_not(cast):
    matches = duels(cast.alice, cast.bob, 2, loser=1, after=3)
    duels(cast.alice, cast.carol, 1, 5, loser=1, after=3)
    for user in (cast.alice, cast.bob):
        browsers.note(user, "the same", timezone.now())
    browsers.note(cast.carol, "another", timezone.now())
    look()
    finding = Finding.objects.get()
    assert (finding.kind, {finding.user, finding.other}) == ("browser", {cast.alice, cast.bob})
    assert finding.data["matches"] == matches
    assert "It may be a family" in findings.explain(finding)


# --- Keeping


def test_looking_again_finds_nothing_new_and_what_was_put_aside_stays_there_until_it_grows(cast, chief):
    duels(cast.alice, cast.bob, 8, loser=1, after=3)
    look()
    look()
    finding = Finding.objects.get()
    assert services.put_aside(chief, [finding], now=timezone.now()) == 1
    Finding.objects.update(found_at=timezone.now() - timedelta(days=1))
    duels(cast.alice, cast.bob, 1, 30, loser=1, after=3)
    look()
    assert Finding.objects.get().seen_at is not None
    Finding.objects.update(found_at=timezone.now() - timedelta(days=1))
    duels(cast.alice, cast.bob, 4, 31, loser=1, after=3)
    look()
    assert Finding.objects.get().seen_at is None


def test_people_are_looked_at_in_batches_and_none_is_left_out(cast, monkeypatch):
    monkeypatch.setattr(nightly, "BATCH", 1)
    duels(cast.alice, cast.bob, 8, loser=1, after=3)
    assert nightly.look(0, timezone.now()) == min(cast.alice.pk, cast.bob.pk)
    look()
    assert Finding.objects.count() == 1


def test_nothing_follows_from_a_finding_by_itself(cast):
    duels(cast.alice, cast.bob, 9, loser=1, after=3)
    look()
    assert not FollowUp.objects.filter(kind="care").exists()
    assert not cast.bob.sanctions.exists()
    assert not Report.objects.exists()


# --- Our bot's moves


@pytest.fixture
def every_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The card game has but two cards to choose from, and no openings."""
    monkeypatch.setattr(engine, "CHOICES", 2)
    monkeypatch.setattr(engine, "FIRST_SKIPPED", 0)


def checked(match: int, seat: int) -> Check:
    progress: engine.Progress | None = engine.Progress(match, seat)
    while progress is not None:
        progress = engine.go_on(progress, timezone.now())
    return Check.objects.get(match=match, seat=seat)


def test_moves_are_compared_with_the_strongest_bot_where_there_was_a_choice(cast, every_choice):
    (match,) = duels(cast.alice, cast.bob, 1, choose=(0, -1))
    alike, unlike = checked(match, 0), checked(match, 1)
    assert (alike.user, alike.plies, alike.same) == (cast.alice, 2, 2)
    assert (unlike.user, unlike.plies, unlike.same) == (cast.bob, 2, 0)


def test_where_there_is_hardly_a_choice_nothing_is_counted(cast):
    (match,) = duels(cast.alice, cast.bob, 1)
    assert checked(match, 0).plies == 0


def test_a_check_gives_way_to_bots_whose_turn_it_is_and_goes_on_where_it_stopped(cast, every_choice):
    (match,) = duels(cast.alice, cast.bob, 1)
    row = FollowUp.objects.create(key="think:x", kind=followups.THINK, due_at=timezone.now() - timedelta(seconds=1))
    stopped = engine.go_on(engine.Progress(match, 0), timezone.now())
    assert (stopped.plies, stopped.same) == (1, 1)
    row.delete()
    assert engine.go_on(stopped, timezone.now()) is None
    assert Check.objects.get().plies == 2


def test_the_site_moves_of_a_seat_that_was_left_are_not_its_persons(cast, table, every_choice):
    match = table("cards-3", cast.alice, cast.bob, cast.carol)
    resign(match.pk, 0, now=match.created_at)
    for row in list(FollowUp.objects.filter(kind=followups.THINK)):
        match_tasks.think(row.pk)
    Match.objects.filter(pk=match.pk).update(rated=True, status="finished")
    assert now_at(match).ply > 1
    assert checked(match.pk, 0).plies == 0


def test_only_finished_rated_matches_between_people_are_sampled_and_suspects_come_first(cast, table, monkeypatch):
    monkeypatch.setattr(engine, "PER_HOUR", 3)
    duels(cast.alice, cast.bob, 1, rated=False)
    table("cards-2", cast.alice, cast.bob, control=LIVE, rated=True)
    assert engine.sample(timezone.now()) == []
    old = duels(cast.alice, cast.bob, 3, 5)
    services.report(cast.alice, cast.bob, Report.Kind.CHEATING, text="too strong", now=timezone.now())
    assert sorted(engine.sample(timezone.now())) == [(number, 1) for number in old]
    Check.objects.create(match_id=old[0], seat=1, user=cast.bob, plies=1, same=1, done_at=timezone.now())
    assert (old[0], 1) not in engine.sample(timezone.now())


def history(user: User, match: int, seat: int, plies: int, same: int) -> None:
    Check.objects.create(match_id=match, seat=seat, user=user, plies=plies, same=same, done_at=timezone.now())


def test_who_plays_like_the_bot_far_more_than_others_of_that_rank_is_found(cast):
    people = [User.objects.create(username=f"peer{number}") for number in range(6)]
    for number, peer in enumerate(people):
        (match,) = duels(cast.alice, peer, 1, number, loser=1, after=3)
        history(peer, match, 1, 40, 12 + number)
        history(cast.alice, match, 0, 20, 18)
    assert engine.judge(cast.alice.pk, "cards", timezone.now())
    finding = Finding.objects.get()
    assert (finding.kind, finding.user, finding.data["rate"]) == ("engine", cast.alice, 90)
    assert "108 of 120 moves" in findings.explain(finding)
    assert not engine.judge(people[0].pk, "cards", timezone.now())


def test_without_enough_positions_or_peers_nobody_is_judged(cast):
    (match,) = duels(cast.alice, cast.bob, 1, loser=1, after=3)
    history(cast.alice, match, 0, 24, 24)
    assert not engine.judge(cast.alice.pk, "cards", timezone.now())
    (other,) = duels(cast.alice, cast.bob, 1, 3, loser=1, after=3)
    history(cast.alice, other, 0, 60, 60)
    history(cast.bob, other, 1, 60, 10)
    assert not engine.judge(cast.alice.pk, "cards", timezone.now())


def test_the_share_strays_less_the_more_positions_there_are():
    assert engine.spread([0.3, 0.4, 0.5], 400) < engine.spread([0.3, 0.4, 0.5], 40)
    assert engine.spread([0.4, 0.4], 100) == pytest.approx(0.049, abs=0.001)


def test_the_tasks_of_the_night_and_of_the_hour_do_all_this(cast, every_choice, monkeypatch):
    duels(cast.alice, cast.bob, 8, loser=1, after=3)
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(tasks.check, "apply_async", lambda args, **more: sent.append(args))
    tasks.look()
    assert found("pair") is not None
    tasks.sample()
    assert sent
    for args in sent:
        tasks.check(*args)
    assert Check.objects.count() == len(sent)
