"""The replay page, and records going in and out."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games import registry
from games.kit.chance import KeyedSource
from matches import payloads
from matches.models import Match
from matches.replay import position_of
from matches.services import Person, play_move, resign, start_match

PLIES, MOVES = 12, 24


@pytest.fixture
def match(live_site) -> Match:
    """A running match of two people, twelve plies old."""
    people = [User.objects.create_user(f"{name}-{timezone.now().timestamp()}") for name in ("ann", "ben")]
    match = start_match("blokus", "duo-2", seats=[Person(user) for user in people], now=timezone.now())
    rules = registry.get("blokus")
    state = rules.start("duo-2")
    for ply in range(PLIES):
        legal = list(state.legal_moves())
        move = legal[KeyedSource(b"replay", str(ply)).below(len(legal))]
        play_move(match.pk, state.to_move, str(move), ply=ply, now=timezone.now())
        state = state.play(move)
    return Match.objects.get(pk=match.pk)


def at(page: Page, ply: int) -> None:
    """The page shows this ply everywhere."""
    line = page.locator("[data-part=where]")
    expect(line).to_have_text(re.compile(rf"^Ply {ply} of" if ply else "^Start$"))
    expect(page.locator(".bk-layer-pieces .bk-piece")).to_have_count(ply)
    expect(page).to_have_url(re.compile(rf"\?ply={ply}$"))
    if ply:
        expect(page.locator(".move[aria-current]")).to_have_text(re.compile(rf"^\s*{ply}\D"))


def test_a_match_is_stepped_through_by_buttons_keys_and_slider(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/?ply=7")
    at(page, 7)
    page.locator("[data-act=forward]").click()
    at(page, 8)
    page.locator("[data-act=back]").click()
    page.locator("[data-act=back]").click()
    at(page, 6)
    page.locator("[data-act=first]").click()
    at(page, 0)
    expect(page.locator("[data-act=back]")).to_be_disabled()
    page.locator("[data-act=last]").click()
    at(page, PLIES)
    page.keyboard.press("ArrowLeft")
    at(page, PLIES - 1)
    page.keyboard.press("Home")
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("End")
    at(page, PLIES)
    page.locator("[data-part=slider]").fill("5")
    at(page, 5)
    page.locator(".move").nth(2).click()
    at(page, 3)
    page.reload()
    at(page, 3)


def test_a_link_to_a_ply_is_copied(live_site, page: Page, match: Match) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{live_site.url}/match/{match.pk}/replay/")
    page.locator(".move").nth(3).click()
    page.get_by_role("button", name="Copy a link to this ply").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    at(page, 4)


def test_a_replay_plays_by_itself_and_stops_at_the_end(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/?ply=0")
    page.locator("[data-part=speed]").select_option("8")
    page.locator("[data-act=play]").click()
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "true")
    at(page, PLIES)
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-act=play]").click()
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "false")


def test_the_replay_follows_a_running_match(live_site, page: Page, match: Match) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/")
    at_end = page.locator("[data-part=where]")
    expect(at_end).to_have_text(re.compile(f"^Ply {PLIES} of {PLIES}"))
    state = registry.get("blokus").start("duo-2")
    for text in match.moves.values_list("text", flat=True):
        state = state.play(registry.get("blokus").parse_move(text))
    move = next(iter(state.legal_moves()))
    with page.expect_response(re.compile("/replay.json")):
        play_move(match.pk, state.to_move, str(move), ply=PLIES, now=timezone.now())
    expect(at_end).to_have_text(re.compile(f"^Ply {PLIES + 1} of {PLIES + 1}"))


def test_a_record_goes_out_and_comes_back(live_site, page: Page, match: Match, tmp_path: Path) -> None:
    page.goto(f"{live_site.url}/match/{match.pk}/replay/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    file = tmp_path / "record.json"
    download.value.save_as(file)
    page.goto(f"{live_site.url}/import/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Only look").click()
    expect(page.locator("[data-part=where]")).to_have_text("Start")
    page.keyboard.press("End")
    expect(page.locator(".bk-layer-pieces .bk-piece")).to_have_count(PLIES)


# --- A finished match, in which something is hidden


@pytest.fixture
def finished(live_site) -> Match:
    """A match of a game with racks, given up by the second seat; its moves came half a second apart."""
    people = [User.objects.create_user(f"{name}-{timezone.now().timestamp()}") for name in ("cleo", "dan")]
    begun = timezone.now() - timedelta(hours=1)
    match = start_match("blockers", "double-2", seats=[Person(user) for user in people], now=begun, secret=b"replay" + bytes(26))
    for number in range(MOVES):
        match = Match.objects.get(pk=match.pk)
        legal = position_of(match).state.legal_moves()
        move = legal[KeyedSource(b"replay", str(number)).below(len(legal))]
        play_move(match.pk, match.to_move, str(move), ply=match.ply, now=begun + timedelta(seconds=number / 2))
    resign(match.pk, 1, now=begun + timedelta(hours=1))
    return Match.objects.get(pk=match.pk)


def opened(page: Page, live_site, match: Match, ply: int = 0) -> list[str]:
    """Opens the replay; the addresses of what is asked for from now on are added to the list."""
    asked: list[str] = []
    # When the address changes, the browser looks at the icon that it keeps of the site; no page asks for that.
    page.on("request", lambda request: None if "favicon" in request.url else asked.append(request.url))
    page.goto(f"{live_site.url}/match/{match.pk}/replay/?ply={ply}")
    shows(page, ply)
    return asked


def shows(page: Page, ply: int) -> None:
    expect(page.locator("#replay-page")).to_have_attribute("data-ply", str(ply))


def test_a_replay_is_asked_for_once_and_stepping_asks_for_nothing(live_site, page: Page, finished: Match) -> None:
    asked = opened(page, live_site, finished)
    page.wait_for_load_state("networkidle")
    assert sum("/replay.json" in url for url in asked) == 1
    asked.clear()
    for ply in range(1, finished.ply + 1):
        page.keyboard.press("ArrowRight")
        assert page.locator("#replay-page").get_attribute("data-ply") == str(ply)
    page.keyboard.press("Home")
    shows(page, 0)
    assert asked == []
    spread = page.evaluate(
        "async () => (await (await import(document.querySelector('script[src*=\"replay/main\"]').src.replace(/main[^/]*$/, "
        "performance.getEntriesByType('resource').map(one => one.name).find(name => /replay\\/data/.test(name)).split('/').pop())))"
        ".load(document.getElementById('replay-page').dataset.source)).positions"
    )
    assert spread == json.loads(json.dumps(payloads.replay_for(finished, None)["positions"]))


def test_with_the_eyes_of_a_seat_the_racks_of_the_other_are_hidden(live_site, page: Page, finished: Match) -> None:
    asked = opened(page, live_site, finished, 20)
    racks, points = page.locator(".bl-backs"), page.get_by_label("Seen by")
    hidden = re.compile(r"tiles? on the rack$")
    expect(racks.first).to_be_visible()
    assert not any(hidden.search(label) for label in racks.evaluate_all("all => all.map(one => one.ariaLabel)"))
    asked.clear()
    points.select_option("1")
    expect(page).to_have_url(re.compile("seat=1"))
    expect(racks.first).to_have_attribute("aria-label", hidden)
    assert [bool(hidden.search(label)) for label in racks.evaluate_all("all => all.map(one => one.ariaLabel)")] == [
        True,
        True,
        False,
        False,
    ]
    points.select_option("")
    expect(racks.first).not_to_have_attribute("aria-label", hidden)
    points.select_option("1")
    expect(racks.first).to_have_attribute("aria-label", hidden)
    assert len(asked) == 1


def test_events_and_graphs_lead_to_their_ply(live_site, page: Page, finished: Match) -> None:
    opened(page, live_site, finished)
    events = payloads.replay_for(finished, None)["events"]
    plies = [ply for ply, told in enumerate(events, 1) if told]
    for ply in plies[:2]:
        page.keyboard.press("Shift+ArrowRight")
        shows(page, ply)
    expect(page.locator("[data-part=where]")).to_contain_text(events[plies[1] - 1][0]["text"])
    page.keyboard.press("Shift+ArrowLeft")
    shows(page, plies[0])
    page.locator("[data-part=told] a").last.click()
    shows(page, plies[-1])
    plot = page.locator(".graph-area svg").first.bounding_box()
    assert plot
    page.locator(".graph-area").first.scroll_into_view_if_needed()
    page.locator(".graph-area svg").first.click(position={"x": plot["width"] / 2, "y": 20})
    shows(page, round(finished.ply / 2))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_other_parts_of_the_page_draw_graphs_and_marks_and_go_to_a_ply(live_site, page: Page, finished: Match) -> None:
    opened(page, live_site, finished)
    page.evaluate(
        """count => {
          const tell = (type, detail) => document.getElementById("replay-page").dispatchEvent(new CustomEvent(type, { detail }));
          tell("replay:values", { label: "Chances", series: [{ name: "Cleo", y: Array(count).fill(0.5) }] });
          tell("replay:marks", { source: "test", marks: [{ ply: 9, kind: "mistake", text: "Better was elsewhere" }] });
          tell("replay:go", { ply: 9 });
        }""",
        finished.ply + 1,
    )
    shows(page, 9)
    expect(page.locator("[data-part=where]")).to_contain_text("Better was elsewhere")
    expect(page.locator(".replay-graph figcaption", has_text="Chances")).to_be_visible()
    expect(page.locator(".replay-mark.is-added[data-kind=mistake]")).to_be_attached()


def test_a_replay_plays_at_the_pace_of_its_players(live_site, page: Page, finished: Match) -> None:
    opened(page, live_site, finished, finished.ply - 3)
    page.locator("[data-part=speed]").select_option("real-4")
    page.locator("[data-act=play]").click()
    shows(page, finished.ply)
    expect(page.locator("[data-act=play]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".move-bar").first).to_be_attached()


def test_a_swipe_over_the_board_steps_and_the_bar_stays_in_reach(live_site, finger: Page, finished: Match) -> None:
    opened(finger, live_site, finished, 5)
    hand = finger.context.new_cdp_session(finger)
    middle = finger.locator(".board-table").bounding_box()
    assert middle
    y = middle["y"] + 120

    def swipe(start: int, end: int) -> None:
        for kind, x in (("touchStart", start), ("touchMove", (start + end) // 2), ("touchMove", end), ("touchEnd", None)):
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if x is None else [{"x": x, "y": y}]})

    swipe(300, 120)
    shows(finger, 6)
    swipe(120, 300)
    shows(finger, 5)
    finger.locator("[data-part=course]").scroll_into_view_if_needed()
    expect(finger.locator("[data-act=forward]")).to_be_in_viewport()
    assert finger.evaluate("document.documentElement.scrollWidth") == 390
