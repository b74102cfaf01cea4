"""What the browser tests share: a table to play at by mouse, keys or finger, and an ear for errors on any page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, WebError, expect
from playwright.sync_api import Error as PlaywrightError

from matches.models import Move
from tests.conftest import LiveSite

SLOWEST = 25_000
"""Milliseconds that anything may take: a worker killed in the middle of a move is missed after its lease of ten seconds."""

expect.set_options(timeout=SLOWEST)

STILL = {"reduced_motion": "reduce"}
"""For all tests that are not about motion: it is many pictures, which a machine without a graphics card has to work for."""
LIVELY = {"reduced_motion": "no-preference"}


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
Lend = Callable[..., BrowserContext]


@pytest.fixture(autouse=True)
def quiet(live_site, expected_errors: tuple[str, ...]) -> Iterator[Ear]:
    """No page may log an error, break its content security policy or throw; call it for contexts of the test's own."""
    troubles: list[str] = []
    heard_at: list[BrowserContext] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in expected_errors):
            troubles.append(f"{message.text} ({message.location.get('url')})")

    def thrown(error: WebError) -> None:
        troubles.append(str(error.error))

    def listen(to: BrowserContext) -> None:
        to.on("console", heard)
        to.on("weberror", thrown)
        heard_at.append(to)

    yield listen
    for context in heard_at:
        context.remove_listener("console", heard)
        context.remove_listener("weberror", thrown)
    assert not troubles


class Shelf:
    """Browsers that one test after the other uses. Each keeps the site's scripts and styles, whose loading takes longest, and no more."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._free: dict[str, list[BrowserContext]] = {}

    def take(self, options: dict[str, Any]) -> BrowserContext:
        """One with these options."""
        free = self._free.get(repr(sorted(options.items())), [])
        return free.pop() if free else self._browser.new_context(**options)

    def put_back(self, context: BrowserContext, options: dict[str, Any]) -> None:
        """As good as new for the next test; or closed, where that fails."""
        try:
            for page in context.pages:
                page.close()
            context.set_offline(False)
            context.clear_cookies()
            context.clear_permissions()
            page = context.new_page()
            page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": "all"})
            page.close()
        except PlaywrightError:
            context.close()
        else:
            self._free.setdefault(repr(sorted(options.items())), []).append(context)


@pytest.fixture(scope="session")
def shelf(browser: Browser, live_site: LiveSite) -> Shelf:
    """The browsers of this process."""
    return Shelf(browser, live_site.url)


@pytest.fixture
def lend(shelf: Shelf, quiet: Ear) -> Iterator[Lend]:
    """`lend(**options)`: a browser of its own, in which nothing moves unless the options say `reduced_motion="no-preference"`."""
    lent: list[tuple[BrowserContext, dict[str, Any]]] = []

    def take(**options: Any) -> BrowserContext:
        options = STILL | options
        context = shelf.take(options)
        lent.append((context, options))
        quiet(context)
        return context

    yield take
    for context, options in lent:
        shelf.put_back(context, options)


@pytest.fixture
def context(lend: Lend) -> BrowserContext:
    """The browser of a test that needs only one."""
    return lend()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Its page."""
    return context.new_page()


@pytest.fixture
def lively(lend: Lend) -> Page:
    """A page on which things move."""
    return lend(**LIVELY).new_page()


@pytest.fixture
def people(live_site: LiveSite, lend: Lend) -> Any:
    """`people(2)`: so many people with accounts, each in a browser of their own."""
    from tests.e2e.people import People  # which knows the tables of the games, whose tests know this module

    return People(live_site.url, lend)


@pytest.fixture
def finger(lend: Lend) -> Page:
    """A page on a phone: 390 px wide, touch only."""
    return lend(**LIVELY, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2).new_page()
