"""Bringing a file in a browser: its replay, its notes, and looking at one that is not kept."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.conftest import LiveSite

SGF = "(;GM[Blokus Duo]PB[Ann]PW[Ben]C[Hello];B[e10,e11,e12];W[j5,j6]C[Close by](;B[d13])(;B[f13]))"


def test_a_file_of_pentobi_is_dropped_in_and_its_notes_lead_through_the_replay(live_site: LiveSite, page: Page) -> None:
    page.goto(f"{live_site.url}/import/")
    page.get_by_label("Files").set_input_files([{"name": "ours.blksgf", "mimeType": "text/plain", "buffer": SGF.encode()}])
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_url("**/imported/*/")
    expect(page.locator("#replay-page")).to_have_attribute("data-ply", "0")
    expect(page.locator("[data-part=told]")).to_contain_text("Close by")
    page.locator(".import-notes summary").click()
    page.locator(".import-notes").get_by_role("link", name="Ply 2").click()
    expect(page.locator("#replay-page")).to_have_attribute("data-ply", "2")
    expect(page.locator(".bk-layer-pieces .bk-piece")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("link", name="Pentobi (.blksgf)").click()
    assert ";W[j5,j6]C[Close by]" in download.value.path().read_text()


def test_a_text_is_looked_at_and_not_kept(live_site: LiveSite, page: Page) -> None:
    page.goto(f"{live_site.url}/import/")
    page.get_by_label("or the text").fill(SGF)
    page.get_by_role("button", name="Only look").click()
    page.locator("#replay-page[data-ply='0']").wait_for()
    page.keyboard.press("End")
    expect(page.locator(".bk-layer-pieces .bk-piece")).to_have_count(3)
    page.goto(f"{live_site.url}/import/")
    expect(page.locator(".import-list li")).to_have_count(0)
