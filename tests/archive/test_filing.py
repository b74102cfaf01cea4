"""The rows of the archive: written by the database itself, whatever happens to matches and people; their first moves by a task."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Sum
from django.utils import timezone

from accounts.models import User
from archive.models import Filed, FiledCount, FiledSeat, FirstMove
from archive.tasks import read_first_moves
from games import registry
from matches.clock import TimeControl
from matches.models import Match, Seat
from matches.services import BotSeat, Person, resign, start_match
from tests.archive.conftest import Cast, finished, play_on, played

pytestmark = pytest.mark.django_db


def counted() -> int:
    return FiledCount.objects.aggregate(all=Sum("matches"))["all"] or 0


def test_a_match_is_filed_with_its_people_when_it_ends_and_not_before(cast: Cast) -> None:
    now = timezone.now()
    seats = [Person(cast.alice), Person(cast.bob), BotSeat("casual")]
    match = start_match("blokus", "classic-3", seats=seats, now=now, control=TimeControl.parse("2d"))
    assert not Filed.objects.exists()
    resign(match.pk, 0, now=now)
    assert not Filed.objects.exists()
    resign(match.pk, 1, now=now)
    match.refresh_from_db()
    filed = Filed.objects.get(match=match)
    assert (filed.game, filed.variant, filed.pace, filed.rated, filed.termination) == (
        "blokus", "classic-3", "correspondence", match.rated, "resigned",
    )  # fmt: skip
    facts = (match.ply, match.rating, 3, "casual", match.finished_at)
    assert (filed.plies, filed.rating, filed.seats, filed.levels, filed.finished_at) == facts
    people = FiledSeat.objects.filter(filed=filed).order_by("number")
    assert [(row.user, row.result, row.left_why) for row in people] == [
        (cast.alice, "lost", "resigned"),
        (cast.bob, "lost", "resigned"),
    ]
    assert [row.rank for row in people] == (match.ranks or [])[:2]


@pytest.mark.parametrize("more", [{"status": "aborted"}, {"private": True}])
def test_a_match_that_was_called_off_or_that_nobody_may_watch_is_not_filed(cast: Cast, more: dict[str, Any]) -> None:
    finished([cast.alice, cast.bob], [1, 2], **more)
    assert not Filed.objects.exists()
    assert counted() == 0


def test_a_private_match_that_ends_through_the_service_is_not_filed(cast: Cast, table: Any) -> None:
    match = table("duo-2", cast.alice, cast.bob, private=True)
    resign(match.pk, 0, now=timezone.now())
    assert Match.objects.get(pk=match.pk).status == "finished"
    assert not Filed.objects.exists()


def test_a_match_that_becomes_private_is_taken_out_and_comes_back_when_it_is_public_again(cast: Cast) -> None:
    match = finished([cast.alice, cast.bob], [1, 2])
    Match.objects.filter(pk=match.pk).update(private=True)
    assert (Filed.objects.count(), FiledSeat.objects.count(), counted()) == (0, 0, 0)
    Match.objects.filter(pk=match.pk).update(private=False)
    assert (Filed.objects.count(), FiledSeat.objects.count(), counted()) == (1, 2, 1)


def test_those_who_are_first_together_share_the_win(cast: Cast) -> None:
    finished([cast.alice, cast.bob, cast.carol], [1, 1, 3], "classic-3")
    assert dict(FiledSeat.objects.values_list("user__username", "result")) == {"alice": "shared", "bob": "shared", "carol": "lost"}


def test_a_seat_that_passes_from_a_guest_to_an_account_takes_its_results_along(cast: Cast) -> None:
    guest = cast.guest()
    match = played(finished([guest, cast.bob], [1, 2]), "e10")
    read_first_moves()
    Seat.objects.filter(match=match, user=guest).update(user=cast.alice)
    rows = FiledSeat.objects.filter(user=cast.alice).values_list("result", "number", "first_move")
    assert list(rows) == [("won", 0, FirstMove.objects.get().pk)]
    assert not FiledSeat.objects.filter(user=guest).exists()


def test_when_an_account_goes_its_part_goes_and_the_match_stays(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2])
    User.objects.get(username="alice").delete()
    assert list(FiledSeat.objects.values_list("user__username", flat=True)) == ["bob"]
    assert Filed.objects.count() == counted() == 1


def test_a_match_that_goes_is_no_longer_counted(cast: Cast) -> None:
    match = finished([cast.alice, cast.bob], [1, 2])
    finished([cast.alice, cast.bob], [1, 2])
    finished([cast.alice, cast.bob], [1, 2], "grey-2", "azul", rated=True)
    assert sorted(FiledCount.objects.values_list("game", "rated", "matches")) == [("azul", True, 1), ("blokus", False, 2)]
    match.delete()
    assert sorted(FiledCount.objects.values_list("game", "rated", "matches")) == [("azul", True, 1), ("blokus", False, 1)]


def test_the_first_moves_are_read_once_and_draws_are_passed_over(cast: Cast) -> None:
    match = played(finished([cast.alice, cast.bob], [1, 2], "cards-2", "cards"), "=?", "take 1", "take 2")
    assert read_first_moves() == 1
    assert read_first_moves() == 0
    filed = Filed.objects.get(match=match)
    assert (filed.line, filed.fared) == ("take 1|take 2|", "wl")


def test_first_moves_of_one_kind_share_a_row(cast: Cast, table: Any) -> None:
    for _ in range(2):
        match = play_on(table("duo-2", cast.alice, cast.bob), 7)
        resign(match.pk, 1, now=timezone.now())
    read_first_moves()
    one, other = Filed.objects.all()
    assert one.first_move is not None
    assert one.first_move == other.first_move
    texts = list(match.moves.order_by("ply").values_list("text", flat=True))[:6]
    assert other.line == "".join(f"{text}|" for text in texts)
    rules = registry.get("blokus")
    assert one.first_move.kind == rules.opening(rules.parse_move(texts[0]))
    assert set(FiledSeat.objects.values_list("first_move", flat=True)) == {one.first_move_id}


def test_a_match_without_a_move_and_one_of_a_notation_that_is_no_more_are_read_all_the_same(cast: Cast) -> None:
    silent = finished([cast.alice, cast.bob], [1, 2])
    odd = played(finished([cast.alice, cast.bob], [1, 2]), "castles")
    assert read_first_moves() == 2
    assert list(Filed.objects.filter(match=silent).values_list("line", "first_move")) == [("", None)]
    move = Filed.objects.get(match=odd).first_move
    assert move is not None
    assert move.kind.text == "castles"
