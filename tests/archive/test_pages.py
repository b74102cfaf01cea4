"""The pages of the archive, and what one takes along from there."""

from __future__ import annotations

import json
import zipfile
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from archive import bulk
from archive.tasks import read_first_moves
from games.kit.record import check, read_records
from matches.models import Match, Secret
from matches.services import resign
from tests.archive.conftest import NOW, Cast, finished, play_on, played

pytestmark = pytest.mark.django_db


def page(client: Client, address: str, status: int = 200) -> Any:
    response = client.get(address)
    assert response.status_code == status, address
    return response


def shown(response: Any) -> list[int]:
    return [row.id for row in response.context["rows"]]


@pytest.fixture
def over(cast: Cast, table: Any) -> Match:
    """A match that was played for a few moves and given up."""
    match = play_on(table("duo-2", cast.alice, cast.bob), 4)
    resign(match.pk, 1, now=NOW)
    read_first_moves()
    return Match.objects.get(pk=match.pk)


def test_the_archive_lists_public_matches_that_are_over_and_no_others(cast: Cast, table: Any, over: Match) -> None:
    running = table("duo-2", cast.alice, cast.bob)
    private = table("duo-2", cast.alice, cast.bob, private=True)
    resign(private.pk, 0, now=NOW)
    for browser in (Client(), cast.at_browser(cast.alice)):
        response = page(browser, "/archive/")
        assert shown(response) == [over.pk]
        text = response.content.decode()
        assert "1 match<" in text
        assert f"/match/{over.pk}/replay/" in text
        assert "alice won by resignation" in text or "You" in text
        assert f"/match/{running.pk}/" not in text
        assert f"/match/{private.pk}/" not in text


def test_a_game_has_a_page_of_its_own_and_others_are_one_click_away(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2])
    azul = finished([cast.alice, cast.bob], [1, 2], "grey-2", "azul")
    response = page(Client(), "/archive/azul/")
    assert shown(response) == [azul.pk]
    assert [(tab["count"], tab["here"]) for tab in response.context["tabs"]] == [(2, False), (1, True), (0, False), (1, False), (0, False)]
    page(Client(), "/archive/chess/", 404)


def test_the_form_keeps_what_was_asked_and_opens_what_is_folded(cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2], rated=True)
    text = page(Client(), "/archive/blokus/?variant=duo-2&player=alice&result=won&rated=rated").content.decode()
    for kept in ('"duo-2" selected', 'name="player" value="alice"', '"won" selected', '"rated" selected', "<details open>"):
        assert kept in text
    assert "<details open>" not in page(Client(), "/archive/?player=alice").content.decode()


def test_a_fault_is_said_at_the_page_and_marked_at_its_field(cast: Cast) -> None:
    text = page(Client(), "/archive/?player=nemo", 400).content.decode()
    assert "Nobody here is called “nemo”." in text
    assert text.count('aria-invalid="true"') == 1
    assert "Sign in to find" in page(Client(), "/archive/?mine=1", 400).content.decode()


