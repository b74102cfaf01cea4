"""People at the board: their pictures, the way to their pages, and the mark of one's own note."""

from __future__ import annotations

from django.utils import timezone
from playwright.sync_api import expect

from accounts import mosaic
from accounts.models import PrivateNote
from tests.e2e.test_live import UNHURRIED, Sit, browse, expected_errors, sit

__all__ = ["browse", "expected_errors", "sit"]


def test_a_seat_shows_its_person_and_marks_a_note_for_its_author_alone(sit: Sit) -> None:
    two = sit(UNHURRIED)
    ann, ben = (seat.user for seat in two.match.seats.order_by("number"))
    PrivateNote.objects.create(user=ann, other=ben, text="plays fast", updated_at=timezone.now())
    two.ann.page.reload()
    two.ann.live()
    seat = two.ann.seats.locator("[data-seat='1']")
    expect(seat.locator("img.avatar")).to_have_attribute("src", f"/avatar/{mosaic.default(ben.pk)}.svg")
    expect(seat.get_by_role("img", name="you noted something")).to_be_visible()
    expect(two.ben.seats.get_by_role("img", name="you noted something")).to_have_count(0)
    seat.get_by_role("link", name=ben.username).click()
    expect(two.ann.page.get_by_role("heading", level=1)).to_have_text(ben.username)
    expect(two.ann.page.get_by_label("Your note")).to_have_value("plays fast")
