"""From a line of the live chat to the moderators, in a real browser."""

from __future__ import annotations

from uuid import uuid4

from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from care.models import Report
from matches import chat
from matches.services import Person, start_match
from tests.conftest import LiveSite
from tests.e2e.conftest import Lend
from tests.e2e.people import PATIENCE, session_cookie


def test_a_line_of_the_live_chat_is_reported_with_the_keyboard_alone(live_site: LiveSite, lend: Lend) -> None:
    ann, bob = (User.objects.create_user(f"{name}{uuid4().hex[:8]}") for name in ("ann", "bob"))
    match = start_match("nibble", "square-9", seats=[Person(ann), Person(bob)], now=timezone.now())
    line, _ = chat.say(match.pk, bob, room=chat.PLAYERS, text="you fool", client_id=uuid4(), now=timezone.now())
    context = lend()
    context.add_cookies([session_cookie(ann, live_site.url)])
    page = context.new_page()
    page.goto(f"{live_site.url}/match/{match.pk}/", timeout=PATIENCE)
    page.locator("[data-tab=players]").press("Enter")
    flag = page.locator(f"a[href$='/chat/{line.pk}/report/']")
    expect(flag).to_have_accessible_name(f"Report this line by {bob.username}")
    flag.press("Enter")
    expect(page.locator("blockquote")).to_contain_text("you fool")
    page.get_by_role("button", name="Send the report").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")
    assert Report.objects.get(line=line).reporter == ann
