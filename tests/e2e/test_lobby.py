"""Finding opponents with several real browsers: opening and filling tables, quick match, links."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from matches.models import Match
from tests.conftest import LiveSite
from tests.e2e.conftest import Lend

AT_MATCH = re.compile(r"/match/\d+/")


@pytest.fixture
def visitor(live_site: LiveSite, lend: Lend) -> Callable[..., Page]:
    """`visitor()`: the lobby in a browser of its own, once it is live."""

    def come(path: str = "/lobby/", **more) -> Page:
        page = lend(**more).new_page()
        page.goto(live_site.url + path)
        live(page)
        return page

    return come


def live(page: Page) -> None:
    """Wait for the socket."""
    expect(page.locator("html")).to_have_attribute("data-lobby", "live")


def open_table(page: Page, table: str, words: str, **choices: str) -> None:
    """Open a table by the form, with words by which to find it."""
    page.locator("#create > summary").click()
    page.locator("#create-table").select_option(table)
    page.locator(".create-more > summary").click()
    page.locator("#create-message").fill(words)
    for name, value in choices.items():
        page.locator(f"[data-create] [name={name}]").select_option(value)
    page.get_by_role("button", name="Open the table").click()
    expect(row(page, words, "mine")).to_be_visible()


def row(page: Page, words: str, part: str = "seeks") -> Locator:
    """The row of the table with these words."""
    return page.locator(f"[data-part={part}] .table-row", has_text=words)


def match_of(page: Page) -> Match:
    page.wait_for_url(AT_MATCH)
    return Match.objects.get(pk=re.search(r"/match/(\d+)/", page.url)[1])


def test_a_table_is_opened_seen_elsewhere_joined_and_both_are_at_the_match(visitor) -> None:
    host, other = visitor(), visitor()
    open_table(host, "blokus:duo-2", "a duel at dawn")
    expect(row(other, "a duel at dawn")).to_contain_text("Duo")
    row(other, "a duel at dawn").get_by_role("button", name="Sit down").click()
    match = match_of(other)
    assert match_of(host) == match
    assert (match.variant, match.time_control, match.seats.filter(user__isnull=False).count()) == ("duo-2", "5m+10s", 2)


def test_a_table_for_four_fills_before_everybodys_eyes(visitor) -> None:
    host, *others = (visitor() for _ in range(4))
    open_table(host, "blokus:classic-4", "four at a table")
    for taken, page in enumerate(others[:2], start=2):
        row(page, "four at a table").get_by_role("button", name="Sit down").click()
        expect(row(page, "four at a table", "mine")).to_be_visible()
        expect(row(host, "four at a table", "mine").locator(".place-person")).to_have_count(taken)
        expect(row(others[2], "four at a table").locator(".place-person")).to_have_count(taken)
    row(others[1], "four at a table", "mine").get_by_role("button", name="Get up").click()
    expect(row(host, "four at a table", "mine").locator(".place-person")).to_have_count(2)
    row(others[1], "four at a table").get_by_role("button", name="Sit down").click()
    expect(row(host, "four at a table", "mine").locator(".place-person")).to_have_count(3)
    row(others[2], "four at a table").get_by_role("button", name="Sit down").click()
    matches = {match_of(page).pk for page in (host, *others)}
    assert len(matches) == 1
    assert Match.objects.get(pk=matches.pop()).seats.values("user").distinct().count() == 4


def test_quick_match_says_how_long_it_waited_and_pairs_the_two_who_press(visitor) -> None:
    first, second = visitor(), visitor(viewport={"width": 390, "height": 844})
    first.get_by_role("button", name="Blockers!, 5 min + 10 s").click()
    waiting = first.locator("[data-waiting]")
    expect(waiting.locator("[data-reach]")).to_have_text(re.compile("points of your rating|anybody"))
    expect(waiting.locator("[data-waited]")).to_have_text(re.compile(r"waiting for (0:0[1-9]|0:[1-9]\d|[1-9])"))
    second.get_by_role("button", name="Blockers!, 5 min + 10 s").click()
    assert match_of(first) == match_of(second)


def test_waiting_can_be_stopped(visitor) -> None:
    page = visitor()
    page.get_by_role("button", name="Nibble, 3 days a move").click()
    expect(page.locator("[data-waiting]")).to_contain_text("You need not wait here")
    page.get_by_role("button", name="Stop looking").click()
    expect(page.locator("[data-waiting]")).to_have_count(0)


def test_a_link_brings_a_stranger_to_the_table_and_both_to_the_match(visitor) -> None:
    host = visitor()
    host.locator("#create > summary").click()
    host.locator("#create-table").select_option("azul:coloured-2")
    host.locator("[name=who][value=link]").check(force=True)
    host.get_by_role("button", name="Open the table").click()
    host.wait_for_url("**/table/*/")
    live(host)
    link = host.locator("#share-link").input_value()
    stranger = visitor(re.sub(r"^https?://[^/]+", "", link))
    expect(stranger.locator("h1")).to_contain_text("Azul")
    stranger.get_by_role("button", name="Sit down").click()
    assert match_of(stranger) == match_of(host)
    late = visitor(re.sub(r"^https?://[^/]+", "", link))
    expect(late.locator("#lobby")).to_contain_text("its match has begun without you")


def test_a_table_that_the_host_closes_is_closed_before_the_eyes_of_who_looks_at_it(visitor) -> None:
    host = visitor()
    open_table(host, "blokus:classic-3", "soon to be closed")
    row(host, "soon to be closed", "mine").get_by_role("link", name="Places").click()
    live(host)
    guest = visitor(re.sub(r"^https?://[^/]+", "", host.url))
    guest.get_by_role("button", name="Sit down").first.click()
    expect(host.locator("[data-part=table] .place-person")).to_have_count(2)
    guest.get_by_role("button", name="Get up").click()
    expect(host.locator("[data-part=table] .place-person")).to_have_count(1)
    host.get_by_role("button", name="Close this table").click()
    expect(guest.locator("[data-part=table]")).to_contain_text("This table was closed.")


def test_a_bot_takes_the_last_place_and_the_match_begins(visitor) -> None:
    host = visitor()
    open_table(host, "blokus:classic-3", "three, or fewer", bots="1")
    row(host, "three, or fewer", "mine").get_by_role("link", name="Places").click()
    live(host)
    host.get_by_role("button", name="Bot", exact=True).click()
    match = match_of(host)
    assert match.seats.filter(user=None).count() == 2


def test_a_refusal_is_said_where_one_is(visitor) -> None:
    page = visitor()
    page.locator("#create > summary").click()
    page.locator("[name=who][value=people]").check(force=True)
    page.locator("#create-names").fill("nobody-of-this-name")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("[data-notice]")).to_contain_text("Nobody here is called “nobody-of-this-name”.")


def test_filters_stay_after_a_reload(visitor) -> None:
    page = visitor()
    page.locator(".lobby-filters > summary").click()
    page.locator("#filter-game").select_option("nibble")
    page.wait_for_url("**/lobby/#tables")
    live(page)
    page.reload()
    expect(page.locator("#filter-game")).to_have_value("nibble")
