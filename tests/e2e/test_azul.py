"""Azul in the browser: a whole match by mouse, a round by keys, a column of the grey side, a phone, and reasons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.conftest import LiveSite
from tests.e2e.conftest import Lend, Table

TRIES = 4
MOST_MOVES = 60


class AzulTable(Table):
    """One browser page at a match of Azul."""

    game = "azul"

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self.board = page.locator(".az-market")
        self.takes = page.locator("button.az-take:not([aria-hidden])")
        self.own = page.locator(".az-large")
        self.offered = self.own.locator(".az-line.is-offered")
        self.tiling = page.locator(".board.is-tiling")

    def turn_or_end(self) -> bool:
        """Wait until the person is to move or the match is over, cutting the play of a round's end short."""
        ready = self.page.locator(".board:is(.is-my-turn, .is-tiling), [data-part=result]:not([hidden])").first
        expect(ready).to_be_attached()
        while self.tiling.count():
            self.page.keyboard.press("Escape")
            expect(ready).to_be_attached()
        return not self.result.is_visible()

    def line(self, number: int | str) -> Locator:
        """A pattern line of the own board, or `f` for the floor."""
        return self.own.locator(f".az-line[data-line='{number}']")

    def best(self) -> Locator:
        """Of the lines offered for what is held: one that becomes full, else the longest that takes all, else the floor."""
        full = self.own.locator(".az-line.is-offered:has(.az-chip.is-good)")
        if full.count():
            return full.last
        safe = self.own.locator(".az-line.is-offered:not(:has(.az-chip))")
        return safe.last if safe.count() else self.offered.last

    def take_by_mouse(self, line: Locator | None = None) -> None:
        """Take a colour, place it on `line` or where it does least harm, and confirm."""
        place = self.bar.get_by_role("button", name="Place")
        for _ in range(TRIES):
            self.takes.last.click()
            try:
                (self.best() if line is None else line).click(timeout=3000)
                expect(place).to_be_visible(timeout=3000)
            except (AssertionError, TimeoutError):  # the click came just as a round's end began to play, and cut that short instead
                self.page.keyboard.press("Escape")
            else:
                break
        place.click()

    def last_take(self) -> tuple[str, str, int]:
        """Source, colour and number of the tiles that `take_by_mouse` would take."""
        take = self.takes.last
        number = re.match(r"\d+", take.get_attribute("aria-label") or "")
        assert number
        return take.get_attribute("data-source") or "", take.get_attribute("data-colour") or "", int(number[0])


@pytest.fixture
def azul(live_site, page: Page) -> AzulTable:
    """A table in the test's own page."""
    return AzulTable(page, live_site.url)


def test_a_whole_match_of_azul_is_played_by_mouse(azul: AzulTable) -> None:
    azul.sit_down("coloured-2")
    azul.my_turn()
    azul.takes.first.hover()
    expect(azul.page.locator(".az-take.is-lifted").first).to_be_visible()
    expect(azul.offered).to_have_count(6)
    for _ in range(MOST_MOVES):
        if not azul.turn_or_end():
            break
        before = azul.count()
        azul.take_by_mouse()
        azul.moved(before)
    expect(azul.result).to_be_visible()
    expect(azul.result.locator("li")).to_have_count(2)
    stored = azul.stored()
    assert [ply for ply, _, _ in stored] == list(range(1, len(stored) + 1))
    expect(azul.moves).to_have_count(len(stored))
    azul.turn_or_end()
    scores = azul.page.locator(".az-mat .az-score").all_inner_texts()
    assert scores == azul.page.locator(".match-seats .seat-score").all_inner_texts()


def test_the_round_end_is_played_out_until_it_is_skipped(lively: Page, live_site: LiveSite) -> None:
    azul = AzulTable(lively, live_site.url)
    azul.sit_down("coloured-2")
    azul.my_turn()
    for number in range(20):
        expect(azul.page.locator(".board:is(.is-my-turn, .is-tiling)")).to_be_attached()
        if azul.tiling.count():
            break
        before = azul.count()
        # The first tile fills the first line, so there is something to score.
        azul.take_by_mouse(azul.line(1) if number == 0 else None)
        azul.moved(before)
    expect(azul.tiling).to_be_attached()
    expect(azul.page.locator(".az-float").first).to_be_attached()
    expect(azul.page.locator("button.az-take.is-lifted")).to_have_count(0)
    azul.page.keyboard.press("Escape")
    expect(azul.tiling).to_have_count(0)
    assert azul.own.locator(".az-place .az-laid").count() > 0


LISTEN = """() => {
    const region = document.getElementById("announcer"), all = document.documentElement.dataset;
    all.heard = "";
    const hear = () => { all.heard += ` ${region.textContent}`; };
    new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
}"""
"""Keeps all that a screen reader was given to say, of which one thing may follow quickly on another."""


def hears(page: Page, words: str) -> None:
    """Among what was said since `LISTEN`."""
    expect(page.locator("html")).to_have_attribute("data-heard", re.compile(words))


