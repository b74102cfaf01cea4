"""Blockers! in the browser: a whole match by mouse and keys, the reason why a tile stays, and racks that stay hidden."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Response, expect

from games.blockers.rules import Position
from matches.models import Match
from matches.replay import position_of
from matches.services import BotSeat, Person, start_match
from stack.processes import FRAME_BYTES
from tests.e2e.conftest import Table

MOST_MOVES = 24
SIDE = 9


class BlockersTable(Table):
    """One browser page at a match of Blockers!."""

    game = "blockers"

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self.board = page.locator(".bl-board")
        self.ghost = page.locator(".bl-ghost")
        self.rack = page.locator(".bl-pick")
        self.targets = page.locator(":is(.bl-socket, .bl-target)")

    def cell(self, cell: int) -> tuple[float, float]:
        """The middle of a cell on the screen."""
        box = self.page.locator(".bl-walls").bounding_box()
        assert box
        return box["x"] + box["width"] * (cell % SIDE + 0.5) / SIDE, box["y"] + box["height"] * (cell // SIDE + 0.5) / SIDE

    def play_by_mouse(self) -> None:
        """Take the first tile that fits somewhere, put it on its first cell, and confirm."""
        self.page.locator(".bl-pick:not(.is-stuck)").first.click()
        self.page.mouse.click(*self.cell(int(self.targets.first.get_attribute("data-cell") or 0)))
        expect(self.ghost).to_have_class(re.compile("is-legal is-resting"))
        self.bar.get_by_role("button", name="Place").click()

    def play_by_keys(self) -> None:
        """Take the next tile that fits somewhere, go to its next cell, put it down and play it."""
        self.board.focus()
        while self.page.locator(".bl-pick.is-held:not(.is-stuck)").count() == 0:
            self.page.keyboard.press("+")
        for key in ("n", "Enter", "Enter"):
            self.page.keyboard.press(key)

    def state(self) -> Position:
        """The position that the server keeps."""
        state = position_of(Match.objects.get(pk=self.match_id)).state
        assert isinstance(state, Position)
        return state


@pytest.fixture
def blockers(live_site, page: Page) -> BlockersTable:
    """A table in the test's own page."""
    return BlockersTable(page, live_site.url)


class Ear:
    """Hears all that the browser is sent about matches, in pages and over sockets."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        self.responses: list[Response] = []
        page.on("response", lambda response: "/match/" in response.url and self.responses.append(response))
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.frames.append(str(frame))))

    def take(self) -> str:
        """What came since the last time."""
        heard = "\n".join([*self.frames, *(response.text() for response in self.responses if response.ok)])
        self.frames, self.responses = [], []
        return heard


def test_a_whole_match_is_played_by_mouse_and_keys_and_no_hidden_tile_is_sent(blockers: BlockersTable) -> None:
    ear = Ear(blockers.page)
    blockers.sit_down("basic-2")
    own_racks: set[str] = set()
    for number in range(MOST_MOVES + 1):
        if not blockers.turn_or_end():
            break
        own_racks.add(blockers.state().view(0)["colours"][0]["rack"])
        heard = ear.take()
        racks = set(re.findall(r'"rack": ?"([^"]*)"', heard))
        assert racks and racks <= own_racks
        assert "=y:" not in heard
        before = blockers.count()
        if number % 2:
            blockers.play_by_keys()
        else:
            blockers.play_by_mouse()
        blockers.moved(before)
    expect(blockers.result.locator("li")).to_have_count(2)
    state = blockers.state()
    assert state.to_move is None
    expect(blockers.page.locator(".bl-terms b")).to_have_text([str(score) for score in state.scores()])
    expect(blockers.page.locator(".bl-backs").last).to_have_attribute("aria-label", re.compile("^yellow rack: "))


def test_an_offer_of_any_length_comes_over_the_socket(blockers: BlockersTable) -> None:
    blockers.sit_down("double-2")
    match = Match.objects.get(pk=blockers.match_id)
    me = match.seats.get(number=0).user
    assert me
    while "*" not in "".join(colour["rack"] for colour in position_of(match).state.view(0)["colours"][::2]):
        match = start_match("blockers", "double-2", seats=[Person(me), BotSeat("beginner")], now=timezone.now())
    ear = Ear(blockers.page)
    blockers.page.goto(f"{blockers.url}/match/{match.pk}/")
    blockers.live()
    before = blockers.count()
    blockers.play_by_mouse()
    blockers.moved(before)
    assert max(map(len, ear.frames)) > FRAME_BYTES


def test_a_tile_that_may_not_lie_there_says_why(blockers: BlockersTable) -> None:
    blockers.sit_down("basic-3")
    row = blockers.page.locator(".bl-pick[data-tile]").first
    tile = row.get_attribute("data-tile") or ""
    row.click()
    offered = {int(target.get_attribute("data-cell") or 0) for target in blockers.targets.all()}
    elsewhere = next(cell for cell in range(SIDE * SIDE) if cell not in offered)
    blockers.page.mouse.click(*blockers.cell(elsewhere))
    expect(blockers.status).to_have_class(re.compile("is-bad"))
    expect(blockers.status).to_have_text(re.compile(f"The tile {tile} belongs in"))
    expect(blockers.bar.get_by_role("button", name="Place")).to_have_count(0)
    blockers.page.keyboard.press("Escape")
    expect(blockers.page.locator(".bl-pick.is-held")).to_have_count(0)
    assert [seat for _, seat, _ in blockers.stored()] == [None]
