"""What people should not do, tried on the real pages: each gets a sentence that says what is wrong, and nothing else happens.

Elsewhere: a board in two tabs, of which one is late, in `test_play`; a link whose match has begun without one, and a name
that nobody has, in `test_lobby`; twelve who move at once in `tests/platform/test_at_once`; fifty who sit down at once in
`tests/lobby/test_races`; what is no frame at all in `tests/live/test_links`.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from lobby.checks import MOST_OPEN, MOST_POSTED
from lobby.models import Seek
from matches.clock import TimeControl
from matches.models import Match, Move
from matches.services import Person, start_match
from tests.e2e.people import PATIENCE, People, Somebody, advice, to_move

FORGE = """([address, fields]) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: address });
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    for (const [name, value] of Object.entries({ ...fields, csrfmiddlewaretoken: token })) {
        form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(form);
    form.submit();
}"""
FLOOD = """async ([address, fields, times]) => {
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    const headers = { Accept: "application/json", "X-CSRFToken": token };
    const send = async () => (await (await fetch(address, { method: "POST", headers, body: new URLSearchParams(fields) })).json()).message;
    const said = new Set();
    for (let sent = 0; sent < times; sent += 8) {
        for (const message of await Promise.all(Array.from({ length: Math.min(8, times - sent) }, send))) said.add(message);
    }
    return [...said];
}"""
TABLE = {"table": "blokus:duo-2", "control": "3d", "who": "open", "rated": "casual"}
AN_INTENT = "7a1c6f0e-53d7-4f6e-9a55-0d8c1f2b3a4d"
FLOODED = 48
"""Forms that are sent without a pause; ten thousand would be refused in the same way, and take minutes."""


@pytest.fixture
def trio(people: People) -> tuple[Match, Somebody, Somebody, Somebody]:
    """A match of Nibble over days, who is to move in it, the other one, and somebody with no seat."""
    ann, ben, eve = people(3)
    plan = [Person(ann.user), Person(ben.user)]
    match = start_match("nibble", "square-9", seats=plan, control=TimeControl.parse("3d"), now=timezone.now())
    ann.seat, ben.seat = 0, 1
    mover = to_move(match, [ann, ben])
    assert mover
    return match, mover, ben if mover is ann else ann, eve


def says(page: Page, words: str) -> None:
    """The page shows that sentence as something that went wrong."""
    expect(page.locator(".notice-error").first).to_contain_text(words)


def to_page(page: Page, somebody: Somebody, path: str) -> Page:
    page.goto(somebody.url + path, timeout=PATIENCE)
    return page


def choose_in_form(page: Page, move: str) -> None:
    page.locator("#plain-move").select_option(move)


def open_table(somebody: Somebody, **choices: str) -> None:
    """Fill in the form for a new table without scripts, and send it."""
    page = to_page(somebody.plain, somebody, "/lobby/")
    page.locator("#create > summary").click()
    for name, value in {**TABLE, **choices}.items():
        fields = page.locator(f"[data-create] [name={name}]")
        if fields.first.get_attribute("type") == "radio":
            page.locator(f"[data-create] [name={name}][value={value}]").check(force=True)
        elif name == "message":
            page.locator(".create-more > summary").click()
            fields.fill(value)
        elif fields.evaluate("field => field.localName") == "select":
            fields.select_option(value)
        else:
            fields.fill(value)
    page.get_by_role("button", name="Open the table").click()


def test_pressing_the_button_twice_moves_once(trio) -> None:
    match, mover, _, _ = trio
    page = to_page(mover.plain, mover, f"/match/{match.pk}/")
    choose_in_form(page, advice(match))
    page.get_by_role("button", name="Play", exact=True).dblclick()
    expect(page.locator(".notice-success").first).to_contain_text("Your move is played.")
    assert Move.objects.filter(match=match, seat=mover.seat).count() == 1


def test_the_second_of_two_tabs_is_told_that_the_position_has_changed(trio) -> None:
    match, mover, _, _ = trio
    tabs = [to_page(page, mover, f"/match/{match.pk}/") for page in (mover.plain, mover.plain.context.new_page())]
    first, second = tabs[0].locator("#plain-move option").evaluate_all("options => options.slice(1, 3).map(option => option.value)")
    for page, move in zip(tabs, (first, second), strict=True):
        choose_in_form(page, move)
    tabs[0].get_by_role("button", name="Play", exact=True).click()
    expect(tabs[0].locator(".notice-success").first).to_contain_text("Your move is played.")
    tabs[1].get_by_role("button", name="Play", exact=True).click()
    says(tabs[1], "The position has changed since you chose this move.")
    assert list(Move.objects.filter(match=match, seat=mover.seat).values_list("text", flat=True)) == [first]


@pytest.mark.parametrize(("who", "sentence"), [("other", "It is not your turn."), ("stranger", "You have no seat in this match.")])
def test_nobody_moves_for_another_by_a_form_of_their_own_making(trio, who: str, sentence: str) -> None:
    match, _, other, eve = trio
    intruder = {"other": other, "stranger": eve}[who]
    page = to_page(intruder.page, intruder, f"/match/{match.pk}/")
    ply = Match.objects.get(pk=match.pk).ply
    page.evaluate(FORGE, [f"/match/{match.pk}/play/", {"typed": advice(match), "ply": str(ply), "id": AN_INTENT}])
    says(page, sentence)
    assert Match.objects.get(pk=match.pk).ply == ply


def test_who_comes_too_late_to_a_full_table_is_told_so_kindly(people: People) -> None:
    host, quick, slow = people(3)
    open_table(host, message=f"full soon, says {host.name}")
    rows = [to_page(one.plain, one, "/lobby/").locator(".table-row", has_text=host.name) for one in (quick, slow)]
    for row in rows:
        expect(row).to_be_visible()
    rows[0].get_by_role("button", name="Sit down").click()
    quick.plain.wait_for_url("**/match/*/")
    rows[1].get_by_role("button", name="Sit down").click()
    says(slow.plain, "Somebody was a little faster: this table is full. Take another one, or open your own.")


def test_a_link_that_has_expired_says_what_to_do(people: People) -> None:
    host, late = people(2)
    open_table(host, who="link")
    host.plain.wait_for_url("**/table/*/")
    path = host.plain.url.removeprefix(host.url)
    page = to_page(late.plain, late, path)
    sit_down = page.get_by_role("button", name="Sit down")
    expect(sit_down).to_be_visible()
    seek = Seek.objects.get(host=host.user)
    Seek.objects.filter(pk=seek.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    sit_down.click()
    says(page, "This invitation has expired. Ask for a new one, or open a table of your own.")
    expect(page.get_by_role("button", name="Sit down")).to_have_count(0)
    assert not Match.objects.filter(seats__user=late.user).exists()


def test_who_was_blocked_can_neither_challenge_nor_sit_down(people: People) -> None:
    host, unwanted = people(2)
    open_table(host)
    row = to_page(unwanted.plain, unwanted, "/lobby/").locator(".table-row", has_text=host.name)
    expect(row).to_be_visible()
    page = to_page(host.page, host, f"/people/{unwanted.name}/")
    page.locator(".profile-more > summary").click()
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.locator(".notice-success")).to_contain_text("no longer meet")
    row.get_by_role("button", name="Sit down").click()
    refused = "You and this player do not play with each other."
    says(unwanted.plain, refused)
    page = to_page(unwanted.page, unwanted, f"/people/{host.name}/")
    page.get_by_role("link", name="Challenge", exact=True).click()
    page.get_by_role("button", name="Challenge", exact=True).click()
    says(page, refused)
    assert not Match.objects.filter(seats__user=unwanted.user).exists()


def test_nobody_can_challenge_themselves(people: People) -> None:
    (ann,) = people(1)
    page = to_page(ann.page, ann, "/lobby/")
    page.locator("#create > summary").click()
    page.locator("[name=who][value=people]").check(force=True)
    page.locator("#create-names").fill(ann.name.upper())
    page.get_by_role("button", name="Open the table").click()
    says(page, "You cannot challenge yourself. Name somebody else.")
    page = to_page(ann.page, ann, f"/people/{ann.name}/")
    expect(page.get_by_role("button", name=re.compile("Challenge|Block"))).to_have_count(0)
    expect(page.get_by_role("link", name="Challenge", exact=True)).to_have_count(0)


def test_nobody_fills_the_lobby_with_tables(people: People) -> None:
    (ann,) = people(1)
    page = to_page(ann.page, ann, "/lobby/")
    said = page.evaluate(FLOOD, ["/lobby/post/", TABLE, FLOODED])
    own = Seek.objects.filter(host=ann.user)
    assert (own.count(), said[-1]) == (MOST_OPEN, f"You have {MOST_OPEN} open tables. Close one of them first.")
    assert set(said) == {"", said[-1]}
    open_table(ann)
    says(ann.plain, said[-1])
    # Closing them all makes room for as many as one may open within minutes, however often that is repeated.
    for _ in range(MOST_POSTED // MOST_OPEN + 1):
        for seek in own.filter(status=Seek.Status.OPEN):
            page.evaluate(FLOOD, [f"/table/{seek.token}/cancel/", {}, 1])
        page.evaluate(FLOOD, ["/lobby/post/", TABLE, MOST_OPEN])
    assert own.count() == MOST_POSTED
    open_table(ann)
    says(ann.plain, f"You opened {MOST_POSTED} tables in a short time. Wait a few minutes.")
