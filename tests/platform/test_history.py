"""How a match went in time: who reads it, and that everything is in it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from matches import offers, presence
from matches.clock import TimeControl
from matches.history import history_of
from matches.models import Event, Match
from matches.services import Person, play_move, resign, start_match
from pages.views.history import spent
from tests.platform.conftest import NOW, legal, now_at, play_on

pytestmark = pytest.mark.django_db


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


@pytest.fixture
def match(cast):
    """A live match of alice against bob in which each has moved twice, five seconds a move, and alice then resigned."""
    return finished(cast, "5m+8s")


def finished(cast: Any, control: str) -> Match:
    match = start_match("cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], control=TimeControl.parse(control), now=NOW)
    lease = presence.opened(match, 0, after(1))
    presence.renewed(lease, match, 0, 42, after(4))
    presence.closed(lease, after(4))
    presence.opened(match, 0, after(9))
    for number in range(1, 5):
        match = now_at(match)
        play_move(match.pk, match.to_move, legal(match), ply=match.ply, client_id=uuid4(), lag=60, now=after(5 * number))
    resign(match.pk, 0, now=after(30))
    return now_at(match)


def page_of(client: Client, match: Match) -> Any:
    return client.get(reverse("match_history", args=[match.pk]))


def file_of(client: Client, match: Match) -> Any:
    return client.get(reverse("match_history_file", args=[match.pk]))


# --- What is in it


def test_every_ply_has_its_time_its_lag_and_its_clock(match, cast):
    plies = [entry for entry in history_of(match, None, after(60))["entries"] if entry["kind"] == "ply"]
    stored = list(match.moves.all())
    assert [(ply["ply"], ply["seat"], ply["text"]) for ply in plies] == [(move.ply, move.seat, move.text) for move in stored]
    moved = [ply for ply in plies if ply["seat"] is not None]
    assert [(ply["used_ms"], ply["lag_ms"], ply["left_ms"]) for ply in moved] == [
        (0, 100, 300_000), (0, 100, 300_000), (4900, 100, 303_100), (4900, 100, 303_100),
    ]  # fmt: skip
    assert all(ply["used_ms"] is None for ply in plies if ply["seat"] is None)


def test_events_stand_between_the_plies_in_the_order_in_which_they_happened(cast):
    match = start_match("cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], control=TimeControl.parse("5m+8s"), now=NOW)
    play_on_at(match, after(5))
    play_on_at(match, after(10))
    for seat in (0, 1):
        offers.offer(match.pk, seat, "pause", now=after(12))
    offers.resume(match.pk, 1, now=after(70))
    play_on_at(match, after(75))
    resign(match.pk, 1, now=after(80))
    entries = history_of(now_at(match), None, after(90))["entries"]
    told = [
        entry["event"] if entry["kind"] == "event" else entry["kind"]
        for entry in entries
        if entry["seat"] is not None or entry["kind"] == "event"
    ]
    assert told == ["ply", "ply", "paused", "resumed", "ply", "left"]
    assert [entry["text"] for entry in entries if entry["kind"] == "event"][1:] == ["bob resumed the match.", "bob resigned."]


def play_on_at(match: Match, at: datetime) -> None:
    current = now_at(match)
    play_move(current.pk, current.to_move, legal(current), ply=current.ply, client_id=uuid4(), now=at)


def test_what_was_taken_back_stays_in_it(cast, table):
    match = table("duo-2", cast.alice, cast.bob)
    played = legal(match)
    play_on(match, 1)
    for seat in (0, 1):
        offers.offer(match.pk, seat, "takeback", now=after(3))
    resign(match.pk, 0, now=after(9))
    entries = history_of(now_at(match), None, after(10))["entries"]
    (back,) = [entry for entry in entries if entry["kind"] == "taken_back"]
    assert (back["seat"], back["text"], back["ply"]) == (0, played, 1)
    assert [entry["event"] for entry in entries if entry["kind"] == "event"] == ["taken_back", "left"]
    assert "<s><code>" in page_of(Client(), now_at(match)).content.decode()


def test_connections_show_their_lag_and_the_gaps_between_them(match):
    alice, bob = history_of(match, None, after(60))["connections"]
    assert [(socket["opened_at"], socket["ended_at"], socket["lag_ms"]) for socket in alice["sockets"]] == [
        (after(1).isoformat(), after(4).isoformat(), 42),
        (after(9).isoformat(), after(9).isoformat(), None),
    ]
    assert alice["gaps"] == [{"from": after(4).isoformat(), "to": after(9).isoformat()}]
    assert (bob["seat"], bob["sockets"], bob["gaps"]) == (1, [], [])


def test_a_socket_beside_another_leaves_no_gap(cast):
    match = start_match("cards", "cards-2", seats=[Person(cast.alice), Person(cast.bob)], control=TimeControl.parse("5m+8s"), now=NOW)
    long, short = presence.opened(match, 0, NOW), presence.opened(match, 0, after(2))
    presence.closed(short, after(4))
    presence.closed(long, after(30))
    presence.opened(match, 0, after(20))
    (alice, _) = history_of(match, cast.alice, after(31))["connections"]
    assert alice["gaps"] == []
    assert [socket["ended_at"] for socket in alice["sockets"]] == [after(30).isoformat(), after(4).isoformat(), after(20).isoformat()]


@pytest.mark.parametrize("control", ["3d", "none"])
def test_of_a_match_over_days_each_reads_only_its_own_connections(cast, control):
    match = finished(cast, control)
    for user, seats in ((cast.alice, [0]), (cast.bob, [1]), (cast.carol, []), (None, [])):
        assert [line["seat"] for line in history_of(match, user, after(60))["connections"]] == seats


# --- Who reads it


def test_while_it_runs_the_table_reads_it_and_others_are_told_when_they_can(cast, table):
    match = table("cards-2", cast.alice, cast.bob)
    assert page_of(cast.at_browser(cast.alice), match).status_code == 200
    for client in (cast.at_browser(cast.carol), Client()):
        response = client.get(reverse("match_history", args=[match.pk]), follow=True)
        assert response.redirect_chain == [(reverse("match", args=[match.pk]), 302)]
        assert ["when it is over" in str(message) for message in response.context["messages"]] == [True]
        assert file_of(client, match).status_code == 404


def test_after_the_end_everybody_reads_it(match, cast):
    for client in (cast.at_browser(cast.bob), cast.at_browser(cast.carol), Client()):
        assert page_of(client, match).status_code == 200
        assert json.loads(file_of(client, match).content)["match"] == match.pk


def test_the_table_reads_no_others_cards_in_it(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    deal = match.moves.get(ply=1).text
    for user in (cast.alice, cast.bob):
        entries = history_of(match, user, NOW)["entries"]
        assert entries[0]["text"] != deal
        assert deal not in page_of(cast.at_browser(user), match).content.decode()
        assert deal not in file_of(cast.at_browser(user), match).content.decode()
    resign(match.pk, 0, now=NOW)
    assert history_of(now_at(match), None, NOW)["entries"][0]["text"] == deal


PAGES = ("match", "replay", "record", "fairness", "match_history", "match_history_file")
FORMS = ("match_move", "match_resign", "match_abort", "match_resume", "match_chat")


def test_a_private_match_is_there_for_its_table_only(cast, table):
    match = table("cards-2", cast.alice, cast.bob, private=True)
    for _ in range(2):
        for client in (cast.at_browser(cast.carol), cast.at_browser(cast.guest()), Client()):
            assert {client.get(reverse(page, args=[match.pk])).status_code for page in PAGES} == {404}
            forms = [reverse(form, args=[match.pk]) for form in FORMS[1:]]
            forms += [reverse("match_offer", args=[match.pk, "abort"]), reverse("match_decline", args=[match.pk, "abort"])]
            forms += [reverse("match_call", args=[match.pk, 0]), reverse("match_take", args=[match.pk, 0])]
            assert {client.post(form).status_code for form in forms} == {404}
            body = json.dumps({"id": str(uuid4()), "ply": match.ply, "text": "1"})
            assert client.post(reverse("match_move", args=[match.pk]), body, content_type="application/json").status_code == 404
        bob = cast.at_browser(cast.bob)
        assert {bob.get(reverse(page, args=[match.pk])).status_code for page in PAGES} == {200}
        resign(match.pk, 0, now=NOW)
    assert not Event.objects.exclude(kind="left").exists()


# --- The page


def test_the_page_shows_each_row_once_with_its_amounts_of_time(match):
    response = page_of(Client(), match)
    rows = [row for row in response.context["rows"] if row["who"] and row["kind"] == "ply"]
    assert [(row["used"], row["lag"], row["left"]) for row in rows] == [("0.0 s", "100 ms", "5:00")] * 2 + [("4.9 s", "100 ms", "5:03")] * 2
    html = response.content.decode()
    assert html.count("<tr") == len(response.context["rows"]) + 1 + 1 + 2
    line = response.context["lines"][0]
    assert (line["gaps"], line["longest"], [bar["x"] for bar in line["bars"]]) == (1, "5.0 s", [33, 300])
    assert line["moves"] == [167, 500]


@pytest.mark.parametrize("control", ["3d", "none"])
def test_without_a_live_clock_the_time_used_is_shown_and_no_column_for_a_clock(cast, control):
    response = page_of(cast.at_browser(cast.alice), finished(cast, control))
    assert (response.context["timed"], response.context["clocked"]) == (True, False)
    assert [row["used"] for row in response.context["rows"] if row["used"]] == ["5.0 s"] * 4
    assert "Clock left" not in response.content.decode()


def test_times_are_those_of_the_readers_zone(match, cast):
    bob = cast.bob
    bob.preferences["timezone"] = "Asia/Taipei"
    bob.save()
    response = page_of(cast.at_browser(bob), match)
    assert response.context["zone"] == "Asia/Taipei"
    assert response.context["rows"][1]["moment"] == "20:00:05"


@pytest.mark.parametrize(
    ("ms", "text"),
    [(None, ""), (0, "0.0 s"), (59_940, "59.9 s"), (60_000, "1:00"), (3_725_000, "1:02:05"), (97_200_000, "1 d 3 h")],
)
def test_amounts_of_time_read_as_people_say_them(ms, text):
    assert spent(ms) == text
