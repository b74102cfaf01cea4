"""People in real browsers, for tests of whole matches: how they meet, how they move with and without scripts, what they see at the end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management import call_command
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from playwright.sync_api import BrowserContext, Locator, Page, expect

from accounts.models import User
from games.kit.chance import SystemSource
from matches.models import Match, Move
from matches.replay import position_of
from matches.services import drawn_by_secret, play_move
from matches.tasks import choose
from tests.e2e.conftest import Lend, Table
from tests.e2e.test_azul import AzulTable
from tests.e2e.test_blockers import BlockersTable
from tests.e2e.test_nibble import NibbleTable

PATIENCE = 60_000
"""Milliseconds that a page may take to load while the machine does much else."""
TABLES: dict[str, type[Table]] = {"azul": AzulTable, "blockers": BlockersTable, "blokus": Table, "nibble": NibbleTable}
HINTS = "casual"
"""The level of the bot whose advice is followed where moves are chosen from a list."""


@dataclass
class Somebody:
    """A person with an account and browsers, which open when they are first looked at."""

    user: User
    url: str
    browse: Lend
    """Opens a browser in which the person is signed in."""
    more: dict[str, object] = field(default_factory=dict)
    """The options of the browser with scripts."""
    seat: int = -1
    """At the match that was opened last."""
    tables: list[Table] = field(default_factory=list)

    @cached_property
    def context(self) -> BrowserContext:
        """The browser."""
        return self.browse(**self.more)

    @cached_property
    def page(self) -> Page:
        """The page in it."""
        return self.context.new_page()

    @cached_property
    def plain(self) -> Page:
        """A page of the same person in a browser without scripts."""
        return self.browse(java_script_enabled=False).new_page()

    @property
    def name(self) -> str:
        return self.user.username

    @property
    def table(self) -> Table:
        """The page with the board."""
        return self.tables[0]

    def at_match(self) -> Match:
        """The match whose page comes up; the person has a board from then on."""
        self.page.wait_for_url(re.compile(r"/match/\d+/"), timeout=PATIENCE)
        found = re.search(r"/match/(\d+)/", self.page.url)
        assert found
        match = Match.objects.get(pk=int(found[1]))
        seat = match.seat_held_by(self.user)
        assert seat is not None
        self.seat = seat
        self.tables = [TABLES[match.game](self.page, self.url)]
        self.table.live()
        return match

    def another_tab(self) -> Table:
        """The same match in one more tab."""
        tab = type(self.table)(self.context.new_page(), self.url)
        tab.page.goto(self.page.url, timeout=PATIENCE)
        tab.live()
        self.tables.append(tab)
        return tab

    def turn(self, table: Table | None = None) -> None:
        """Wait for the turn, and play a move on the board."""
        table = table or self.table
        assert table.turn_or_end(), "the match is over"
        before = table.count()
        act(table)
        table.moved(before)

    def turn_without_scripts(self, match: Match) -> None:
        """Play a move from the form of the match's page."""
        self.plain.goto(f"{self.url}/match/{match.pk}/", timeout=PATIENCE)
        play_from_form(self.plain, match)

    def go_offline(self) -> None:
        """Lose the network, and wait until the page knows."""
        self.context.set_offline(True)
        for table in self.tables:
            expect(table.page.locator("[data-link=offline]")).to_be_visible()

    def come_back(self) -> None:
        """Have the network again, and wait until the page knows."""
        self.context.set_offline(False)
        for table in self.tables:
            table.live()


class People:
    """`people(2)`: so many people with accounts, each in a browser of their own."""

    def __init__(self, url: str, lend: Lend) -> None:
        self._url, self._lend = url, lend

    def __call__(self, count: int, **more: object) -> list[Somebody]:
        names = ("Ann", "Ben", "Cleo", "Dan", "Eve")[:count]
        return [self._somebody(User.objects.create_user(f"{name}{uuid4().hex[:6]}", password=None), more) for name in names]

    def _somebody(self, user: User, more: dict[str, object]) -> Somebody:
        cookie = session_cookie(user, self._url)

        def browse(**options: object) -> BrowserContext:
            context = self._lend(**options)
            context.add_cookies([cookie])
            return context

        return Somebody(user, self._url, browse, more)


