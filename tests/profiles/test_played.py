"""The rows that pages about people are read from: written by the database itself, whatever happens to matches and people."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from matches.clock import TimeControl
from matches.models import Match, Seat
from matches.services import BotSeat, Person, resign, start_match
from profiles.models import Played
from tests.profiles.conftest import NOW, Cast, finished

pytestmark = pytest.mark.django_db


def test_a_match_is_noted_for_each_of_its_people_when_it_is_finished_and_not_before(cast: Cast) -> None:
    now = timezone.now()
    seats = [Person(cast.alice), Person(cast.bob), BotSeat("casual")]
    match = start_match("blokus", "classic-3", seats=seats, now=now, control=TimeControl.parse("2d"), private=True)
    assert not Played.objects.exists()
    resign(match.pk, 0, now=now)
    resign(match.pk, 1, now=now)
    match.refresh_from_db()
    assert (match.status, Played.objects.count()) == (Match.Status.FINISHED, 2)
    row = Played.objects.get(user=cast.alice)
    assert match.ranks is not None and match.finished_at is not None
    assert (row.match, row.game, row.variant, row.pace) == (match, "blokus", "classic-3", "correspondence")
    assert (row.private, row.others, row.rank, row.finished_at) == (True, 2, match.ranks[0], match.finished_at)
    assert (row.known, row.knowers, row.levels) == (Seat.objects.get(match=match, number=1).rating, 1, "casual")


def test_a_match_that_was_called_off_is_not_noted(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2], status="aborted")
    assert not Played.objects.exists()


def test_the_others_are_noted_with_their_ratings_and_bots_without_one_by_their_levels(cast: Cast) -> None:
    finished([cast.alice, "strong", "casual", cast.bob], [1, 2, 3, 4], "classic-4", ratings=[1400, 1800, None, 1600])
    row = Played.objects.get(user=cast.alice)
    assert (row.others, row.known, row.knowers, row.levels) == (3, 3400, 2, "casual")


def test_a_seat_that_passes_from_a_guest_to_an_account_takes_its_results_along(cast: Cast) -> None:
    guest = cast.guest()
    match = finished([guest, cast.bob], [1, 2])
    Seat.objects.filter(match=match, user=guest).update(user=cast.alice)
    assert set(Played.objects.values_list("user", "rank")) == {(cast.alice.pk, 1), (cast.bob.pk, 2)}


def test_when_an_account_goes_its_rows_go_and_those_of_the_others_stay(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2])
    User.objects.get(username="alice").delete()
    assert list(Played.objects.values_list("user", flat=True)) == [cast.bob.pk]
    assert Seat.objects.filter(user=None).count() == 1


def test_a_match_that_goes_takes_its_rows_along(cast: Cast) -> None:
    match = finished([cast.alice, cast.bob], [1, 2], at=NOW - timedelta(days=1))
    kept = finished([cast.alice, cast.bob], [1, 2])
    match.delete()
    assert set(Played.objects.values_list("match", flat=True)) == {kept.pk}
