"""Playing in the browser: by mouse to the end, by keys alone, by finger on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import CDPSession, Page, expect

from tests.e2e.conftest import Lend, Table, down

MOST_MOVES = 21


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """By mouse, with some points in between."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def middle(locator) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hover_legal(table: Table) -> bool:
    """Carry the piece in hand over the dots, turning it, until the board shows it legal."""
    for dot in table.page.locator(".bk-dot").all()[:6]:
        table.page.mouse.move(*middle(dot))
        for _ in range(4):
            if table.ghost.count() and "is-legal" in (table.ghost.get_attribute("class") or ""):
                return True
            table.page.keyboard.press("r")
    return False


def test_a_whole_match_is_played_by_mouse(table: Table) -> None:
    table.sit_down("duo-2")
    start = middle(table.page.locator(".bk-dot").first)
    drag(table.page, middle(table.pick()), start)
    expect(table.ghost).to_have_class(re.compile("is-legal is-resting"))
    table.page.get_by_role("button", name="Place").last.click()
    table.moved(0)
    for _ in range(MOST_MOVES):
        if not table.turn_or_end():
            break
        before = table.count()
        table.pick().click()
        if hover_legal(table):
            table.page.mouse.down()
            table.page.mouse.up()
        else:
            table.page.keyboard.press("g")
        table.bar.get_by_role("button", name="Place").click()
        table.moved(before)
    expect(table.result).to_be_visible()
    expect(table.result.locator("li")).to_have_count(2)
    stored = table.stored()
    assert [ply for ply, _, _ in stored] == list(range(1, len(stored) + 1))
    expect(table.moves).to_have_count(len(stored))
    another = re.compile(rf"/match/(?!{table.match_id}/)\d+/")
    table.result.get_by_role("button", name="Rematch").click()
    table.page.wait_for_url(another)
    assert table.page.locator(".match-head small").inner_text() == "Duo"


def test_the_keyboard_alone_is_enough(table: Table) -> None:
    table.page.goto(table.url)
    table.sit_down("classic-4")
    expect(table.board).to_be_focused()
    spoken = table.page.locator("#announcer")
    keys = table.page.keyboard
    keys.press("f")
    expect(spoken).to_have_text(re.compile(r"F.*orientation \d of 8.*a20.*legal, \d+ legal places"))
    keys.press("ArrowRight")
    expect(spoken).to_have_text(re.compile("not legal here"))
    expect(table.bar.get_by_role("button", name="Place")).to_have_count(0)
    keys.press("Enter")
    expect(table.status).to_have_text(re.compile("a20|corner"))
    keys.press("g")
    expect(spoken).to_have_text(re.compile(r"legal, place \d+ of \d+"))
    keys.press("Escape")
    expect(table.ghost).to_have_count(0)
    keys.press("f")
    keys.press("Enter")
    table.moved(0)
    for letter in "xwz":
        table.my_turn()
        before = table.count()
        keys.press(letter)
        keys.press("g")
        keys.press("Enter")
        table.moved(before)
    table.my_turn()
    assert sum(seat == 0 for _, seat, _ in table.stored()) == 4


def test_the_legend_lists_the_keys(table: Table) -> None:
    table.sit_down("duo-2")
    table.page.keyboard.press("?")
    legend = table.page.locator(".board-legend")
    expect(legend).to_be_visible()
    expect(legend).to_contain_text("go to the next or previous legal place")
    table.page.keyboard.press("Escape")
    expect(legend).to_be_hidden()


def test_an_illegal_drop_stays_and_says_why(table: Table) -> None:
    table.sit_down("duo-2")
    box = table.board.bounding_box()
    assert box
    drag(table.page, middle(table.pick()), (box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.85))
    expect(table.ghost).to_have_class(re.compile("is-illegal is-resting"))
    expect(table.status).to_have_class(re.compile("is-bad"))
    expect(table.status).to_contain_text("e10")
    expect(table.page.locator(".bk-ring-place")).to_be_disabled()
    expect(table.bar.get_by_role("button", name="Place")).to_have_count(0)
    assert table.stored() == []


def test_a_piece_is_turned_and_mirrored_by_wheel_button_and_right_click(table: Table) -> None:
    table.sit_down("duo-2")
    table.page.locator(".bk-pick[aria-label^='F']").click()
    table.page.mouse.move(*middle(table.page.locator(".bk-dot").first))
    shape = table.ghost.locator(".bk-face")
    seen = [shape.get_attribute("d")]
    for act in (
        lambda: table.page.mouse.wheel(0, 60),
        lambda: table.page.mouse.click(*middle(table.page.locator(".bk-dot").first), button="right"),
        lambda: table.page.keyboard.press("r"),
    ):
        act()
        expect(shape).not_to_have_attribute("d", seen[-1] or "")
        seen.append(shape.get_attribute("d"))
    assert len(set(seen)) == 4


