"""The demo matches."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from accounts.models import User
from games import KEYS
from games.kit.record import check, read_records
from matches.models import Match
from matches.payloads import record_of
from tests.platform.conftest import NOW

pytestmark = pytest.mark.django_db


def seed(*words: str) -> str:
    out = StringIO()
    call_command("seed", *words, stdout=out)
    return out.getvalue()


@pytest.mark.long
def test_the_demo_matches_come_out_as_they_went_in_and_only_once():
    files = [read_records(path.read_text("utf-8")) for path in (Path(settings.BASE_DIR) / "seeds").glob("*.jsonl")]
    records = [record for file in files for record in file]
    assert [check(record) for record in records] == [[]] * len(records)
    assert seed() == f"{len(records)} demo matches loaded.\n"
    stored = {match.commitment: record_of(match, None) for match in Match.objects.with_seats()}
    assert stored == {record.commitment: record for record in records}
    people = User.objects.count()
    assert seed() == "0 demo matches loaded.\n"
    assert (Match.objects.count(), User.objects.count()) == (len(records), people)
    assert not any(user.has_usable_password() for user in User.objects.all())


@pytest.mark.long
def test_the_latest_demo_matches_show_every_game():
    seed()
    latest = Match.objects.order_by("-moved_at").values_list("game", flat=True)[: len(KEYS)]
    assert set(latest) == set(KEYS)


def test_a_site_that_has_matches_is_left_alone(cast, table):
    table("duo-2", cast.alice, cast.bob)
    assert seed("--if-empty") == ""
    assert Match.objects.get().created_at == NOW


def test_nobody_real_is_seated_in_a_demo_match():
    User.objects.create_user("Anouk", password="her very own words")
    with pytest.raises(CommandError, match="Anouk"):
        seed()
