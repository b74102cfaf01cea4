"""What a device does to a live match: a link that dies without a word, and a clock on the wall that jumps."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.test_live import UNHURRIED, Player, Sit, Two, Wire, browse, sit

__all__ = ["browse", "sit"]

FROM_SERVER = {"position", "beat", "received", "ack", "refused", "presence", "chat", "why"}
TO_SERVER = {"beat", "echo", "move", "seen", "flag"}
JUMP = """
  skew => {
    const Real = window.Real ??= Date;
    window.Date = class extends Real {
      constructor(...parts) { if (parts.length) super(...parts); else super(Real.now() + skew); }
      static now() { return Real.now() + skew; }
    };
    return Date.now();
  }
"""


@pytest.fixture
def expected_errors() -> tuple[str, ...]:
    """What a browser logs when it gives up a socket."""
    return ("WebSocket connection to",)


def test_a_link_that_leads_nowhere_is_noticed_and_the_match_goes_on(sit: Sit) -> None:
    two = sit(UNHURRIED)
    wire = Wire(two.ben.page)
    two.ben.page.reload()
    two.ben.live()
    two.begin()
    wire.lost_in, wire.lost_out = FROM_SERVER, TO_SERVER
    # No end comes: only the silence tells. It is said, and the board is not shown as if all were well.
    expect(two.ben.page.locator("[data-link=offline]")).to_be_visible()
    two.ann.play()
    wire.lost_in, wire.lost_out = set(), set()
    two.ben.play()
    two.ann.my_turn()
    assert [seat for _, seat, _ in two.ann.stored()] == [None, 0, 1, 0, 1]


def drift(two: Two, player: Player) -> float:
    """By how many seconds the running clock of a page differs from what the server has."""
    stored = two.fresh()
    assert stored.since is not None
    gone = (timezone.now() - stored.since).total_seconds()
    return abs(player.clock(0) - (stored.clock["left"][0] / 1000 - gone))


def test_a_clock_on_the_wall_that_jumps_by_hours_moves_no_clock_of_the_match(sit: Sit) -> None:
    two = sit(UNHURRIED)
    two.begin()
    expect(two.ann.page.locator("[data-clock='0'].is-running")).to_be_visible()
    assert drift(two, two.ann) < 2
    for jump in (7_200_000, -7_200_000):  # their devices are an hour fast already
        for player in (two.ann, two.ben):
            now = player.page.evaluate(JUMP, jump)
            assert abs(now / 1000 - timezone.now().timestamp()) > 3500
            before = player.clock(0)
            expect(player.page.locator("[data-clock='0']")).not_to_have_text(re.compile(f"^{clock_text(before)}$"))
            assert drift(two, player) < 2
    two.ann.play()
    two.ben.my_turn()


def clock_text(seconds: float) -> str:
    """As a page shows it from ten seconds on."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
