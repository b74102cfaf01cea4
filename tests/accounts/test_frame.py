"""The frame of every page in a real browser: theme, menu, narrow screens, and the content security policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

PAGES = ("/", "/components/", "/import/", "/account/login/", "/account/signup/", "/nothing/here/")


@pytest.fixture
def quiet_page(page: Page) -> Iterator[Page]:
    """A page whose console stays empty, refusals of the content security policy included."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    assert [text for text in said if "404" not in text] == []


def theme(page: Page) -> Any:
    """The page's own theme, and the colour of its paper."""
    return page.evaluate("[document.documentElement.dataset.theme ?? 'auto', getComputedStyle(document.body).backgroundColor]")


def test_the_theme_follows_the_system_until_one_is_chosen_and_the_choice_lasts(quiet_page: Page, live_site: Any) -> None:
    quiet_page.emulate_media(color_scheme="light")
    quiet_page.goto(live_site.url)
    light = theme(quiet_page)
    quiet_page.emulate_media(color_scheme="dark")
    dark = theme(quiet_page)
    assert light[0] == dark[0] == "auto"
    assert light[1] != dark[1]
    quiet_page.get_by_role("radio", name="Light").check(force=True)
    assert theme(quiet_page) == ["light", light[1]]
    quiet_page.goto(f"{live_site.url}/components/")
    assert theme(quiet_page) == ["light", light[1]]
    expect(quiet_page.get_by_role("radio", name="Light")).to_be_checked()
    quiet_page.get_by_role("radio", name="Like the system").check(force=True)
    quiet_page.reload()
    assert theme(quiet_page) == dark


def test_animations_can_be_switched_off_and_stay_off(quiet_page: Page, live_site: Any) -> None:
    duration = "getComputedStyle(document.querySelector('.button')).transitionDuration"
    quiet_page.goto(live_site.url)
    moving = quiet_page.evaluate(duration)
    quiet_page.get_by_role("checkbox", name="Animations").uncheck()
    still = quiet_page.evaluate(duration)
    assert moving != still
    quiet_page.reload()
    expect(quiet_page.get_by_role("checkbox", name="Animations")).not_to_be_checked()
    assert quiet_page.evaluate(duration) == still
    quiet_page.get_by_role("checkbox", name="Animations").check()
    quiet_page.reload()
    assert quiet_page.evaluate(duration) == moving


def test_on_a_phone_the_menu_opens_and_closes(quiet_page: Page, live_site: Any) -> None:
    quiet_page.set_viewport_size({"width": 390, "height": 844})
    quiet_page.goto(live_site.url)
    games = quiet_page.get_by_role("link", name="Games")
    expect(games).not_to_be_visible()
    quiet_page.get_by_role("button", name="Menu").click()
    expect(games).to_be_visible()
    quiet_page.keyboard.press("Escape")
    expect(games).not_to_be_visible()


def test_on_a_phone_the_button_that_starts_a_match_needs_no_scrolling(quiet_page: Page, live_site: Any) -> None:
    quiet_page.set_viewport_size({"width": 390, "height": 844})
    quiet_page.goto(live_site.url)
    expect(quiet_page.get_by_role("button", name="Play now")).to_be_in_viewport(ratio=1)


def test_no_page_is_wider_than_its_screen(quiet_page: Page, live_site: Any) -> None:
    for path in PAGES:
        quiet_page.goto(live_site.url + path)
        for width in (320, 390, 768, 960, 1280):
            quiet_page.set_viewport_size({"width": width, "height": 800})
            assert quiet_page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


def test_the_pages_work_without_scripts(browser: Any, live_site: Any) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(live_site.url)
    expect(page.get_by_role("group", name="Theme")).not_to_be_visible()
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(f"{live_site.url}/match/{page.url.strip('/').split('/')[-1]}/")
    page.context.close()
