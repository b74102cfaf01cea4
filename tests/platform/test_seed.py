"""The demo matches."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from accounts.models import User
from games.kit.record import check, read_records
from matches.models import Match
from matches.payloads import record_of
from tests.platform.conftest import NOW

pytestmark = pytest.mark.django_db


def seed(*words: str) -> str:
    out = StringIO()
    call_command("seed", *words, stdout=out)
    return out.getvalue()


def test_the_demo_matches_come_out_as_they_went_in_and_only_once():
    assert seed() == "12 demo matches loaded.\n"
    records = read_records((Path(settings.BASE_DIR) / "seeds" / "blokus.jsonl").read_text())
    assert [check(record) for record in records] == [[]] * len(records)
    stored = [record_of(match, None) for match in Match.objects.with_seats().order_by("pk")]
    assert stored == records
    people = User.objects.count()
    assert seed() == "0 demo matches loaded.\n"
    assert (Match.objects.count(), User.objects.count()) == (len(records), people)
    assert {record.variant for record in records} == {"classic-4", "classic-3", "classic-2", "duo-2"}
    assert not any(user.has_usable_password() for user in User.objects.all())


def test_a_site_that_has_matches_is_left_alone(cast, table):
    table("duo-2", cast.alice, cast.bob)
    assert seed("--if-empty") == ""
    assert Match.objects.get().created_at == NOW


def test_nobody_real_is_seated_in_a_demo_match():
    User.objects.create_user("Anouk", password="her very own words")
    with pytest.raises(CommandError, match="Anouk"):
        seed()
