"""Everything people read comes in their language: refusals, results, names, pages, sockets, scripts."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async as in_db
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import trans_real

from games import registry
from games.kit.protocol import IllegalMove, Label, RuleError
from matches import payloads, words
from matches.errors import MatchError, NotYourTurn
from matches.services import resign
from pages.views import catalogue
from stack import catalogues, sentences
from stack.catalogues import PAGES, SCRIPTS, SOURCE_LANGUAGE, po_file
from stack.places import ROOT
from tests.platform.conftest import NOW, now_at, play_on
from tests.platform.test_socket import Socket

TRANSLATED = tuple(code for code, _ in settings.LANGUAGES if code != SOURCE_LANGUAGE)
"""The languages in which nothing may be missing."""

MINE = {
    "It is not your turn.": "Not-jouw-beurt.",
    "The first piece of {colour} must cover {squares}.": "{squares} moet bedekt zijn door {colour}.",
    "Blue": "Blauw",
    "Casual": "Ontspannen",
    "{level} bot {number}": "{level}e computer {number}",
    "{level} bot": "{level}e computer",
    "{name} won": "{name} wint",
    "{name} won by resignation": "{name} wint door opgave",
    "Guest {number}": "Gast {number}",
    "Duo": "Met zijn tweeën",
    "Take a seat.": "Neem plaats.",
    "Seats: {n}": "Plaatsen: {m}",
}


@pytest.fixture
def dutch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few sentences in Dutch, whatever the catalogue has."""
    with translation.override("nl"):
        catalog = trans_real.translation("nl")._catalog
    merged = catalog.__class__.__new__(catalog.__class__)
    merged.__dict__.update(catalog.__dict__)
    merged._catalogs = [dict(MINE), *catalog._catalogs]
    monkeypatch.setattr(trans_real.translation("nl"), "_catalog", merged)


# --- The catalogues


def test_nothing_is_missing_and_no_placeholder_differs() -> None:
    assert [fault for language in TRANSLATED for fault in sentences.faults(language)] == []


def test_every_language_has_its_catalogues_and_they_are_whole_files() -> None:
    for language, _ in settings.LANGUAGES[1:]:
        for domain in (PAGES, SCRIPTS):
            assert catalogues.read(po_file(language, domain))


def _messages(domain: str) -> set[Any]:
    return {message.id if isinstance(message.id, str) else tuple(message.id) for message in sentences.extract(domain)}


def test_what_games_say_about_themselves_is_marked_for_translation() -> None:
    marked = _messages(PAGES)
    for game in registry.all_games():
        texts = {game.name, game.tagline, *(level.name for level in game.levels)}
        for item in (*game.variants, *game.options):
            texts |= {item.name, item.description}
        for step in game.lesson():
            texts |= {step.title, step.text, step.hint, step.praise} - {""}
        assert texts <= marked, game.key


def test_reasons_are_given_as_literals_or_marked_texts() -> None:
    """Only then are they found; a sentence put together while the match runs has no translation."""
    unmarked = []
    for folder in ("games", "site"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            unmarked += [f"{path.relative_to(ROOT)}:{line}" for line in _unmarked(ast.parse(path.read_text()))]
    assert unmarked == []


def _unmarked(tree: ast.AST) -> list[int]:
    """The lines on which a refusal is made from an f-string, a sum or a format."""
    refusals = {"RuleError": 1, "IllegalMove": 1, "InvalidMove": 1, "MatchError": 0}
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) > refusals.get(node.func.id, 99):
            text = node.args[refusals[node.func.id]]
            if not isinstance(text, ast.Constant | ast.Name | ast.Attribute | ast.Starred):
                lines.append(node.lineno)
    return lines


def test_scripts_give_their_sentences_as_literals() -> None:
    call = re.compile(r"(?<![\w$.])tn?\(")
    literal = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    good = re.compile(rf"t\(\s*{literal}\s*[,)]|tn\(\s*{literal}\s*,\s*{literal}\s*,")
    unmarked = []
    for path in [*(ROOT / "static/js").rglob("*.js"), *(ROOT / "games").glob("*/static/**/*.js")]:
        code = path.read_text()
        if path.name != "i18n.js":  # which defines them
            starts = [found.start() for found in call.finditer(code)]
            unmarked += [f"{path.name}: {code[start : start + 40]}" for start in starts if not good.match(code, start)]
    assert unmarked == []


