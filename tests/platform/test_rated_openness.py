"""Ratings laid open: the pages that tell of them, and the history from which a script of our own recomputes every one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from ladder.models import RatedMatch, RatingChange
from ladder.services import Entrant, apply_next, enter
from matches.clock import TimeControl
from matches.services import resign
from tests.platform.conftest import NOW, play_on

pytestmark = pytest.mark.long

POOL = ("cards", "live")
SCRIPT = Path(settings.BASE_DIR) / "static/rating/recompute.py"
BLITZ = TimeControl.parse("3m+2s")


@pytest.fixture(autouse=True)
def _counted_like_any_game(monkeypatch):
    """The card game is none of the site's."""
    monkeypatch.setattr("ladder.words.games", lambda: {"cards": "Cards", "blokus": "Blokus"})


def rate():
    while apply_next(*POOL, NOW + timedelta(days=400)):
        pass


def random_history(cast, results=60):
    """People and bots over more than a year, of whom two are deleted on the way."""
    chance, names = Random(8), ["ann", "bob", "cid", "dee", "eve", "fay"]
    for number in range(1, results + 1):
        size = chance.randint(2, 4)
        seats = [Entrant(getattr(cast, name).pk) for name in chance.sample(names, min(size, len(names)))]
        for place in range(1, len(seats)):
            if chance.random() < 0.3:
                seats[place] = Entrant(level=chance.choice(["casual", "strong"]))
        now = NOW + timedelta(days=number * 400 / results, microseconds=chance.randrange(10**9))
        enter(number, *POOL, seats, [chance.randint(1, size) for _ in seats], now)
        if number in (20, 40):
            getattr(cast, names.pop()).delete()
        if chance.random() < 0.5:
            rate()
    rate()


def downloaded(client=None, **query):
    response = (client or Client()).get(reverse("ratings_history", args=POOL), query)
    assert response.status_code == 200
    return b"".join(response).decode()


def recomputed(path):
    return subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, timeout=120)


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous iterators")
def test_the_script_recomputes_a_whole_history_to_the_last_digit_and_finds_a_wrong_one(cast, tmp_path):
    random_history(cast)
    text = downloaded()
    path = tmp_path / "history.jsonl"
    path.write_text(text, "utf-8")
    right = recomputed(path)
    assert (right.stdout, right.returncode) == ("60 results, 4 people, 0 differences.\n", 0), right.stderr
    spoilt = text.splitlines(keepends=True)
    line = json.loads(spoilt[31])
    mean = line["seats"][0]["after"][0]
    line["seats"][0]["after"][0] = f"{float(mean) + 1e-6:.6f}"
    path.write_text("".join([*spoilt[:31], json.dumps(line) + "\n", *spoilt[32:]]), "utf-8")
    wrong = recomputed(path)
    assert wrong.returncode == 1
    assert "result 31, after" in wrong.stdout


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous iterators")
def test_a_history_begins_where_asked_and_tells_the_same_however_much_is_read_at_once(cast, monkeypatch):
    random_history(cast, results=20)
    enter(99, *POOL, [Entrant(cast.ann.pk), Entrant(cast.bob.pk)], (1, 2), NOW + timedelta(days=500))
    whole = downloaded().splitlines()
    assert [json.loads(line)["number"] for line in whole[1:]] == list(range(1, 21)), "what waits to be rated is not in it yet"
    monkeypatch.setattr("pages.openness.AT_ONCE", 3)
    assert downloaded().splitlines() == whole
    assert downloaded(**{"from": 15}).splitlines() == [whole[0], *whole[15:]]


@pytest.mark.parametrize("first", ["", "x", "-1", "1.5", "9" * 20, "²"])
def test_an_unreadable_beginning_is_refused_with_a_sentence(db, first):
    response = Client().get(reverse("ratings_history", args=POOL), {"from": first})
    assert response.status_code == 400
    assert "number of the result" in response.content.decode()


