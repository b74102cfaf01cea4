"""A figure in the browser: drawn beside its table, read by mouse and keys, in the colours of the theme, and a table without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

LIGHT = '[data-theme="light"] '


def test_a_figure_is_drawn_read_by_keys_and_follows_the_theme(live_site, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.goto(f"{live_site.url}/components/")
    figure = page.locator(f"{LIGHT}figure.chart").first
    plot, legend = figure.get_by_role("slider", name="Rating over time"), figure.locator(".chart-legend")
    expect(figure).to_have_class(re.compile("is-drawn"))
    expect(figure.locator("canvas")).to_be_visible()
    expect(figure.locator("table")).to_be_hidden()
    assert figure.evaluate("each => each.querySelector('canvas').getBoundingClientRect().right <= innerWidth")
    expect(legend).to_contain_text("Ann")
    plot.focus()
    page.keyboard.press("Home")
    expect(plot).to_have_attribute("aria-valuetext", re.compile("Mar 1, 2026: Ann 1500, Ben –"))
    page.keyboard.press("ArrowRight")
    expect(legend).to_contain_text("Mar 4, 2026")
    bars = page.locator(f"{LIGHT}figure.chart").nth(1)
    bars.locator(".u-over").hover()
    expect(bars.locator(".chart-where")).to_have_text(re.compile("First|Second|Third|Fourth"))
    drawn = "each => each.querySelector('canvas').toDataURL()"
    before = figure.evaluate(drawn)
    page.locator('.theme-sample[data-theme="light"]').evaluate("each => { each.dataset.theme = 'dark' }")
    dark = page.locator("figure.chart").first
    expect(dark).to_be_attached()
    assert dark.evaluate(f"async each => {{ await new Promise(requestAnimationFrame); return ({drawn})(each) }}") != before
    assert not problems


def test_without_scripts_the_table_is_open(live_site, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_site.url}/components/")
    expect(page.locator(f"{LIGHT}figure.chart table").first).to_be_visible()
    context.close()
