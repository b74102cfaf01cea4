"""Studying in the browser: moves tried on the board and kept, what the bot thinks of a position, and a whole match looked through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.players import SESSION_KEY
from games.kit.chance import KeyedSource
from matches.models import Match
from matches.replay import position_of
from matches.services import Person, play_move, resign, start_match
from studies.models import Evaluation, Review, Study
from tests.conftest import LiveSite
from tests.e2e.conftest import Lend

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATIENCE = 60_000
"""Milliseconds that the bot may take, whose worker stands behind everything else that the machine does."""


def guest() -> User:
    return User.objects.create(username=f"student-{User.objects.count()}", is_guest=True)


def short_match(game: str, variant: str, moves: int) -> Match:
    """A match of two guests that one of them resigned after so many moves."""
    people = [guest() for _ in range(2)]
    match = start_match(game, variant, seats=[Person(user) for user in people], now=timezone.now())
    for number in range(moves):
        match = Match.objects.get(pk=match.pk)
        state = position_of(match).state
        assert isinstance(state.to_move, int)
        legal = state.legal_moves()
        move = legal[KeyedSource(b"study", str(number)).below(len(legal))]
        play_move(match.pk, state.to_move, str(move), ply=match.ply, now=timezone.now())
    resign(match.pk, 0, now=timezone.now())
    return Match.objects.get(pk=match.pk)


Opened = Callable[..., Page]


@pytest.fixture
def opened(live_site: LiveSite, lend: Lend) -> Iterator[Opened]:
    """`opened(path)`: a page in a browser of its own, in which a guest reads."""

    def browse(path: str, **options: Any) -> Page:
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        session[SESSION_KEY] = guest().pk
        session.save()
        context = lend(base_url=live_site.url, **options)
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": live_site.url}])
        page = context.new_page()
        page.goto(path)
        return page

    yield browse


def at(page: Page, ply: int, tried: int = 0) -> None:
    """The board shows so many tried moves after that ply."""
    expect(page.locator(f'#study[data-ready][data-at="{ply}:{tried}"][data-shown=yes]')).to_be_attached()


def place(page: Page, turns: int = 0) -> None:
    """Place the largest piece of Blokus where it fits first, after turning it so often."""
    page.locator(".bk-board").focus()
    while page.locator(".bk-pick.is-held:not(.is-stuck)").count() == 0:
        page.keyboard.press("+")
    for _ in range(turns):
        page.keyboard.press("r")
    page.keyboard.press("g")
    expect(page.locator(".bk-ghost")).to_have_class(re.compile("is-legal"))
    page.keyboard.press("Enter")


def test_moves_are_tried_as_branches_with_notes_by_keyboard_and_kept_as_a_study(opened: Opened) -> None:
    match = short_match("blokus", "duo-2", 6)
    page = opened(f"/match/{match.pk}/analysis/?ply=2")
    at(page, 2)
    place(page)
    at(page, 2, 1)
    place(page)
    at(page, 2, 2)
    page.locator("[data-part=tree] [aria-current]").focus()
    page.keyboard.press("ArrowLeft")
    at(page, 2, 1)
    page.keyboard.press("ArrowUp")
    at(page, 3)
    page.keyboard.press("ArrowDown")
    at(page, 2, 1)
    page.get_by_label("Note to this move").fill("Takes the middle.")
    page.get_by_role("button", name="Save as a study").click()
    expect(page.locator("[data-saved=yes]")).to_be_visible()
    page.wait_for_url("**/studies/*/?ply=2&move=*")
    study = Study.objects.get(match=match)
    assert [(node["parent"], node["note"]) for node in study.tree] == [(-2, "Takes the middle."), (1, "")]

    page.reload()
    at(page, 2, 1)
    expect(page.locator(".study-tried")).to_have_count(2)
    page.locator("[data-part=tree] [aria-current]").focus()
    page.keyboard.press("Delete")
    at(page, 2)
    expect(page.locator(".study-tried")).to_have_count(0)
    page.get_by_role("button", name="Bring it back").click()
    at(page, 2, 1)
    expect(page.locator(".study-tried")).to_have_count(2)

    page.locator("[data-part=tree] [aria-current]").focus()
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    place(page, turns=1)
    at(page, 2, 1)
    expect(page.locator(".study-tried").nth(2).locator("[aria-current]")).to_be_attached()
    page.get_by_role("button", name="Move the branch up").click()
    expect(page.locator(".study-tried").nth(0).locator("[aria-current]")).to_be_attached()


def test_a_study_changed_on_two_pages_is_not_written_over_unasked(opened: Opened) -> None:
    match = short_match("blokus", "duo-2", 2)
    page = opened(f"/match/{match.pk}/analysis/")
    at(page, 2)
    page.get_by_role("button", name="Save as a study").click()
    expect(page.locator("[data-saved=yes]")).to_be_visible()
    Study.objects.filter(match=match).update(version=7)
    page.get_by_label("Title").fill("Mine")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-part=news]")).to_contain_text("changed on another page")
    page.get_by_role("button", name="Write over it").click()
    expect(page.locator("[data-saved=yes]")).to_be_visible()
    assert Study.objects.get(match=match).title == "Mine"


def test_a_draw_is_made_by_the_server_and_made_again_on_a_phone(opened: Opened) -> None:
    page = opened("/analysis/nibble/square-9/", **PHONE)
    at(page, 0)
    page.get_by_role("button", name="Draw", exact=True).click()
    at(page, 0, 1)
    page.get_by_role("button", name="Draw again").click()
    expect(page.locator(".study-tried")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]  # type: ignore[index]


def test_the_bot_tells_its_best_moves_and_its_line_is_stepped_through_and_kept(live_site: LiveSite, opened: Opened) -> None:
    live_site.need("analysis")
    match = short_match("nibble", "square-9", 54)
    page = opened(f"/match/{match.pk}/analysis/")
    at(page, match.ply)
    page.get_by_role("button", name="Let it think").click()
    expect(page.locator("[data-part=engine][data-state=found]")).to_be_attached(timeout=PATIENCE)
    best = Evaluation.objects.latest("made_at").candidates[0]
    assert len(best["line"]) > 1
    expect(page.locator(".study-standing li")).to_have_count(2)
    page.locator(".study-chip").first.click()
    expect(page.locator("[data-part=bar]")).to_contain_text("The bot’s line, 2 of")
    expect(page.locator(".study-tried")).to_have_count(0)
    page.get_by_role("button", name="Keep these moves").click()
    at(page, match.ply, 2)
    assert page.locator(".study-tried button").evaluate_all("all => all.map(one => one.title)") == best["line"][:2]


def test_a_match_is_looked_through_while_its_page_says_how_far_and_then_marks_what_was_found(live_site: LiveSite, opened: Opened) -> None:
    live_site.need("analysis")
    match = short_match("nibble", "square-9", 3)
    page = opened(f"/match/{match.pk}/replay/?ply=2")
    page.get_by_role("button", name="Request computer analysis").click()
    expect(page.locator("#review[data-state=done]")).to_be_attached(timeout=PATIENCE)
    assert Review.objects.get(match=match).done == match.ply
    expect(page.locator(".study-accuracy tbody tr")).to_have_count(2)
    expect(page.get_by_text("Chance to win, as the bot sees it")).to_be_visible()
    page.get_by_role("link", name="Try your own moves").click()
    at(page, 2)


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """A study that was changed elsewhere is refused."""
    return ("409 (Conflict)",)
