"""Vacations are earned by and by, spent as they are used, and hold up exactly the clocks of who is away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from matches import payloads, vacations
from matches.clock import TimeControl
from matches.errors import NotNow
from matches.models import Event, Vacation
from matches.services import flag, play_move, resign
from tests.platform.conftest import NOW, legal, now_at

DAY = timedelta(days=1)
THREE_DAYS = TimeControl.parse("3d")


@pytest.fixture
def alice(cast):
    alice = cast.alice
    alice.date_joined = NOW
    alice.save()
    return alice


@pytest.fixture
def duel(alice, cast, table):
    """alice is to move within three days."""
    return table("cards-2", alice, cast.bob, control=THREE_DAYS)


@pytest.fixture
def it_is(monkeypatch):
    """`it_is(moment)` sets the site's clock."""
    return lambda moment: monkeypatch.setattr(timezone, "now", lambda: moment)


def test_everybody_starts_with_four_days_and_earns_one_in_twelve_up_to_thirty(alice):
    held = {days: vacations.balance(alice, NOW + days * DAY) for days in (0, 12, 18, 12 * 26, 12 * 26 + 1, 9999)}
    assert held == {0: 4 * DAY, 12: 5 * DAY, 18: 5.5 * DAY, 12 * 26: 30 * DAY, 12 * 26 + 1: 30 * DAY, 9999: 30 * DAY}


def test_who_joined_before_this_was_kept_has_earned_all_the_same(alice):
    alice.date_joined = NOW - 24 * DAY
    assert vacations.balance(alice, NOW) == 6 * DAY


def test_days_are_spent_only_as_they_are_used_and_none_is_earned_meanwhile(alice):
    vacations.take(alice, NOW + 4 * DAY, now=NOW)
    assert vacations.balance(alice, NOW) == 4 * DAY
    assert vacations.balance(alice, NOW + DAY) == 3 * DAY
    assert vacations.balance(alice, NOW + 4 * DAY) == timedelta()
    assert vacations.balance(alice, NOW + 16 * DAY) == DAY


def test_who_comes_back_early_keeps_what_is_left(alice):
    vacations.take(alice, NOW + 4 * DAY, now=NOW)
    assert vacations.come_back(alice, now=NOW + DAY)
    assert not vacations.come_back(alice, now=NOW + DAY)
    assert vacations.balance(alice, NOW + DAY) == 3 * DAY
    assert vacations.current(alice, NOW + DAY) is None


def test_a_vacation_that_ends_as_it_begins_has_never_been(alice):
    vacations.take(alice, NOW + DAY, now=NOW)
    assert vacations.come_back(alice, now=NOW)
    assert not Vacation.objects.exists()


def test_more_than_is_held_is_refused_and_so_is_less_than_an_hour_and_a_guest(alice, cast):
    for user, until in ((alice, NOW + 4 * DAY + timedelta(seconds=1)), (alice, NOW), (alice, NOW - DAY), (cast.guest(), NOW + DAY)):
        with pytest.raises(NotNow):
            vacations.take(user, until, now=NOW)
    assert not Vacation.objects.exists()


def test_a_vacation_that_is_on_can_be_made_longer_or_shorter_within_what_is_held(alice):
    vacations.take(alice, NOW + DAY, now=NOW)
    vacations.take(alice, NOW + 4 * DAY, now=NOW + timedelta(hours=12))
    vacations.take(alice, NOW + 2 * DAY, now=NOW + timedelta(hours=12))
    with pytest.raises(NotNow):
        vacations.take(alice, NOW + 5 * DAY, now=NOW + timedelta(hours=12))
    assert Vacation.objects.get().ends == NOW + 2 * DAY


def test_the_clock_of_a_turn_that_runs_stands_still_and_goes_on_where_it_stood(duel, alice):
    vacations.take(alice, NOW + 3 * DAY, now=NOW + DAY)
    away = now_at(duel)
    assert (away.since, away.deadline) == (NOW, NOW + 5 * DAY)
    vacations.come_back(alice, now=NOW + 2 * DAY)
    back = now_at(duel)
    assert (back.since, back.deadline) == (NOW, NOW + 4 * DAY)
    assert not flag(duel.pk, NOW + 4 * DAY)
    assert flag(duel.pk, NOW + 4 * DAY + timedelta(seconds=1))


def test_a_turn_that_begins_on_vacation_is_given_its_days_afterwards(duel, alice, cast):
    play_move(duel.pk, 0, legal(duel), ply=duel.ply, now=NOW)
    vacations.take(alice, NOW + 3 * DAY, now=NOW)
    match = now_at(duel)
    assert match.deadline == NOW + 3 * DAY, "the opponent's clock is not held up"
    play_move(duel.pk, 1, legal(match), ply=match.ply, now=NOW + DAY)
    assert now_at(duel).deadline == NOW + 6 * DAY