def test_all_kinds_of_sentences_are_found_in_the_sources() -> None:
    pages, scripts = _messages(PAGES), _messages(SCRIPTS)
    assert {"Take a seat.", "It is not your turn.", "Duo", "Blue", "{name} won", ("%(n)s ply", "%(n)s plies")} <= pages
    assert {"Your turn", ("{n} move", "{n} moves")} <= scripts


@pytest.mark.parametrize(
    ("translated", "fault"),
    [
        ("", "not translated"), ("Zug {n}", None), ("Zug", "placeholders differ: {n}"), ("Zug {m}", "placeholders differ: {m}, {n}"),
        ("<b>Zug</b> {n}", "placeholders differ: </b>, <b>"),
    ],
)  # fmt: skip
def test_a_translation_is_held_against_its_sentence(translated: str, fault: str | None) -> None:
    from babel.messages.catalog import Catalog

    catalog = Catalog(locale="nl")
    wanted = catalog.add("Move {n}", translated)
    assert sentences.fault_of(wanted, wanted, 2) == fault


def test_catalogues_are_compiled_once_and_again_when_they_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    path = po_file("nl", PAGES)
    path.parent.mkdir(parents=True)
    path.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Draw"\nmsgstr "Trek"\n')
    assert (catalogues.compile_all(), catalogues.compile_all()) == (1, 0)
    path.write_text(path.read_text().replace("Trek", "Loot"))
    assert catalogues.compile_all() == 1
    assert b"Loot" in path.with_suffix(".mo").read_bytes()


# --- What is said


@pytest.mark.usefixtures("dutch")
def test_a_refusal_is_said_in_the_readers_language_with_the_words_of_the_game_in_it() -> None:
    refusal = IllegalMove("not_start", "The first piece of {colour} must cover {squares}.", colour=Label("Blue"), squares="a20")
    with translation.override("nl"):
        assert words.say(refusal) == "a20 moet bedekt zijn door Blauw."
        assert words.say(NotYourTurn()) == "Not-jouw-beurt."
        assert words.say(RuleError("x", "A sentence {without} translation.", without="any")) == "A sentence any translation."
    assert words.say(refusal) == str(refusal) == "The first piece of Blue must cover a20."


@pytest.mark.usefixtures("dutch")
def test_a_translation_with_a_wrong_name_in_it_gives_way_to_the_english() -> None:
    with translation.override("nl"):
        assert words.say(MatchError("Seats: {n}", n=2)) == "Seats: 2"


@pytest.mark.django_db
@pytest.mark.usefixtures("dutch")
def test_names_and_results_follow_the_reader_and_records_stay_english(cast, table):
    guest = cast.guest()
    match = table("classic-3", "casual", guest, "casual")
    with translation.override("nl"):
        assert [seat["name"] for seat in payloads.for_seat(match, None)["seats"]] == [
            "Ontspannene computer 1", f"Gast {guest.pk}", "Ontspannene computer 2",
        ]  # fmt: skip
        assert payloads.record_of(match, None).seats[0] == "Casual bot 1"
        duel = play_on(table("duo-2", cast.alice, cast.bob), 2)
        resign(duel.pk, 0, now=NOW)
        (card,) = payloads.cards([now_at(duel)], cast.alice)
        assert (card["variant_name"], card["result_text"]) == ("Met zijn tweeën", "bob wint door opgave")


@pytest.mark.django_db
@pytest.mark.usefixtures("dutch")
@pytest.mark.parametrize(("accepted", "said"), [("nl,en;q=0.5", "a20 moet bedekt zijn door Blauw."), ("de", "must cover a20.")])
def test_a_posted_move_is_refused_in_the_readers_language(cast, table, accepted, said):
    match = table("classic-4", cast.alice, "casual", "casual", "casual")
    client = cast.at_browser(cast.alice)
    response = client.post(
        reverse("match_move", args=[match.pk]), {"id": str(uuid4()), "ply": 0, "text": "c3"}, content_type="application/json",
        headers={"accept-language": accepted},
    )  # fmt: skip
    assert response.json()["code"] == "not_start"
    assert response.json()["message"].endswith(said)


