"""Results go in once, are rated in their order, and change what they should."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.db import transaction
from django.urls import reverse

from ladder import formula, scale
from ladder.models import Pool, RatedMatch, Rating, RatingChange
from ladder.services import Entrant, Standing, apply_next, enter, expected, standing_of, standings_of
from tests.ladder.conftest import NOW, POOL, change, entrants, rated, result

pytestmark = pytest.mark.django_db
LEVELS = ("beginner", "casual", "skilled", "strong")


def test_before_the_first_match_everybody_stands_at_the_start(people):
    assert standing_of(people.ann, *POOL) == Standing(1500, 250, True, 0)


def test_a_win_is_stored_with_what_it_changed(people):
    result(7, people.ann, people.bob)
    assert rated() == 1
    won, lost = change(7, 0), change(7, 1)
    assert won.before == lost.before == scale.START
    assert [won.after, lost.after] == formula.rate([scale.START] * 2, [1, 2])
    assert Rating.objects.get(user=people.ann).strength == won.after
    assert standing_of(people.ann, *POOL).rating > 1500 > standing_of(people.bob, *POOL).rating
    assert standing_of(people.ann, *POOL).matches == 1


def test_games_and_paces_are_rated_apart(people):
    result(1, people.ann, people.bob)
    result(2, people.bob, people.ann, pool=("blokus", "correspondence"))
    assert (rated(), rated("blokus", "correspondence"), rated("nibble", "live")) == (1, 1, 0)
    live, slow = standing_of(people.ann, *POOL), standing_of(people.ann, "blokus", "correspondence")
    assert live.rating > 1500 > slow.rating
    assert {rated_match.number for rated_match in RatedMatch.objects.all()} == {1}


def test_the_standings_of_many_take_one_query(people, django_assert_num_queries):
    users = [people.ann, people.bob, people.cid]
    result(1, people.ann, people.bob)
    rated()
    with django_assert_num_queries(1):
        standings = standings_of(users, *POOL)
    assert [standings[user.pk].matches for user in users] == [1, 1, 0]


def test_a_match_entered_again_stays_as_it_was(people):
    first = result(1, people.ann, people.bob)
    again = result(1, people.bob, people.ann, now=NOW + timedelta(days=1))
    assert (again, again.number, again.ended_at) == (first, 1, NOW)
    assert RatingChange.objects.count() == 2
    assert result(2, people.ann, people.bob).number == 2


def test_a_match_whose_end_is_taken_back_leaves_no_gap(people):
    class TakenBack(Exception):
        pass

    result(1, people.ann, people.bob)
    with pytest.raises(TakenBack), transaction.atomic():
        assert result(2, people.ann, people.bob).number == 2
        raise TakenBack
    assert result(3, people.ann, people.bob).number == 2


def test_results_are_rated_in_the_order_in_which_they_were_entered_whatever_their_ids(people):
    for match_id in (30, 10, 20):
        result(match_id, people.ann, people.bob, ranks=(1, 2) if match_id == 30 else (2, 1))
    pool = Pool.objects.get()
    assert (apply_next(*POOL, NOW, limit=2), pool.applied_number) == (2, 2)
    assert change(20, 0).before is None
    assert (apply_next(*POOL, NOW, limit=2), pool.applied_number) == (1, 3)
    assert apply_next(*POOL, NOW) == 0
    for seat in (0, 1):
        assert change(10, seat).before == change(30, seat).after
        assert change(20, seat).before == change(10, seat).after


def test_many_calls_or_one_give_the_same_to_the_last_bit(people):
    """The two pools get one history; one is rated match by match, with the seats turned round, the other at one go."""
    chance, one, other = Random(5), ("azul", "live"), ("nibble", "live")
    cast = [people.ann, people.bob, people.cid, *LEVELS]
    for number in range(1, 41):
        seats = chance.sample(cast, chance.choice((2, 3, 4)))
        ranks = [chance.choice((1, 2, 3)) for _ in seats]
        now = NOW + timedelta(hours=7 * number)
        result(number, *seats, ranks=ranks, pool=one, now=now)
        result(1000 + number, *reversed(seats), ranks=ranks[::-1], pool=other, now=now)
        apply_next(*one, NOW)
    assert rated(*other) == 40
    fields = ("user", "mu", "sigma", "matches", "updated_at")
    assert set(Rating.objects.filter(game="azul").values_list(*fields)) == set(Rating.objects.filter(game="nibble").values_list(*fields))
    assert Rating.objects.filter(game="azul").count() == 3


def test_the_history_told_again_gives_every_rating(people):
    chance, cast = Random(11), [people.ann, people.bob, people.cid, people.dee, "casual"]
    for number in range(1, 31):
        result(number, *chance.sample(cast, 3), ranks=chance.choice([(1, 2, 3), (1, 1, 3), (3, 2, 1)]))
    rated()
    told = {}
    for match in RatedMatch.objects.order_by("number"):
        seats = list(match.changes.order_by("seat"))
        before = [told.get(seat.user_id, scale.START) if seat.user_id else scale.ANCHORS[seat.level] for seat in seats]
        told.update(zip([seat.user_id for seat in seats], formula.rate(before, match.ranks), strict=True))
    assert {rating.user_id: rating.strength for rating in Rating.objects.all()} == {key: told[key] for key in told if key}


def test_a_tie_of_two_newcomers_moves_neither(people):
    result(1, people.ann, people.bob, ranks=(1, 1))
    rated()
    ann, bob = standing_of(people.ann, *POOL), standing_of(people.bob, *POOL)
    assert ann == bob
    assert (ann.rating, ann.matches) == (1500, 1)
    assert ann.deviation < 250


def test_a_bot_counts_with_its_anchor_which_never_moves(people):
    for match_id in range(1, 6):
        result(match_id, people.ann, "strong", "casual")
        rated()
        for seat, level in ((1, "strong"), (2, "casual")):
            assert change(match_id, seat).before == change(match_id, seat).after == scale.ANCHORS[level]
    assert Rating.objects.count() == 1
    result(6, people.bob, "beginner")
    rated()
    assert standing_of(people.ann, *POOL).rating > standing_of(people.bob, *POOL).rating > 1500


def test_a_new_anchor_leaves_what_was_entered_as_it_was(people, monkeypatch):
    old = scale.ANCHORS["casual"]
    result(1, people.ann, "casual")
    monkeypatch.setattr(scale, "ANCHORS", {**scale.ANCHORS, "casual": scale.Strength(40.0, 1.0)})
    rated()
    assert change(1, 0).after == formula.rate([scale.START, old], [1, 2])[0]


def test_somebody_deleted_before_the_rating_is_left_out(people):
    result(1, people.ann, people.bob, people.cid)
    result(2, people.bob, people.ann)
    people.bob.delete()
    assert rated() == 2
    assert [change(1, 0).after, change(1, 2).after] == formula.rate([scale.START] * 2, [1, 3])
    assert change(1, 1).before is None
    assert change(2, 1).after is None
    assert standing_of(people.ann, *POOL).matches == 1


def test_somebody_deleted_before_the_end_is_left_out(people):
    gone = people.bob
    gone_id = gone.pk
    gone.delete()
    enter(1, *POOL, [*entrants(people.ann, people.cid, None), Entrant(gone_id)], (2, 1, 3, 4), NOW)
    assert rated() == 1
    assert [change(1, 0).after, change(1, 1).after] == formula.rate([scale.START] * 2, [2, 1])


def test_somebody_deleted_later_leaves_the_ratings_of_the_others_and_the_history(people):
    result(1, people.ann, people.bob)
    rated()
    before = standing_of(people.ann, *POOL)
    people.bob.delete()
    assert standing_of(people.ann, *POOL) == before
    assert (change(1, 1).user_id, change(1, 1).before) == (None, scale.START)
    assert not Rating.objects.exclude(user=people.ann).exists()


def test_matches_narrow_the_deviation_and_end_the_provisional_time(people):
    chance, seen = Random(3), [standing_of(people.ann, *POOL)]
    for match_id in range(1, 31):
        result(match_id, people.ann, chance.choice(("casual", "skilled", "strong")), ranks=chance.choice([(1, 2), (2, 1)]))
        rated()
        seen.append(standing_of(people.ann, *POOL))
    deviations = [standing.deviation for standing in seen]
    assert deviations == sorted(deviations, reverse=True)
    assert all(standing.provisional for standing in seen[:6])
    assert not any(standing.provisional for standing in seen[20:])


def test_a_long_absence_widens_what_is_shown_and_what_is_rated_once(people):
    for match_id in range(1, 31):
        result(match_id, people.ann, "skilled", ranks=(1 + match_id % 2, 2 - match_id % 2))
    rated()
    then, later = standing_of(people.ann, *POOL), NOW + timedelta(days=400)
    back = standing_of(people.ann, *POOL, now=later)
    assert (back.rating, back.provisional) == (then.rating, True)
    assert back.deviation > then.deviation
    for match_id in (31, 32):
        result(match_id, people.ann, "skilled", now=later)
    rated()
    assert scale.deviation(change(31, 0).before.sigma) == back.deviation
    assert change(32, 0).before == change(31, 0).after


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_what_was_expected_of_a_rank_is_what_then_happens(people, rank):
    for match_id in range(1, 8):
        result(match_id, people.bob, people.ann, "casual")
    rated()
    later = NOW + timedelta(days=20)
    seats = entrants(people.ann, "beginner", people.bob)
    promised = expected(seats, 0, *POOL, now=later)
    before = standing_of(people.ann, *POOL).rating
    behind_bob = [place for place in (1, 2, 3) if place != rank]
    enter(99, *POOL, seats, (rank, behind_bob[1], behind_bob[0]), later)
    rated()
    assert standing_of(people.ann, *POOL).rating - before == promised[rank - 1]


def test_a_better_rank_is_expected_to_bring_more(people, django_assert_num_queries):
    seats = entrants("strong", people.ann, people.bob, "casual")
    with django_assert_num_queries(1):
        changes = expected(seats, 1, *POOL, now=NOW)
    assert list(changes) == sorted(set(changes), reverse=True)
    assert changes[0] > 0 > changes[-1]


@pytest.mark.parametrize("seat", [1, 2])
def test_nobody_can_expect_something_for_a_bot_or_beside_an_empty_seat(people, seat):
    seats = entrants(people.ann, "casual", None)[: seat + 1]
    with pytest.raises(ValueError, match="Only a person"):
        expected(seats, seat % 2, *POOL, now=NOW)


def test_a_result_needs_two_seats_as_many_ranks_and_nobody_twice(people):
    for seats, ranks in (([people.ann], [1]), ([people.ann, people.bob], [1]), ([people.ann, people.ann], [1, 2])):
        with pytest.raises(ValueError, match="nobody twice"):
            enter(1, *POOL, entrants(*seats), ranks, NOW)
    assert not Pool.objects.exists()


def test_the_admin_shows_ratings_and_changes_none(people, client):
    result(1, people.ann, "casual")
    rated()
    boss = people.boss
    boss.is_staff = boss.is_superuser = True
    boss.save()
    client.force_login(boss)
    for name, row in (("pool", Pool), ("rating", Rating), ("ratedmatch", RatedMatch)):
        assert client.get(reverse(f"admin:ladder_{name}_changelist")).status_code == 200
        shown = reverse(f"admin:ladder_{name}_change", args=[row.objects.get().pk])
        assert client.get(shown).status_code == 200
        assert client.post(shown).status_code == 403
        assert client.get(reverse(f"admin:ladder_{name}_add")).status_code == 403
