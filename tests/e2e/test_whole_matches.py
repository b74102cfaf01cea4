"""Whole matches of every game between people, each in a browser of their own: live and over days, by two and by four.

They meet through the pages, begin on the boards, where somebody loses the network, plays on in a second tab, resigns, or
runs out of time, for which the clock is moved by hand, and play to the end there. At the end all pages say what is stored,
and the record passes its check. One match is played whole so. The middle of the others is played through the match
service, unless `CHAOS_SCALE=1` is set; each game is played whole in one browser in its own file. What is refused on the
way is in `test_bad_use`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from tests.e2e.conftest import LIVELY, Table
from tests.e2e.people import (
    PATIENCE,
    TABLES,
    People,
    Somebody,
    act,
    check_end,
    check_live_clocks,
    check_record,
    days_charged,
    meet_by_challenge,
    meet_in_lobby,
    play_ahead,
    play_from_form,
    time_passes,
    to_move,
)

LIVE, DAYS = "5m+10s", "3d"
MOST_TURNS = 250
"""No match of two or four is as long."""
VISITS = 4
"""Visits in which two matches over days are played from one to the next; then one is forgotten, and the other played on without scripts."""
SCALED = bool(os.environ.get("CHAOS_SCALE"))
WHOLE = "blokus"
"""The game that two browsers play from the first to the last move."""
LAST, LAST_OF_FOUR, LAST_OVER_DAYS = 12, 40, 6
"""Moves, about, that are left to the browsers after the middle of a match."""
TWO = [("azul", "coloured-2"), ("blockers", "basic-2"), ("blokus", "duo-2"), ("nibble", "square-9")]
OVER_DAYS = TWO if SCALED else [pair for pair in TWO if pair[0] in ("blockers", "blokus")]
"""Matches over days: in the usual run one with hidden racks and one without; `tests/platform/test_plain.py` plays all without scripts."""
FOUR = ["blokus:classic-4", *(["blockers:basic-4", "azul:coloured-4"] if SCALED else [])]
"""Tables for four. One of them in the usual run, since four browsers take their time; all with `CHAOS_SCALE=1`."""
Event = Callable[[Somebody, Somebody], None]


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """What a browser logs when there is no network."""
    return ("ERR_INTERNET_DISCONNECTED", "WebSocket connection to")


# --- What happens in the middle of a live match, to the one who is to move and to another


def miss_a_move(mover: Somebody, other: Somebody) -> None:
    """The other has no network while a move is played, and sees it afterwards."""
    other.go_offline()
    before = other.table.count()
    mover.turn()
    assert other.table.count() == before
    other.come_back()
    other.table.moved(before)


def move_without_network(mover: Somebody, other: Somebody) -> None:
    """The move is chosen while there is no network; it goes out by itself when there is one again."""
    assert mover.table.turn_or_end()
    mover.go_offline()
    before = mover.table.count()
    act(mover.table)
    expect(mover.page.locator("[data-delivery=waiting]")).to_be_visible()
    assert other.table.count() == before
    mover.come_back()
    mover.table.moved(before)
    other.table.moved(before)


def move_in_another_tab(mover: Somebody, other: Somebody) -> None:
    """The move is made in a second tab; the first one follows."""
    before = mover.table.count()
    mover.turn(mover.another_tab())
    mover.table.moved(before)
    other.table.moved(before)


def play_on(match: Match, people: list[Somebody], events: dict[int, Event] | None = None, turns: int = MOST_TURNS) -> int:
    """Let the people move in turn on their boards, to the end or for so many turns; before a turn of that number things happen instead."""
    for number in range(turns):
        mover = await_mover(match, people)
        if mover is None:
            return number
        event = (events or {}).get(number)
        if event is None:
            mover.turn()
        else:
            event(mover, next(one for one in people if one is not mover))
    return turns


def skip_middle(match: Match, people: list[Somebody], left: int) -> None:
    """Play on to about the last moves, and wait until all pages show that."""
    if SCALED:
        return
    play_ahead(match, left)
    match.refresh_from_db()
    for somebody in people:
        for table in somebody.tables:
            expect(table.page.locator("#match")).to_have_attribute("data-ply", str(match.ply))


def await_mover(match: Match, people: list[Somebody]) -> Somebody | None:
    """Whose turn it is, after the site's own seats have moved; `None` at the end."""
    mover = to_move(match, people)
    while mover is None and Match.objects.get(pk=match.pk).running:
        tables = [somebody.table for somebody in people]
        # The page of anybody who still plays shows the turn of one of them, or the end, as soon as it has come.
        before = tables[0].count()
        mover = to_move(match, people)
        if mover is None and Match.objects.get(pk=match.pk).running:
            tables[0].moved(before)
    return mover


def check_all(match: Match, people: list[Somebody], folder: Path) -> Match:
    """Every page shows the end that is stored, and the record is sound."""
    stored = check_end(match, [table for somebody in people for table in somebody.tables])
    check_record(stored, people[0].page, folder)
    return stored


