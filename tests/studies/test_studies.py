"""The analysis page, and studies: kept, changed on two pages, shared, copied, deleted, and read without scripts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.models import Match
from pages.data import deletion
from studies import keeping, trees
from studies.models import Imported, Review, Study
from tests.platform.conftest import NOW
from tests.studies.conftest import worked

Answer = Any


def texts(match: Match) -> list[str]:
    return list(match.moves.values_list("text", flat=True))


def other_card(match: Match) -> str:
    """The card of the first seat that was not played."""
    first, played = texts(match)[:2]
    return next(card for card in first[1:].split("/")[0].split(".") if card != played)


def node(number: int, parent: int, text: str, note: str = "") -> dict[str, Any]:
    return {"id": number, "parent": parent, "text": text, "note": note}


def post(client: Client, path: str, body: object) -> Answer:
    return client.post(path, json.dumps(body), content_type="application/json")


def keep(client: Client, match: Match, **more: Any) -> Answer:
    tree = [node(1, -1, other_card(match), "Why not?")]
    return post(client, "/studies/", {"source": {"match": match.pk}, "title": "Cards", "shared": False, "tree": tree} | more)


def page_of(client: Client, path: str) -> dict[str, Any]:
    """The data that a page hands to its script."""
    found = re.search(r'<script id="page" type="application/json">(.*?)</script>', client.get(path).content.decode(), re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.fixture
def alice(cast, over) -> Client:
    return cast.at_browser(cast.alice)


@pytest.fixture
def bob(cast, over) -> Client:
    return cast.at_browser(cast.bob)


# --- The analysis page


def test_the_page_opens_at_the_end_of_a_match_with_its_line(over, alice):
    page = page_of(alice, f"/match/{over.pk}/analysis/")
    assert (page["ply"], page["source"], page["study"]) == (over.ply, {"match": over.pk}, None)
    assert [ply["text"] for ply in page["line"]] == texts(over)
    assert [seat["name"] for seat in page["seats"]] == ["alice", "bob"]
    assert page["title"].endswith("alice – bob")


def test_the_address_names_a_ply_and_moves_tried_from_there(over, alice):
    card = other_card(over)
    page = page_of(alice, f"/match/{over.pk}/analysis/?ply=1&move={card}")
    assert (page["ply"], page["tried"]) == (1, [{"text": card, "seat": 0}])
    assert page["position"]["view"]["played"] == [[int(card)], []]
    assert page["due"]


def test_of_an_address_as_much_is_shown_as_can_be_played(over, alice):
    card = other_card(over)
    page = page_of(alice, f"/match/{over.pk}/analysis/?ply=1&move={card}&move=nonsense")
    assert [one["text"] for one in page["tried"]] == [card]
    assert page_of(alice, f"/match/{over.pk}/analysis/?ply=99999")["ply"] == over.ply
    assert page_of(alice, f"/match/{over.pk}/analysis/?ply=x")["ply"] == over.ply


def test_a_running_match_is_played_and_not_analysed(cast, table):
    running = table("cards-2", cast.alice, cast.bob)
    answer = cast.at_browser(cast.alice).get(f"/match/{running.pk}/analysis/", follow=True)
    assert answer.redirect_chain[0][0] == f"/match/{running.pk}/"
    assert "This match is still being played" in answer.content.decode()


def test_a_private_match_is_analysed_by_its_people_only(cast, over):
    Match.objects.filter(pk=over.pk).update(private=True)
    assert cast.at_browser(cast.alice).get(f"/match/{over.pk}/analysis/").status_code == 200
    assert cast.at_browser(cast.carol).get(f"/match/{over.pk}/analysis/").status_code == 404
    assert Client().get(f"/match/{over.pk}/analysis/").status_code == 404


def test_an_empty_board_of_every_variant_can_be_analysed(db):
    assert page_of(Client(), "/analysis/blokus/duo-2/")["line"] == []
    assert Client().get("/analysis/blokus/nothing/").status_code == 404
    assert Client().get("/analysis/nothing/duo-2/").status_code == 404


# --- Keeping


def test_a_study_is_kept_with_its_line_and_opens_where_it_begins_to_differ(over, alice, cast):
    told = keep(alice, over).json()
    study = Study.objects.get(token=told["token"])
    assert (study.owner, study.match, study.plies, study.version) == (cast.alice, over, texts(over), 1)
    assert study.tree == [node(1, -1, other_card(over), "Why not?")]
    page = page_of(alice, told["url"])
    assert (page["ply"], page["tree"]) == (1, [study.tree[0] | {"seat": 0}])
    assert page["study"] == {"token": study.token, "url": told["url"], "title": "Cards", "shared": False, "version": 1, "own": True}


def test_a_visitor_who_keeps_a_study_becomes_a_guest(over, db):
    visitor = Client()
    token = keep(visitor, over).json()["token"]
    owner = Study.objects.get(token=token).owner
    assert owner.is_guest
    assert visitor.get(f"/studies/{token}/").status_code == 200


def test_a_study_has_a_name_of_its_own_when_none_was_given(over, alice):
    assert keep(alice, over, title="   ").json()["title"].endswith("alice – bob")


def test_a_move_that_the_rules_refuse_is_not_kept_and_is_named(over, alice):
    answer = keep(alice, over, tree=[node(4, -1, "99")])
    assert (answer.status_code, answer.json()["code"], answer.json()["node"]) == (400, "unplayable", 4)
    assert "The move 99 cannot be played" in answer.json()["message"]
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    "change",
    [{"tree": 5}, {"title": 5}, {"shared": "yes"}, {"source": None}, {"source": {"match": "1"}}, {"more": 1}, {"title": "\0"}],
)
def test_what_is_no_study_is_refused(over, alice, change):
    assert keep(alice, over, **change).status_code == 400
    assert not Study.objects.exists()


def test_a_body_that_is_no_json_is_refused(alice):
    assert alice.post("/studies/", "{", content_type="application/json").status_code == 400
    assert alice.post("/studies/", {"title": "x"}).status_code == 400


def test_changes_are_kept_with_a_version_so_that_two_pages_do_not_write_over_each_other(over, alice):
    url = keep(alice, over).json()["url"]
    change = {"title": "Better", "shared": True, "tree": [], "version": 1}
    assert post(alice, url, change).json()["version"] == 2
    stale = post(alice, url, change | {"title": "Old"})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert post(alice, url, change | {"title": "Mine", "version": None}).json()["title"] == "Mine"
    assert Study.objects.get().version == 3


def test_only_so_many_studies_are_kept(over, alice, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_STUDIES", 1)
    assert keep(alice, over).status_code == 200
    refused = keep(alice, over)
    assert (refused.status_code, Study.objects.count()) == (409, 1)
    assert "1 studies already" in refused.json()["message"]


# --- Sharing and copying


def test_a_study_is_its_owners_alone_until_it_is_shared(over, alice, bob):
    url = keep(alice, over).json()["url"]
    assert bob.get(url).status_code == 404
    alice.post(f"{url}share/", {"shared": "1"})
    page = bob.get(url).content.decode()
    assert "A study of alice" in page
    assert not page_of(bob, url)["study"]["own"]
    alice.post(f"{url}share/", {"shared": "0"})
    assert bob.get(url).status_code == 404


def test_who_may_read_a_study_may_neither_change_nor_delete_nor_share_it(over, alice, bob):
    url = keep(alice, over, shared=True).json()["url"]
    change = {"title": "Bob's", "shared": True, "tree": [], "version": 1}
    assert [post(bob, url, change).status_code, bob.post(f"{url}delete/").status_code, bob.post(f"{url}share/").status_code] == [404] * 3
    assert Study.objects.get().title == "Cards"


def test_a_shared_study_is_copied_to_ones_own_as_it_is_or_with_changes(over, alice, bob, cast):
    told = keep(alice, over, shared=True).json()
    url = bob.post(f"{told['url']}copy/").url
    copied = Study.objects.get(owner=cast.bob)
    assert url == f"/studies/{copied.token}/"
    assert (copied.tree, copied.plies, copied.match, copied.shared) == (Study.objects.get(owner=cast.alice).tree, texts(over), over, False)
    changed = post(bob, "/studies/", {"source": {"study": told["token"]}, "title": "More", "shared": False, "tree": []})
    assert Study.objects.get(token=changed.json()["token"]).match == over


def test_a_shared_study_of_a_private_match_is_for_those_who_were_in_it(over, alice, bob, cast):
    url = keep(alice, over, shared=True).json()["url"]
    Match.objects.filter(pk=over.pk).update(private=True)
    carol = cast.at_browser(cast.carol)
    assert [alice.get(url).status_code, bob.get(url).status_code, carol.get(url).status_code] == [200, 200, 404]
    look = {"source": {"study": url.split("/")[2]}, "ply": 1, "moves": []}
    assert [post(bob, "/analysis/look/", look).status_code, post(carol, "/analysis/look/", look).status_code] == [200, 404]
    assert carol.post(f"{url}copy/").status_code == 404


def test_what_is_not_shared_is_copied_by_nobody(over, alice, bob):
    told = keep(alice, over).json()
    assert bob.post(f"{told['url']}copy/").status_code == 404
    body = {"source": {"study": told["token"]}, "title": "Taken", "shared": False, "tree": []}
    assert post(bob, "/studies/", body).status_code == 404


def test_a_study_is_deleted_by_its_owner(over, alice):
    url = keep(alice, over).json()["url"]
    answer = alice.post(f"{url}delete/", follow=True)
    assert "“Cards” is deleted." in answer.content.decode()
    assert not Study.objects.exists()


def test_a_study_names_nobody_who_has_left_the_site(over, alice, cast):
    url = keep(alice, over).json()["url"]
    deletion.delete(User.objects.get(username="bob"), NOW)
    assert "bob" not in [seat["name"] for seat in page_of(alice, url)["seats"]]
    assert "bob" not in json.dumps([Study.objects.get().names])


def test_a_study_of_an_imported_record_knows_who_played(cast, over, alice):
    record = {"format": "tessera/1", "game": "cards", "variant": "cards-2", "seats": ["Ann", "Ben"], "plies": texts(over)}
    imported = Imported.objects.create(
        owner=cast.alice, game="cards", variant="cards-2", record=record, plies=over.ply, digest="d", made_at=NOW
    )
    page = page_of(Client(), f"/imported/{imported.token}/analysis/")
    assert (page["source"], page["title"]) == ({"imported": imported.token}, "Cards: Ann – Ben")
    body = {"source": {"imported": imported.token}, "title": "", "shared": False, "tree": []}
    url = post(alice, "/studies/", body).json()["url"]
    imported.delete()
    assert [seat["name"] for seat in page_of(alice, url)["seats"]] == ["Ann", "Ben"]


# --- Reading


def test_a_study_reads_without_scripts_with_its_notes_and_a_picture_of_each_position(over, alice):
    url = keep(alice, over).json()["url"]
    page = alice.get(url).content.decode()
    assert "Instead of ply 2" in page
    assert "Why not?" in page
    link = f"?ply=1&amp;move={other_card(over)}"
    assert link in page
    assert "<svg" in alice.get(url + link.replace("&amp;", "&")).content.decode().split("study-picture")[1]


def test_what_a_note_says_is_text_and_nothing_else(over, alice):
    url = keep(alice, over, tree=[node(1, -1, other_card(over), "<b>bold</b></script>")]).json()["url"]
    page = alice.get(url).content.decode()
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page


def test_the_list_has_ones_own_studies_and_nobody_elses(over, alice, bob):
    keep(alice, over, title="Of alice")
    keep(bob, over, title="Of bob")
    page = alice.get("/studies/").content.decode()
    assert "Of alice" in page
    assert "1 tried move ·" in page
    assert "Of bob" not in page
    assert "No studies yet" in Client().get("/studies/").content.decode()


def test_a_long_list_comes_page_by_page(over, alice, cast):
    line = trees.spelt(keeping.of_study(Study.objects.get(token=keep(alice, over).json()["token"])))
    for number in range(20):
        keeping.make(cast.alice, line, keeping.Content(f"Study {number}", False, []), NOW)
    assert "Page 1 of 2" in alice.get("/studies/").content.decode()
    assert "Study 0<" in alice.get("/studies/?page=2").content.decode()


# --- The review beside a replay


def test_beside_a_replay_a_review_is_asked_for_and_read_without_scripts(over, alice):
    path = f"/match/{over.pk}/replay/?plain=1"
    assert "Request computer analysis" in alice.get(path).content.decode()
    alice.post(f"/match/{over.pk}/review/")
    assert f"0 of {over.ply} plies are looked at" in alice.get(path).content.decode()
    worked()
    page = alice.get(path).content.decode()
    review = Review.objects.get(match=over)
    for seat, name in enumerate(("alice", "bob")):
        row = re.search(rf'<tr><th scope="row">{name}</th>(.*?)</tr>', page)
        assert row
        accuracy = "–" if review.accuracy[seat] is None else f"{review.accuracy[seat]:.1f}"
        counts = [sum(ply["seat"] == seat and ply["kind"] == kind for ply in review.plies) for kind in ("inaccuracy", "mistake", "blunder")]
        assert re.findall("<td>(.*?)</td>", row[1]) == [accuracy, *map(str, counts)]


def test_a_bad_move_is_told_with_what_was_better(over, alice):
    alice.post(f"/match/{over.pk}/review/")
    worked()
    review = Review.objects.get(match=over)
    ply = next(number for number, entry in enumerate(review.plies) if entry["seat"] is not None)
    review.plies[ply] |= {"kind": "mistake", "loss": 0.3, "best": "12", "line": ["12"], "after": [0, 1], "reason": None}
    review.save()
    page = alice.get(f"/match/{over.pk}/replay/?plain=1").content.decode()
    told = re.search(r'<ol class="study-moments">(.*?)</ol>', page, re.DOTALL)
    assert told
    assert f'<a href="?ply={ply + 1}">' in told[1]
    assert "<b>Mistake</b>. Better: 12." in told[1]


def test_a_running_match_has_no_review_and_no_way_to_analysis(cast, table):
    running = table("cards-2", cast.alice, cast.bob)
    page = cast.at_browser(cast.alice).get(f"/match/{running.pk}/replay/").content.decode()
    assert "Computer analysis" not in page
    assert f"/match/{running.pk}/analysis/" not in page
