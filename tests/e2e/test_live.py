"""A live match between people, each in a browser of their own: clocks, offers, chat, moves ahead, lost connections, a rematch."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, WebSocketRoute, expect

from accounts.models import User
from matches.clock import TimeControl
from matches.models import Match
from matches.services import BotSeat, Person, SeatPlan, start_match
from tests.conftest import LiveSite
from tests.e2e.conftest import LIVELY, Lend
from tests.e2e.people import session_cookie
from tests.e2e.test_nibble import NibbleTable

PATIENCE = 60_000
"""Milliseconds that a page may take to load while the machine does much else."""
UNHURRIED = "5m+8s"
SHORT = "5s+2s"
WRONG_DATE = "const right = Date.now; Date.now = () => right() + 3_600_000;"
"""The devices of these people are an hour fast, which no clock of a match may show."""


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """What a browser logs when there is no network."""
    return ("ERR_INTERNET_DISCONNECTED", "WebSocket connection to")


class Player(NibbleTable):
    """Somebody's page at a live match of Nibble."""

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self.offers = page.locator("[data-part=offers]")
        self.seats = page.locator("[data-part=seats]")

    def open(self, match: Match) -> None:
        """Go to the match and wait for the socket."""
        self.page.goto(f"{self.url}/match/{match.pk}/", timeout=PATIENCE)
        self.live()

    def take_one(self, steps: int = 1) -> None:
        """Take a single block, the one that so many steps of the keyboard lead to."""
        self.board.focus()
        for key in ("n",) * steps + (" ", "Enter"):
            self.page.keyboard.press(key)

    def play(self) -> None:
        """Wait for the turn, and play."""
        self.my_turn()
        before = self.count()
        self.take_one()
        self.moved(before)

    def clock(self, seat: int) -> float:
        """Seconds on a clock, as shown."""
        shown = self.page.locator(f"[data-clock='{seat}']").inner_text()
        minutes, seconds = shown.split()[0].split(":")
        return 60 * int(minutes) + float(seconds)


@dataclass
class Two:
    """Two people at a match, the first of whom begins."""

    match: Match
    ann: Player
    ben: Player

    def begin(self) -> None:
        """Make the first move of each, which no clock counts."""
        self.ann.play()
        self.ben.play()
        self.ann.my_turn()

    def fresh(self) -> Match:
        """The match as it is stored now."""
        return Match.objects.get(pk=self.match.pk)


Sit = Callable[..., Two]


@pytest.fixture
def browse(live_site: LiveSite, lend: Lend) -> Callable[..., Player]:
    """Opens browsers with such options, each signed in as a user, or as nobody."""

    def open_one(user: User | None, **options: str) -> Player:
        context = lend(**options)
        if user is not None:
            context.add_cookies([session_cookie(user, live_site.url)])
        page = context.new_page()
        page.add_init_script(WRONG_DATE)
        return Player(page, live_site.url)

    return open_one


@pytest.fixture
def sit(browse: Callable[..., Player]) -> Sit:
    """Starts a match of Nibble of two people under a time control, and opens it in both their browsers."""

    def start(control: str, **options: str) -> Two:
        people = [User.objects.create_user(f"{name}{User.objects.count()}", password=None) for name in ("Ann", "Ben")]
        plan = [Person(person) for person in people]
        match = start_match("nibble", "square-9", seats=plan, control=TimeControl.parse(control), now=timezone.now())
        ann, ben = (browse(person, **options) for person in people)
        ann.open(match)
        ben.open(match)
        return Two(match, ann, ben)

    return start


class Wire:
    """The sockets of a page, through which some frames do not pass: types of frames from the page and to it."""

    def __init__(self, page: Page) -> None:
        self.lost_out: set[str] = set()
        self.lost_in: set[str] = set()
        page.route_web_socket(re.compile("/ws/match/"), self._join)

    def _join(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda text: self._pass(text, server, self.lost_out))
        server.on_message(lambda text: self._pass(text, socket, self.lost_in))

    @staticmethod
    def _pass(text: str | bytes, to: WebSocketRoute, lost: set[str]) -> None:
        found = re.search(r'"type":\s*"(\w+)"', str(text))
        if not (found and found[1] in lost):
            to.send(text)


def test_both_see_the_same_clock_run_and_the_server_alone_lets_it_run_out(sit: Sit) -> None:
    two = sit(SHORT)
    expect(two.ben.bar).to_contain_text("for the first move")
    two.begin()
    stored = two.fresh()
    running = two.ann.page.locator("[data-clock='0'].is-running")
    expect(running).to_be_visible()
    expect(two.ben.page.locator("[data-clock='0'].is-running")).to_be_visible()
    assert isinstance(stored.since, datetime)
    for player in (two.ann, two.ben):
        gone = (timezone.now() - stored.since).total_seconds()
        assert player.clock(0) == pytest.approx(stored.clock["left"][0] / 1000 - gone, abs=1)
        assert player.clock(1) == stored.clock["left"][1] / 1000
    two.ben.page.context.set_offline(True)
    expect(two.ben.page.locator("[data-clock='0'].is-stale")).to_be_visible()
    expect(two.ann.result).to_contain_text(re.compile(r"Ben\d+ wins.*Ann\d+ ran out of time"))
    assert two.fresh().termination == Match.Termination.TIMEOUT
    expect(two.ben.page.locator("[data-clock='0']")).to_have_text(re.compile("^0:00 "))
    expect(two.ben.result).to_be_hidden()
    two.ben.page.context.set_offline(False)
    expect(two.ben.result).to_contain_text("You win.")