def test_azul_is_played_by_keys_alone(azul: AzulTable) -> None:
    azul.sit_down("coloured-2")
    azul.my_turn()
    expect(azul.board).to_be_focused()
    keys, page = azul.page.keyboard, azul.page
    page.evaluate(LISTEN)
    source, colour, number = azul.last_take()
    keys.press(source)
    keys.press(colour.lower())
    hears(page, rf"{number} \w+, factory {source}\. Line 1: .*The floor: ")
    keys.press("5")
    hears(page, rf"Line 5: {number} placed\..*Forecast")
    expect(azul.bar.get_by_role("button", name="Place")).to_be_visible()
    keys.press("Escape")
    expect(azul.bar.get_by_role("button", name="Place")).to_have_count(0)
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    expect(azul.bar).to_contain_text("line 5")
    keys.press("Enter")
    azul.moved(1)
    assert azul.stored()[1] == (2, 0, f"{source}{colour}5")
    azul.my_turn()
    keys.press("ArrowRight")
    keys.press("f")
    expect(azul.bar).to_contain_text("floor")
    before = azul.count()
    keys.press("Enter")
    azul.moved(before)
    azul.my_turn()
    keys.press("s")
    hears(page, r"Factories .*Centre: .*Line 5: \d of 5 .*if the round ended now")
    keys.press("?")
    expect(azul.page.locator(".board-legend")).to_be_visible()


def test_azul_is_played_from_button_to_button(azul: AzulTable) -> None:
    azul.sit_down("coloured-2")
    azul.my_turn()
    source, colour, _ = azul.last_take()
    azul.takes.last.focus()
    keys = azul.page.keyboard
    keys.press("Enter")
    expect(azul.line(1)).to_be_focused()
    expect(azul.line(1)).to_have_attribute("aria-label", re.compile(r"^Line 1: empty, 1 place\. .*Full, "))
    keys.press("Tab")
    keys.press("Enter")
    expect(azul.bar).to_contain_text("line 2")
    keys.press("3")
    expect(azul.bar).to_contain_text("line 3")
    keys.press("Enter")
    azul.moved(1)
    assert azul.stored()[1] == (2, 0, f"{source}{colour}3")


def test_a_line_that_may_not_be_used_says_why(azul: AzulTable) -> None:
    azul.sit_down("coloured-2")
    azul.my_turn()
    _, colour, _ = azul.last_take()
    azul.takes.last.click()
    azul.line(5).click()
    azul.bar.get_by_role("button", name="Place").click()
    azul.moved(1)
    azul.my_turn()
    other = azul.page.locator(f"button.az-take:not([aria-hidden]):not([data-colour='{colour}'])").first
    other.click()
    expect(azul.line(5)).to_have_class(re.compile("is-refused"))
    azul.line(5).click()
    expect(azul.status).to_have_class(re.compile("is-bad"))
    expect(azul.status).to_contain_text("line 5")
    expect(azul.bar.get_by_role("button", name="Place")).to_have_count(0)


def test_a_column_of_the_grey_side_is_chosen(azul: AzulTable) -> None:
    azul.sit_down("grey-2")
    azul.my_turn()
    open_places = azul.page.locator(".az-place.is-open")
    for number in range(20):
        if not azul.turn_or_end() or open_places.count():
            break
        before = azul.count()
        azul.take_by_mouse(azul.line(1) if number == 0 else None)
        azul.moved(before)
    expect(open_places).to_have_count(5)
    open_places.nth(1).hover()
    expect(open_places.nth(1).locator(".az-ghost")).to_be_attached()
    azul.page.keyboard.press("4")
    expect(azul.bar).to_contain_text("column 4")
    before = azul.count()
    azul.page.keyboard.press("Enter")
    azul.moved(before)
    assert (0, "w14") in [(seat, text) for _, seat, text in azul.stored()]
    azul.turn_or_end()
    expect(azul.own.locator(".az-place[data-line='1'][data-column='4'] .az-laid")).to_be_attached()


def test_whoever_watches_azul_sees_all_and_can_touch_nothing(lend: Lend, azul: AzulTable) -> None:
    azul.sit_down("coloured-2")
    azul.my_turn()
    azul.take_by_mouse()
    azul.moved(1)
    azul.my_turn()
    watcher = AzulTable(lend().new_page(), azul.url)
    watcher.page.goto(azul.page.url)
    watcher.live()
    tiles = ".az-market .az-tile, .az-laid"
    expect(watcher.page.locator(tiles)).to_have_count(azul.page.locator(tiles).count())
    expect(watcher.page.locator("button.az-take, button.az-line")).to_have_count(0)
    name = watcher.page.locator("button.az-name").inner_text()
    watcher.page.locator("button.az-name").click()
    expect(watcher.own.locator(".az-name")).to_have_text(name)


def test_a_phone_plays_azul_by_touch(finger: Page, live_site) -> None:
    azul = AzulTable(finger, live_site.url)
    azul.sit_down("coloured-4")
    assert finger.evaluate("document.documentElement.scrollWidth") == 390
    azul.my_turn()
    azul.takes.last.tap()
    azul.best().tap()
    # A second tap on the line, after a moment, would do as well.
    azul.bar.get_by_role("button", name="Place").tap()
    azul.moved(1)
    azul.my_turn()
    assert [seat for _, seat, _ in azul.stored()] == [None, 0, 1, 2, 3]