def session_cookie(user: User, url: str) -> Any:
    """The cookie of a browser in which the user is signed in."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session.save()
    return {"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": url}


def elsewhere(act: Callable[..., Any]) -> Callable[..., Any]:
    """Do it as another process would: in this thread, where Playwright's loop runs, no hint can be sent to the sockets."""

    def acted(*args: Any) -> Any:
        def run() -> Any:
            try:
                return act(*args)
            finally:
                connection.close()

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(run).result()

    return acted


# --- Moves


def act(table: Table) -> None:
    """Choose a move on the board by keys and send it; whether it arrives is for the caller to see."""
    if isinstance(table, AzulTable):
        keys, place = table.page.keyboard, table.bar.get_by_role("button", name="Place")
        for key in advice(Match.objects.get(pk=table.match_id)).lower():  # as the move is written: source, colour, line
            keys.press(key)
        expect(place).to_be_visible()
        keys.press("Enter")
    elif isinstance(table, NibbleTable):
        table.take_by_keys()
    else:
        table.play_by_keys()


def play_from_form(page: Page, match: Match) -> bool:
    """Play what a bot would advise from the form on a match's page without scripts; whether the next match came up after it."""
    listed, text = page.locator("#plain-move"), advice(match)
    if listed.count():
        listed.select_option(text)
    else:
        page.locator("#plain-typed").fill(text)
    onward = page.get_by_role("button", name="Play, then the next match")
    goes_on = bool(onward.count())
    (onward if goes_on else page.get_by_role("button", name=re.compile("^Play( and stay here)?$"))).click()
    expect(page.locator(".notice").first).to_contain_text("Your move is played.")
    return goes_on


def advice(match: Match) -> str:
    """A sensible move for whose turn it is; who plays at random would never come to the end of some games."""
    state = position_of(Match.objects.get(pk=match.pk)).state
    assert isinstance(state.to_move, int)
    return choose(match.rules, HINTS, state, state.to_move, SystemSource())


def to_move(match: Match, people: Iterable[Somebody]) -> Somebody | None:
    """Whose turn it is by what the server keeps; nobody's when the match is over or one of the site's own seats moves."""
    stored = Match.objects.with_seats().get(pk=match.pk)
    return next((one for one in people if stored.to_move is not None and stored.seat_held_by(one.user) == stored.to_move), None)


def time_passes(match: Match, **amount: float) -> None:
    """Move the clock by hand: the turn that runs began so much earlier, and so ends so much earlier (`days=2`)."""
    stored, gone = Match.objects.get(pk=match.pk), timedelta(**amount)
    assert stored.since is not None and stored.deadline is not None, "no clock runs"
    Match.objects.filter(pk=match.pk, ply=stored.ply).update(since=stored.since - gone, deadline=stored.deadline - gone)


@elsewhere
def play_ahead(match: Match, left: int) -> None:
    """Let the match service play what bots would advise, up to the last `left` moves of the match as they would go."""
    rest = moves_to_end(match)
    for text in rest[: len(rest) - left]:
        match.refresh_from_db()
        assert match.to_move is not None
        play_move(match.pk, match.to_move, text, ply=match.ply, now=timezone.now())


def moves_to_end(match: Match) -> list[str]:
    """Sensible moves of all seats, from where the match stands to its end."""
    position, texts = position_of(Match.objects.get(pk=match.pk)), []
    while position.state.outcome() is None:
        if isinstance(position.state.to_move, int):
            texts.append(choose(match.rules, HINTS, position.state, position.state.to_move, SystemSource()))
            position = position.after(match.rules.parse_move(texts[-1]))
        else:
            position = position.after(drawn_by_secret(match, position.state))
    return texts


# --- Meeting


def lobby_row(page: Page, words: str, part: str = "seeks") -> Locator:
    """The row of the table with these words."""
    return page.locator(f"[data-part={part}] .table-row", has_text=words)


def to_lobby(somebody: Somebody) -> None:
    """Go to the lobby, and wait until it is live."""
    somebody.page.goto(f"{somebody.url}/lobby/", timeout=PATIENCE)
    expect(somebody.page.locator("html")).to_have_attribute("data-lobby", "live")


