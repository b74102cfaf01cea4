"""Records that people bring: what is kept, what is said of the others, and what becomes of an imported one."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import registry
from games.kit.checks import random_record
from games.kit.record import Record
from matches import packing, payloads
from matches.models import Match
from studies import imports, trees, uploads
from studies.models import Imported, Study
from tests.games.sources import DATA, lines, source
from tests.platform.conftest import play_on

pytestmark = pytest.mark.django_db

DUO = {"format": "tessera/1", "game": "blokus", "variant": "duo-2", "plies": ["e10", "j5"]}
BAD = DUO | {"plies": ["e10", "a1"]}
SGF = "(;GM[Blokus Duo]PB[Ann]PW[Ben]DT[2020-02-29]EV[Cup]C[Hello];B[e10]C[One](;W[j5];B[d11,d12])(;W[i5,j5]C[or];B[d11,d12]))"


def posted(client: Client, *files: tuple[str, str | bytes], **more: Any) -> Any:
    """What the form answers to these files and fields."""
    sent = [SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode()) for name, content in files]
    return client.post(reverse("import"), {**more, "file": sent} if sent else more)


def looked(client: Client, *files: tuple[str, str | bytes], **more: Any) -> Any:
    return posted(client, *files, look="1", **more)


def zipped(**files: str | bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return held.getvalue()


def locked(content: bytes) -> bytes:
    """A zip whose first file says that it is locked with a password."""
    at = content.index(b"PK\x01\x02") + 8
    return content[:at] + bytes([content[at] | 1]) + content[at + 1 :]


def replayed(client: Client, imported: Imported) -> dict[str, Any]:
    replay = client.get(reverse("imported_data", args=[imported.token])).json()
    return {**replay, "positions": packing.unpack(replay["positions"])}


def wrong(response: Any) -> list[tuple[str, int | None, int | None]]:
    return [(one["file"], one["number"], one["ply"]) for one in response.context["wrong"]]


# --- Keeping


def test_a_record_is_kept_marked_and_replayed_by_everybody_who_has_its_address(cast, client):
    alice = cast.at_browser(cast.alice)
    response = posted(alice, pasted=json.dumps(DUO | {"seats": ["Ann", "Ben"]}))
    kept = Imported.objects.get()
    assert (response.status_code, response.url) == (302, reverse("imported", args=[kept.token]))
    assert (kept.owner, kept.game, kept.variant, kept.plies, kept.format) == (cast.alice, "blokus", "duo-2", 2, "")
    page = client.get(response.url)
    assert "Imported record" in page.content.decode()
    assert "never rated" in page.content.decode()
    replay = replayed(client, kept)
    assert ([ply["text"] for ply in replay["plies"]], [seat["name"] for seat in replay["seats"]]) == (["e10", "j5"], ["Ann", "Ben"])
    assert Match.objects.count() == 0


def test_a_file_of_pentobi_is_kept_with_its_names_notes_and_other_lines(cast):
    alice = cast.at_browser(cast.alice)
    posted(alice, ("ours.blksgf", SGF), lines="1")
    kept = Imported.objects.get()
    assert kept.format == "blksgf"
    page = alice.get(reverse("imported", args=[kept.token]))
    for text in ("Ann", "Cup", "2020-02-29", "Pentobi"):
        assert text in page.content.decode() or text in json.dumps(kept.record)
    assert [(note["ply"], note["text"]) for note in page.context["notes"]] == [(0, "Hello"), (1, "One")]
    study = Study.objects.get()
    assert (study.owner, study.imported, study.shared, study.plies) == (cast.alice, kept, False, ["e10", "j5", "d11,d12"])
    assert [(node["parent"], node["text"], node["note"]) for node in study.tree] == [
        (0, "e10", "Hello\nOne"), (-1, "i5,j5", "or"), (2, "d11,d12", ""),
    ]  # fmt: skip
    assert alice.get(reverse("study", args=[study.token])).status_code == 200
    assert alice.get(reverse("imported_analysis", args=[kept.token])).status_code == 200


def test_other_lines_are_kept_only_if_they_are_wanted_and_only_as_many_as_a_study_has(cast, monkeypatch):
    alice = cast.at_browser(cast.alice)
    posted(alice, ("ours.blksgf", SGF))
    assert (Imported.objects.count(), Study.objects.count()) == (1, 0)
    monkeypatch.setattr(trees, "MOST_NODES", 2)
    posted(alice, ("ours.blksgf", SGF.replace("Ben", "Bea")), lines="1")
    assert len(Study.objects.get().tree) == 2


@pytest.mark.long
def test_every_game_and_variant_comes_in(cast):
    alice = cast.at_browser(cast.alice)
    made = [random_record(game, variant.key, source(variant.key)) for game in registry.all_games() for variant in game.variants]
    response = posted(alice, ("all.jsonl", "\n".join(json.dumps(record.to_json()) for record in made)))
    assert (response.context["wrong"], response.context["new"]) == ([], len(made))
    assert {(one.game, one.variant) for one in Imported.objects.all()} == {(record.game, record.variant) for record in made}
    for one in Imported.objects.all():
        assert replayed(alice, one)["status"] == "finished"


def test_the_same_record_is_kept_once_for_each_person(cast):
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    assert posted(alice, pasted=json.dumps(DUO)).url == posted(alice, pasted=json.dumps(DUO, indent=1)).url
    posted(bob, pasted=json.dumps(DUO))
    assert list(Imported.objects.order_by("pk").values_list("owner__username", flat=True)) == ["alice", "bob"]


def test_somebody_new_may_bring_a_record_and_finds_it_again(client):
    posted(client, pasted=json.dumps(DUO))
    owner = User.objects.get()
    assert owner.is_guest
    assert [row["imported"].owner for row in client.get(reverse("import")).context["rows"]] == [owner]
    assert Client().get(reverse("import")).context["rows"] == []


def test_a_match_of_this_site_that_comes_back_is_an_imported_record_too(cast, table):
    match = play_on(table("duo-2", cast.alice, cast.bob))
    alice = cast.at_browser(cast.alice)
    posted(alice, ("match.json", alice.get(reverse("record", args=[match.pk])).content))
    kept = Imported.objects.get()
    assert replayed(alice, kept)["positions"] == [
        {key: position[key] for key in ("to_move", "scores", "view")} for position in payloads.replay_for(match, None)["positions"]
    ]
    assert Match.objects.count() == 1


# --- What is wrong


def test_each_fault_is_named_by_file_record_ply_and_reason_and_the_good_ones_are_kept(cast):
    alice = cast.at_browser(cast.alice)
    many = "\n".join(json.dumps(record) for record in (DUO, BAD, DUO | {"plies": ["e10"]}, {"format": "x"}))
    two = "(;GM[Blokus Duo];B[e10];B[d11])(;GM[Nexos])"
    response = posted(alice, ("many.jsonl", many), ("b.blksgf", two), ("c.txt", b"\xff\xfe\x00"), ("d.json", "{"))
    assert wrong(response) == [
        ("many.jsonl", 2, 2), ("many.jsonl", 4, None), ("b.blksgf", 1, 2), ("b.blksgf", 2, None),
        ("c.txt", None, None), ("d.json", None, None),
    ]  # fmt: skip
    page = response.content.decode()
    for text in ("must cover j5", "Green is to place here, but the file has a piece of Blue", "Nexos", "UTF-8", "line 1, column 2"):
        assert text in page
    assert (response.status_code, response.context["new"]) == (200, 2)
    assert sorted(Imported.objects.values_list("plies", flat=True)) == [1, 2]


def test_a_false_result_and_a_false_draw_are_refused(cast):
    alice = cast.at_browser(cast.alice)
    true = random_record(registry.get("azul"), "coloured-2", source("a"))
    response = posted(alice, pasted=json.dumps(true.to_json() | {"result": {"scores": [9, 9], "ranks": [1, 1], "reason": "complete"}}))
    assert "The scores are" in response.content.decode()
    response = posted(alice, pasted=json.dumps(true.to_json() | {"secret": "00" * 32}))
    assert {one["ply"] for one in response.context["wrong"]} >= {1}
    assert (response.status_code, Imported.objects.count()) == (400, 0)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"nonsense", b"[]", b"{}", b"[" * 5000, b"x" * 1_000_001, b"(", b"(;GM[Go];B[aa])"]
)
@pytest.mark.parametrize("way", ["keep", "look"])
def test_what_is_no_record_gets_a_sentence(client, content, way):
    response = posted(client, ("match.json", content), **{way: "1"})
    assert response.status_code == 400
    (one,) = response.context["wrong"]
    assert one["file"] == "match.json"
    assert one["reason"].endswith(".")
    assert not Imported.objects.exists()


def test_nothing_at_all_gets_a_sentence_too(client):
    for way in ("keep", "look"):
        response = posted(client, pasted=" \n", **{way: "1"})
        assert response.status_code == 400
        assert response.context["wrong"][0]["reason"]
    assert not User.objects.exists()


# --- Zips, and how much is read


def test_a_zip_is_opened_and_what_is_no_record_in_it_is_passed_over(cast):
    alice = cast.at_browser(cast.alice)
    content = zipped(readme_txt="Hello", one_json=json.dumps(DUO), **{"deep/two_blksgf": SGF, "../three_json": json.dumps(BAD)})
    response = posted(alice, ("<all>.zip", content))
    assert wrong(response) == [("<all>.zip: three.json", None, 2)]
    assert response.context["new"] == 2
    assert "&lt;all&gt;.zip" in response.content.decode()


def test_a_zip_that_unpacks_to_a_mountain_is_left_alone(cast, monkeypatch):
    alice = cast.at_browser(cast.alice)
    bomb = zipped(a_json=b" " * 30_000_000, b_json=json.dumps(DUO))
    assert len(bomb) < uploads.LARGEST_ZIP
    response = posted(alice, ("bomb.zip", bomb))
    (one,) = response.context["wrong"]
    assert one["reason"].startswith("A file of records has at most 1 megabyte.")
    assert response.context["new"] == 1
    monkeypatch.setattr(uploads, "LARGEST_UNPACKED", 1000)
    response = posted(alice, ("bomb.zip", zipped(a_json=b" " * 2000, b_json=json.dumps(BAD))))
    assert [one["file"] for one in response.context["wrong"]] == ["bomb.zip"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04" + bytes(100), "damaged"),
        (zipped(a_json=json.dumps(DUO))[:-30], "damaged"),
        (locked(zipped(a_json=json.dumps(DUO))), "password"),
        (zipped(a_txt="x"), "no record in this zip"),
        (zipped(), "no record in this zip"),
        (b"PK\x03\x04" + bytes(uploads.LARGEST_ZIP), "at most 5 megabytes"),
    ],
)
def test_a_zip_that_cannot_be_opened_gets_a_sentence(cast, content, said):
    response = posted(cast.at_browser(cast.alice), ("a.zip", content))
    (one,) = response.context["wrong"]
    assert response.status_code == 400
    assert said in one["reason"]


def test_only_so_many_files_and_matches_are_read_at_once(cast, monkeypatch):
    alice = cast.at_browser(cast.alice)
    monkeypatch.setattr(uploads, "MOST_FILES", 2)
    response = posted(alice, ("a.zip", zipped(a_json=json.dumps(DUO), b_json=json.dumps(DUO | {"plies": []}), c_json="{}")))
    assert "At most 2 files" in response.context["wrong"][0]["reason"]
    monkeypatch.setattr(uploads, "MOST_MATCHES", 1)
    response = posted(alice, pasted=f"{json.dumps(DUO)}\n{json.dumps(BAD)}")
    assert "At most 1 matches" in response.context["wrong"][0]["reason"]
    assert Imported.objects.count() == 2


def test_a_person_keeps_only_so_many_and_hears_of_it(cast, monkeypatch):
    alice = cast.at_browser(cast.alice)
    monkeypatch.setattr(imports, "MOST_KEPT", 1)
    response = posted(alice, pasted=f"{json.dumps(DUO)}\n{json.dumps(DUO | {'plies': []})}")
    assert response.context["new"] == 1
    assert "You keep 1 records already" in response.context["wrong"][0]["reason"]


def test_what_takes_too_long_is_left_and_goes_on_when_it_is_brought_again(cast, monkeypatch):
    alice = cast.at_browser(cast.alice)
    text = "\n".join(json.dumps(DUO | {"plies": plies}) for plies in ([], ["e10"], ["e10", "j5"]))
    taken = imports._take
    clock = [0.0]

    def slowly(*args: Any, **more: Any) -> bool:
        new = taken(*args, **more)
        clock[0] += imports.BUDGET_SECONDS if new else 0
        return new

    monkeypatch.setattr(imports, "_take", slowly)
    monkeypatch.setattr(imports.time, "monotonic", lambda: clock[0])
    said = [[one["reason"] for one in posted(alice, pasted=text).context["wrong"]] for _ in range(2)]
    assert [len(reasons) for reasons in said] == [1, 0]
    assert "the rest was not looked at" in said[0][0]
    assert Imported.objects.count() == 3


def test_one_import_of_a_person_runs_at_a_time(cast):
    alice = cast.at_browser(cast.alice)
    with imports.alone(cast.alice):
        response = posted(alice, pasted=json.dumps(DUO))
        assert response.status_code == 400
        assert "still under way" in response.context["wrong"][0]["reason"]
        assert posted(cast.at_browser(cast.bob), pasted=json.dumps(DUO)).status_code == 302
    assert posted(alice, pasted=json.dumps(DUO)).status_code == 302
    assert cache.get(f"studies:importing:{cast.alice.pk}") is None


def test_old_files_say_which_letters_they_use(cast):
    alice = cast.at_browser(cast.alice)
    posted(alice, ("old.blksgf", "(;GM[Blokus Duo]CA[ISO-8859-1]PB[Zoë];B[e10])".encode("latin-1")))
    assert Imported.objects.get().record["seats"][0] == "Zoë"


# --- Only looking


def test_looking_keeps_nothing(client):
    for response in (looked(client, ("a.blksgf", SGF)), client.post(reverse("open_record"), {"pasted": SGF})):
        assert response.context["match"] is None
        assert response.context["replay"]["plies"][0]["text"] == "e10"
    assert not Imported.objects.exists()
    assert not User.objects.exists()


def test_a_downloaded_record_is_looked_at_as_the_same_replay(cast, table, client):
    match = play_on(table("duo-2", cast.alice, cast.bob))
    stored = payloads.replay_for(match, None)
    text = client.get(reverse("record", args=[match.pk])).content
    for response in (looked(client, ("match.json", text)), looked(client, pasted=text.decode())):
        replay = response.context["replay"] | {"positions": packing.unpack(response.context["replay"]["positions"])}
        assert (response.context["match"], response.context["page"]["start"], response.context["record_url"]) == (None, 0, None)
        for key in ("title", "game", "variant", "data", "ranks", "status", "termination", "commitment", "secret"):
            assert replay[key] == stored[key]
        assert [(ply["ply"], ply["seat"], ply["text"]) for ply in replay["plies"]] == [
            (ply["ply"], ply["seat"], ply["text"]) for ply in stored["plies"]
        ]
        for ours, theirs in zip(replay["positions"], stored["positions"], strict=True):
            assert ours == {key: theirs[key] for key in ours}
    assert Match.objects.count() == 1


def test_a_bad_record_that_is_looked_at_names_the_ply_and_the_reason(client):
    response = looked(client, ("match.json", json.dumps(BAD)))
    (one,) = response.context["wrong"]
    assert (response.status_code, one["ply"]) == (400, 2)
    assert one["reason"] in response.content.decode().replace("&#x27;", "'")


def test_of_several_records_one_is_chosen(client):
    text = "\n".join(json.dumps(record) for record in (DUO, DUO | {"variant": "classic-4", "plies": ["a20"]}))
    form = looked(client, ("many.zip", zipped(a_jsonl=text)))
    assert (form.status_code, [one["name"] for one in form.context["choices"]]) == (200, ["Blokus, Duo", "Blokus, Classic, four players"])
    chosen = looked(client, pasted=form.context["chosen_from"], index="1")
    assert chosen.context["replay"]["variant"] == "classic-4"
    for nonsense in ("2", "-1", "x", "²", "9" * 5000):
        assert len(looked(client, ("a.jsonl", text), index=nonsense).context["choices"]) == 2


def test_the_old_address_leads_to_the_new_one(client):
    assert client.get("/replay/").url == reverse("import")


# --- Taking along, and deleting


def test_a_match_and_an_imported_record_go_out_as_files_that_come_back(cast, table, client):
    match = play_on(table("classic-2", cast.alice, cast.bob))
    file = client.get(f"/match/{match.pk}/record.blksgf")
    assert file["Content-Type"] == "application/x-blokus-sgf"
    assert f'tessera-blokus-classic-2-{match.pk}.blksgf"' in file["Content-Disposition"]
    posted(client, ("a.blksgf", file.content))
    kept = Imported.objects.get()
    assert kept.record["plies"] == list(match.moves.values_list("text", flat=True))
    assert kept.record["seats"] == ["alice", "bob"]
    assert kept.record["result"]["scores"] == match.scores
    again = client.get(f"/imported/{kept.token}/record.blksgf").content
    assert again == file.content
    ours = json.loads(client.get(f"/imported/{kept.token}/record.json").content)
    assert Record.from_json(ours).plies == Record.from_json(kept.record).plies


def test_a_format_is_offered_only_where_it_fits(cast, table, client):
    running, cards = table("duo-2", cast.alice, cast.bob), play_on(table("cards-2", cast.alice, cast.bob))
    private = play_on(table("duo-2", cast.alice, cast.bob, private=True))
    for address in (
        f"/match/{running.pk}/record.blksgf", f"/match/{cards.pk}/record.blksgf", f"/match/{private.pk}/record.blksgf",
        "/imported/nothing/record.json", "/imported/nothing/", "/imported/nothing/replay.json",
    ):  # fmt: skip
        assert client.get(address).status_code == 404, address
    play_on(running)
    assert [client.get(f"/match/{running.pk}/record.{suffix}").status_code for suffix in ("blksgf", "json", "sgf")] == [200, 200, 404]
    assert cast.at_browser(cast.alice).get(f"/match/{private.pk}/record.blksgf").status_code == 200


def test_a_record_is_deleted_by_its_owner_alone_and_its_studies_stay(cast):
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    posted(alice, ("a.blksgf", SGF), lines="1")
    kept = Imported.objects.get()
    delete = reverse("imported_delete", args=[kept.token])
    assert (bob.post(delete).status_code, Client().post(delete).status_code, alice.get(delete).status_code) == (404, 404, 405)
    assert "import-delete" not in bob.get(reverse("imported", args=[kept.token])).content.decode()
    assert alice.post(delete).url == reverse("import")
    assert not Imported.objects.exists()
    assert Study.objects.get().plies == ["e10", "j5", "d11,d12"]


def test_an_imported_record_is_read_without_scripts_with_its_notes(cast, client):
    posted(cast.at_browser(cast.alice), ("a.blksgf", SGF))
    kept = Imported.objects.get()
    page = client.get(reverse("imported", args=[kept.token]), {"plain": "1", "ply": "1"}).content.decode()
    assert "<svg" in page
    assert "One" in page
    assert "Imported record" in page


def test_a_record_that_the_rules_of_today_refuse_is_not_there(cast, client):
    posted(cast.at_browser(cast.alice), pasted=json.dumps(DUO))
    Imported.objects.update(record=BAD, plies=2)
    kept = Imported.objects.get()
    assert client.get(reverse("imported_data", args=[kept.token])).status_code == 404
    assert client.get(reverse("imported_record", args=[kept.token, "blksgf"])).status_code == 404


def test_lists_have_pages_and_the_newest_first(cast):
    alice = cast.at_browser(cast.alice)
    text = "\n".join(json.dumps(DUO | {"plies": [], "date": f"2020-01-{day:02}"}) for day in range(1, 24))
    posted(alice, pasted=text)
    page = alice.get(reverse("import"))
    assert [row["date"] for row in page.context["rows"]][:2] == ["2020-01-23", "2020-01-22"]
    assert len(alice.get(reverse("import"), {"page": 2}).context["rows"]) == 3


def test_matches_of_pentobi_come_in_by_the_dozen(cast):
    alice = cast.at_browser(cast.alice)
    files = [(path.name, path.read_bytes()) for path in sorted(DATA.glob("*.blksgf"))]
    matches = [DUO | {"variant": match["variant"], "plies": match["plies"]} for match in lines("blokus_pentobi.jsonl")[::10]]
    response = posted(alice, *files, ("more.json", json.dumps(matches)))
    assert (response.context["wrong"], response.context["new"]) == ([], len(files) + len(matches))


def test_what_a_guest_brought_is_the_accounts_when_the_guest_signs_in(cast, client):
    alice = cast.alice
    alice.set_password("long and wise")
    alice.save()
    posted(cast.at_browser(alice), pasted=json.dumps(DUO))
    posted(client, ("a.blksgf", SGF), lines="1")
    posted(client, pasted=json.dumps(DUO))
    client.post(reverse("account_login"), {"login": "alice", "password": "long and wise"})
    assert Imported.objects.count() == 2
    assert set(Imported.objects.values_list("owner", flat=True)) | set(Study.objects.values_list("owner", flat=True)) == {alice.pk}
    assert len(client.get(reverse("import")).context["rows"]) == 2


def test_other_lines_that_were_not_wanted_at_first_come_when_the_file_is_brought_again(cast):
    alice = cast.at_browser(cast.alice)
    posted(alice, ("a.blksgf", SGF))
    posted(alice, ("a.blksgf", SGF), lines="1")
    posted(alice, ("a.blksgf", SGF), lines="1")
    assert (Imported.objects.count(), Study.objects.count()) == (1, 1)
