"""What a player sees when things break: reloads, second tabs, lost connections, killed servers and workers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Table, down


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """What a browser logs when there is no network or no server."""
    return ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION", "WebSocket connection to", "409 (Conflict)")


def test_a_reload_shows_the_same_position(table: Table) -> None:
    table.sit_down("classic-4")
    for _ in range(2):
        table.my_turn()
        table.place_by_keys()
    table.my_turn()
    before, plies = table.pieces(), table.count()
    table.page.reload()
    table.live()
    table.my_turn()
    assert table.pieces() == before
    assert table.count() == plies


def test_a_second_tab_follows(table: Table) -> None:
    table.sit_down("duo-2")
    other = Table(table.page.context.new_page(), table.url)
    other.page.goto(table.page.url)
    other.live()
    table.place_by_keys()
    other.moved(0)
    other.my_turn()
    before = other.count()
    other.place_by_keys()
    table.moved(before)
    table.my_turn()
    assert table.pieces() == other.pieces()


def test_a_move_made_without_a_connection_arrives_once(table: Table) -> None:
    table.sit_down("duo-2")
    table.page.context.set_offline(True)
    expect(table.page.locator("[data-link=offline]")).to_be_visible()
    table.page.keyboard.press("f")
    table.page.keyboard.press("Enter")
    expect(table.page.locator("[data-delivery=waiting]")).to_be_visible()
    expect(table.page.locator(".bk-pending")).to_be_visible()
    table.page.context.set_offline(False)
    table.moved(0)
    table.my_turn()
    assert [seat for _, seat, _ in table.stored()] == [0, 1]


def test_an_unsent_move_survives_a_reload(live_site, table: Table) -> None:
    table.sit_down("duo-2")
    table.page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    table.page.reload()
    expect(table.page.locator("[data-link=offline]")).to_be_visible()
    table.page.keyboard.press("f")
    table.page.keyboard.press("Enter")
    expect(table.page.locator(".bk-pending")).to_be_visible()
    table.page.reload()
    expect(table.page.locator(".bk-pending")).to_be_visible()
    # Without any socket the move goes out by POST, and the answer of the bot comes by asking for the page.
    table.moved(0)
    table.my_turn()
    expect(table.page.locator("[data-link=offline]")).to_be_visible()
    assert [seat for _, seat, _ in table.stored()] == [0, 1]


def test_a_move_that_came_too_late_is_taken_back_with_the_reason(table: Table) -> None:
    table.sit_down("duo-2")
    late = Table(table.page.context.new_page(), table.url)
    late.page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    late.page.goto(table.page.url)
    expect(late.page.locator("[data-link=offline]")).to_be_visible()
    late.page.keyboard.press("f")
    late.page.keyboard.press("Enter")
    expect(late.page.locator(".bk-pending")).to_be_visible()
    table.place_by_keys()
    expect(late.bar).to_contain_text("Not accepted")
    expect(late.page.locator(".bk-pending")).to_have_count(0)
    table.my_turn()
    assert [seat for _, seat, _ in table.stored()] == [0, 1]


def test_a_killed_server_is_back_without_help(live_site, table: Table) -> None:
    table.sit_down("duo-2")
    table.place_by_keys()
    table.my_turn()
    with down(live_site, "web"):
        expect(table.page.locator("[data-link=offline]")).to_be_visible()
        table.page.keyboard.press("x")
        table.page.keyboard.press("g")
        table.page.keyboard.press("Enter")
        expect(table.page.locator("[data-delivery=waiting]")).to_be_visible()
    table.live()
    table.moved(2)
    table.my_turn()
    seats = [seat for _, seat, _ in table.stored()]
    assert seats == [0, 1, 0, 1]


def test_a_bot_killed_while_thinking_moves_once(live_site, table: Table) -> None:
    table.sit_down("duo-2", level="strong")
    table.page.keyboard.press("f")
    table.page.keyboard.press("Enter")
    expect(table.bar).to_contain_text("is thinking")
    with down(live_site, "bots"):
        expect(table.bar).to_contain_text("is thinking")
    table.moved(0)
    table.my_turn()
    assert [seat for _, seat, _ in table.stored()] == [0, 1]
