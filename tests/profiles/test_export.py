"""Taking one's own data along."""

from __future__ import annotations

import gc
import json
import weakref
from copy import copy
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.db.models.signals import post_init
from django.test import AsyncClient, Client
from django.urls import reverse

from accounts.models import User
from games.kit.record import check, read_records
from matches import payloads
from matches.models import Match, Secret
from matches.services import resign
from pages.data import export
from pages.data.relations import PROFILE, PROFILE_WITHHELD, RELATIONS
from tests.games.fake_cards import Deal
from tests.platform.conftest import NOW, Cast, legal, now_at, play_on
from tests.profiles.life import ABOUT, ADDRESS, FORMER, KEPT, SAID, full_life, relations

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _nobody_has_exported_yet(services: None) -> None:
    cache.clear()


def taken(person: User) -> ZipFile:
    """The ZIP of a person."""
    file = BytesIO()
    export.write(person, file, NOW)
    return ZipFile(file)


def account(person: User) -> dict[str, Any]:
    return json.loads(taken(person).read("account.json"))


def everything(archive: ZipFile) -> str:
    return "\n".join(f"{name}\n{archive.read(name).decode()}" for name in archive.namelist())


def test_every_relation_to_people_is_decided_about() -> None:
    assert set(relations()) == set(RELATIONS)


def test_what_is_withheld_says_why_and_the_rest_says_what() -> None:
    for name, relation in RELATIONS.items():
        assert bool(relation.withheld) is not bool(relation.section and relation.columns), name


def test_every_column_of_the_person_is_decided_about() -> None:
    assert {field.name for field in User._meta.concrete_fields} == {*PROFILE, *PROFILE_WITHHELD}


def test_each_section_holds_what_the_person_has_there(cast: Cast, over: Match) -> None:
    assert set(full_life(cast.Zelda, cast.Bob, over)) == set(RELATIONS)
    zelda = User.objects.get(username="Zelda")
    exported = account(zelda)
    assert {relation.section for relation in RELATIONS.values() if relation.section} | {"profile"} == set(exported)
    assert all(exported.values())
    assert exported["profile"] | {"username": "Zelda", "email": ADDRESS, "about": ABOUT, "country": "NL"} == exported["profile"]
    assert exported["ties"] == [{"other": "Bob", "kind": "friend", "made_at": NOW.isoformat()}]
    assert exported["private_notes"][0] | {"other": "Bob", "text": "plays fast"} == exported["private_notes"][0]
    assert [line["text"] for line in exported["chat"]] == ["", SAID]
    assert exported["former_names"][0]["name"] == FORMER
    assert exported["matches"][0] | {"match": over.pk, "match_game": "blokus", "match_status": "finished"} == exported["matches"][0]
    assert exported["rating_changes"][0]["rated_match_id"] == over.pk
    assert exported["invitations"][0]["seek_host"] == "Bob"
    assert exported["tags"] == [{"name": KEPT, "tagged": [{"match": over.pk}]}]
    assert exported["collections"][0]["items"] == [{"match": over.pk, "note": KEPT}]
    assert exported["comments"][0] | {"match": over.pk, "ply": 1, "text": KEPT} == exported["comments"][0]


def test_no_secret_and_no_word_of_others_is_in_it(cast: Cast, over: Match) -> None:
    rows = full_life(cast.Zelda, cast.Bob, over)
    zelda = User.objects.get(username="Zelda")
    zelda.set_password("correct horse battery")
    zelda.save()
    text = everything(taken(zelda))
    session = rows["usersessions.UserSession.user"].session_key
    token = rows["lobby.Seek.host"].token
    hidden = [zelda.password, session, token, "MFASECRET", "PUSHSECRET", "PUSHKEY", "PUSHAUTH", "cafecafe"]
    of_others = ["They are loud", "Zelda is slow", "block", "pair:", "clumsy"]
    assert [word for word in hidden + of_others if word in text] == []


def test_a_match_that_is_over_comes_as_a_record_that_can_be_checked(cast: Cast, over: Match) -> None:
    archive = taken(cast.Zelda)
    (name,) = [name for name in archive.namelist() if name.startswith("records/")]
    (record,) = read_records(archive.read(name).decode())
    assert name == f"records/tessera-blokus-duo-2-{over.pk}.json"
    assert check(record) == []
    assert record.seats == ("Zelda", "Bob") and record.result is not None and len(record.plies) == 4


@pytest.mark.parametrize("person", ["Zelda", "Bob"])
def test_a_match_that_runs_comes_as_the_own_seat_sees_it(cast: Cast, table: Any, person: str) -> None:
    match = table("cards-2", cast.Zelda, cast.Bob)
    play_on(match, 3)
    match = now_at(match)
    seat = ["Zelda", "Bob"].index(person)
    archive = taken(getattr(cast, person))
    (name,) = [name for name in archive.namelist() if name.startswith("running/")]
    stands = json.loads(archive.read(name))
    seen = cast.at_browser(getattr(cast, person)).get(reverse("record", args=[match.pk])).json()
    assert stands["record"] == seen
    assert "secret" not in stands["record"] and "result" not in stands["record"]
    assert stands["view"] == json.loads(json.dumps(payloads.view_for(match, seat)))
    assert stands["view"] != json.loads(json.dumps(payloads.view_for(match, 1 - seat)))
    assert Secret.of(match).hex() not in everything(archive) and match.chain not in everything(archive)