def meet_in_lobby(people: list[Somebody], table: str, control: str) -> Match:
    """The first opens a table for everybody, the others sit down; all are at the match."""
    host, *others = people
    words = f"table {uuid4().hex[:8]}"
    for somebody in people:
        to_lobby(somebody)
    host.page.locator("#create > summary").click()
    host.page.locator("#create-table").select_option(table)
    host.page.locator("#create-control").select_option(control)
    host.page.locator(".create-more > summary").click()
    host.page.locator("#create-message").fill(words)
    host.page.get_by_role("button", name="Open the table").click()
    for taken, other in enumerate(others, start=2):
        lobby_row(other.page, words).get_by_role("button", name="Sit down").click()
        if taken <= len(others):
            expect(lobby_row(host.page, words, "mine").locator(".place-person")).to_have_count(taken)
    (match,) = {somebody.at_match() for somebody in people}
    return match


def meet_by_challenge(host: Somebody, guest: Somebody, table: str, control: str) -> Match:
    """The host challenges the guest on the guest's page, who accepts; both are at the match."""
    host.page.goto(f"{host.url}/people/{guest.name}/", timeout=PATIENCE)
    host.page.get_by_role("link", name="Challenge", exact=True).click()
    host.page.locator("#create-table").select_option(table)
    host.page.locator("#create-control").select_option(control)
    host.page.get_by_role("button", name="Challenge", exact=True).click()
    host.page.wait_for_url("**/lobby/**")
    expect(host.page.locator("html")).to_have_attribute("data-lobby", "live")
    to_lobby(guest)
    guest.page.locator("[data-part=mine]").get_by_role("button", name="Accept").click()
    match = guest.at_match()
    assert host.at_match() == match  # where the lobby leads by itself
    return match


# --- The end


def ranking(table: Table) -> list[tuple[int, str, int]]:
    """Rank, name and score of each as the panel of the result lists them."""
    rows = table.result.locator(".ranking li")
    listed: list[list[str]] = rows.evaluate_all("rows => rows.map(row => [row.value, row.textContent, row.querySelector('b').textContent])")
    return [(int(rank), text.removesuffix(score), int(score.replace("\u2212", "-"))) for rank, text, score in listed]


def check_end(match: Match, tables: Iterable[Table]) -> Match:
    """All pages show the result that is stored, and the plies lead to it. The match as it is stored."""
    stored = Match.objects.with_seats().get(pk=match.pk)
    assert stored.status == Match.Status.FINISHED and stored.ranks and stored.scores
    names = [seat.user.username if seat.user else seat.level for seat in stored.seats.all()]
    expected = sorted(zip(stored.ranks, names, stored.scores, strict=True))
    for table in tables:
        expect(table.result).to_be_visible()
        expect(table.result.locator(".ranking li")).to_have_count(len(names))
        assert sorted(ranking(table)) == expected
        assert [rank for rank, _, _ in ranking(table)] == sorted(stored.ranks)
        expect(table.moves).to_have_count(stored.ply)
    folded = position_of(stored)
    assert (folded.ply, folded.chain) == (stored.ply, stored.chain)
    if stored.termination == Match.Termination.COMPLETE:
        outcome = folded.state.outcome()
        assert outcome and list(outcome.scores) == stored.scores
    return stored


def check_record(match: Match, page: Page, folder: Path) -> None:
    """The record that the site hands out passes the check that anybody can run, and is the match."""
    response = page.request.get(page.url.split("/match/")[0] + f"/match/{match.pk}/record.json")
    file = folder / f"{match.pk}.json"
    file.write_bytes(response.body())
    call_command("record", "check", str(file))  # exits where there is a fault
    assert json.loads(file.read_text())["plies"] == list(_moves(match).values_list("text", flat=True))


def check_live_clocks(match: Match) -> None:
    """What is left on each clock is what there was at first, and the increments, less what the moves were charged."""
    stored, control = Match.objects.get(pk=match.pk), match.control
    for seat, left in enumerate(stored.clock["left"]):
        own = list(_moves(match).filter(seat=seat, left_ms__isnull=False).values_list("used_ms", "left_ms"))
        first, *later = own
        assert first == (0, 1000 * control.base)
        assert any(used > 0 for used, _ in later)
        assert own[-1][1] == 1000 * (control.base + control.increment * len(later)) - sum(used for used, _ in later)
        assert left <= own[-1][1]


def _moves(match: Match) -> QuerySet[Move]:
    return Move.objects.filter(match=match).order_by("ply")


def days_charged(match: Match) -> float:
    """Days that all moves of a match over days took together."""
    return sum(used or 0 for used in _moves(match).values_list("used_ms", flat=True)) / timedelta(days=1).total_seconds() / 1000
