"""The shelf beside a replay: its forms go over the script, and the comments keep in step with the ply that is shown."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games import registry
from games.kit.chance import KeyedSource
from matches.models import Match
from matches.services import Person, play_move, resign, start_match
from shelf import comments
from shelf.models import Comment, Favourite
from shelf.subject import Subject

PLIES = 6


@pytest.fixture
def match(live_site) -> Match:
    """A match that was given up after six plies, with a word for everybody at its second."""
    ann, ben = (User.objects.create_user(f"{name}-{uuid4().hex[:8]}") for name in ("ann", "ben"))
    match = start_match("blokus", "duo-2", seats=[Person(ann), Person(ben)], now=timezone.now())
    state = registry.get("blokus").start("duo-2")
    for ply in range(PLIES):
        legal = list(state.legal_moves())
        move = legal[KeyedSource(b"shelf", str(ply)).below(len(legal))]
        play_move(match.pk, state.to_move, str(move), ply=ply, now=timezone.now())
        state = state.play(move)
    resign(match.pk, 0, now=timezone.now())
    match.refresh_from_db()
    subject = Subject(match=match)
    comments.write(subject, ben, ply=2, text="I like this one", public=True, client_id=uuid4(), now=timezone.now())
    return match


def test_one_keeps_a_match_and_writes_to_its_plies_without_leaving_the_replay(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/?ply=1")
    replay, shelf = page.locator("#replay-page"), page.locator("#shelf")
    here, written = shelf.locator(".shelf-comment.is-here"), shelf.locator(".shelf-comment")
    expect(replay).to_have_attribute("data-ply", "1")
    expect(here).to_have_count(0)

    star = shelf.get_by_role("button", name="Favourite")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(star).to_be_focused()

    written.get_by_role("link", name="Ply 2").click()
    expect(replay).to_have_attribute("data-ply", "2")
    expect(here).to_contain_text("I like this one")

    page.keyboard.press("ArrowRight")
    expect(here).to_have_count(0)
    number, words = shelf.get_by_label("Number of the ply"), shelf.locator("#shelf-text")
    expect(number).to_have_value("3")
    words.fill("Too far from the corner")
    shelf.locator("summary", has_text="Tags").click()
    shelf.get_by_label("New tag").fill("opening")
    shelf.get_by_label("New tag").press("Enter")
    expect(shelf.get_by_role("link", name="opening")).to_be_visible()
    expect(words).to_have_value("Too far from the corner")  # what was being written stays

    page.locator("[data-act=forward]").click()
    expect(replay).to_have_attribute("data-ply", "4")
    expect(number).to_have_value("3")  # and stays where it was begun
    words.press("Control+Enter")
    expect(written).to_have_count(2)
    expect(written.last).to_contain_text("Ply 3")
    expect(words).to_have_value("")
    expect(number).to_have_value("4")

    written.last.get_by_text("Edit").click()
    written.last.get_by_role("textbox").fill("Near enough after all")
    written.last.get_by_role("button", name="Keep it").click()
    expect(written.last).to_contain_text("Near enough after all")
    written.last.get_by_role("button", name="Delete").click()
    expect(written).to_have_count(1)
    guest = Favourite.objects.get(match=match).user
    assert guest.is_guest and not Comment.objects.filter(user=guest).exists()


def test_a_form_that_cannot_be_sent_says_so_and_keeps_what_was_written(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/?ply=2")
    expect(page.locator(".shelf-comment.is-here")).to_have_count(1)
    words = page.locator("#shelf-text")
    words.fill("A thought on the train")
    page.route(re.compile("/shelf/"), lambda route: route.fulfill(status=503))
    page.locator(".shelf-write button").click()
    expect(page.locator("[data-part=shelf-said]")).to_contain_text("could not be reached")
    expect(words).to_have_value("A thought on the train")
    page.unroute(re.compile("/shelf/"))
    page.locator(".shelf-write button").click()
    expect(page.locator(".shelf-comment")).to_have_count(2)


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """The answer that never comes is logged by the browser."""
    return ("503",)
