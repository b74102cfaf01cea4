"""What a viewer may not know reaches it by no way, and afterwards everybody can check the draws."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from django.contrib.admin.models import LogEntry

from accounts.models import User
from games.kit.chance import commitment
from games.kit.record import Record, check
from matches import payloads
from matches.models import FollowUp, Match, Secret
from matches.services import abort, resign
from tests.platform.conftest import NOW, now_at, play_on

BOB, WATCHER = 1, None


@pytest.mark.parametrize("end", ["played out", "resigned", "called off"])
def test_the_secret_is_shown_with_the_end_and_not_before(cast, table, end):
    match = table("cards-2", cast.alice, cast.bob)
    for seat in (0, BOB, WATCHER):
        assert payloads.for_seat(match, seat)["secret"] is None
        assert payloads.replay_for(match, seat)["secret"] is None
        assert payloads.record_of(match, seat).secret is None
    if end == "played out":
        play_on(match)
    else:
        (resign if end == "resigned" else abort)(match.pk, 0, now=NOW)
    match = now_at(match)
    secret = payloads.for_seat(match, WATCHER)["secret"]
    assert commitment(bytes.fromhex(secret)) == payloads.for_seat(match, WATCHER)["commitment"]
    assert payloads.replay_for(match, WATCHER)["secret"] == secret


@pytest.mark.parametrize("end", ["played out", "resigned", "called off"])
def test_a_match_that_is_over_lies_open_however_it_ended(cast, table, end):
    match = play_on(table("cards-2", cast.alice, cast.bob), 0 if end == "called off" else 2)
    assert payloads.for_seat(match, BOB)["view"]["hands"] is None
    assert "=?" in {ply["text"] for ply in payloads.replay_for(match, BOB)["plies"]}
    if end == "played out":
        play_on(match)
    else:
        (resign if end == "resigned" else abort)(match.pk, 0, now=NOW)
    match = now_at(match)
    for viewer in (0, BOB, WATCHER):
        replay = payloads.replay_for(match, viewer)
        assert payloads.for_seat(match, viewer)["view"] == replay["positions"][-1]["view"]
        assert all(position["view"]["hands"] is not None for position in replay["positions"])
        shown = [ply["text"] for ply in replay["plies"]]
        assert shown == [ply["text"] for ply in payloads.plies_for(match, viewer)] == list(match.moves.values_list("text", flat=True))
        assert payloads.record_of(match, viewer).plies == tuple(shown)
        assert {position["last"]["text"] for position in replay["positions"][1:]} == set(shown)
    opened, kept = payloads.replay_of_record(payloads.record_of(match, WATCHER)), payloads.replay_for(match, WATCHER)
    assert [position["view"] for position in opened["positions"]] == [position["view"] for position in kept["positions"]]


def test_a_move_comes_together_with_the_draws_that_followed_it(cast, table):
    match = table("cards-2", cast.alice, cast.bob)
    assert [(ply["ply"], ply["seat"], ply["text"]) for ply in payloads.for_seat(match, 0)["tail"]] == [(1, None, "=?")]
    match = play_on(match, 1)
    for viewer in (0, BOB, WATCHER):
        payload = payloads.for_seat(match, viewer)
        assert [(ply["ply"], ply["seat"]) for ply in payload["tail"]] == [(2, 0), (3, None)]
        assert payload["last"] == payload["tail"][-1]
        assert (payload["last"]["text"] == "=?") == (viewer != 0)
        tail = [{key: ply[key] for key in ("ply", "seat", "text")} for ply in payloads.plies_for(match, viewer)[1:]]
        assert payload["tail"] == tail
    assert payloads.for_seat(match, BOB)["may"]["abort"]
    assert not payloads.for_seat(play_on(match, 1), BOB)["may"]["abort"]


@pytest.mark.parametrize("variant", ["cards-2", "cards-3"])
def test_after_the_end_the_record_proves_every_draw(cast, table, variant):
    people = [cast.alice, cast.bob, cast.carol][: int(variant[-1])]
    match = play_on(table(variant, *people))
    record = Record.from_json(json.loads(json.dumps(payloads.record_of(match, WATCHER).to_json())))
    assert record.secret is not None
    assert check(record) == []
    forged = payloads.record_of(match, WATCHER).to_json() | {"secret": "00" * 32, "commitment": None}
    assert check(Record.from_json(forged))


def test_a_running_match_is_exported_without_what_is_hidden(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    for_watcher = payloads.record_of(match, WATCHER)
    assert [ply[0] == "=" for ply in for_watcher.plies] == [True, False, True, False, True]
    assert {ply for ply in for_watcher.plies if ply[0] == "="} == {"=?"}
    assert for_watcher.result is None
    own_draw = payloads.record_of(match, 0).plies[2]
    assert own_draw != "=?"
    assert payloads.record_of(match, BOB).plies[2] == "=?"


def test_a_match_does_not_carry_its_secret_along(cast, table):
    match = now_at(table("cards-2", cast.alice, cast.bob, secret=b"\xaa" * 32))
    for carried in (repr(match), str(vars(match)), str(list(Match.objects.values())), pickle.dumps(copy.copy(match)).hex()):
        assert "aa" * 32 not in carried
        assert r"\xaa" not in carried


def test_staff_cannot_look_into_a_running_match(client, cast, table):
    match = play_on(table("cards-2", cast.alice, "low"), 1)
    client.force_login(User.objects.create_superuser("boss", password="a long enough one"))
    row = FollowUp.objects.get()
    secret = Secret.of(match).hex()
    hidden = [ply for ply in match.moves.values_list("text", flat=True) if ply.startswith("=")]
    assert hidden
    for path in (
        "/staff/matches/match/", f"/staff/matches/match/{match.pk}/change/",
        "/staff/matches/followup/", f"/staff/matches/followup/{row.pk}/change/",
    ):  # fmt: skip
        response = client.get(path)
        assert response.status_code == 200
        page = response.content.decode()
        assert secret not in page
        assert match.chain not in page
        assert str(Secret.of(match)) not in page
        assert not [text for text in hidden if text in page and len(text) > 3]
    assert client.get(f"/staff/matches/match/{match.pk}/delete/").status_code == 403
    assert not LogEntry.objects.exists()
