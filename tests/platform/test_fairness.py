"""The page on which anybody checks the draws."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.urls import reverse

from games.kit.chance import KeyedSource, TracedSource, shuffled
from matches import fairness, payloads
from matches.models import Secret
from matches.services import Person, play_move, resign, start_match
from tests.games.fake_cards import Deal
from tests.platform.conftest import NOW, now_at, play_on

pytestmark = pytest.mark.django_db


def test_a_traced_source_draws_the_same_and_shows_how():
    traced, plain = TracedSource(b"s" * 32, "deal"), KeyedSource(b"s" * 32, "deal")
    assert shuffled(range(300), traced) == shuffled(range(300), plain)
    assert len(traced.numbers) == 299
    read = b"".join(part for number in traced.numbers for part in number.read)
    assert b"".join(traced.blocks).startswith(read)
    for number in traced.numbers:
        size = len(number.read[-1])
        limit = 256**size // number.below * number.below
        assert int.from_bytes(number.read[-1]) % number.below == number.result
        assert all(int.from_bytes(thrown) >= limit for thrown in number.read[:-1])
    assert any(len(number.read) > 1 for number in traced.numbers)


def test_before_the_end_the_page_shows_the_commitment_and_nothing_else(client, cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    response = client.get(reverse("fairness", args=[match.pk]))
    page = response.content.decode()
    assert match.commitment in page
    assert Secret.of(match).hex() not in page
    assert "draws" not in response.context
    with pytest.raises(ValueError, match="still runs"):
        fairness.draws_of(match)


def test_after_the_end_every_draw_is_made_again(client, cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob))
    response = client.get(reverse("fairness", args=[match.pk]))
    page = response.content.decode()
    assert response.context["fair"]
    assert Secret.of(match).hex() in page
    stored = [ply["text"] for ply in payloads.replay_for(match, None)["plies"] if ply["seat"] is None]
    assert [draw.stored for draw, _ in response.context["draws"]] == stored
    for draw, numbers in response.context["draws"]:
        assert draw.agrees
        assert draw.label in page
        assert len(numbers) == len(draw.numbers) > 0


def test_a_draw_that_the_secret_does_not_give_is_shown_as_such(client, cast):
    def other(match, state):
        return Deal(((1, 2), (3, 4))) if not any(state.hands) else state.draw(KeyedSource(b"other", state.chance_label))

    match = start_match("cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], now=NOW, draw=other, secret=b"x" * 32)
    while (match := now_at(match)).running:
        hand = payloads.for_seat(match, match.to_move)["view"]["hand"]
        play_move(match.pk, match.to_move, str(hand[0]), ply=match.ply, now=NOW, draw=other)
    response = client.get(reverse("fairness", args=[match.pk]))
    assert not response.context["fair"]
    assert not response.context["draws"][0][0].agrees
    assert "does not agree" in response.content.decode()


def test_a_match_that_was_resigned_shows_its_draws_too(client, cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 1)
    resign(match.pk, 0, now=NOW)
    assert client.get(reverse("fairness", args=[match.pk])).context["fair"]


def test_a_game_without_chance_says_that_nothing_was_drawn(client, cast, table):
    match = play_on(table("duo-2", cast.alice, cast.bob))
    assert "Nothing was drawn" in client.get(reverse("fairness", args=[match.pk])).content.decode()


@pytest.mark.long
def test_the_command_on_the_page_checks_an_exported_match(tmp_path, client, cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob))
    file = tmp_path / "match.json"
    file.write_bytes(client.get(reverse("record", args=[match.pk])).content)
    code = (
        "import django, sys; django.setup(); from games import registry; from tests.games.fake_cards import CARDS;"
        "registry.register(CARDS); from django.core.management import call_command; call_command('record', 'check', sys.argv[1])"
    )
    env = {"DJANGO_SETTINGS_MODULE": "config.settings_test", "PYTHONPATH": f"{settings.BASE_DIR / 'site'}:{settings.BASE_DIR}"}

    def checked() -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", code, str(file)], env=env, cwd=settings.BASE_DIR, capture_output=True, text=True)

    assert checked().returncode == 0
    record = json.loads(file.read_text())
    record["secret"], record["commitment"] = "00" * 32, None
    file.write_text(json.dumps(record))
    forged = checked()
    assert forged.returncode == 1
    assert "The secret gives" in forged.stderr
