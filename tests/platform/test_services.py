"""The one door, one caller at a time."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from games.kit.protocol import IllegalMove, InvalidMove, RuleError
from games.kit.ranking import with_leavers
from games.registry import UnknownGame
from matches import followups, payloads, replay, tasks
from matches.clock import TimeControl
from matches.errors import MatchError, MatchOver, NoSuchMatch, NotNow, NotSeated, NotYourTurn, StalePly, TooLateToAbort, TooMuch
from matches.models import FollowUp, Match, Move
from matches.services import MOST_STARTED, BotSeat, Person, abort, hand_over_seats, play_move, resign, start_match
from tests.platform.conftest import NOW, legal, now_at, play_on


@pytest.fixture
def duel(cast, table):
    return table("cards-2", cast.alice, cast.bob)


def test_a_match_starts_with_its_seats_and_the_draws_that_are_due(cast, table):
    match = table("cards-3", cast.alice, "low", cast.bob, options=["low-wins"])
    seats = [(seat.number, seat.user, seat.level) for seat in match.seats.all()]
    assert seats == [(0, cast.alice, ""), (1, None, "low"), (2, cast.bob, "")]
    assert (match.status, match.ply, match.version, match.to_move, match.options) == ("running", 1, 1, 0, ["low-wins"])
    assert Move.objects.get(match=match).seat is None


def test_a_start_that_makes_no_sense_is_refused_with_a_reason(cast):
    alice, bob = Person(cast.alice), Person(cast.bob)
    for error, game, variant, seats, options in (
        (UnknownGame, "chess", "cards-2", [alice, bob], ()),
        (RuleError, "cards", "cards-9", [alice, bob], ()),
        (RuleError, "cards", "cards-2", [alice, bob], ("no-such-rule",)),
        (RuleError, "cards", "cards-2", [alice, BotSeat("grandmaster")], ()),
        (MatchError, "cards", "cards-2", [alice], ()),
        (MatchError, "cards", "cards-2", [alice, alice], ()),
    ):
        with pytest.raises(error, match=r"\w"):
            start_match(game, variant, seats=seats, options=options, now=NOW)
    assert not Match.objects.exists()


def test_a_move_and_the_draw_it_owes_are_stored_together(duel):
    receipt = play_move(duel.pk, 0, legal(duel), ply=duel.ply, now=NOW)
    after = now_at(duel)
    assert (receipt.ply, receipt.version, receipt.repeated) == (2, 2, False)
    assert (after.ply, after.version, after.to_move) == (3, 2, 1)
    assert [move.seat for move in after.moves.all()] == [None, 0, None]


def test_two_people_play_every_variant_to_its_end(cast, table):
    for variant in ("cards-2", "cards-3", "duo-2", "classic-2"):
        people = [cast.alice, cast.bob, cast.carol][: int(variant[-1])]
        match = play_on(table(variant, *people))
        assert (match.status, match.termination, match.to_move) == ("finished", "complete", None)
        outcome = replay.position_of(match).state.outcome()
        assert (tuple(match.scores), tuple(match.ranks)) == (outcome.scores, outcome.ranks)
        assert match.finished_at == NOW


def test_a_repeated_intent_gets_its_first_receipt_even_when_the_match_is_over(duel):
    intent, text = uuid4(), legal(duel)
    first = play_move(duel.pk, 0, text, ply=duel.ply, client_id=intent, now=NOW)
    over = play_on(duel)
    again = play_move(duel.pk, 0, text, ply=duel.ply, client_id=intent, now=NOW)
    assert (again.ply, again.version, again.repeated) == (first.ply, first.version, True)
    assert now_at(duel).version == over.version


def test_the_same_intent_of_another_seat_is_another_intent(duel):
    intent = uuid4()
    play_move(duel.pk, 0, legal(duel), ply=duel.ply, client_id=intent, now=NOW)
    other = now_at(duel)
    assert not play_move(duel.pk, 1, legal(other), ply=other.ply, client_id=intent, now=NOW).repeated


def test_what_may_not_be_played_changes_nothing(cast, table):
    match = table("cards-3", cast.alice, cast.bob, "low")
    text = legal(match)
    for error, seat, move, ply in (
        (NotYourTurn, 1, text, match.ply),
        (NotSeated, 2, text, match.ply),
        (NotSeated, 3, text, match.ply),
        (StalePly, 0, text, match.ply - 1),
        (StalePly, 0, text, match.ply + 1),
        (IllegalMove, 0, "99", match.ply),
        (InvalidMove, 0, "", match.ply),
        (InvalidMove, 0, "=1", match.ply),
        (InvalidMove, 0, "\x00", match.ply),
        (InvalidMove, 0, "1" * 501, match.ply),
    ):
        with pytest.raises(error):
            play_move(match.pk, seat, move, ply=ply, client_id=uuid4(), now=NOW)
    after = now_at(match)
    assert (after.ply, after.version) == (match.ply, match.version)
    with pytest.raises(NoSuchMatch):
        play_move(10**9, 0, text, ply=1, now=NOW)


def test_nobody_moves_for_a_bot_and_the_site_moves_for_no_person(cast, table):
    match = table("cards-2", "low", cast.bob)
    with pytest.raises(NotSeated):
        play_move(match.pk, 0, legal(match), ply=match.ply, now=NOW)
    play_move(match.pk, 0, legal(match), ply=match.ply, now=NOW, automatic=True)
    match = now_at(match)
    with pytest.raises(NotSeated):
        play_move(match.pk, 1, legal(match), ply=match.ply, now=NOW, automatic=True)


def test_after_the_end_nothing_is_played(duel):
    over = play_on(duel)
    for act in (
        lambda: play_move(duel.pk, 0, "1", ply=over.ply, now=NOW),
        lambda: resign(duel.pk, 0, now=NOW),
        lambda: abort(duel.pk, 0, now=NOW),
    ):
        with pytest.raises(MatchOver):
            act()


def test_a_stored_ply_cannot_be_changed(duel):
    with pytest.raises(DatabaseError, match="cannot be changed"):
        Move.objects.filter(match=duel).update(text="=1.2/3.4")


def test_resigning_a_match_of_two_ends_it_for_the_other(duel):
    play_on(duel, 2)
    resign(duel.pk, 0, now=NOW)
    over = now_at(duel)
    assert (over.status, over.termination, over.ranks, over.to_move) == ("finished", "resigned", [2, 1], None)
    assert over.scores == list(replay.position_of(over).state.scores())


def test_resigning_twice_is_resigning_once(duel):
    first = resign(duel.pk, 0, now=NOW)
    again = resign(duel.pk, 0, now=NOW)
    assert (again.version, again.repeated) == (first.version, True)


def test_a_bot_plays_out_the_seat_of_who_left_a_larger_match_and_it_ranks_last(cast, table):
    match = table("cards-3", cast.alice, cast.bob, cast.carol)
    resign(match.pk, 0, now=NOW)
    match = now_at(match)
    assert (match.status, match.version) == ("running", 2)
    with pytest.raises(NotSeated):
        play_move(match.pk, 0, legal(match), ply=match.ply, now=NOW)
    over = finish_with_bots(match)
    complete = replay.position_of(over).state.outcome()
    assert over.termination == "complete"
    assert tuple(over.ranks) == with_leavers(complete.ranks, {0: 1})
    assert over.ranks[0] == 3


def test_who_left_later_ranks_above_who_left_earlier(cast, table):
    match = table("classic-4", cast.alice, cast.bob, cast.carol, cast.dave)
    resign(match.pk, 2, now=NOW)
    match = play_on(match, 1)
    resign(match.pk, 0, now=NOW)
    assert [seat.left_at_ply for seat in now_at(match).seats.all()] == [1, None, 0, None]
    assert thoughts().count() == 0
    play_on(match, 1)
    assert thoughts().get().ply == 2


def test_when_all_people_left_the_bots_bring_it_to_an_end(cast, table):
    match = table("cards-3", cast.alice, "low", cast.bob)
    resign(match.pk, 0, now=NOW)
    resign(match.pk, 2, now=NOW)
    over = finish_with_bots(now_at(match))
    assert over.ranks == [2, 1, 2]


def thoughts():
    return FollowUp.objects.filter(kind=followups.THINK)


def finish_with_bots(match: Match) -> Match:
    """Do every follow-up; people make any legal move."""
    while match.running:
        row = thoughts().filter(done_at=None).first()
        if row is not None:
            tasks.think(row.pk)
        else:
            play_on(match, 1)
        match = now_at(match)
    return match


def test_a_match_can_be_called_off_until_everybody_has_moved(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 1)
    abort(match.pk, 1, now=NOW)
    match = now_at(match)
    assert (match.status, match.termination, match.ranks, match.to_move) == ("aborted", "", None, None)
    assert abort(match.pk, 0, now=NOW).repeated
    other = play_on(table("cards-2", cast.alice, cast.bob), 2)
    with pytest.raises(TooLateToAbort):
        abort(other.pk, 0, now=NOW)


def test_a_guests_seats_go_to_the_account_it_signs_in_to(cast, table):
    guest = cast.guest()
    mine = table("cards-2", guest, cast.bob)
    shared = table("cards-2", guest, cast.alice)
    hand_over_seats(guest, cast.alice)
    assert now_at(mine).seat_held_by(cast.alice) == 0
    assert now_at(mine).version == mine.version + 1
    assert now_at(shared).seat_held_by(guest) == 0
    assert now_at(shared).seat_held_by(cast.alice) == 1


def test_a_move_costs_a_handful_of_queries(cast, table):
    match = play_on(table("classic-4", cast.alice, cast.bob, cast.carol, "casual"), 2)
    text = legal(match)
    with CaptureQueriesContext(connection) as queries:
        play_move(match.pk, 2, text, ply=match.ply, client_id=uuid4(), now=NOW)
    asked = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    # The match, its seats, the intent, the ply, the plans of the seats, the match again, and the bot's turn.
    assert len(asked) <= 7, asked
    assert not any("secret" in sql.split("FROM")[0] for sql in asked if sql.startswith("SELECT"))


@pytest.mark.parametrize(("control", "bound"), [("5m+3s", 4), ("3d", 4), ("none", 3)])
def test_what_a_seat_is_shown_costs_few_queries_beyond_the_match(cast, table, control, bound):
    people = [cast.alice, cast.bob, cast.carol, cast.dave]
    match = now_at(play_on(table("classic-4", *people, control=TimeControl.parse(control), rated=control != "none"), 5))
    with CaptureQueriesContext(connection) as queries:
        payloads.for_seat(match, 1)
    assert len(queries) <= bound, [query["sql"] for query in queries]


def test_only_people_with_an_account_and_a_clock_play_for_a_rating(cast, table):
    clock = TimeControl.parse("5m+3s")
    for one, other, control in (("low", "low", clock), (cast.alice, cast.guest(), clock), (cast.alice, "low", TimeControl.none())):
        with pytest.raises(NotNow):
            table("cards-2", one, other, control=control, rated=True)
    with pytest.raises(NotNow, match="takes over"):
        table("cards-3", cast.alice, "low", "low", control=clock, rated=True, open_seats=True)


def test_sixty_matches_in_an_hour_are_the_most_that_anybody_starts(cast, table):
    for _ in range(MOST_STARTED):
        table("duo-2", cast.alice, "casual")
    with pytest.raises(TooMuch):
        table("duo-2", cast.bob, cast.alice)
    table("duo-2", cast.bob, "casual")


def test_the_long_log_of_a_match_is_not_read_again_for_each_move(duel):
    play_on(duel, 2)
    match = now_at(duel)
    text = legal(match)
    with CaptureQueriesContext(connection) as queries:
        play_move(match.pk, match.to_move, text, ply=match.ply, now=NOW)
    assert not [query for query in queries if query["sql"].startswith('SELECT "matches_move"."text"')]
