"""Moves through the one door."""

from __future__ import annotations

from tests.platform.conftest import NOW, legal, now_at, play_on

from matches.services import play_move


def test_a_match_of_two_people_is_played_to_its_end(cast, table):
    match = play_on(table("duo-2", cast.alice, cast.bob))
    assert match.status == "finished"


def test_cards_too(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob))
    assert match.status == "finished"
