"""The fold of the plies, and the cache that may never change what it gives."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from matches import replay
from matches.models import Match, Move
from matches.services import play_move
from tests.platform.conftest import NOW, legal, now_at, play_on


def uncached(match: Match) -> replay.Position:
    *_, last = replay.fold(match, Move.objects.filter(match=match).values_list("text", flat=True))
    return last


def test_the_position_after_every_ply_is_the_fold_of_the_plies(cast, table):
    for variant in ("cards-2", "duo-2"):
        match = table(variant, cast.alice, cast.bob)
        while match.running:
            assert replay.position_of(match) == uncached(match)
            match = play_on(match, 1)
        replay.recent.clear()
        assert replay.position_of(match) == uncached(match)


def test_a_known_position_is_extended_by_the_new_plies_only(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    held = replay.position_of(match)
    later = play_on(match, 2)
    replay.recent.put(match.commitment, held)
    with CaptureQueriesContext(connection) as queries:
        assert replay.position_of(later) == uncached(later)
    assert f'"ply" > {held.ply}' in queries[0]["sql"]
    with CaptureQueriesContext(connection) as queries:
        replay.position_of(later)
    assert not queries.captured_queries


def test_an_older_reading_of_a_match_gets_its_own_older_position(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 1)
    play_on(match, 2)
    assert replay.position_of(match).ply == match.ply


def test_matches_with_the_same_secret_never_share_a_position(cast, table):
    one, other = (table("cards-2", cast.alice, cast.bob, secret=b"s" * 32) for _ in range(2))
    assert one.commitment == other.commitment
    play_move(one.pk, 0, legal(one, 0), ply=one.ply, now=NOW)
    play_move(other.pk, 0, legal(other, 1), ply=other.ply, now=NOW)
    for match in (now_at(one), now_at(other), now_at(one)):
        assert replay.position_of(match).state == uncached(match).state


def test_a_move_that_was_rolled_back_leaves_nothing_behind(cast, table):
    match = table("cards-2", cast.alice, cast.bob)
    before = replay.position_of(match)
    with pytest.raises(RuntimeError), transaction.atomic():
        play_move(match.pk, 0, legal(match, 1), ply=match.ply, now=NOW)
        raise RuntimeError
    assert replay.position_of(now_at(match)) == before
    play_move(match.pk, 0, legal(match, 0), ply=match.ply, now=NOW)
    assert replay.position_of(now_at(match)) == uncached(now_at(match))


def test_plies_that_somebody_tampered_with_are_noticed(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    Move.objects.filter(match=match, ply=match.ply).delete()
    replay.recent.clear()
    with pytest.raises(replay.BrokenLog):
        replay.position_of(match)


def test_only_so_many_positions_are_kept(cast, table):
    cache = replay._Recent(2)
    position = replay.start_of(table("cards-2", cast.alice, cast.bob))
    for name in ("a", "b", "a", "c"):
        if cache.get(name) is None:
            cache.put(name, position)
    assert [cache.get(name) is not None for name in "abc"] == [True, False, True]