@pytest.mark.django_db
@pytest.mark.usefixtures("dutch")
def test_why_a_ply_of_a_record_cannot_be_played_is_said_in_the_readers_language(client):
    record = {"format": "tessera/1", "game": "blokus", "variant": "classic-4", "plies": ["c3"]}
    page = client.post(reverse("open_record"), {"pasted": json.dumps(record)}, headers={"accept-language": "nl"}).content.decode()
    assert "a20 moet bedekt zijn door Blauw." in page


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("dutch")
@pytest.mark.parametrize("way", ["cookie", "header", "neither"])
async def test_a_socket_speaks_the_language_of_its_page(cast, table, way):
    match = await in_db(table)("classic-4", await in_db(lambda: cast.alice)(), "casual", "casual", "casual")
    client = await in_db(lambda: cast.at_browser(cast.alice))()
    socket = Socket(match.pk, client)
    headers = socket.wire.scope["headers"]
    if way == "cookie":
        headers.append((b"accept-language", b"it"))
        headers[1] = (b"cookie", headers[1][1] + f"; {settings.LANGUAGE_COOKIE_NAME}=nl".encode())
    elif way == "header":
        headers.append((b"accept-language", b"nl"))
    said = "must cover a20." if way == "neither" else "a20 moet bedekt zijn door Blauw."
    await socket.wire.connect()
    await socket.send(type="why", id=str(uuid4()), text="c3")
    assert (await socket.get("why"))["message"].endswith(said)
    await socket.move("c3", 0)
    assert (await socket.get("refused"))["message"].endswith(said)
    names = [seat["name"] for seat in (await socket.position())["seats"]]
    assert names[1] == ("Casual bot 1" if way == "neither" else "Ontspannene computer 1")
    await socket.wire.disconnect()


# --- Pages and scripts


@pytest.mark.django_db
@pytest.mark.usefixtures("dutch")
def test_the_switch_changes_the_language_and_comes_back_to_the_page(client):
    page = client.get(reverse("import") + "?x=1").content.decode()
    assert '<html lang="en"' in page
    (back,) = re.findall(r'name="next" value="([^"]*)"', page)
    response = client.post(reverse("set_language"), {"language": "nl", "next": back})
    assert (response.status_code, response.url) == (302, "/import/?x=1")
    home = client.get(reverse("home")).content.decode()
    assert '<html lang="nl"' in home
    assert "Neem plaats." in home
    assert "hreflang" not in home
    assert client.post(reverse("set_language"), {"language": "nl", "next": "https://elsewhere.example/"}).url == "/"
    assert Client(enforce_csrf_checks=True).post(reverse("set_language"), {"language": "nl"}).status_code == 403


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "language"),
    [("zh-TW", "zh-hant"), ("zh-Hant-HK", "zh-hant"), ("fr-CA,en", "fr"), ("it", "it"), ("nl-BE", "nl"), ("de", "en"), ("en-GB", "en")],
)
def test_the_language_of_the_browser_is_spoken_where_we_have_it(client, accepted, language):
    assert f'<html lang="{language}"' in client.get("/", headers={"accept-language": accepted}).content.decode()


@pytest.mark.django_db
def test_the_sentences_of_the_scripts_come_as_a_file_that_may_be_kept(client):
    page = client.get("/", headers={"accept-language": "fr"})
    (url,) = re.findall(r'<script src="(/catalogue/[^"]+)" defer>', page.content.decode())
    response = client.get(url)
    assert response["Content-Type"].startswith("text/javascript")
    assert "immutable" in response["Cache-Control"]
    assert "gettext" in response.content.decode()
    assert "unsafe" not in page["Content-Security-Policy"]
    old = client.get(re.sub(r"[^/]+\.js$", "0ld.js", url))
    assert (old.status_code, "no-store" in old["Cache-Control"]) == (200, True)
    for nowhere in ("/catalogue/en/0.js", "/catalogue/de/0.js"):
        assert client.get(nowhere).status_code == 404
    assert "/catalogue/" not in client.get("/").content.decode()
    assert catalogue.edition("fr") in url
