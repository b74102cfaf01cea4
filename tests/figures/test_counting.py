"""What is counted of finished matches, and how the page shows it."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from figures import counting
from figures.models import Figure
from games import KEYS, registry
from games.kit.chance import KeyedSource
from games.kit.protocol import is_chance
from matches.models import Match, Move

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
FIRST_MOVES = ("a1,b1,c1", "a1,a2", "a1", "a1,b1,b2,c2", "a1,a2,a3")


def finished(number: int, chance: random.Random, **changes: Any) -> Match:
    """A finished match of `classic-2` with made-up numbers; the draws of a deal may precede its first move."""
    scores = [chance.randrange(-40, 20), chance.randrange(-40, 20)]
    fields = {
        "game": "blokus",
        "variant": "classic-2",
        "rules_version": 1,
        "status": Match.Status.FINISHED,
        "ply": chance.randrange(20, 90),
        "scores": scores,
        "ranks": [1 + (scores[0] < scores[1]), 1 + (scores[1] < scores[0])],
        "rating": chance.choice([None, 900, 1199, 1200, 1650, 2100]),
        "pace": chance.choice(["live", "none"]),
        "commitment": f"{number:064}",
        "chain": "",
        "created_at": NOW,
        "moved_at": NOW,
        "finished_at": NOW - timedelta(days=chance.randrange(0, 120)),
    } | changes
    match = Match.objects.create(**fields)
    Move.objects.create(match=match, ply=1, seat=None, text="=", version=1, at=NOW)
    for ply in (2, 3):
        Move.objects.create(match=match, ply=ply, seat=ply % 2, text=chance.choice(FIRST_MOVES), version=ply, at=NOW)
    return match


@pytest.fixture
def played() -> list[Match]:
    chance = random.Random(5)
    matches = [finished(number, chance) for number in range(60)]
    finished(100, chance, private=True)
    finished(101, chance, status=Match.Status.RUNNING, scores=None, ranks=None, finished_at=None)
    finished(102, chance, status=Match.Status.ABORTED, scores=None, ranks=None)
    finished(103, chance, variant="duo-2", rating=2000)
    counting.count_game("blokus", NOW)
    return matches


def data(name: str, band: str = "", variant: str = "classic-2") -> dict[str, Any]:
    return Figure.objects.get(game="blokus", variant=variant, band=band, name=name).data


def in_band(match: Match, band: str) -> bool:
    starts = [int(one) for one in counting.BANDS if one]
    if not band:
        return True
    return match.rating is not None and max(start for start in starts if start <= match.rating) == int(band)


@pytest.mark.parametrize("band", counting.BANDS)
def test_every_band_counts_its_own_finished_public_matches(played: list[Match], band: str) -> None:
    own = [match for match in played if in_band(match, band)]
    assert own
    assert {row.matches for row in Figure.objects.filter(variant="classic-2", band=band)} == {len(own)}
    lengths = data("length", band)
    assert sum(bar[0] for bar in lengths["bars"]) == len(own)
    seats = data("seats", band)["seats"]
    for number, seat in enumerate(seats):
        ranks = [match.ranks[number] for match in own]
        shared = sum(1 / match.ranks.count(1) for match in own if match.ranks[number] == 1)
        assert (seat["matches"], seat["wins"], seat["rank"]) == (len(own), pytest.approx(shared), pytest.approx(sum(ranks) / len(own)))


def test_scores_and_lengths_fall_into_bars_of_one_width(played: list[Match]) -> None:
    scores = data("scores")
    assert len(scores["bars"]) <= counting.BARS + 1
    expected: Counter[int] = Counter((score - scores["from"]) // scores["width"] for match in played for score in match.scores)
    assert [bar[0] for bar in scores["bars"]] == [expected[number] for number in range(len(scores["bars"]))]
    winners = sum(rank == 1 for match in played for rank in match.ranks)
    assert sum(bar[1] for bar in scores["bars"]) == winners


def test_each_of_the_last_days_is_there(played: list[Match]) -> None:
    days = data("days")
    first = (NOW - timedelta(days=counting.DAYS - 1)).date()
    assert days["first"] == first.isoformat()
    for pace in ("live", "none"):
        ended: Counter[int] = Counter((match.finished_at.date() - first).days for match in played if match.pace == pace)
        assert days["paces"][pace] == [ended[number] for number in range(counting.DAYS)]


def test_the_first_move_is_the_first_that_a_seat_made_whichever_way_the_piece_lies(played: list[Match]) -> None:
    moves = data("openings")["moves"]
    assert sum(move["played"] for move in moves) == len(played)
    rules = registry.get("blokus")
    kinds: Counter[str] = Counter()
    for match in played:
        first = match.moves.filter(seat__isnull=False).order_by("ply")[0]
        kinds[rules.opening(rules.parse_move(first.text)).names[0][1]] += 1
    assert {move["names"]["piece"]: move["played"] for move in moves} == kinds
    assert len(kinds) < len(FIRST_MOVES), "three squares in a row are one piece, upright or not"


def test_counting_again_replaces_and_is_only_done_when_there_is_something_new(played: list[Match]) -> None:
    rows = Figure.objects.count()
    assert not counting.recount("blokus", NOW + timedelta(minutes=5))
    later = NOW + timedelta(minutes=10)
    finished(200, random.Random(1), finished_at=later)
    assert counting.recount("blokus", later + timedelta(minutes=5))
    assert Figure.objects.count() == rows
    assert counting.recount("blokus", NOW + timedelta(days=1)), "a new day moves the days along"
    assert not counting.recount("azul", NOW)


@pytest.mark.parametrize("key", KEYS)
def test_every_game_names_a_few_dozen_kinds_of_first_moves(key: str) -> None:
    rules = registry.get(key)
    for variant in rules.variants:
        state = rules.start(variant.key)
        chance = random.Random(3)
        while not isinstance(state.to_move, int):
            state = state.play(state.draw(KeyedSource(chance.randbytes(32), state.chance_label)))
        kinds = {rules.opening(move) for move in state.legal_moves()}
        assert 1 <= len(kinds) <= 30
        for kind in kinds:
            assert kind.text.format(**dict(kind.names))
            assert not is_chance(kind.text)


def test_the_page_shows_what_was_counted_for_the_variant_and_band_asked_for(played: list[Match], client: Client) -> None:
    page = client.get("/games/blokus/statistics/").content.decode()
    assert "Counted from 60 finished public matches" in page
    assert page.count('class="chart"') == 4
    assert "Piece I3" in page
    few = client.get("/games/blokus/statistics/?variant=duo-2&band=1800").content.decode()
    assert "Counted from 1 finished public match," in few
    assert client.get("/games/blokus/statistics/?variant=nonsense&band=7").status_code == 200
    assert "Nothing has been counted here yet" in client.get("/games/azul/statistics/").content.decode()
    assert client.get("/games/chess/statistics/").status_code == 404


def test_a_page_reads_only_what_was_counted(played: list[Match], client: Client, django_assert_max_num_queries: Any) -> None:
    client.get("/games/blokus/statistics/")
    with django_assert_max_num_queries(2):
        client.get("/games/blokus/statistics/?variant=classic-2")