def test_nights_off_stay_off_on_vacation(alice, cast, table):
    alice.preferences = {"timezone": "Europe/Berlin"}
    alice.save()
    match = table("cards-2", alice, cast.bob, control=TimeControl.parse("1d nights"))
    before = match.deadline
    vacations.take(alice, NOW + DAY, now=NOW)
    assert now_at(match).deadline == before + DAY
    vacations.come_back(alice, now=NOW + timedelta(seconds=1))
    assert now_at(match).deadline == before + timedelta(seconds=1)


def test_a_vacation_saves_nobody_whose_time_is_over(duel, alice):
    late = NOW + 3 * DAY + timedelta(minutes=1)
    vacations.take(alice, late + DAY, now=late)
    assert flag(duel.pk, late)
    assert now_at(duel).status == "aborted"


def test_live_matches_and_those_that_are_over_or_left_are_not_touched(alice, cast, table):
    live = table("cards-2", alice, cast.bob, control=TimeControl.parse("5m+3s"))
    over = table("cards-2", alice, cast.bob, control=THREE_DAYS)
    left = table("cards-3", alice, cast.bob, cast.carol, control=THREE_DAYS)
    for match in (over, left):
        resign(match.pk, 0, now=NOW)
    before = [now_at(match).version for match in (live, over, left)]
    vacations.take(alice, NOW + DAY, now=NOW)
    assert [now_at(match).version for match in (live, over, left)] == before
    assert now_at(live).deadline == live.deadline


def test_everybody_at_the_match_sees_until_when_somebody_is_away(duel, alice, it_is):
    it_is(NOW + DAY)
    vacations.take(alice, NOW + 2 * DAY, now=timezone.now())
    match = now_at(duel)
    for viewer in (0, 1, None):
        payload = payloads.for_seat(match, viewer)
        assert [seat["away"] for seat in payload["seats"]] == [(NOW + 2 * DAY).isoformat(), None]
        assert payload["note"]["text"] == "alice is on vacation."
    it_is(NOW + 2 * DAY)
    assert [seat["away"] for seat in payloads.for_seat(match, 1)["seats"]] == [None, None]
    assert Event.objects.filter(match=duel, kind="away").count() == 1


def test_vacations_cost_one_query_a_page_and_none_in_live_matches(duel, alice, cast, table):
    live = table("cards-2", alice, cast.bob, control=TimeControl.parse("5m+3s"))
    for match, asked in ((duel, 1), (live, 0)):
        with CaptureQueriesContext(connection) as queries:
            payloads.for_seat(match, 1)
        assert sum("vacation" in query["sql"] for query in queries) == asked


# --- The page


def test_the_page_says_what_is_held_takes_a_vacation_and_ends_it(alice, cast, it_is):
    browser = cast.at_browser(alice)
    it_is(NOW + 3 * timedelta(hours=1))
    page = browser.get(reverse("vacation")).content.decode()
    assert "<strong>4.0</strong> days" in page
    assert 'max="2026-03-04"' in page
    browser.post(reverse("vacation"), {"until": "2026-03-04"})
    assert Vacation.objects.get().ends == datetime(2026, 3, 5, tzinfo=UTC)
    assert "until Thursday 5 March, 00:00" in browser.get(reverse("vacation")).content.decode()
    browser.post(reverse("vacation_end"))
    assert not Vacation.objects.exists()


@pytest.mark.parametrize("until", ["", "soon", "2026-02-30", "9999-12-31", "2026-02-01", "2027-01-01"])
def test_a_day_that_cannot_be_gets_a_sentence(alice, cast, until, it_is):
    browser = cast.at_browser(alice)
    it_is(NOW)
    page = browser.post(reverse("vacation"), {"until": until}, follow=True)
    assert page.status_code == 200
    assert "notice-error" in page.content.decode()
    assert not Vacation.objects.exists()


def test_the_last_day_ends_where_the_person_lives_and_the_person_may_say_where(alice, cast, it_is):
    browser = cast.at_browser(alice)
    browser.post(reverse("vacation_zone"), {"zone": "America/New_York"})
    it_is(NOW)
    browser.post(reverse("vacation"), {"until": "2026-03-02"})
    assert Vacation.objects.get().ends == datetime(2026, 3, 3, 5, tzinfo=UTC)
    assert "notice-error" in browser.post(reverse("vacation_zone"), {"zone": "Moon/Crater"}, follow=True).content.decode()
    alice.refresh_from_db()
    assert alice.preferences["own_timezone"] == "America/New_York"


def test_a_guest_and_a_stranger_are_told_what_it_takes(client, cast):
    for browser in (client, cast.at_browser(cast.guest())):
        page = browser.get(reverse("vacation"))
        assert page.status_code == 200
        assert reverse("account_signup") in page.content.decode()
    assert client.post(reverse("vacation"), {"until": "2026-03-02"}).status_code == 400
