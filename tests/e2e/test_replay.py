"""The replay page, and records going in and out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games import registry
from games.kit.chance import KeyedSource
from matches.models import Match
from matches.services import Person, play_move, start_match

PLIES = 12


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """A refused record is a page of status 400, which the browser logs."""
    return ("400 (Bad Request)",)


@pytest.fixture
def match(live_site) -> Match:
    """A running match of two people, twelve plies old."""
    people = [User.objects.create_user(f"{name}-{timezone.now().timestamp()}") for name in ("ann", "ben")]
    match = start_match("blokus", "duo-2", seats=[Person(user) for user in people], now=timezone.now())
    rules = registry.get("blokus")
    state = rules.start("duo-2")
    for ply in range(PLIES):
        legal = list(state.legal_moves())
        move = legal[KeyedSource(b"replay", str(ply)).below(len(legal))]
        play_move(match.pk, state.to_move, str(move), ply=ply, now=timezone.now())
        state = state.play(move)
    return Match.objects.get(pk=match.pk)


def at(page: Page, ply: int) -> None:
    """The page shows this ply everywhere."""
    line = page.locator("[data-part=where]")
    expect(line).to_have_text(re.compile(rf"^Ply {ply} of" if ply else "^Start$"))
    expect(page.locator(".bk-layer-pieces .bk-piece")).to_have_count(ply)
    expect(page).to_have_url(re.compile(rf"\?ply={ply}$"))
    if ply:
        expect(page.locator(".move[aria-current]")).to_have_text(re.compile(rf"^\s*{ply}\D"))


def test_a_match_is_stepped_through_by_buttons_keys_and_slider(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/?ply=7")
    at(page, 7)
    page.locator("[data-act=forward]").click()
    at(page, 8)
    page.locator("[data-act=back]").click()
    page.locator("[data-act=back]").click()
    at(page, 6)
    page.locator("[data-act=first]").click()
    at(page, 0)
    expect(page.locator("[data-act=back]")).to_be_disabled()
    page.locator("[data-act=last]").click()
    at(page, PLIES)
    page.keyboard.press("ArrowLeft")
    at(page, PLIES - 1)
    page.keyboard.press("Home")
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("End")
    at(page, PLIES)
    page.locator("[data-part=slider]").fill("5")
    at(page, 5)
    page.locator(".move").nth(2).click()
    at(page, 3)
    page.reload()
    at(page, 3)


def test_a_link_to_a_ply_is_copied(live_site, page: Page, match: Match) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{live_site.url}/match/{match.pk}/replay/")
    page.locator(".move").nth(3).click()
    page.get_by_role("button", name="Copy a link to this ply").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    at(page, 4)


def test_a_replay_plays_by_itself_and_stops_at_the_end(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/?ply=0")
    page.locator("[data-part=speed]").select_option("8")
    page.locator("[data-act=play]").click()
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "true")
    at(page, PLIES)
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-act=play]").click()
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "false")


def test_the_replay_follows_a_running_match(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/")
    at_end = page.locator("[data-part=where]")
    expect(at_end).to_have_text(re.compile(f"^Ply {PLIES} of {PLIES}"))
    state = registry.get("blokus").start("duo-2")
    for text in match.moves.values_list("text", flat=True):
        state = state.play(registry.get("blokus").parse_move(text))
    move = next(iter(state.legal_moves()))
    with page.expect_response(re.compile("/replay/")):
        play_move(match.pk, state.to_move, str(move), ply=PLIES, now=timezone.now())
    expect(at_end).to_have_text(re.compile(f"^Ply {PLIES + 1} of {PLIES + 1}"))


def test_a_record_goes_out_and_comes_back(live_site, page: Page, match: Match, tmp_path: Path) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    file = tmp_path / "record.json"
    download.value.save_as(file)
    page.goto(f"{live_site.url}/replay/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Open").click()
    expect(page.locator("[data-part=where]")).to_have_text("Start")
    page.keyboard.press("End")
    expect(page.locator(".bk-layer-pieces .bk-piece")).to_have_count(PLIES)


def test_a_bad_record_names_the_ply_and_the_reason(live_site, page: Page, match: Match) -> None:
    texts = list(match.moves.values_list("text", flat=True))
    texts[4] = texts[3]
    page.goto(f"{live_site.url}/replay/")
    page.locator("textarea").last.fill(json.dumps({"format": "tessera/1", "game": "blokus", "variant": "duo-2", "plies": texts}))
    with page.expect_response(re.compile("/replay/")) as answer:
        page.get_by_role("button", name="Open").click()
    assert answer.value.status == 400
    expect(page.get_by_role("alert")).to_contain_text("Ply 5")