def test_there_are_no_histories_of_what_is_not_played(db):
    assert Client().get("/ladders/chess/live/history.jsonl").status_code == 404
    assert Client().get("/ladders/cards/none/history.jsonl").status_code == 404


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous iterators")
def test_a_match_that_nobody_may_watch_counts_in_the_history_without_names_and_without_its_number(cast, table):
    play_on(table("cards-2", cast.ann, cast.bob, control=BLITZ, rated=True, private=True))
    match = play_on(table("cards-2", cast.ann, cast.bob, control=BLITZ, rated=True))
    rate()
    private, public = (json.loads(line) for line in downloaded().splitlines()[1:])
    assert (private["match"], [seat["name"] for seat in private["seats"]]) == (None, [None, None])
    assert (public["match"], [seat["name"] for seat in public["seats"]]) == (match.pk, ["ann", "bob"])
    assert [seat["person"] for seat in private["seats"]] == [seat["person"] for seat in public["seats"]]
    cast.bob.delete()
    _, public = (json.loads(line) for line in downloaded().splitlines()[1:])
    assert [(seat["person"], seat["name"]) for seat in public["seats"]] == [(cast.ann.pk, "ann"), (None, None)]


def test_the_page_about_ratings_has_every_number_the_files_and_the_script(cast, client):
    random_history(cast, results=5)
    page = client.get(reverse("ratings")).content.decode()
    for number in ("8.333333333333334", "4.166666666666667", "0.08333333333333334", "0.0001", "900 ± 30", "1500? ± 250"):
        assert number in page
    assert reverse("ratings_history", args=POOL) in page
    assert re.search(r'href="/static/rating/recompute[^"]*\.py"', page)
    assert re.search(r"pip install openskill==\d", page)


def test_a_persons_list_tells_of_each_match_what_it_changed_and_why(cast, table, client):
    for _ in range(2):
        play_on(table("cards-2", cast.ann, cast.bob, control=BLITZ, rated=True))
    play_on(table("cards-3", cast.ann, "low", "low", control=BLITZ, rated=True), 0)
    rate()
    page = client.get(reverse("person_ratings", args=["ann", *POOL])).content.decode()
    assert page.count('<strong class="rating-points">') == 2
    assert re.search(r"(Beat|Lost to|Tied with) bob \(1500\? ± 250\)", page)
    assert "after 2 rated matches" in page


def test_outsiders_learn_of_a_match_that_nobody_may_watch_only_what_it_changed(cast, table):
    match = play_on(table("cards-2", cast.ann, cast.bob, control=BLITZ, rated=True, private=True))
    rate()
    address = reverse("person_ratings", args=["ann", *POOL])
    outside, inside = (cast.at_browser(who).get(address).content.decode() for who in (cast.eve, cast.bob))
    assert "A match that nobody may watch" in outside
    assert "bob" not in outside
    assert reverse("match", args=[match.pk]) not in outside
    assert reverse("match", args=[match.pk]) in inside


def test_a_long_list_is_turned_page_by_page(cast, client):
    for number in range(1, 36):
        enter(number, *POOL, [Entrant(cast.ann.pk), Entrant(cast.bob.pk)], (1, 2), NOW + timedelta(hours=number))
    rate()
    address = reverse("person_ratings", args=["ann", *POOL])
    first = client.get(address)
    assert len(first.context["rows"]) == 30
    second = client.get(address, {"before": first.context["older"]})
    assert [row["number"] for row in second.context["rows"]] == [5, 4, 3, 2, 1]
    assert "Older" not in second.content.decode()


def test_what_did_not_count_is_in_no_history(cast, table):
    resign(play_on(table("cards-2", cast.ann, cast.bob, control=BLITZ, rated=True), 3).pk, 1, now=NOW)
    assert not RatedMatch.objects.exists()
    assert not RatingChange.objects.exists()
