"""Nibble in the browser: a whole match by mouse and keys, and the reason why a block cannot be taken."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Table

MOST_MOVES = 81


class NibbleTable(Table):
    """One browser page at a match of Nibble."""

    game = "nibble"

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self.board = page.locator(".nb-board")
        self.free = page.locator(".nb-block.is-free")
        self.chosen = page.locator(".nb-block.is-chosen")
        self.all_of_it = page.locator(".nb-most")

    def block(self, cell: int) -> tuple[float, float]:
        """The middle of a block on the screen."""
        box = self.page.locator(f".nb-block[data-cell='{cell}'] .nb-face").bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def take_by_mouse(self) -> None:
        """Click the first block that may be taken, then all that may join, and confirm."""
        cell = self.free.first.get_attribute("data-cell")
        self.page.mouse.click(*self.block(int(cell or 0)))
        expect(self.chosen).to_have_count(1)
        if self.all_of_it.is_visible():
            self.all_of_it.click()
            expect(self.all_of_it).to_be_hidden()
        self.bar.get_by_role("button", name="Take", exact=True).click()

    def take_by_keys(self) -> None:
        """Go to the next block that may be taken, choose all that may be taken with it, and play."""
        self.board.focus()
        for key in ("n", "a", "Enter"):
            self.page.keyboard.press(key)


@pytest.fixture
def nibble(live_site, page: Page) -> NibbleTable:
    """A table in the test's own page."""
    return NibbleTable(page, live_site.url)


def test_a_whole_match_of_nibble_is_played_by_mouse_and_keys(nibble: NibbleTable) -> None:
    nibble.sit_down("square-9")
    for number in range(MOST_MOVES):
        if not nibble.turn_or_end():
            break
        before = nibble.count()
        if number % 2:
            nibble.take_by_keys()
        else:
            nibble.take_by_mouse()
        nibble.moved(before)
    expect(nibble.result).to_be_visible()
    expect(nibble.status).to_have_text(re.compile("every|at least|majority"))
    stored = nibble.stored()
    assert [ply for ply, _, _ in stored] == list(range(1, len(stored) + 1))
    assert [seat for _, seat, _ in stored] == [None] + [ply % 2 for ply in range(len(stored) - 1)]
    expect(nibble.moves).to_have_count(len(stored))
    expect(nibble.page.locator(".nb-block")).to_have_count(81 - sum(text.count(",") + 1 for _, _, text in stored[1:]))


def test_a_block_that_cannot_be_taken_says_why(nibble: NibbleTable) -> None:
    nibble.sit_down("square-9")
    nibble.my_turn()
    nibble.page.mouse.click(*nibble.block(40))
    expect(nibble.status).to_have_class(re.compile("is-bad"))
    expect(nibble.status).to_contain_text("e5")
    expect(nibble.chosen).to_have_count(0)
    spoken = nibble.page.locator("#announcer")
    nibble.page.keyboard.press("n")
    expect(spoken).to_contain_text("may be taken")
    nibble.page.keyboard.press(" ")
    expect(nibble.chosen).to_have_count(1)
    expect(nibble.bar.get_by_role("button", name="Take", exact=True)).to_be_visible()
    nibble.page.keyboard.press("Escape")
    expect(nibble.chosen).to_have_count(0)
    expect(nibble.bar.get_by_role("button", name="Take", exact=True)).to_have_count(0)
    assert [seat for _, seat, _ in nibble.stored()] == [None]