def test_one_pages_through_the_list_by_its_links_and_back(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [finished([cast.alice, cast.bob], [1, 2], at=NOW + timedelta(minutes=n)).pk for n in range(60)][::-1]
    browser = Client()
    first = page(browser, "/archive/?player=alice")
    second = page(browser, first.context["pages"]["on"])
    third = page(browser, second.context["pages"]["on"])
    assert shown(first) + shown(second) + shown(third) == numbers
    assert third.context["pages"]["on"] == first.context["pages"]["back"] == ""
    assert shown(page(browser, third.context["pages"]["back"])) == shown(second)
    assert shown(page(browser, third.context["pages"]["first"])) == shown(first)
    assert "60 matches" in third.content.decode()
    odd = page(browser, "/archive/?after=nowhere")
    assert shown(odd) == numbers[:25]
    assert odd.context["bad_place"]


def test_who_is_known_finds_what_is_about_them_with_one_click(cast: Cast) -> None:
    lost = finished([cast.alice, cast.bob], [2, 1], termination="timeout")
    lost.seats.filter(user=cast.alice).update(left_why="timeout")
    Match.objects.filter(pk=lost.pk).update(private=True)  # filed anew, with what was changed
    Match.objects.filter(pk=lost.pk).update(private=False)
    finished([cast.alice, cast.bob], [1, 2])
    browser = cast.at_browser(cast.alice)
    quick = {one["name"]: one["url"] for one in page(browser, "/archive/").context["quick"]}
    assert shown(page(browser, quick["My losses on time"])) == [lost.pk]
    assert len(shown(page(browser, quick["My matches"]))) == 2
    assert page(Client(), "/archive/").context["quick"] == []


def test_the_page_shows_how_matches_of_a_variant_begin_and_leads_on(cast: Cast) -> None:
    for ranks, moves in (([1, 2], ("e10", "f1")), ([2, 1], ("e10", "f2")), ([1, 1], ("e1", "f1"))):
        played(finished([cast.alice, cast.bob], ranks), *moves)
    read_first_moves()
    browser = Client()
    start = page(browser, "/archive/blokus/?variant=duo-2").context["beginnings"]
    first, url = start["moves"][0]
    assert (first.move, first.played, round(first.share), first.won, first.shared) == ("e10", 2, 67, 50, 0)
    assert (start["moves"][1][0].won, start["moves"][1][0].shared) == (0, 100)
    on = page(browser, url)
    assert len(shown(on)) == 2
    assert [(one.move, one.won) for one, _ in on.context["beginnings"]["moves"]] == [("f1", 0), ("f2", 100)]
    assert on.context["beginnings"]["steps"][0][0] == "e10"
    assert page(browser, "/archive/azul/?variant=coloured-2").context["beginnings"] is None  # each begins with another deal


def test_records_come_as_lines_and_as_a_zip_and_can_be_played(over: Match, cast: Cast) -> None:
    finished([cast.alice, cast.bob], [1, 2], "grey-2", "azul")
    lines = page(Client(), "/archive/records.jsonl?game=blokus")
    assert "attachment" in lines["Content-Disposition"]
    (record,) = read_records(lines.content.decode())
    assert check(record) == []
    assert json.loads(lines.content)["match"] == over.pk
    whole = zipfile.ZipFile(BytesIO(page(Client(), "/archive/records.zip?player=alice&game=blokus").content))
    assert whole.namelist() == [f"tessera-blokus-duo-2-{over.pk}.json"]
    assert read_records(whole.read(whole.namelist()[0]).decode()) == [record]


def test_chosen_records_are_taken_and_private_ones_are_not(cast: Cast, table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (finished([cast.alice, cast.bob], [1, 2]) for _ in range(3))
    private = finished([cast.alice, cast.bob], [1, 2], private=True)
    running = table("duo-2", cast.alice, cast.bob)
    for match in (one, two, three, private):
        Secret.objects.create(match=match, value=bytes(32))
    chosen = f"/archive/records.jsonl?id={three.pk}&id={private.pk}&id={one.pk}&id={running.pk}&id={one.pk}&id=x"
    browser = cast.at_browser(cast.alice)
    assert [json.loads(line)["match"] for line in page(browser, chosen).content.splitlines()] == [three.pk, one.pk]
    monkeypatch.setattr(bulk, "MOST", 2)
    assert len(page(browser, "/archive/records.jsonl").content.splitlines()) == 2


def test_a_download_of_what_cannot_be_looked_for_leads_to_the_page_that_says_so(cast: Cast) -> None:
    response = Client().get("/archive/records.zip?player=nemo", follow=True)
    assert response.status_code == 400
    assert "Nobody here is called “nemo”." in response.content.decode()


def test_a_page_asks_the_database_as_often_for_many_matches_as_for_few(cast: Cast) -> None:
    browser = cast.at_browser(cast.alice)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(browser, "/archive/?ended=complete")
        return len(queries)

    finished([cast.alice, cast.bob], [1, 2])
    asked()
    few = asked()
    for _ in range(12):
        finished([cast.alice, "strong", cast.carol], [1, 2, 3], "classic-3")
    assert asked() == few <= 20
