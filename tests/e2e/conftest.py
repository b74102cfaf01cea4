"""What the browser tests share: a table to play at by mouse, keys or finger, and an ear for errors on any page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from matches.models import Move
from tests.conftest import LiveSite

SLOWEST = 25_000
"""Milliseconds that anything may take: a worker killed in the middle of a move is missed after its lease of ten seconds."""

expect.set_options(timeout=SLOWEST)


class Table:
    """One browser page at a match of Blokus; tables of other games say which."""

    game = "blokus"

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.board = page.locator(".bk-board")
        self.ghost = page.locator(".bk-ghost")
        self.bar = page.locator("[data-part=bar]")
        self.moves = page.locator(".move")
        self.status = page.locator(".board-status")
        self.result = page.locator("[data-part=result]")

    def sit_down(self, variant: str = "duo-2", level: str = "beginner") -> None:
        """Start a match against bots from the page of the game, with the first seat."""
        self.page.goto(f"{self.url}/games/{self.game}/")
        self.page.locator(f"input[name=variant][value={variant}]").check(force=True)
        self.page.locator(f"input[name=level][value={level}]").check(force=True)
        self.page.get_by_role("button", name="Play now").click()
        self.page.wait_for_url("**/match/*/")
        self.live()

    @property
    def match_id(self) -> int:
        found = re.search(r"/match/(\d+)/", self.page.url)
        assert found
        return int(found[1])

    def live(self) -> None:
        """Wait for the socket."""
        expect(self.page.locator("[data-link=live]")).to_be_visible()

    def my_turn(self) -> None:
        """Wait until the person is to move."""
        expect(self.page.locator(".board.is-my-turn")).to_be_attached()

    def turn_or_end(self) -> bool:
        """Wait until the person is to move or the match is over; whether it goes on."""
        expect(self.page.locator(".board.is-my-turn, [data-part=result]:not([hidden])").first).to_be_attached()
        return not self.result.is_visible()

    def count(self) -> int:
        """Plies played in the position shown."""
        return int(self.page.locator("#match").get_attribute("data-ply") or 0)

    def moved(self, before: int) -> None:
        """Wait until the position after `before` plies is no longer the one shown."""
        expect(self.page.locator("#match")).not_to_have_attribute("data-ply", str(before))

    def pick(self) -> Locator:
        """The largest piece in the tray that fits somewhere."""
        return self.page.locator(".bk-pick:not(.is-stuck):visible").first

    def pieces(self) -> list[str]:
        """What lies on the board, as it is drawn."""
        drawn: list[str] = self.page.locator(".bk-layer-pieces .bk-piece").evaluate_all(
            "pieces => pieces.map(piece => piece.classList[1] + piece.firstChild.getAttribute('d'))"
        )
        return sorted(drawn)

    def place_by_keys(self) -> None:
        """Take the next piece by key, let it find a legal place, and play it."""
        before = self.count()
        self.play_by_keys()
        self.moved(before)

    def play_by_keys(self) -> None:
        """The same, whether it arrives or not."""
        self.board.focus()
        while self.page.locator(".bk-pick.is-held:not(.is-stuck)").count() == 0:
            self.page.keyboard.press("+")
        self.page.keyboard.press("g")
        expect(self.ghost).to_have_class(re.compile("is-legal"))
        self.page.keyboard.press("Enter")

    def wish(self, name: str) -> None:
        """Choose from the menu of what one may ask for besides moves."""
        self.page.locator("[data-part=menu] summary").click()
        self.page.locator("[data-part=menu]").get_by_role("button", name=name).click()

    def stored(self) -> list[tuple[int, int | None, str]]:
        """Ply, seat and text of each move that the server keeps."""
        return list(Move.objects.filter(match=self.match_id).values_list("ply", "seat", "text"))


@pytest.fixture
def table(live_site, page: Page) -> Table:
    """A table in the test's own page."""
    return Table(page, live_site.url)


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """Parts of the error messages that a module's tests bring about; others fail the test."""
    return ()


@contextmanager
def down(site: LiveSite, name: str) -> Iterator[None]:
    """A process of the site killed with -9 for as long as the block runs."""
    site.kill(name)
    try:
        yield
    finally:
        site.start(name)


Ear = Callable[[BrowserContext], None]


@pytest.fixture(autouse=True)
def quiet(live_site, context: BrowserContext, expected_errors: tuple[str, ...]) -> Iterator[Ear]:
    """No page may log an error, break its content security policy or throw; call it for contexts of the test's own."""
    troubles: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in expected_errors):
            troubles.append(f"{message.text} ({message.location.get('url')})")

    def listen(to: BrowserContext) -> None:
        to.on("console", heard)
        to.on("weberror", lambda error: troubles.append(str(error.error)))

    listen(context)
    yield listen
    assert not troubles


@pytest.fixture
def people(live_site: LiveSite, browser: Browser, quiet: Ear) -> Iterator[Any]:
    """`people(2)`: so many people with accounts, each in a browser of their own."""
    from tests.e2e.people import People  # which knows the tables of the games, whose tests know this module

    opened = People(browser, live_site.url, quiet)
    yield opened
    opened.close()


@pytest.fixture
def finger(browser: Browser, quiet: Ear) -> Iterator[Page]:
    """A page on a phone: 390 px wide, touch only."""
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
    quiet(phone)
    yield phone.new_page()
    phone.close()
