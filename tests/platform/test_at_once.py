"""Several at the same moment, on real Postgres: one move stored, nobody blocked who need not be."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from games.kit.protocol import RuleError
from matches import followups, tasks
from matches.errors import MatchError
from matches.models import FollowUp, Move
from matches.services import abort, hand_over_seats, play_move, resign
from tests.platform.conftest import NOW, held, legal, now_at, play_on
from tests.threads import at_once, kinds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


@pytest.fixture
def duel(cast, table):
    return table("cards-2", cast.alice, cast.bob)


def test_twelve_threads_that_play_one_ply_store_one_move_and_eleven_hear_that_it_is_stale(duel):
    texts = [legal(duel, 0), legal(duel, 1)] * 6
    results = at_once(*(lambda text=text: play_move(duel.pk, 0, text, ply=duel.ply, client_id=uuid4(), now=NOW) for text in texts))
    assert kinds(results) == {"Receipt": 1, "StalePly": 11}
    assert Move.objects.filter(match=duel, seat=0).count() == 1
    assert (now_at(duel).ply, now_at(duel).version) == (3, 2)


def test_one_intent_sent_on_two_threads_is_one_move_with_one_receipt(duel):
    text, intent = legal(duel), uuid4()
    first, second = sorted(
        at_once(*[lambda: play_move(duel.pk, 0, text, ply=duel.ply, client_id=intent, now=NOW)] * 2), key=lambda receipt: receipt.repeated
    )
    assert (first.repeated, second.repeated) == (False, True)
    assert (first.ply, first.version) == (second.ply, second.version)
    assert Move.objects.filter(match=duel, client_id=intent).count() == 1


def test_a_move_a_resignation_and_a_calling_off_at_once_end_in_one_way(cast, table):
    for _ in range(6):
        match = table("cards-2", cast.alice, cast.bob)
        text = legal(match)
        results = at_once(
            lambda match=match, text=text: play_move(match.pk, 0, text, ply=match.ply, now=NOW),
            lambda match=match: resign(match.pk, 1, now=NOW),
            lambda match=match: abort(match.pk, 0, now=NOW),
        )
        after = now_at(match)
        assert after.status in ("finished", "aborted")
        assert after.version == match.version + kinds(results)["Receipt"]
        assert [move.ply for move in after.moves.all()] == list(range(1, after.ply + 1))


def test_a_match_that_is_held_up_does_not_delay_another(cast, table):
    waiting, other = table("cards-2", cast.alice, cast.bob), table("cards-2", cast.alice, cast.bob)
    text = legal(other)
    with held(waiting):
        assert not play_move(other.pk, 0, text, ply=other.ply, now=NOW).repeated


def test_many_writers_on_few_matches_never_deadlock(cast, table):
    guest = cast.guest()
    matches = [table("cards-3", cast.alice, cast.bob, guest) for _ in range(4)]

    def player(first: int) -> Callable[[], None]:
        def play() -> None:
            for step in range(24):
                match = now_at(matches[(first + step) % len(matches)])
                if match.running and match.to_move is not None:
                    try:
                        play_move(match.pk, match.to_move, legal(match), ply=match.ply, client_id=uuid4(), now=NOW)
                    except (MatchError, RuleError):
                        continue  # another was faster

        return play

    carol = cast.carol
    results = at_once(*(player(first) for first in range(6)), *[lambda: hand_over_seats(guest, carol)] * 2)
    assert kinds(results) == {"NoneType": 8}
    for match in map(now_at, matches):
        plies = list(match.moves.all())
        assert [move.ply for move in plies] == list(range(1, match.ply + 1))
        assert [seat.user for seat in match.seats.all()][2] == carol


def test_a_bot_that_thinks_twice_at_once_moves_once(cast, table):
    for _ in range(4):
        match = play_on(table("cards-2", cast.alice, "low"), 1)
        row = FollowUp.objects.get(match=match)
        at_once(*[lambda row=row: tasks.think(row.pk)] * 4)
        assert Move.objects.filter(match=match, seat=1).count() == 1
        row.refresh_from_db()
        assert (row.attempts, row.error) == (1, "")
        assert row.done_at is not None


def test_two_sweeps_at_once_wake_a_row_once(cast, table):
    match = play_on(table("cards-2", cast.alice, "low"), 1)
    due = FollowUp.objects.get(match=match).due_at + followups.GRACE
    assert sum(at_once(*[lambda: followups.sweep(due)] * 4)) == 1
