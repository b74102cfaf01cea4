"""What a viewer may not know reaches it by no way, and afterwards everybody can check the draws."""

from __future__ import annotations

import copy
import json
import pickle
import re
from hashlib import sha256
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_db
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client

from accounts.models import User
from games.kit.chance import KeyedSource, commitment
from games.kit.record import Record, check
from matches import payloads
from matches.models import FollowUp, Match, Secret
from matches.services import abort, play_move, resign
from tests.games.fake_cards import CARDS, Card
from tests.platform.conftest import NOW, now_at, play_on
from tests.platform.test_socket import opened

BOB, WATCHER = 1, None


def foreseen(secret: bytes) -> tuple[Any, Any]:
    """What alice and the table will have seen after a turn each under this secret, and what only bob will know."""

    def drawn(state: Any) -> Any:
        return state.play(state.draw(KeyedSource(secret, state.chance_label)))

    dealt = drawn(CARDS.start("cards-2"))
    (a, _), (b, _) = dealt.hands
    alice = drawn(dealt.play(Card(a)))
    bob = drawn(alice.play(Card(b)))
    return (dealt.hands[0], alice.hands[0], b), bob.hands[1]


@pytest.fixture(scope="module")
def worlds() -> tuple[bytes, bytes]:
    """Two secrets that differ for bob only."""
    met: dict[Any, tuple[Any, bytes]] = {}
    for number in range(100_000):
        secret = sha256(b"world %d" % number).digest()
        seen, hidden = foreseen(secret)
        other = met.setdefault(seen, (hidden, secret))
        if set(other[0]).isdisjoint(hidden):
            return other[1], secret
    raise AssertionError("no two such secrets")


async def test_two_worlds_that_differ_only_in_what_is_hidden_look_alike_to_everybody_else(worlds, cast, table, transactional_db):
    traffic = []
    for number, secret in enumerate(worlds):
        match = await in_db(_match_of)(cast, table, secret, 900_001 + number)
        traffic.append(await _play_and_listen(match, cast, secret))
        await in_db(match.delete)()
    assert traffic[0].keys() == traffic[1].keys()
    for name in traffic[0]:
        assert traffic[0][name] == traffic[1][name], name
        assert len(traffic[0][name]) > 20


def _match_of(cast: Any, table: Any, secret: bytes, number: int) -> Match:
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence('matches_match', 'id'), %s, false)", [number])
    return table("cards-2", cast.alice, cast.bob, secret=secret)


async def _play_and_listen(match: Match, cast: Any, secret: bytes) -> dict[str, str]:
    """All that alice and a stranger get to see of a match in which both have moved."""
    seen: dict[str, str] = {}
    browsers = {"alice": await in_db(lambda: cast.at_browser(cast.alice))(), "stranger": Client()}
    async with opened(match, browsers["alice"]) as alice, opened(match) as stranger:
        sockets = {"alice": alice, "stranger": stranger}
        for name, socket in sockets.items():
            seen[f"{name}: at open"] = json.dumps(await socket.position())
        for seat in (0, 1):
            await in_db(_lowest)(match, seat)
            for name, socket in sockets.items():
                seen[f"{name}: after seat {seat}"] = await socket.wire.receive_from(timeout=5)
    for name, client in browsers.items():
        for path in ("", "replay/", "replay/?ply=1", "record.json"):
            response = await in_db(client.get)(f"/match/{match.pk}/{path}")
            assert response.status_code == 200
            seen[f"{name}: /{path}"] = response.content.decode() + str(sorted(response.headers.items()))
        for path in ("/", "/nowhere/"):
            seen[f"{name}: {path}"] = (await in_db(client.get)(path)).content.decode()
    texts = {name: _masked(text, match) for name, text in seen.items()}
    assert not [name for name, text in texts.items() if secret.hex() in text or ("=?" not in text and "record.json" in name)]
    return texts


def _lowest(match: Match, seat: int) -> None:
    match = now_at(match)
    hand = payloads.for_seat(match, seat)["view"]["hand"]
    play_move(match.pk, seat, str(hand[0]), ply=match.ply, now=NOW)


def _masked(text: str, match: Match) -> str:
    text = text.replace(str(match.pk), "MATCH").replace("900001", "MATCH").replace(match.commitment, "COMMITMENT")
    text = re.sub(r'"now": ?"[^"]*"|..:..:.. GMT', "", text)
    return re.sub(r'(csrfmiddlewaretoken" value="|csrf-token" content=")\w+', "", text)


def test_bob_himself_sees_what_is_his(worlds, cast, table):
    views = []
    for secret in worlds:
        match = play_on(table("cards-2", cast.alice, cast.bob, secret=secret), 0)
        views.append(payloads.for_seat(match, BOB)["view"])
    assert views[0] != views[1]


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
