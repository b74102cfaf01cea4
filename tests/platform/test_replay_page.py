"""The replay as a browser gets it: one packed file, who may see what in it, and the same without scripts."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse

from accounts.models import User
from matches import packing, payloads, replays
from matches.clock import TimeControl
from matches.models import Move
from matches.services import play_move, resign
from tests.platform.conftest import NOW, legal, now_at, play_on


def drawn(source: Random, depth: int = 3) -> Any:
    """Some JSON value: likely to be like another one, and not to be equal to it."""
    kind = source.randrange(5) if depth else 0
    if kind < 2:
        return source.choice((None, 0, 1, "", "a", True))
    size = source.randrange(4)
    if kind < 4:
        return [drawn(source, depth - 1) for _ in range(size)]
    return {key: drawn(source, depth - 1) for key in source.sample("abcd", size)}


def test_what_is_packed_is_the_same_when_it_is_unpacked():
    source = Random(6)
    for _ in range(500):
        listed = [drawn(source) for _ in range(5)]
        packed = json.loads(json.dumps(packing.pack(listed)))
        assert packing.unpack(packed) == listed


def test_what_hardly_changes_is_packed_small():
    listed = [{"cells": [n > cell for cell in range(400)], "score": n} for n in range(100)]
    assert len(json.dumps(packing.pack(listed))) < len(json.dumps(listed)) / 20


@pytest.fixture
def cards(cast, table):
    """A match of the game that hides hands, two moves old."""
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    match.alice, match.bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    return match


def data(client: Any, match: Any, **more: Any) -> Any:
    return client.get(reverse("replay_data", args=[match.pk]), more, headers={"accept-encoding": "gzip"})


def read(response: Any) -> dict[str, Any]:
    return json.loads(gzip.decompress(response.content))


def spread(response: Any) -> list[dict[str, Any]]:
    return packing.unpack(read(response)["positions"])


def test_a_replay_comes_compressed_and_plain_to_who_cannot_read_that(cards, client):
    match = play_on(cards)
    sent, plain = data(client, match), client.get(reverse("replay_data", args=[match.pk]))
    assert (sent["Content-Encoding"], "Content-Encoding" in plain) == ("gzip", False)
    assert read(sent) == plain.json()
    assert sent["ETag"] != plain["ETag"]
    assert len(sent.content) < len(plain.content)


def test_a_browser_that_has_the_replay_already_gets_nothing(cards, client):
    match = play_on(cards)
    first = data(client, match)
    address = reverse("replay_data", args=[match.pk])
    again = client.get(address, headers={"accept-encoding": "gzip", "if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "private" in first["Cache-Control"]


def test_a_finished_match_is_folded_once_and_then_kept(cards, client):
    match = play_on(cards)
    first = data(client, match)
    with CaptureQueriesContext(connection) as queries:
        second = data(client, match)
    assert second.content == first.content
    assert not any("matches_move" in query["sql"] for query in queries)


def test_a_kept_replay_follows_who_sat_there_and_the_readers_language(cards, cast, client):
    match = play_on(cards)
    assert read(data(client, match))["seats"][0]["name"] == "alice"
    User.objects.filter(pk=cast.alice.pk).update(username="alicia")
    assert read(data(client, match))["seats"][0]["name"] == "alicia"
    dutch = client.get(reverse("replay_data", args=[match.pk]), headers={"accept-language": "nl"})
    assert dutch["ETag"] != data(client, match)["ETag"]
    assert read(data(cards.alice, match))["seats"][0]["you"]
    assert not read(data(client, match))["seats"][0]["you"]


def test_a_replay_opens_without_the_cache(cards, client):
    match = play_on(cards)
    kept = data(client, match).content
    away = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}}
    with override_settings(CACHES=away):
        assert data(client, match).content == kept


def test_a_finished_match_is_seen_open_or_with_the_eyes_of_a_seat(cards, client):
    running = {seat: payloads.replay_for(cards, seat) for seat in (0, 1)}
    match = play_on(cards)
    assert all(position["view"]["hands"] is not None for position in spread(data(client, match)))
    for seat in (0, 1):
        seen = read(data(client, match, seat=seat))
        assert seen["point"] == seat
        assert [ply["text"] for ply in seen["plies"][: cards.ply]] == [ply["text"] for ply in running[seat]["plies"]]
        for then, now in zip(running[seat]["positions"], packing.unpack(seen["positions"]), strict=False):
            assert then["view"] == now["view"]
    assert "=?" in {ply["text"] for ply in read(data(client, match, seat=0))["plies"]}
    assert "=?" not in {ply["text"] for ply in read(data(client, match))["plies"]}


@pytest.mark.parametrize("asked", ["2", "-1", "x", "", "²", "9" * 500])
def test_eyes_that_do_not_exist_see_all(cards, client, asked):
    match = play_on(cards)
    assert read(data(client, match, seat=asked))["point"] is None


def test_nobody_borrows_the_eyes_of_a_seat_while_the_match_runs(cards, client):
    for viewer in (client, cards.bob):
        own = read(data(viewer, cards))
        for seat in (0, 1):
            assert read(data(viewer, cards, seat=seat)) == own
    assert spread(data(client, cards))[-1]["view"]["hand"] == []
    plain = client.get(reverse("replay", args=[cards.pk]), {"plain": 1, "seat": 0})
    assert plain.context["plain"]["point"] is None
    assert not plain.context["plain"]["points"]


def test_a_running_match_is_never_kept(cards, client):
    before = read(data(client, cards))
    play_on(cards, 1)
    after = read(data(client, cards))
    assert len(after["plies"]) > len(before["plies"])


def test_a_private_match_is_replayed_by_its_people_only(cast, table, client):
    match = play_on(table("cards-2", cast.alice, cast.bob, private=True))
    assert data(cast.at_browser(cast.alice), match).status_code == 200
    for address in (reverse("replay_data", args=[match.pk]), reverse("replay", args=[match.pk]) + "?plain=1"):
        assert client.get(address).status_code == 404


def test_each_move_says_how_long_it_took(cast, table):
    match = table("duo-2", cast.alice, cast.bob)
    for number, seconds in enumerate((4, 7)):
        play_move(match.pk, number, legal(match), ply=number, now=NOW + timedelta(seconds=4 * number + seconds))
    replay = payloads.replay_for(now_at(match), None)
    assert [ply["used"] for ply in replay["plies"]] == [4000, 7000]


def test_a_move_with_a_clock_took_what_the_clock_was_charged(cast, table):
    match = play_on(table("duo-2", cast.alice, cast.bob, control=TimeControl(base=300, increment=3)), 2)
    play_move(match.pk, 0, legal(match), ply=2, now=NOW + timedelta(seconds=9), lag=1000)
    charged = Move.objects.get(match=match, ply=3).used_ms
    assert payloads.replay_for(now_at(match), None)["plies"][2]["used"] == charged < 9000


def test_draws_take_no_time(cards):
    replay = payloads.replay_for(now_at(cards), None)
    assert {ply["used"] for ply in replay["plies"] if ply["seat"] is None} == {None}


def test_without_scripts_every_ply_is_a_page_with_its_picture_and_its_neighbours(cards, client):
    match = play_on(cards)
    address = reverse("replay", args=[match.pk])
    assert "?plain=1&amp;ply=0" in client.get(address).content.decode()
    for ply in range(match.ply + 1):
        page = client.get(address, {"plain": 1, "ply": ply})
        text = page.content.decode()
        assert page.context["plain"]["where"].startswith(f"Ply {ply} of {match.ply}:" if ply else "Start")
        assert ('rel="prev"' in text, 'rel="next"' in text) == (ply > 0, ply < match.ply)
        assert "<svg" in text


def test_without_scripts_the_eyes_of_a_seat_stay_chosen_from_page_to_page(cards, client):
    match = play_on(cards)
    page = client.get(reverse("replay", args=[match.pk]), {"plain": 1, "ply": 1, "seat": 1})
    assert "ply=2&amp;seat=1" in page.content.decode()
    assert {"text": "=?"}.items() <= next(row for row in page.context["plain"]["rows"] if "?" in row["text"]).items()


def test_a_record_is_replayed_from_a_kept_file_as_well(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 1)
    resign(match.pk, 0, now=NOW)
    record = payloads.record_of(now_at(match), None)
    first, again = replays.file_of_record(record), replays.file_of_record(record)
    assert first == again
    seen = json.loads(gzip.decompress(replays.file_of_record(record, 1).body))
    opened = json.loads(gzip.decompress(first.body))
    assert (opened["point"], seen["point"], opened["hides"]) == (None, 1, True)
    assert seen["positions"] != opened["positions"]
