"""Notices in real browsers: marks and cards on any page while something waits, and pushes that the service worker shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from accounts.models import User
from lobby.services import Wish, challenge
from matches.clock import TimeControl
from matches.models import Match
from matches.replay import position_of
from matches.services import Person, play_move, resign, start_match
from notices.models import NoticeSettings
from tests.conftest import LiveSite
from tests.e2e.conftest import Ear, Lend
from tests.e2e.people import elsewhere, session_cookie

At = Callable[..., BrowserContext]


def person(name: str) -> User:
    """Somebody new."""
    return User.objects.create_user(f"{name}{uuid4().hex[:8]}", password=None)


@pytest.fixture
def at(lend: Lend, live_site: LiveSite) -> At:
    """`at(user)`: a browser in which the person is signed in."""

    def sign_in(user: User, **more: Any) -> BrowserContext:
        context = lend(**more)
        context.add_cookies([session_cookie(user, live_site.url)])
        return context

    return sign_in


@elsewhere
def begin(one: User, other: User) -> Match:
    """A match over days, `one` to move."""
    days = TimeControl.parse("3d")
    return start_match("blokus", "duo-2", seats=[Person(one), Person(other)], control=days, now=timezone.now())


@elsewhere
def leave(match: Match) -> None:
    """Let the first seat give up."""
    resign(match.pk, 0, now=timezone.now())


@elsewhere
def ask(host: User, other: User) -> None:
    """Challenge somebody to a match over days."""
    challenge(host, [other], Wish("blokus", "duo-2", control=TimeControl.parse("3d")), now=timezone.now())


@elsewhere
def move(match: Match) -> None:
    """Let whose turn it is move."""
    match.refresh_from_db()
    assert match.to_move is not None
    text = str(next(iter(position_of(match).state.legal_moves())))
    play_move(match.pk, match.to_move, text, ply=match.ply, now=timezone.now())


def opened(context: BrowserContext, url: str) -> Page:
    """A page whose socket has told what waits."""
    page = context.new_page()
    with page.expect_websocket(lambda socket: socket.url.endswith("/ws/me/")) as found:
        page.goto(url)
    found.value.wait_for_event("framereceived")
    return page


def test_when_it_becomes_my_turn_another_tab_marks_it_until_i_have_moved(at: At, live_site: LiveSite) -> None:
    alice, bob = person("alice"), person("bob")
    page = opened(at(bob), f"{live_site.url}/components/")
    match = begin(alice, bob)
    expect(page.locator(".toast")).to_contain_text(f"Blokus has begun You play against {alice.username}. {alice.username} is to move.")
    link, title = page.locator("#turn-link"), page.title()
    expect(link).to_be_hidden()
    move(match)
    expect(link).to_be_visible()
    expect(link).to_have_accessible_name("Your turn in 1 match")
    expect(page).to_have_title(f"(1) {title}")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/svg"))
    card = page.locator(".toast", has_text="Your turn in Blokus")
    expect(card).to_contain_text(f"Your turn in Blokus against {alice.username}")
    expect(page.locator("#announcer")).to_contain_text("Your turn in Blokus")
    move(match)
    expect(link).to_be_hidden()
    expect(page).to_have_title(title)
    expect(card).to_have_count(0)


def test_the_link_leads_to_the_match_where_the_mark_goes(at: At, live_site: LiveSite) -> None:
    alice, bob = person("alice"), person("bob")
    match = begin(alice, bob)
    page = opened(at(alice), f"{live_site.url}/components/")
    page.locator("#turn-link").click()
    page.wait_for_url(f"**/match/{match.pk}/")
    expect(page.locator(".board.is-my-turn")).to_be_attached()
    expect(page.locator("#turn-link")).to_be_hidden()
    assert not page.title().startswith("(")


def test_what_was_told_is_not_told_again_on_the_next_page(at: At, live_site: LiveSite) -> None:
    alice, bob = person("alice"), person("bob")
    page = opened(at(bob), f"{live_site.url}/components/")
    match = begin(alice, bob)
    expect(page.locator(".toast")).to_be_visible()
    move(match)
    expect(page.locator(".toast")).to_have_count(2)
    with page.expect_websocket(lambda socket: socket.url.endswith("/ws/me/")):
        page.goto(f"{live_site.url}/import/")
    expect(page.locator("#turn-link")).to_be_visible()
    assert page.locator(".toast").count() == 0


def test_an_end_is_told_on_any_page(at: At, live_site: LiveSite) -> None:
    alice, bob = person("alice"), person("bob")
    match = begin(alice, bob)
    page = opened(at(bob), f"{live_site.url}/components/")
    leave(match)
    card = page.locator(".toast", has_text="Blokus is over")
    expect(card).to_contain_text(f"{bob.username} won by resignation.")
    card.get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)


def test_a_challenge_is_accepted_from_its_card(at: At, live_site: LiveSite) -> None:
    alice, bob = person("alice"), person("bob")
    page = opened(at(bob), f"{live_site.url}/components/")
    ask(alice, bob)
    card = page.locator(".toast", has_text=f"{alice.username} challenges you")
    expect(card).to_contain_text("3 days a move")
    card.get_by_role("button", name="Accept").click()
    page.wait_for_url("**/match/*/")
    assert Match.objects.filter(seats__user=alice).filter(seats__user=bob).exists()


def test_the_settings_are_kept_without_a_script(at: At, live_site: LiveSite) -> None:
    alice = person("alice")
    page = at(alice, java_script_enabled=False).new_page()
    page.goto(f"{live_site.url}/notices/")
    page.get_by_label("A soft sound").uncheck()
    page.get_by_label("Push: A match ends").uncheck(force=True)
    page.get_by_role("button", name="Keep this").click()
    expect(page.get_by_role("status")).to_contain_text("Kept.")
    kept = NoticeSettings.objects.get(user=alice)
    assert (kept.sound, kept.push_for("end"), kept.push_for("turn")) == (False, False, True)


def test_the_service_worker_shows_a_push_and_a_newer_one_of_the_match_replaces_it(
    browser: Browser, quiet: Ear, live_site: LiveSite
) -> None:
    context = browser.new_context()  # one that is lent goes on reporting the workers that it has lost
    quiet(context)
    context.add_cookies([session_cookie(person("alice"), live_site.url)])
    context.grant_permissions(["notifications"], origin=live_site.url)
    page = opened(context, f"{live_site.url}/components/")
    devtools = context.new_cdp_session(page)
    registered: list[str] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: registered.extend(
        registration["registrationId"] for registration in event["registrations"] if not registration["isDeleted"]
    ))  # fmt: skip
    devtools.send("ServiceWorker.enable")
    scope = page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(({scope}) => scope)")
    assert scope == f"{live_site.url}/"
    for body in ("against Ann", "against Bob"):
        told = {"kind": "turn", "match": 7, "title": "Your turn in Blokus", "body": body}
        devtools.send("ServiceWorker.deliverPushMessage", {
            "origin": f"{live_site.url}/", "registrationId": registered[-1], "data": json.dumps(told),
        })  # fmt: skip
        shown = page.evaluate(
            """async (body) => {
                const registration = await navigator.serviceWorker.ready;
                for (let left = 500; left; left -= 1) {
                    const shown = await registration.getNotifications();
                    const told = shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
                    if (told.some((one) => one.body === body)) return told;
                    await new Promise((next) => setTimeout(next, 50));
                }
            }""",
            body,
        )
        assert shown == [{"title": "Your turn in Blokus", "body": body, "tag": "match-7", "data": {"path": "/match/7/"}}]
    context.close()