def test_the_ring_stays_on_the_board_at_its_corners(table: Table) -> None:
    table.sit_down("classic-4")
    table.page.keyboard.press("i")
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        for _ in range(6):
            table.page.keyboard.press(f"Shift+{key}")
        board = table.page.locator(".bk-stage").bounding_box()
        assert board
        boxes = [button.bounding_box() for button in table.page.locator(".bk-ring-button").all()]
        assert len(boxes) == 5
        for box in boxes:
            assert box
            assert box["x"] >= board["x"] and box["x"] + box["width"] <= board["x"] + board["width"]
            assert box["y"] >= board["y"] and box["y"] + box["height"] <= board["y"] + board["height"]


class Finger:
    """Real touch events, through the browser's own protocol."""

    def __init__(self, page: Page) -> None:
        self.cdp: CDPSession = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        self.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._send("touchStart", start)
        for part in range(1, 13):
            self._send("touchMove", tuple(a + (b - a) * part / 12 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
        self._send("touchEnd")


def test_a_phone_plays_by_touch(finger: Page, live_site) -> None:
    page = finger
    table = Table(page, live_site.url)
    table.sit_down("classic-4")
    touch = Finger(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390

    strip = page.locator(".bk-strip")
    strip.scroll_into_view_if_needed()
    x, y = middle(strip)
    touch.swipe((x + 120, y), (x - 120, y))
    expect(page.locator(".bk-pick.is-held")).to_have_count(0)
    assert strip.evaluate("strip => strip.scrollLeft") > 40
    strip.evaluate("strip => strip.scrollTo(0, 0)")

    scrolled = page.evaluate("scrollY")
    corner = middle(page.locator(".bk-dot").first)
    piece = page.locator(".bk-pick[aria-label^='V5']")
    piece.scroll_into_view_if_needed()
    # It floats above the finger, and slides to the corner from a square beside it.
    touch.swipe(middle(piece), (corner[0] + 30, corner[1] + 80))
    expect(table.ghost).to_have_class(re.compile("is-legal is-resting"))
    assert page.evaluate("scrollY") == scrolled
    place = table.bar.get_by_role("button", name="Place")
    before = table.count()
    place.tap()
    table.moved(before)

    for _ in range(3):
        table.my_turn()
        before = table.count()
        table.pick().tap()
        expect(table.ghost).to_have_class(re.compile("is-legal is-resting"))
        place.tap()
        table.moved(before)
    assert sum(seat == 0 for _, seat, _ in table.stored()) == 4


def test_a_piece_laid_out_while_others_think_is_checked_when_the_turn_comes(live_site, table: Table) -> None:
    table.sit_down("duo-2")
    with down(live_site, "bots"):
        table.page.keyboard.press("f")
        table.page.keyboard.press("Enter")
        table.moved(0)
        table.page.keyboard.press("x")
        expect(table.ghost).to_have_class(re.compile("is-planned is-resting"))
        table.page.keyboard.press("Enter")
        expect(table.status).to_have_text(re.compile("not your turn yet"))
    table.my_turn()
    expect(table.ghost).to_have_class(re.compile("is-(legal|illegal) is-resting"))
    assert len(table.stored()) == 2


def test_whoever_watches_sees_all_and_can_touch_nothing(lend: Lend, table: Table) -> None:
    table.sit_down("duo-2")
    table.place_by_keys()
    watcher = Table(lend().new_page(), table.url)
    watcher.page.goto(table.page.url)
    watcher.live()
    watcher.moved(0)
    table.my_turn()
    assert watcher.pieces() == table.pieces()
    expect(watcher.page.locator("button.bk-pick")).to_have_count(0)
    expect(watcher.page.get_by_role("button", name="Resign")).to_have_count(0)


def test_resigning_asks_first_and_ends_a_match_of_two(table: Table) -> None:
    table.sit_down("duo-2")
    table.wish("Resign")
    table.page.get_by_role("button", name="Play on").click()
    expect(table.result).to_be_hidden()
    table.wish("Resign")
    table.page.locator("#resign").get_by_role("button", name="Resign").click()
    expect(table.result).to_contain_text("Beginner bot wins.")


def test_a_match_is_called_off_before_everybody_has_moved(table: Table) -> None:
    table.sit_down("classic-4")
    table.wish("Call off")
    table.page.locator("#abort").get_by_role("button", name="Call off").click()
    expect(table.result).to_contain_text("called off")