def test_two_worlds_that_differ_in_another_hand_give_the_same_file(cast: Cast, table: Any) -> None:
    def world(other_hand: tuple[int, ...]) -> tuple[str, str]:
        """What Zelda's file holds, and Bob's, when Bob was dealt that hand."""
        dealt = iter([((1, 2), other_hand)])
        match = table("cards-2", cast.Zelda, cast.Bob, secret=bytes(32), draw=lambda match, state: Deal(next(dealt)))
        texts = []
        for person in (cast.Zelda, cast.Bob):
            archive = taken(person)
            (name,) = [name for name in archive.namelist() if name.endswith(f"-{match.pk}.json")]
            texts.append(archive.read(name).decode())
        return texts[0], texts[1]

    worlds = [world(hand) for hand in ((3, 4), (5, 6), (11, 12))]
    assert len({zelda for zelda, _ in worlds}) == 1
    assert len({bob for _, bob in worlds}) == 3


def test_the_button_gives_a_zip_in_the_readers_language(cast: Cast, over: Match) -> None:
    browser = cast.at_browser(cast.Zelda)
    assert b"Take my data along" in browser.get(reverse("account_data")).content
    answer = browser.post(reverse("account_data"))
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].startswith('attachment; filename="tessera-')
    archive = ZipFile(BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    assert "Zelda" in archive.read("README.txt").decode()


def test_a_second_time_within_a_minute_has_to_wait_and_only_for_the_same_person(cast: Cast) -> None:
    zelda, bob = cast.at_browser(cast.Zelda), cast.at_browser(cast.Bob)
    assert zelda.post(reverse("account_data")).status_code == 200
    again = zelda.post(reverse("account_data"), follow=True)
    assert "Wait a minute" in again.content.decode()
    assert bob.post(reverse("account_data")).status_code == 200


def test_a_guest_takes_everything_along_as_well(cast: Cast, table: Any) -> None:
    guest = cast.guest()
    table("duo-2", guest, "casual")
    answer = cast.at_browser(guest).post(reverse("account_data"))
    archive = ZipFile(BytesIO(b"".join(answer.streaming_content)))
    assert len([name for name in archive.namelist() if name.startswith("running/")]) == 1


def test_somebody_of_whom_nothing_is_known_is_told_so(db: None) -> None:
    for answer in (Client().get(reverse("account_data")), Client().post(reverse("account_data"))):
        assert "We know nothing of you yet" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_the_asynchronous_server_sends_it_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.views.own_data.CHUNK", 100)
    user = await User.objects.acreate(username="Zelda")
    browser = AsyncClient()
    await browser.aforce_login(user)
    answer = await browser.post(reverse("account_data"))
    pieces = [piece async for piece in answer.streaming_content]
    assert len(pieces) > 1 and max(map(len, pieces)) == 100
    assert ZipFile(BytesIO(b"".join(pieces))).testzip() is None
    assert int(answer["Content-Length"]) == sum(map(len, pieces))


def test_a_move_shows_in_the_record_as_it_was_played(cast: Cast, table: Any) -> None:
    match = table("duo-2", cast.Zelda, cast.Bob)
    move = legal(match)
    play_on(match, 1)
    resign(match.pk, 0, now=NOW)
    archive = taken(cast.Zelda)
    (name,) = [name for name in archive.namelist() if name.startswith("records/")]
    assert json.loads(archive.read(name))["plies"] == [move]


def test_of_many_matches_only_a_few_are_held_at_once(cast: Cast, table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 10)
    match = table("duo-2", cast.Zelda, cast.Bob)
    play_on(match, 6)
    resign(match.pk, 0, now=NOW)
    _copies(now_at(match), 100)
    alive: weakref.WeakSet[Match] = weakref.WeakSet()
    counted: list[int] = []
    made: list[int] = []
    record_of = payloads.record_of

    def record_and_count(*args: Any) -> Any:
        if alive and len(made) % 25 == 24:  # now and then, since it takes long
            gc.collect()
            counted.append(len(alive))
        made.append(args[0].pk)
        return record_of(*args)

    def born(instance: Match, **_: Any) -> None:
        alive.add(instance)

    monkeypatch.setattr(payloads, "record_of", record_and_count)
    post_init.connect(born, sender=Match)
    gc.freeze()  # what was there before need not be looked through each time
    try:
        with (tmp_path / "all.zip").open("wb") as file:
            export.write(cast.Zelda, file, NOW)
    finally:
        gc.unfreeze()
        post_init.disconnect(born, sender=Match)
    assert len(made) == len([name for name in ZipFile(tmp_path / "all.zip").namelist() if name.startswith("records/")]) == 101
    assert len(counted) == 4 and 0 < max(counted) <= 2 * 10 + 1


def _copies(match: Match, how_many: int) -> None:
    """The same match so many times more, in bulk."""
    moves, seats, secret = list(match.moves.all()), list(match.seats.all()), Secret.of(match)
    copies = []
    for _ in range(how_many):
        match.pk = None
        copies.append(copy(match))
    Match.objects.bulk_create(copies)
    Secret.objects.bulk_create(Secret(match=made, value=secret) for made in copies)
    for rows in (moves, seats):
        copied = []
        for made in copies:
            for row in rows:
                twin = copy(row)
                twin.pk, twin.match = None, made
                copied.append(twin)
        type(rows[0]).objects.bulk_create(copied, batch_size=5000)
