"""Conditional moves in the browser: a plan is built by playing both sides, saved, and played when the opponent has moved."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.players import SESSION_KEY
from matches.clock import TimeControl
from matches.models import Match, Move, Plan
from matches.services import Person, start_match
from tests.conftest import LiveSite
from tests.e2e.conftest import Lend, Table

PHONE = {"viewport": {"width": 390, "height": 844}}


def guests(count: int) -> list[User]:
    known = User.objects.count()
    return [User.objects.create(username=f"planner-{known + number}", is_guest=True) for number in range(count)]


def match_of(people: list[User], game: str = "blokus", variant: str = "duo-2") -> Match:
    return start_match(game, variant, seats=[Person(user) for user in people], control=TimeControl.parse("3d"), now=timezone.now())


Opened = Callable[..., Page]


@pytest.fixture
def page_of(live_site: LiveSite, lend: Lend) -> Opened:
    """`page_of(user)`: a page in a browser of its own in which that guest plays."""

    def opened(user: User, **more: Any) -> Page:
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        session[SESSION_KEY] = user.pk
        session.save()
        context = lend(base_url=live_site.url, **more)
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": live_site.url}])
        return context.new_page()

    return opened


class Planner:
    """The page of a plan of Blokus."""

    def __init__(self, page: Page, match: Match) -> None:
        self.page = page
        page.goto(f"/match/{match.pk}/plan/")
        self.root = page.locator("#plan")
        self.steps = page.locator(".plan-tree .plan-step")
        self.save = page.get_by_role("button", name="Save the plan")
        self.ready()

    def ready(self) -> None:
        expect(self.page.locator("#plan[data-ready]")).to_be_attached()

    def place(self, turns: int = 0) -> None:
        """Place the largest piece where it fits first, after turning it so often."""
        before = int(self.root.get_attribute("data-steps") or 0)
        self.page.locator(".bk-board").focus()
        while self.page.locator(".bk-pick.is-held:not(.is-stuck)").count() == 0:
            self.page.keyboard.press("+")
        for _ in range(turns):
            self.page.keyboard.press("r")
        self.page.keyboard.press("g")
        expect(self.page.locator(".bk-ghost")).to_have_class(re.compile("is-legal"))
        self.page.keyboard.press("Enter")
        expect(self.root).to_have_attribute("data-steps", str(before + 1))

    def says(self, words: str) -> None:
        expect(self.page.locator("[data-part=bar]")).to_contain_text(words)


def test_a_plan_built_on_the_board_answers_when_the_opponent_moves_in_another_browser(page_of: Opened) -> None:
    ann, ben = guests(2)
    match = match_of([ann, ben])
    planner = Planner(page_of(ben), match)
    planner.says("What might")
    planner.place()
    planner.says("And your answer?")
    planner.place()
    expect(planner.page.locator("[data-saved=no]")).to_be_visible()
    planner.page.get_by_role("button", name="The position now").click()
    planner.page.get_by_role("button", name="Anything").click()
    planner.says("Whatever they play")
    planner.place(turns=1)
    planner.says("This line ends here.")
    assert not Plan.objects.filter(match=match).exists()
    planner.save.click()
    expect(planner.page.locator("[data-saved=yes]")).to_be_visible()
    expect(planner.page.locator("[data-part=news]")).to_contain_text("Your plan is saved.")
    exact, anything = Plan.objects.get(match=match).tree
    assert (len(exact["when"]), anything["when"]) == (1, ["*"])

    planner.page.reload()
    planner.ready()
    expect(planner.steps).to_have_count(5)
    expect(planner.page.locator("[data-saved=yes]")).to_be_visible()

    opponent = page_of(ann)
    table = Table(opponent, "")
    opponent.goto(f"/match/{match.pk}/")
    table.my_turn()
    table.place_by_keys()
    expect(opponent.locator("#match")).to_have_attribute("data-ply", "2")
    assert list(Move.objects.filter(match=match).values_list("text", flat=True)) == [*exact["when"], exact["play"]]
    planner.page.reload()
    planner.ready()
    expect(planner.page.locator("[data-part=ended]")).to_have_text("Your plan was played to its end at move 2.")
    planner.says("What might")


def test_a_branch_is_deleted_and_what_has_no_answer_is_not_saved(page_of: Opened) -> None:
    people = guests(2)
    match = match_of(people)
    planner = Planner(page_of(people[1], **PHONE), match)
    planner.place()
    expect(planner.page.locator(".plan-open")).to_have_text("no answer yet")
    expect(planner.save).to_be_disabled()
    planner.place()
    planner.place()
    planner.save.click()
    expect(planner.page.locator("[data-part=news]")).to_contain_text("1 line without an answer is not part of it.")
    assert Plan.objects.get(match=match).tree[0]["then"] == []
    assert planner.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    planner.page.get_by_role("button", name="Delete all").click()
    planner.says("What might")
    planner.page.get_by_role("button", name="Save: no plan").click()
    expect(planner.page.locator("[data-part=news]")).to_contain_text("Your plan is deleted.")
    assert not Plan.objects.filter(match=match).exists()


def test_a_page_that_has_become_old_goes_on_from_the_new_position(page_of: Opened) -> None:
    people = guests(4)
    match = match_of(people, variant="classic-4")
    planner = Planner(page_of(people[3]), match)
    for _ in range(4):
        planner.place()
    opponent = page_of(people[0])
    table = Table(opponent, "")
    opponent.goto(f"/match/{match.pk}/")
    table.my_turn()
    table.place_by_keys()
    expect(opponent.locator("#match")).to_have_attribute("data-ply", "1")
    planner.save.click()
    expect(planner.page.locator("[data-part=news]")).to_contain_text("Your plan was moved to the new position.")
    expect(planner.steps).to_have_count(4)
    planner.save.click()
    expect(planner.page.locator("[data-part=news]")).to_contain_text("Your plan is saved.")
    plan = Plan.objects.get(match=match)
    assert (plan.ply, len(plan.tree[0]["when"])) == (1, 2)


def test_where_something_is_hidden_one_answer_to_anything_is_planned(page_of: Opened) -> None:
    people = guests(2)
    match = match_of(people, "blockers", "basic-2")
    page = page_of(people[1 - (Match.objects.get(pk=match.pk).to_move or 0)])
    page.goto(f"/match/{match.pk}/plan/")
    expect(page.locator("[data-part=bar]")).to_contain_text("Whatever they play: what do you answer?")
    expect(page.locator("[data-part=bar] button")).to_have_count(0)
    expect(page.locator(".board.is-my-turn")).to_be_attached()


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """A plan that is saved for an older position is refused."""
    return ("409 (Conflict)",)
