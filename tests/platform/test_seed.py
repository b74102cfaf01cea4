"""The demo people and their matches."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from games import KEYS
from games.kit.record import check, read_records
from ladder.models import Placing, Pool, RatedMatch, Rating, Season
from ladder.tasks import close_seasons
from matches.models import FollowUp, Match
from matches.payloads import record_of
from matches.services import NO_CLOCK, Person, start_match
from pages import demo
from rungs.models import Challenge, Rung
from tests.platform.conftest import NOW
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.long]

SEEDS = Path(django_settings.BASE_DIR) / "seeds"


def seed(*words: str) -> str:
    out = StringIO()
    call_command("seed", *words, stdout=out)
    return out.getvalue()


@pytest.fixture
def few(tmp_path, settings):
    """A project folder with the people and the shortest match of each game."""
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "people.json").write_text((SEEDS / "people.json").read_text("utf-8"), "utf-8")
    for key in KEYS:
        lines = sorted((SEEDS / f"{key}.jsonl").read_text("utf-8").splitlines(), key=len)[:1]
        (tmp_path / "seeds" / f"{key}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    settings.BASE_DIR = tmp_path
    return demo.planned(tmp_path / "seeds", timezone.now())


def test_all_demo_matches_are_faultless_records_of_demo_people():
    names = {person["name"] for person in json.loads((SEEDS / "people.json").read_text("utf-8"))}
    assert len(names) == 60
    records = [record for key in KEYS for record in read_records((SEEDS / f"{key}.jsonl").read_text("utf-8"))]
    assert [fault for record in records for fault in check(record)] == []
    assert {name for record in records for name in record.seats or ()} <= names
    assert len({record.commitment for record in records}) == len(records) >= 400


def test_the_demo_matches_come_out_as_they_went_in_and_only_once(few):
    assert seed() == "4 demo matches loaded.\n"
    stored = {match.commitment: record_of(match, None) for match in Match.objects.with_seats()}
    days = {match.commitment: match.finished_at.date().isoformat() for match in Match.objects.all()}
    assert stored == {plan.record.commitment: replace(plan.record, date=days[plan.record.commitment]) for plan in few}
    assert seed() == "0 demo matches loaded.\n"
    assert (Match.objects.count(), User.objects.count()) == (4, 60)
    assert not any(user.has_usable_password() for user in User.objects.all())
    assert not FollowUp.objects.filter(done_at=None, match__isnull=False).exists(), "nothing of the matches is left to do for the workers"


def test_they_are_rated_in_the_order_in_which_they_ended(few):
    seed()
    assert Match.objects.filter(rated=True, finished_at__lt=timezone.now()).count() == 4
    counted = Match.objects.filter(uncounted="")
    assert set(RatedMatch.objects.exclude(applied_at=None).values_list("match_id", flat=True)) == set(counted.values_list("pk", flat=True))
    for pool in Pool.objects.all():
        ends = list(RatedMatch.objects.filter(game=pool.game, pace=pool.pace).order_by("number").values_list("ended_at", flat=True))
        assert ends == sorted(ends)
    assert Rating.objects.exists()
    assert Season.objects.exists()
    latest = Match.objects.order_by("-finished_at").values_list("game", flat=True)
    assert set(latest) == set(KEYS)


def test_the_demo_people_stand_on_the_challenge_ladders_of_the_games_they_like(few):
    seed()
    for key in KEYS:
        standing = Rung.objects.filter(game=key).order_by("position")
        assert [rung.position for rung in standing] == list(range(1, standing.count() + 1))
        assert {rung.user_id for rung in standing} == {user.pk for user in User.objects.all() if key in user.favourites}
    assert {"open", "forfeited"} <= set(Challenge.objects.values_list("state", flat=True))


def test_the_whole_set_takes_the_place_of_the_small_one(few, monkeypatch):
    monkeypatch.setattr("pages.management.commands.seed.SMALL", 2)
    assert seed("--small") == "2 demo matches loaded.\n"
    assert seed("--small") == "0 demo matches loaded.\n"
    assert seed() == "4 demo matches loaded.\n"
    assert Match.objects.count() == 4
    assert Placing.objects.filter(period="").count() == Rating.objects.count()
    assert seed("--small") == "0 demo matches loaded.\n"


def test_what_people_have_won_in_between_is_not_touched(few, cast, monkeypatch):
    monkeypatch.setattr("pages.management.commands.seed.SMALL", 2)
    seed("--small")
    pool = Pool.objects.first()
    assert pool is not None
    RatedMatch.objects.create(match_id=10**9, game=pool.game, pace=pool.pace, number=pool.next_number, ended_at=NOW, ranks=[1, 2])
    with pytest.raises(CommandError, match="new database"):
        seed()
    assert Match.objects.count() == 2


def test_nobody_thinks_longer_than_the_clock_allows(few):
    for plan in few:
        times = plan.times()
        assert len(times) == len(plan.record.plies) + 1
        assert times[-1] == plan.ends
        longest = max(later - earlier for earlier, later in pairwise(times))
        assert longest < (timedelta(days=1) if plan.control.days else timedelta(seconds=plan.control.increment * 2))


def test_a_site_that_has_matches_is_left_alone(cast):
    start_match("blokus", "duo-2", seats=[Person(cast.alice), Person(cast.bob)], control=NO_CLOCK, now=NOW)
    assert seed("--if-empty") == ""
    assert Match.objects.get().created_at == NOW


def test_nobody_real_is_seated_in_a_demo_match():
    User.objects.create_user("Anouk", password="her very own words")
    with pytest.raises(CommandError, match="Anouk"):
        seed()
    assert not Match.objects.exists()


def test_a_season_that_the_clock_closed_meanwhile_takes_the_results_of_its_time_all_the_same(few, monkeypatch):
    """The workers close what is over every few minutes, and a season of the demo is over before its matches are loaded."""
    played = demo.load

    def with_a_look_at_the_clock(plans, people, report):
        for plan in plans:
            played([plan], people, report)
            close_seasons()

    monkeypatch.setattr(demo, "load", with_a_look_at_the_clock)
    seed()
    for plan in few:
        rated = RatedMatch.objects.get(match_id=Match.objects.get(commitment=plan.record.commitment).pk)
        assert abs(rated.ended_at - plan.ends) < timedelta(hours=1)


@pytest.mark.django_db(transaction=True)
def test_one_load_at_a_time():
    def load() -> str:
        with pytest.raises(CommandError) as refused:
            seed()
        return str(refused.value)

    with demo.alone():
        assert at_once(load) == ["The demo is being loaded already. Wait until that has ended."]
    assert not Match.objects.exists()