@pytest.mark.parametrize(("game", "variant"), TWO)
def test_two_play_a_whole_live_match(people: People, tmp_path: Path, game: str, variant: str) -> None:
    ann, ben = people(1, **LIVELY) + people(1)
    if game in ("azul", "nibble"):
        match = meet_in_lobby([ann, ben], f"{game}:{variant}", LIVE)
    else:
        match = meet_by_challenge(ann, ben, f"{game}:{variant}", LIVE)
    play_on(match, [ann, ben], {2: move_in_another_tab, 4: miss_a_move, 6: move_without_network}, turns=8)
    if game != WHOLE:
        skip_middle(match, [ann, ben], LAST)
    assert 4 < play_on(match, [ann, ben]) < MOST_TURNS
    stored = check_all(match, [ann, ben], tmp_path)
    assert stored.termination == Match.Termination.COMPLETE
    check_live_clocks(stored)


# --- Four


@pytest.mark.parametrize("table", FOUR)
def test_four_meet_one_resigns_one_runs_out_of_time_and_two_play_to_the_end(people: People, tmp_path: Path, table: str) -> None:
    four = people(4)
    match = meet_in_lobby(four, table, LIVE)
    play_on(match, four, turns=5)
    skip_middle(match, four, LAST_OF_FOUR)
    gives_up, *three = four
    gives_up.table.wish("Resign")
    gives_up.page.locator("#resign").get_by_role("button", name="Resign").click()
    for somebody in three:
        expect(somebody.page.locator(f".seat-left[data-seat='{gives_up.seat}']")).to_be_visible()
    play_on(match, three, turns=4)
    slow = await_mover(match, three)
    assert slow
    time_passes(match, minutes=30)
    stay = [somebody for somebody in three if somebody is not slow]
    for somebody in stay:
        expect(somebody.page.locator(f".seat-left[data-seat='{slow.seat}']")).to_contain_text("out of time, a bot plays on")
    expect(slow.page.locator(f".seat[data-seat='{slow.seat}']")).to_contain_text("you left, a bot plays on")
    assert play_on(match, stay, {2: miss_a_move}) > 4
    stored = check_all(match, four, tmp_path)
    ranks = stored.ranks
    assert stored.termination == Match.Termination.COMPLETE
    assert (ranks[gives_up.seat], ranks[slow.seat]) == (4, 3)
    assert {ranks[somebody.seat] for somebody in stay} <= {1, 2}


# --- Over days


def visit_with_board(somebody: Somebody, game: str) -> None:
    """Come by and play every match that waits on its board, from one to the next."""
    page = somebody.page
    page.goto(f"{somebody.url}/", timeout=PATIENCE)
    page.get_by_role("link", name="Go on playing").click()
    onward = page.locator("[data-part=bar] [data-next]")
    while True:
        table: Table = TABLES[game](page, somebody.url)
        table.live()
        somebody.turn(table)
        if not onward.count():
            return
        here = page.url
        onward.click()
        page.wait_for_url(lambda url, here=here: "/match/" in url and url != here)


def visit_without_scripts(somebody: Somebody) -> None:
    """The same without scripts."""
    page = somebody.plain
    page.goto(f"{somebody.url}/", timeout=PATIENCE)
    page.get_by_role("link", name="Go on playing").click()
    while play_from_form(page, match_at(page)):
        pass


def match_at(page: Page) -> Match:
    return Match.objects.get(pk=int(page.url.rstrip("/").rsplit("/", 1)[1]))


@pytest.mark.parametrize(("game", "variant"), OVER_DAYS)
def test_two_play_over_days_one_of_them_without_scripts(people: People, tmp_path: Path, game: str, variant: str) -> None:
    ann, ben = people(2)
    forgotten, match = (meet_by_challenge(ann, ben, f"{game}:{variant}", DAYS) for _ in range(2))
    days = 0
    for visit in range(MOST_TURNS):
        if visit == VISITS:
            let_time_run_out(forgotten, ann, ben)
            skip_middle(match, [], LAST_OVER_DAYS)
        mover = to_move(match, [ann, ben])
        if mover is None:
            break
        time_passes(match, days=1 + visit % 2)
        days += 1 + visit % 2
        if visit >= VISITS:
            mover.turn_without_scripts(match)
        elif mover is ann:
            visit_with_board(ann, game)
        else:
            visit_without_scripts(ben)
    assert VISITS < visit < MOST_TURNS
    assert days <= days_charged(match) < days + 1
    for somebody in (ann, ben):
        open_again(somebody, match)
    stored = check_all(match, [ann, ben], tmp_path)
    assert stored.termination == Match.Termination.COMPLETE


def let_time_run_out(match: Match, *people: Somebody) -> None:
    """Three days and more pass without a move; the site itself ends the match, before the eyes of both."""
    for somebody in people:
        open_again(somebody, match)
    slow = to_move(match, people)
    assert slow
    time_passes(match, days=2.5)
    slow.plain.goto(f"{slow.url}/match/{match.pk}/", timeout=PATIENCE)
    expect(slow.plain.locator(".seat-turn .chip")).to_contain_text("h")
    time_passes(match, days=1)
    for somebody in people:
        expect(somebody.table.result).to_contain_text(f"{slow.name} ran out of time.")
    stored = check_end(match, [somebody.table for somebody in people])
    assert (stored.termination, stored.ranks[slow.seat]) == (Match.Termination.TIMEOUT, 2)


def open_again(somebody: Somebody, match: Match) -> None:
    """Go to a match's page with the board."""
    somebody.page.goto(f"{somebody.url}/match/{match.pk}/", timeout=PATIENCE)
    assert somebody.at_match() == match
