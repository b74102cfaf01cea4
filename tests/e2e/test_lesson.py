"""A lesson in the browser: by mouse and keys, with a refusal, to the end, and on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from games import registry
from games.blokus.pieces import PIECES
from games.kit import lesson

LESSON = "/games/blokus/lesson/"


def step(page: Page, number: int) -> None:
    """Wait until the step of this number is shown."""
    expect(page.locator("#lesson")).to_have_attribute("data-step", str(number))


def place_by_keys(page: Page, piece: str) -> None:
    """Take a piece by its letter, let it find a legal place, and play it."""
    page.locator(".bk-board").focus()
    for key in (piece, "g", "Enter"):
        page.keyboard.press(key)


def test_a_lesson_is_taken_by_keys_and_remembered(live_site, page: Page) -> None:
    page.goto(live_site.url + LESSON)
    verdict, dots = page.locator(".lesson-verdict"), page.locator(".lesson-dots button")
    step(page, 1)
    place_by_keys(page, "v")
    expect(verdict).to_have_class(re.compile("is-good"))
    expect(page.locator(".bk-layer-pieces .bk-piece")).to_have_count(1)
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    step(page, 2)
    expect(dots.first).to_have_class("is-done")
    dots.nth(2).click()
    step(page, 3)
    place_by_keys(page, "v")
    expect(verdict).to_contain_text("I5")
    expect(verdict).not_to_have_class(re.compile("is-good"))
    place_by_keys(page, "i")
    expect(verdict).to_have_class(re.compile("is-good"))
    page.reload()
    step(page, 3)
    page.goto(live_site.url + LESSON)
    step(page, 2)
    expect(dots.nth(2)).to_have_class("is-done")


def test_the_last_step_leads_to_a_match(live_site, page: Page) -> None:
    game = registry.get("blokus")
    last = game.lesson()[-1]
    wanted = next(move for move in lesson.position(game, last).legal_moves() if lesson.answer(game, last, str(move)).done)
    page.goto(f"{live_site.url}{LESSON}#{len(game.lesson())}")
    play = page.get_by_role("button", name="Play now")
    step(page, len(game.lesson()))
    expect(play).to_be_hidden()
    place_by_keys(page, PIECES[wanted.piece][0].lower())
    expect(page.locator(".lesson-verdict")).to_have_class(re.compile("is-good"))
    play.click()
    page.wait_for_url("**/match/*/")
    expect(page.locator(".match-head h1")).to_contain_text(game.name)


def test_a_lesson_fits_a_phone(live_site, finger: Page) -> None:
    finger.goto(live_site.url + LESSON)
    step(finger, 1)
    expect(finger.locator(".bk-board")).to_be_visible()
    assert finger.evaluate("document.documentElement.scrollWidth") <= 390
    finger.get_by_role("button", name="Skip").tap()
    step(finger, 2)
    assert finger.evaluate("document.documentElement.scrollWidth") <= 390
