"""Sharing in real browsers: the panel of the replay, a moving picture made by the worker, and the frame on another site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games import registry
from matches.models import Match
from matches.services import Person, play_move, start_match


@pytest.fixture
def over(live_site) -> Match:
    """A finished match of two people."""
    people = [User.objects.create_user(f"{name}-{timezone.now().timestamp()}") for name in ("ann", "ben")]
    match = start_match("blokus", "duo-2", seats=[Person(user) for user in people], now=timezone.now())
    state = registry.get("blokus").start("duo-2")
    while isinstance(state.to_move, int):
        move = next(iter(state.legal_moves()))
        play_move(match.pk, state.to_move, str(move), ply=match.ply, now=timezone.now())
        state = state.play(move)
        match.ply += 1
    return Match.objects.get(pk=match.pk)


def test_the_panel_follows_the_ply_copies_links_and_has_a_moving_picture_drawn(live_site, page: Page, over: Match) -> None:
    live_site.need("analysis")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{live_site.url}/match/{over.pk}/replay/?ply=4")
    panel = page.locator(".share-panel")
    expect(panel.get_by_label("Link to this ply")).to_have_value(f"{live_site.url}/match/{over.pk}/replay/?ply=4")
    expect(page.locator("[data-act=forward]")).to_be_enabled()
    page.keyboard.press("ArrowRight")
    expect(panel.get_by_label("Link to this ply")).to_have_value(re.compile(r"ply=5$"))
    expect(panel.get_by_role("link", name="PNG")).to_have_attribute("href", f"/match/{over.pk}/ply/5.png")
    panel.get_by_role("button", name="Copy").first.click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{live_site.url}/match/{over.pk}/replay/?ply=5"
    panel.get_by_text("On your own site").click()
    expect(panel.get_by_label("Code for a frame")).to_have_value(re.compile(rf"/match/{over.pk}/embed/\?ply=5"))
    panel.get_by_role("link", name="WebP").click()
    moving = panel.get_by_role("img", name="moving picture")
    expect(moving).to_be_visible()
    expect(moving).to_have_js_property("naturalWidth", 480)


@pytest.fixture
def blog() -> Iterator[Callable[[str], str]]:
    """Another site: `blog(html)` is the address of a page with that in it."""
    shown: list[str] = []

    class Blog(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>A blog</title><link rel=icon href=data:,>{shown[-1]}".encode())

        def log_message(self, *_: object) -> None:
            """Be quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Blog)
    Thread(target=server.serve_forever, daemon=True).start()

    def write(html: str) -> str:
        shown.append(html)
        return f"http://localhost:{server.server_port}/"

    yield write
    server.shutdown()
    server.server_close()


def test_a_match_is_stepped_through_in_a_frame_on_another_site(live_site, page: Page, over: Match, blog) -> None:
    code = f'<iframe src="{live_site.url}/match/{over.pk}/embed/?ply={over.ply - 1}" width="480" height="630"></iframe>'
    page.goto(blog(code))
    frame = page.frame_locator("iframe")
    where, picture = frame.locator("[data-part=where]"), frame.locator("[data-part=picture]")
    expect(where).to_have_text(f"{over.ply - 1} / {over.ply}")
    expect(frame.locator("[data-act=play]")).to_be_visible()
    frame.locator("[data-act=forward]").click()
    expect(where).to_have_text(f"{over.ply} / {over.ply}")
    expect(picture).to_have_attribute("src", f"/match/{over.pk}/ply/{over.ply}.svg")
    expect(picture).to_have_js_property("complete", True)
    winners = sum(rank == 1 for rank in over.ranks)
    expect(frame.locator(".embed-seats > [data-won]")).to_have_count(winners)
    expect(frame.locator("[data-act=forward]")).to_have_attribute("aria-disabled", "true")
    expect(frame.locator("[data-part=home]")).to_have_attribute("href", f"{live_site.url}/match/{over.pk}/replay/?ply={over.ply}")
    page.keyboard.press("Home")
    expect(where).to_have_text(f"0 / {over.ply}")
    frame.locator("[data-act=play]").click()
    expect(where).to_have_text(f"1 / {over.ply}")
    assert page.context.cookies(live_site.url) == []
