"""What is counted of somebody's matches, for whom."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ladder import scale
from profiles import statistics
from tests.profiles.conftest import Cast, finished

pytestmark = pytest.mark.django_db


def rows(person, title_of=0, game="", private=False):
    table = statistics.tables(statistics.groups(person, private=private), game)[title_of]
    return {row.name: (row.matches, row.won, row.rank) for row in table.rows}


def test_matches_are_counted_by_game_with_wins_and_mean_rank(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2])
    finished([cast.alice, cast.bob], [2, 1])
    finished([cast.alice, cast.bob, cast.carol], [3, 1, 2], "classic-3")
    finished([cast.alice, cast.bob], [1, 1], "grey-2", "azul")
    assert rows(cast.alice) == {"Azul": (1, 1, 1.0), "Blokus": (3, 1, 2.0)}
    assert rows(cast.bob)["Blokus"] == (3, 2, 4 / 3)
    whole = statistics.total(statistics.groups(cast.alice, private=False))
    assert whole is not None and (whole.matches, whole.won, whole.share) == (4, 2, 50)


def test_the_tables_of_one_game_go_by_its_variants_seats_and_paces(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2])
    finished([cast.alice, cast.bob, cast.carol], [3, 1, 2], "classic-3", pace="correspondence", time_control="2d")
    finished([cast.alice, cast.bob], [1, 2], "grey-2", "azul", pace="none", time_control="none")
    assert {name: row[0] for name, row in rows(cast.alice, 0, "blokus").items()} == {"Duo": 1, "Classic, three players": 1}
    assert {name: row[0] for name, row in rows(cast.alice, 1).items()} == {"2": 2, "3": 1}
    assert {name: row[0] for name, row in rows(cast.alice, 2).items()} == {"Live": 1, "Over days": 1, "No clock": 1}


def test_the_strength_of_the_others_is_the_mean_of_their_ratings_with_bots_at_their_anchors(cast: Cast) -> None:
    skilled = scale.shown(scale.anchor("skilled").mu)
    finished([cast.alice, cast.bob], [1, 2], ratings=[1900, 1099])
    finished([cast.alice, cast.bob], [1, 2], ratings=[900, 1100])
    finished([cast.alice, cast.bob, "skilled"], [1, 2, 3], "classic-3", ratings=[None, 2 * 1750 - skilled, None])
    finished([cast.alice, cast.bob], [2, 1], ratings=[None, 1900])
    finished([cast.alice, cast.guest()], [2, 1])
    assert rows(cast.alice, 3) == {
        "not known": (1, 0, 2.0), "below 1100": (1, 1, 1.0), "1100 to 1299": (1, 1, 1.0),
        "1700 to 1899": (1, 1, 1.0), "from 1900": (1, 0, 2.0),
    }  # fmt: skip


def test_private_matches_count_only_for_oneself_and_unfinished_ones_for_nobody(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2], private=True)
    finished([cast.alice, cast.bob], [1, 2], status="aborted")
    assert rows(cast.alice) == {}
    assert rows(cast.alice, private=True) == {"Blokus": (1, 1, 1.0)}


def test_two_people_are_compared_by_who_ranked_better_in_the_matches_of_both(cast: Cast) -> None:
    finished([cast.alice, cast.bob, cast.carol], [2, 3, 1], "classic-3")
    finished([cast.bob, cast.alice], [2, 1], private=True)
    finished([cast.alice, cast.bob], [1, 1])
    finished([cast.alice, cast.bob], [2, 1], "grey-2", "azul")
    finished([cast.alice, cast.carol], [1, 2])
    blokus, azul = statistics.against(cast.bob, cast.alice)
    assert (blokus.game, blokus.matches, blokus.ahead, blokus.behind, blokus.level) == ("blokus", 3, 2, 0, 1)
    assert (azul.game, azul.matches, azul.ahead, azul.behind, azul.level) == ("azul", 1, 0, 1, 0)
    assert statistics.against(cast.alice, cast.dora) == []


def test_however_many_matches_there_are_it_is_one_query(cast: Cast) -> None:
    alice = cast.alice
    for _ in range(5):
        finished([alice, cast.bob], [1, 2])
    with CaptureQueriesContext(connection) as queries:
        assert len(statistics.groups(alice, private=True)) == 1
    assert len(queries) == 1
