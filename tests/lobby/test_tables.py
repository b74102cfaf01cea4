"""Tables that fill up: who may sit down, what begins when, and every refusal."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import Tie
from accounts.ties import tie
from games.kit.protocol import RuleError
from games.registry import UnknownGame
from lobby import errors
from lobby.checks import MOST_OPEN, MOST_POSTED, MOST_SAT, Wish
from lobby.models import Seek
from lobby.services import (
    cancel_seek,
    challenge,
    decline_challenge,
    empty_place,
    fill_with_bot,
    hand_over_places,
    join_seek,
    leave_seek,
    post_seek,
)
from lobby.upkeep import KEPT, prune, sweep
from matches.clock import TimeControl
from matches.models import FollowUp, Match
from tests.lobby.conftest import DAYS, LIVE, NOW, later, rate, seen, sitting, stored, wish

pytestmark = pytest.mark.django_db


# --- Filling up


def test_the_second_person_at_a_table_for_two_begins_the_match(cast, post):
    seek = post(cast.alice)
    assert sitting(seek) == ["alice", ""]
    after = join_seek(seek.pk, cast.bob, now=NOW)
    match = Match.objects.get()
    assert (after.status, after.match) == ("started", match)
    assert {seat.user for seat in match.seats.all()} == {cast.alice, cast.bob}
    assert (match.game, match.variant, match.time_control, match.pace, match.rated) == ("blokus", "duo-2", "5m+10s", "live", False)


def test_what_was_asked_for_goes_along_into_the_match(cast, post):
    seek = post(cast.alice, rated=True, private=True, control=DAYS, options=("free-corners",))
    match = join_seek(seek.pk, cast.bob, now=NOW).match
    assert (match.rated, match.private, match.time_control, match.options) == (True, True, "3d", ["free-corners"])


def test_a_table_for_four_fills_place_by_place(cast, post):
    seek = post(cast.alice, "classic-4")
    for name in ("bob", "carol"):
        join_seek(seek.pk, getattr(cast, name), now=NOW)
        assert not Match.objects.exists()
    assert sitting(seek) == ["alice", "bob", "carol", ""]
    join_seek(seek.pk, cast.dave, now=NOW)
    assert Match.objects.get().seats.count() == 4


def test_places_are_drawn_by_lot_unless_they_are_chosen(cast, post):
    orders = set()
    for _ in range(12):
        match = join_seek(post(cast.alice, control=DAYS).pk, cast.bob, now=NOW).match
        orders.add(tuple(seat.user.username for seat in match.seats.all()))
    assert orders == {("alice", "bob"), ("bob", "alice")}
    chosen = {tuple(seat.user.username for seat in _chosen(cast, post).seats.all()) for _ in range(6)}
    assert chosen == {("bob", "alice")}


def _chosen(cast, post) -> Match:
    seek = post(cast.alice, seating="chosen", seat=1, control=DAYS)
    return join_seek(seek.pk, cast.bob, 0, now=NOW).match


def test_where_places_are_chosen_one_can_move_but_not_onto_somebody(cast, post):
    seek = post(cast.alice, "classic-3", seating="chosen")
    join_seek(seek.pk, cast.bob, 2, now=NOW)
    assert sitting(seek) == ["alice", "", "bob"]
    join_seek(seek.pk, cast.bob, 1, now=NOW)
    assert sitting(seek) == ["alice", "bob", ""]
    with pytest.raises(errors.PlaceTaken):
        join_seek(seek.pk, cast.bob, 0, now=NOW)
    with pytest.raises(errors.PlaceTaken):
        join_seek(seek.pk, cast.carol, 1, now=NOW)
    with pytest.raises(errors.PlaceTaken, match="no such place"):
        join_seek(seek.pk, cast.carol, 7, now=NOW)


def test_sitting_down_twice_is_sitting_down_once(cast, post):
    seek = post(cast.alice, "classic-4")
    join_seek(seek.pk, cast.bob, now=NOW)
    join_seek(seek.pk, cast.bob, now=NOW)
    assert sitting(seek) == ["alice", "bob", "", ""]
    duo = post(cast.carol)
    first = join_seek(duo.pk, cast.dave, now=NOW)
    assert join_seek(duo.pk, cast.dave, now=NOW).match == first.match
    assert Match.objects.count() == 1


def test_who_gets_up_frees_the_place_and_the_host_closes_the_table(cast, post):
    seek = post(cast.alice, "classic-3")
    join_seek(seek.pk, cast.bob, now=NOW)
    leave_seek(seek.pk, cast.bob, now=NOW)
    assert sitting(seek) == ["alice", "", ""]
    leave_seek(seek.pk, cast.carol, now=NOW)
    assert stored(seek).is_open
    leave_seek(seek.pk, cast.alice, now=NOW)
    assert stored(seek).status == "cancelled"
    with pytest.raises(errors.SeekClosed):
        join_seek(seek.pk, cast.bob, now=NOW)


def test_a_live_match_takes_its_people_away_from_other_live_tables(cast, post):
    own, days = post(cast.alice, "classic-4"), post(cast.alice, control=DAYS)
    other = post(cast.carol, "classic-4")
    join_seek(other.pk, cast.bob, now=NOW)
    join_seek(post(cast.alice).pk, cast.bob, now=NOW)
    assert (stored(own).status, stored(days).status) == ("cancelled", "open")
    assert sitting(other) == ["carol", "", "", ""]


def test_nobody_joins_and_leaves_ten_thousand_times(cast, post):
    seek, other = post(cast.alice, "classic-4", control=DAYS), post(cast.carol, "classic-4", control=DAYS)
    for table in [seek, other] * (MOST_SAT // 2):
        join_seek(table.pk, cast.bob, now=NOW)
        leave_seek(table.pk, cast.bob, now=NOW)
    with pytest.raises(errors.TooMuch, match="very often"):
        join_seek(seek.pk, cast.bob, now=later(minutes=9))
    assert sitting(seek) == ["alice", "", "", ""]
    join_seek(seek.pk, cast.dave, now=NOW)
    join_seek(seek.pk, cast.bob, now=later(minutes=10))
    assert sitting(seek) == ["alice", "dave", "bob", ""]


def test_moving_from_place_to_place_counts_as_sitting_down(cast, post):
    seek = post(cast.alice, "classic-3", seating="chosen")
    for number in [1, 2] * (MOST_SAT // 2):
        join_seek(seek.pk, cast.bob, number, now=NOW)
    with pytest.raises(errors.TooMuch):
        join_seek(seek.pk, cast.bob, 1, now=NOW)
    assert sitting(seek) == ["alice", "", "bob"]


# --- Bots


def test_the_host_may_give_places_to_bots_and_take_them_back(cast, post):
    seek = post(cast.alice, "classic-3")
    fill_with_bot(seek.pk, cast.alice, 1, "casual", now=NOW)
    fill_with_bot_again = lambda: fill_with_bot(seek.pk, cast.alice, 1, "strong", now=NOW)  # noqa: E731
    with pytest.raises(errors.PlaceTaken):
        fill_with_bot_again()
    empty_place(seek.pk, cast.alice, 1, now=NOW)
    fill_with_bot_again()
    assert sitting(seek) == ["alice", "strong", ""]
    match = join_seek(seek.pk, cast.bob, now=NOW).match
    assert sorted(seat.level or seat.user.username for seat in match.seats.all()) == ["alice", "bob", "strong"]


def test_the_last_place_given_to_a_bot_begins_the_match(cast, post):
    seek = post(cast.alice, "classic-3", bots={2: "beginner"}, open_seats=True)
    match = fill_with_bot(seek.pk, cast.alice, 1, "casual", now=NOW).match
    assert match.open_seats
    assert match.seats.filter(user=None).count() == 2


def test_only_the_host_decides_about_bots(cast, post):
    seek = post(cast.alice, "classic-3")
    with pytest.raises(errors.NotHost):
        fill_with_bot(seek.pk, cast.bob, 1, "casual", now=NOW)
    with pytest.raises(RuleError, match="no bot"):
        fill_with_bot(seek.pk, cast.alice, 1, "godlike", now=NOW)
    with pytest.raises(errors.NotNow, match="person"):
        empty_place(seek.pk, cast.alice, 0, now=NOW)


def test_bots_sit_at_rated_tables_too_where_nobody_takes_over_their_seats(cast, post):
    alone = post(cast.alice, rated=True, bots={1: "casual"})
    assert alone.match.rated
    assert {seat.level for seat in alone.match.seats.all()} == {"", "casual"}
    seek = post(cast.carol, "classic-3", rated=True)
    fill_with_bot(seek.pk, cast.carol, 1, "strong", now=NOW)
    join_seek(seek.pk, cast.bob, now=NOW)
    seek.refresh_from_db()
    assert seek.match.rated
    with pytest.raises(errors.NotNow, match="takes over"):
        post(cast.carol, rated=True, bots={1: "casual"}, open_seats=True)


# --- Refusals


def test_a_full_table_says_kindly_that_somebody_was_faster(cast, post):
    seek = post(cast.alice)
    join_seek(seek.pk, cast.bob, now=NOW)
    with pytest.raises(errors.Full, match="faster"):
        join_seek(seek.pk, cast.carol, now=NOW)
    assert Match.objects.count() == 1


def test_blocked_people_do_not_sit_down_together_whoever_blocked_whom(cast, post):
    tie(cast.alice, cast.bob, Tie.Kind.BLOCK, now=NOW)
    with pytest.raises(errors.Blocked):
        join_seek(post(cast.alice).pk, cast.bob, now=NOW)
    with pytest.raises(errors.Blocked):
        join_seek(post(cast.bob).pk, cast.alice, now=NOW)
    seek = post(cast.carol, "classic-3")
    join_seek(seek.pk, cast.alice, now=NOW)
    with pytest.raises(errors.Blocked):
        join_seek(seek.pk, cast.bob, now=NOW)


def test_a_range_of_ratings_holds_for_who_joins(cast, post):
    rate(cast.strong, 1900)
    seek = post(cast.alice, rating_low=1400, rating_high=1600)
    with pytest.raises(errors.OutsideRating, match=r"1400 to 1600; yours is 1900"):
        join_seek(seek.pk, cast.strong, now=NOW)
    assert join_seek(seek.pk, cast.newcomer, now=NOW).match is not None


def test_rated_takes_an_account_and_a_clock(cast, post):
    with pytest.raises(errors.NotNow, match="account"):
        join_seek(post(cast.alice, rated=True).pk, cast.guest(), now=NOW)
    with pytest.raises(errors.NotNow, match="account"):
        post(cast.guest(), rated=True)
    with pytest.raises(errors.NotNow, match="clock"):
        post(cast.alice, rated=True, control=TimeControl.none())


def test_nobody_joins_an_own_table_or_closes_a_foreign_one(cast, post):
    seek = post(cast.alice)
    with pytest.raises(errors.OwnSeek):
        join_seek(seek.pk, cast.alice, now=NOW)
    with pytest.raises(errors.NotHost):
        cancel_seek(seek.pk, cast.bob, now=NOW)
    with pytest.raises(errors.NoSuchTable):
        join_seek(10**9, cast.bob, now=NOW)


def test_closing_a_table_whose_match_has_begun_is_too_late(cast, post):
    seek = post(cast.alice)
    join_seek(seek.pk, cast.bob, now=NOW)
    with pytest.raises(errors.SeekClosed, match="begun"):
        cancel_seek(seek.pk, cast.alice, now=NOW)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"message": "x" * 141}, "140"),
        ({"language": "tlh"}, "languages"),
        ({"seating": "standing"}, "lot"),
        ({"seat": 2}, "2 places"),
        ({"bots": {0: "casual"}}, "2 places"),
        ({"bots": {5: "casual"}}, "2 places"),
        ({"rating_low": 1600, "rating_high": 1500}, "lower to a higher"),
        ({"rating_high": 9999}, "4000"),
        ({"rating_low": 1500, "control": TimeControl.none()}, "Without a clock"),
    ],
)
def test_a_table_that_is_not_possible_says_why(cast, more, says):
    with pytest.raises(errors.BadWish, match=says):
        post_seek(cast.alice, wish(**more), now=NOW)
    assert not Seek.objects.exists()


def test_games_variants_and_rules_that_do_not_exist_are_refused(cast):
    with pytest.raises(UnknownGame):
        post_seek(cast.alice, Wish("chess", "classic"), now=NOW)
    for bad in (Wish("blokus", "huge-9"), Wish("blokus", "duo-2", options=("wings",)), wish(bots={1: "godlike"})):
        with pytest.raises(RuleError):
            post_seek(cast.alice, bad, now=NOW)


def test_nobody_opens_ten_thousand_tables(cast, post):
    opened = [post(cast.alice, control=DAYS) for _ in range(MOST_OPEN)]
    with pytest.raises(errors.TooMuch, match=f"{MOST_OPEN} open tables"):
        post(cast.alice, control=DAYS)
    for _ in range(MOST_POSTED - MOST_OPEN):
        cancel_seek(opened.pop().pk, cast.alice, now=NOW)
        opened.append(post(cast.alice, control=DAYS))
    cancel_seek(opened.pop().pk, cast.alice, now=NOW)
    with pytest.raises(errors.TooMuch, match="few minutes"):
        post(cast.alice, control=DAYS)
    post(cast.bob)
    post(cast.alice, control=DAYS, now=later(minutes=11))


# --- Challenges


def test_a_challenge_is_for_those_named_and_they_are_told(cast):
    seek = challenge(cast.alice, [cast.bob], wish(), now=NOW)
    row = FollowUp.objects.get(kind="tell", person=cast.bob)
    assert row.data == {"event": "challenge", "seek": seek.pk}
    with pytest.raises(errors.NotInvited):
        join_seek(seek.pk, cast.carol, now=NOW)
    with pytest.raises(errors.NotInvited):
        decline_challenge(seek.pk, cast.carol, now=NOW)
    assert join_seek(seek.pk, cast.bob, now=NOW).match is not None


def test_several_are_challenged_to_a_table_for_several(cast):
    seek = challenge(cast.alice, [cast.bob, cast.carol], wish("classic-4", bots={3: "casual"}), now=NOW)
    join_seek(seek.pk, cast.carol, now=NOW)
    assert sitting(seek) == ["alice", "", "carol", "casual"]
    assert join_seek(seek.pk, cast.bob, now=NOW).match is not None
    assert FollowUp.objects.filter(kind="tell", data__event="challenge").count() == 2


def test_one_no_declines_a_challenge_for_all(cast):
    seek = challenge(cast.alice, [cast.bob, cast.carol], wish("classic-3"), now=NOW)
    decline_challenge(seek.pk, cast.bob, now=NOW)
    assert stored(seek).status == "declined"
    with pytest.raises(errors.SeekClosed):
        join_seek(seek.pk, cast.carol, now=NOW)


def test_challenges_to_oneself_to_blocked_people_and_to_too_few_are_refused(cast):
    with pytest.raises(errors.ToYourself):
        challenge(cast.alice, [cast.alice], wish(), now=NOW)
    with pytest.raises(errors.BadWish, match="3 other places for people, and you named 1"):
        challenge(cast.alice, [cast.bob], wish("classic-4"), now=NOW)
    with pytest.raises(errors.BadWish):
        challenge(cast.alice, [cast.bob, cast.bob], wish("classic-3"), now=NOW)
    with pytest.raises(errors.NotNow):
        challenge(cast.alice, [cast.guest()], wish(rated=True), now=NOW)
    tie(cast.bob, cast.alice, Tie.Kind.BLOCK, now=NOW)
    with pytest.raises(errors.Blocked):
        challenge(cast.alice, [cast.bob], wish(), now=NOW)
    assert not Seek.objects.exists()


# --- Time


@pytest.mark.parametrize(
    ("kind", "control", "stands"),
    [
        ("open", DAYS, timedelta(days=14)),
        ("open", TimeControl.none(), timedelta(days=14)),
        ("link", LIVE, timedelta(days=14)),
        ("challenge", DAYS, timedelta(days=7)),
        ("challenge", LIVE, timedelta(minutes=10)),
    ],
)
def test_what_waits_too_long_expires(cast, kind, control, stands):
    invited = [cast.bob] if kind == "challenge" else []
    seek = post_seek(cast.alice, wish(control=control), kind=kind, invited=invited, now=NOW)
    sweep(NOW + stands - timedelta(seconds=1))
    assert stored(seek).is_open
    with pytest.raises(errors.Expired, match="expired"):
        join_seek(seek.pk, cast.bob, now=NOW + stands)
    sweep(NOW + stands)
    assert stored(seek).status == "expired"
    with pytest.raises(errors.Expired):
        join_seek(seek.pk, cast.bob, now=NOW + stands)


def test_a_live_table_goes_when_its_host_has_gone(cast, post):
    gone, here, days = post(cast.alice), post(cast.bob), post(cast.alice, control=DAYS)
    seen(later(seconds=40), cast.bob)
    sweep(later(seconds=44))
    assert stored(gone).is_open
    with pytest.raises(errors.SeekClosed, match="gone"):
        join_seek(gone.pk, cast.carol, now=later(seconds=46))
    sweep(later(seconds=46))
    assert [stored(seek).status for seek in (gone, here, days)] == ["expired", "open", "open"]


def test_who_goes_away_from_a_live_table_loses_the_place(cast, post):
    seek = post(cast.alice, "classic-4")
    join_seek(seek.pk, cast.bob, now=NOW)
    join_seek(seek.pk, cast.carol, now=NOW)
    seen(later(seconds=40), cast.alice, cast.carol)
    sweep(later(seconds=50))
    assert sitting(seek) == ["alice", "", "carol", ""]


def test_a_correspondence_table_keeps_its_places(cast, post):
    seek = post(cast.alice, "classic-3", control=DAYS)
    join_seek(seek.pk, cast.bob, now=NOW)
    sweep(later(days=2))
    assert sitting(seek) == ["alice", "bob", ""]


def test_tables_that_were_closed_long_ago_are_deleted_and_their_matches_stay(cast, post):
    started, cancelled, waiting = post(cast.alice), post(cast.alice), post(cast.carol, "classic-3", control=DAYS)
    cancel_seek(cancelled.pk, cast.alice, now=NOW)
    join_seek(started.pk, cast.bob, now=NOW)
    assert prune(NOW + KEPT) == 0
    assert prune(NOW + KEPT + timedelta(seconds=1)) == 2
    assert Seek.objects.get() == waiting
    assert Match.objects.count() == 1


def test_tokens_are_long_and_differ(cast, post):
    tokens = {post(cast.alice, control=DAYS).token for _ in range(5)}
    assert len(tokens) == 5
    assert all(len(token) >= 22 for token in tokens)


def test_who_signs_in_takes_places_at_open_tables_along(cast, post):
    guest = cast.guest()
    hosted, joined = post(guest, "classic-3", control=DAYS), post(cast.bob, "classic-3", control=DAYS)
    both = post(cast.alice, "classic-3", control=DAYS)
    for seek in (joined, both):
        join_seek(seek.pk, guest, now=NOW)
    hand_over_places(guest, cast.alice)
    assert (sitting(hosted), stored(hosted).host) == (["alice", "", ""], cast.alice)
    assert sitting(joined) == ["bob", "alice", ""]
    assert sitting(both) == ["alice", guest.username, ""]