def test_a_move_is_taken_back_when_the_other_agrees(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    two.ann.play()
    two.ann.wish("Ask to take back")
    expect(two.ann.offers).to_contain_text("your last move")
    expect(two.ben.offers).to_contain_text("asks to take back to move 3: the last move of Ann")
    two.ben.offers.get_by_role("button", name="Decline").click()
    expect(two.ann.offers).to_contain_text("lets the move stand")
    assert two.fresh().ply == 4
    two.ann.wish("Ask to take back")
    two.ben.offers.get_by_role("button", name="Accept").click()
    for player in (two.ann, two.ben):
        expect(player.page.locator("#match")).to_have_attribute("data-ply", "3")
        expect(player.moves).to_have_count(3)
        expect(player.offers).to_contain_text("Back to move 3")
    two.ann.play()
    two.ben.my_turn()
    assert [seat for _, seat, _ in two.ann.stored()] == [None, 0, 1, 0]


def test_a_pause_stops_the_clocks_until_somebody_goes_on(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    two.ann.wish("Ask for a pause")
    two.ben.offers.get_by_role("button", name="Accept").click()
    for player in (two.ann, two.ben):
        expect(player.offers).to_contain_text("Paused: the clocks stand still.")
        expect(player.page.locator(".seat-clock.is-running")).to_have_count(0)
    two.ann.take_one()
    expect(two.ann.bar).to_contain_text("paused")
    two.ben.offers.get_by_role("button", name="Go on").click()
    expect(two.ann.page.locator("[data-clock='0'].is-running")).to_be_visible()
    two.ann.play()
    two.ben.my_turn()


def test_people_talk_in_their_own_words_and_in_phrases(sit: Sit) -> None:
    two = sit(UNHURRIED)
    tabs = two.ben.page.locator("[data-part=tabs]")
    two.ann.page.get_by_role("tab", name="Chat").click()
    two.ann.page.get_by_label("Your words").fill("Hello <b>Ben</b>")
    two.ann.page.keyboard.press("Enter")
    expect(two.ann.page.locator(".chat-line.is-own")).to_have_text(re.compile(r"Hello <b>Ben</b>$"))
    expect(tabs.locator(".unread")).to_have_text("1")
    tabs.get_by_role("tab", name="Chat").click()
    expect(tabs.locator(".unread")).to_have_count(0)
    expect(two.ben.page.locator(".chat-line")).to_contain_text("Hello <b>Ben</b>")
    two.ben.page.locator(".chat-phrases summary").click()
    two.ben.page.get_by_role("button", name="Good luck, have fun!").click()
    expect(two.ann.page.locator(".chat-line")).to_have_count(2)
    expect(two.ann.page.locator(".chat-line").last).to_contain_text("Good luck, have fun!")


def test_a_line_that_is_refused_comes_back_with_the_reason(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.ann.page.get_by_role("tab", name="Chat").click()
    field = two.ann.page.get_by_label("Your words")
    for number in range(6):
        field.fill(f"line {number}")
        field.press("Enter")
    expect(two.ann.page.locator(".chat-problem")).to_contain_text("You are writing very fast")
    expect(field).to_have_value("line 5")
    expect(two.ann.page.locator(".chat-line:not(.is-unsent)")).to_have_count(5)


def test_a_rematch_leads_both_to_the_new_match_and_spectators_get_a_link(sit: Sit, browse: Callable[[User | None], Player]) -> None:
    two = sit(UNHURRIED)
    watcher = browse(None)
    watcher.open(two.match)
    expect(watcher.bar).to_contain_text("You are watching.")
    expect(two.ann.page.locator("[data-watching='1']")).to_be_visible()
    two.begin()
    two.ann.wish("Resign")
    two.ann.page.locator("#resign").get_by_role("button", name="Resign").click()
    two.ben.result.get_by_role("button", name="Rematch").click()
    expect(two.ben.result).to_contain_text("You are in.")
    expect(two.ann.result).to_contain_text("Wants a rematch: Ben")
    two.ann.result.get_by_role("button", name="Agree to a rematch").click()
    another = re.compile(rf"/match/(?!{two.match.pk}/)\d+/")
    two.ann.page.wait_for_url(another)
    two.ben.page.wait_for_url(another)
    assert two.ann.match_id == two.ben.match_id
    two.ben.play()
    two.ann.my_turn()
    expect(watcher.result.get_by_role("link", name="Watch the rematch")).to_have_attribute("href", f"/match/{two.ann.match_id}/")


def test_a_move_planned_ahead_is_played_when_the_turn_comes(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    two.ben.bar.get_by_role("button", name="Move ahead").click()
    expect(two.ben.page.locator("[data-planning]")).to_be_visible()
    two.ben.take_one(2)
    expect(two.ben.page.locator("[data-planned]")).to_contain_text("Planned")
    assert two.fresh().ply == 3
    two.ann.take_one()
    two.ann.moved(3)
    two.ann.my_turn()
    assert [seat for _, seat, _ in two.ann.stored()] == [None, 0, 1, 0, 1]


def test_a_plan_that_became_impossible_is_dropped_softly(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    two.ben.bar.get_by_role("button", name="Move ahead").click()
    expect(two.ben.page.locator("[data-planning]")).to_be_visible()
    two.ben.take_one()
    expect(two.ben.page.locator("[data-planned]")).to_be_visible()
    two.ann.take_one()
    expect(two.ben.offers).to_contain_text("The planned move is no longer possible")
    two.ben.play()
    two.ann.my_turn()


def test_escape_drops_a_plan(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    two.ben.bar.get_by_role("button", name="Move ahead").click()
    expect(two.ben.page.locator("[data-planning]")).to_be_visible()
    two.ben.take_one(2)
    expect(two.ben.page.locator("[data-planned]")).to_be_visible()
    two.ben.page.keyboard.press("Escape")
    expect(two.ben.page.locator("[data-planned]")).to_have_count(0)
    two.ann.take_one()
    two.ben.my_turn()
    assert two.fresh().ply == 4


def test_a_match_goes_on_after_a_connection_was_lost_in_the_middle(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    two.ben.page.context.set_offline(True)
    expect(two.ben.page.locator("[data-link=offline]")).to_be_visible()
    two.ann.play()
    two.ben.page.context.set_offline(False)
    two.ben.play()
    two.ann.play()
    two.ben.my_turn()
    assert [seat for _, seat, _ in two.ann.stored()] == [None, 0, 1, 0, 1, 0]
    expect(two.ben.moves).to_have_count(6)


def test_whoever_left_is_shown_and_may_be_called_after_a_while(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    expect(two.ann.seats.locator("[data-seat='1'] .dot")).to_have_class(re.compile("dot-here"))
    two.ben.page.close()
    expect(two.ann.seats.locator("[data-seat='1'] .dot")).not_to_have_class(re.compile("dot-here"))
    expect(two.ann.offers).to_contain_text(re.compile(r"Ben\d+ is away\. You may call the time in 0:\d\d"))
    expect(two.ann.offers.get_by_role("button", name="Call the time")).to_have_count(0)


def test_a_move_is_shown_on_every_step_of_its_way(sit: Sit) -> None:
    two = sit(UNHURRIED)
    wire = Wire(two.ann.page)
    two.ann.page.reload()
    two.ann.live()
    two.ann.my_turn()
    wire.lost_out = {"move"}
    two.ann.take_one()
    expect(two.ann.page.locator("[data-delivery=sent]")).to_be_visible()
    assert two.fresh().ply == 1
    wire.lost_in = {"ack", "position"}
    wire.lost_out = set()
    expect(two.ann.page.locator("[data-delivery=received]")).to_be_visible()
    two.ben.my_turn()
    wire.lost_in = set()
    two.ann.moved(1)
    expect(two.ann.page.locator("[data-delivery]")).to_have_count(0)
    assert [seat for _, seat, _ in two.ann.stored()] == [None, 0]


def test_what_was_missed_is_played_back_and_can_be_skipped(sit: Sit) -> None:
    two = sit("3d", **LIVELY)
    two.begin()
    two.ann.page.goto("about:blank")
    address = two.ben.page.url
    missed = two.fresh().seats.get(number=0).seen_ply
    assert missed == 3
    two.ben.page.goto("about:blank")
    two.ann.open(two.match)
    two.ann.play()
    two.ben.page.goto(address, timeout=PATIENCE)
    expect(two.ben.bar).to_contain_text("Since your last visit")
    two.ben.bar.get_by_role("button", name="Skip").click()
    two.ben.my_turn()
    expect(two.ben.bar).to_contain_text("Your turn")


def test_whoever_comes_late_sits_down_in_the_seat_of_a_bot(live_site: LiveSite, browse: Callable[[User | None], Player]) -> None:
    host = User.objects.create_user(f"Host{User.objects.count()}", password=None)
    plan: list[SeatPlan] = [Person(host), *(BotSeat("beginner") for _ in range(3))]
    match = start_match("blokus", "classic-4", seats=plan, control=TimeControl.parse(UNHURRIED), open_seats=True, now=timezone.now())
    watcher = browse(None)
    watcher.open(match)
    expect(watcher.bar).to_contain_text("You are watching.")
    watcher.offers.get_by_role("button", name="Sit down here").last.click()
    expect(watcher.seats.locator(".seat-you")).to_have_attribute("data-seat", "3")
    watcher.live()
    assert match.seats.get(number=3).level == ""
