"""Time controls and clocks as values: what is written is read again, rest is rest, and lag gives back no more than its quota."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.clock import DAYS, FIRST_MOVE_MS, HORIZON, LAG_ALLOWANCE_MS, BadTimeControl, Clocks, Pace, Rest, TimeControl, milliseconds

unhurried = settings(deadline=None, derandomize=True)
BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)

live = st.builds(
    lambda base, increment, bonus: (base, increment, bonus), st.integers(1, 180 * 60), st.integers(0, 180), st.integers(0, 180)
).filter(lambda parts: parts[0] + 30 * (parts[1] + parts[2]) >= 60)
controls = st.one_of(
    st.just(TimeControl.none()),
    live.map(lambda parts: TimeControl(base=parts[0], increment=parts[1], bonus=parts[2])),
    st.builds(TimeControl, days=st.sampled_from(DAYS), nights=st.booleans(), weekends=st.booleans()),
)


# --- Time controls


@unhurried
@given(controls)
def test_a_time_control_that_is_written_is_read_again(control):
    assert TimeControl.parse(str(control)) == control


@unhurried
@given(st.text(max_size=20) | st.from_regex(r"\d{0,4}[msd]?\+?\d{0,3}s?~?\d{0,3}s?( nights)?( weekends)?", fullmatch=True))
def test_what_is_read_is_a_time_control_that_reads_back_or_is_refused(text):
    try:
        control = TimeControl.parse(text)
    except BadTimeControl:
        return
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    "text",
    ["", "5m", "0m+5s", "0s+0s", "0s+180s", "59s+0s", "181m+0s", "5m+181s", "5m+5s~181s", "-5m+5s", "5m+5s~", "4d", "0d", "99d",
     "5m+5s nights", "3d weekends nights", "3d  nights", "none ", "NONE", "٣d", "5m+5s\n", "9999999999m+1s"],
)  # fmt: skip
def test_what_is_no_time_control_is_refused_with_a_sentence(text):
    with pytest.raises(BadTimeControl, match=r"\w"):
        TimeControl.parse(text)


@pytest.mark.parametrize(
    "parts",
    [{"base": -60}, {"base": 60, "increment": -1}, {"base": 60, "bonus": -1}, {"increment": 10}, {"days": 3, "base": 60}, {"days": -1},
     {"nights": True}, {"base": 60, "weekends": True}],
)  # fmt: skip
def test_numbers_that_make_no_time_control_are_refused(parts):
    with pytest.raises(BadTimeControl):
        TimeControl(**parts)


@pytest.mark.parametrize(
    ("text", "pace", "words"),
    [
        ("none", Pace.NONE, "No clock"),
        ("5m+8s", Pace.LIVE, "5 min + 8 s"),
        ("90s+1s", Pace.LIVE, "90 s + 1 s"),
        ("10m+0s~20s", Pace.LIVE, "10 min + 0 s, 20 s free each turn"),
        ("1d", Pace.CORRESPONDENCE, "1 day a move"),
        ("3d nights weekends", Pace.CORRESPONDENCE, "3 days a move, nights off, weekends off"),
    ],
)
def test_a_time_control_says_what_it_is(text, pace, words):
    control = TimeControl.parse(text)
    assert (control.pace, control.describe()) == (pace, words)


# --- Rest

zones = st.sampled_from([UTC, BERLIN, NEW_YORK, ZoneInfo("Asia/Kolkata"), ZoneInfo("Pacific/Apia"), ZoneInfo("America/St_Johns")])
moments = st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))
spans = st.tuples(moments, st.timedeltas(timedelta(minutes=1), timedelta(days=20))).map(lambda span: (span[0], span[0] + span[1]))
rests = st.builds(Rest, zones, st.booleans(), st.booleans(), st.lists(spans, max_size=4).map(tuple))


@unhurried
@given(rests, moments, st.timedeltas(timedelta(), timedelta(days=14)))
def test_from_a_start_to_when_so_much_has_passed_so_much_has_passed(rest, start, amount):
    assert rest.between(start, rest.after(start, amount)) == amount


@unhurried
@given(rests, moments, st.lists(st.timedeltas(timedelta(), timedelta(days=9)), min_size=2, max_size=2))
def test_counted_time_adds_up_and_never_exceeds_the_time_itself(rest, start, lengths):
    first = start + lengths[0]
    second = first + lengths[1]
    assert rest.between(start, first) + rest.between(first, second) == rest.between(start, second)
    assert timedelta() <= rest.between(start, second) <= second - start


@unhurried
@given(rests, moments, st.timedeltas(timedelta(), timedelta(days=9)))
def test_more_rest_never_makes_a_turn_shorter(rest, start, amount):
    awake = Rest(rest.zone)
    assert rest.after(start, amount) >= awake.after(start, amount) == start + amount


def at(text: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("rest", "start", "amount", "end"),
    [
        (Rest(BERLIN, nights=True), "2026-02-04T22:00", 2 * HOUR, "2026-02-05T09:00"),
        (Rest(BERLIN, nights=True), "2026-02-04T02:00", HOUR, "2026-02-04T09:00"),
        (Rest(BERLIN, nights=True), "2026-02-04T08:00", 15 * HOUR, "2026-02-04T23:00"),
        (Rest(BERLIN, weekends=True), "2026-02-06T23:00", 2 * HOUR, "2026-02-09T01:00"),
        (Rest(BERLIN, weekends=True), "2026-02-07T12:00", HOUR, "2026-02-09T01:00"),
        (Rest(BERLIN, nights=True, weekends=True), "2026-02-06T22:30", HOUR, "2026-02-09T08:30"),
        # The night of 29 March lacks an hour, that of 25 October has one more; nights off do not notice, days do.
        (Rest(BERLIN, nights=True), "2026-03-28T22:00", 2 * HOUR, "2026-03-29T09:00"),
        (Rest(BERLIN, nights=True), "2026-10-24T22:00", 2 * HOUR, "2026-10-25T09:00"),
        (Rest(BERLIN), "2026-03-28T12:00", DAY, "2026-03-29T13:00"),
        (Rest(BERLIN), "2026-10-24T12:00", DAY, "2026-10-25T11:00"),
        # Both fall on a Sunday, which counts for nothing where weekends are off.
        (Rest(BERLIN, weekends=True), "2026-03-27T12:00", DAY, "2026-03-30T12:00"),
        (Rest(BERLIN, weekends=True), "2026-10-23T12:00", DAY, "2026-10-26T12:00"),
        (Rest(NEW_YORK, nights=True), "2026-03-07T22:00", 2 * HOUR, "2026-03-08T09:00"),
        (Rest(NEW_YORK, nights=True), "2026-10-31T22:00", 2 * HOUR, "2026-11-01T09:00"),
        (Rest(NEW_YORK), "2026-03-07T12:00", DAY, "2026-03-08T13:00"),
        (Rest(NEW_YORK), "2026-10-31T12:00", DAY, "2026-11-01T11:00"),
    ],
)
def test_nights_and_weekends_are_those_of_the_wall_clock(rest, start, amount, end):
    assert rest.after(at(start, rest.zone), amount) == at(end, rest.zone)


@pytest.mark.parametrize(
    ("away", "end"),
    [
        ([("2026-02-04T12:00", "2026-02-05T12:00")], "2026-02-06T12:00"),
        ([("2026-02-03T12:00", "2026-02-04T18:00")], "2026-02-05T18:00"),
        ([("2026-02-04T12:00", "2026-02-06T12:00"), ("2026-02-05T12:00", "2026-02-07T12:00")], "2026-02-08T12:00"),
        ([("2026-02-05T12:00", "2026-02-07T12:00"), ("2026-02-04T12:00", "2026-02-09T12:00")], "2026-02-10T12:00"),
        ([("2026-02-01T12:00", "2026-02-04T12:00")], "2026-02-05T12:00"),
        ([("2026-02-05T12:00", "2026-02-06T12:00")], "2026-02-05T12:00"),
    ],
)
def test_vacations_hold_a_turn_of_a_day_up_once_however_they_overlap(away, end):
    rest = Rest(away=tuple((at(starts, UTC), at(ends, UTC)) for starts, ends in away))
    assert rest.after(at("2026-02-04T12:00", UTC), DAY) == at(end, UTC)


def test_a_turn_ends_one_day_whatever_stands_still():
    start = at("2026-02-04T12:00", UTC)
    assert Rest(away=((start, start + 10 * HORIZON),)).after(start, DAY) == start + HORIZON


# --- Clocks

BLITZ = TimeControl.parse("3m+2s")
SLOW = TimeControl.parse("10m+0s~20s")
turns = st.lists(st.tuples(st.integers(0, 400_000), st.integers(0, 10_000_000)), max_size=60)


def test_a_move_takes_its_time_and_adds_the_increment():
    clocks, cost = Clocks.start(BLITZ, 2).after_move(1, 5_000, 0, first=False)
    assert (clocks.left, cost.used, cost.lag, cost.left) == ((180_000, 177_000), 5_000, 0, 177_000)


def test_the_first_move_is_free_and_has_a_window():
    clocks = Clocks.start(BLITZ, 2)
    assert clocks.allowance(0, first=True) == FIRST_MOVE_MS
    after, cost = clocks.after_move(0, 50_000, 0, first=True)
    assert (after.left[0], cost.used) == (180_000, 0)


def test_the_bonus_costs_nothing_and_cannot_be_saved():
    clocks = Clocks.start(SLOW, 2)
    assert clocks.allowance(0, first=False) == 620_000
    assert clocks.after_move(0, 19_000, 0, first=False)[0].left[0] == 600_000
    assert clocks.after_move(0, 25_000, 0, first=False)[0].left[0] == 595_000


def test_a_turn_that_is_interrupted_is_charged_without_an_increment():
    assert Clocks.start(BLITZ, 2).banked(0, 5_000).left == (175_000, 180_000)
    assert Clocks.start(SLOW, 2).banked(0, 25_000).left == (595_000, 600_000)
    assert Clocks.start(BLITZ, 2).banked(0, 999_999).left == (0, 180_000)


def test_measured_lag_is_given_back_with_a_little_more_and_unknown_lag_is_not():
    clocks = Clocks.start(BLITZ, 2)
    assert clocks.after_move(0, 5_000, 60, first=False)[1].lag == 60 + LAG_ALLOWANCE_MS
    assert clocks.after_move(0, 5_000, 0, first=False)[1].lag == 0
    assert clocks.after_move(0, 30, 900, first=False)[1].used == 0


@unhurried
@given(turns)
def test_however_much_lag_is_claimed_the_quota_is_all_that_is_given(claims):
    clocks = Clocks.start(BLITZ, 2)
    quota = clocks.quota[0]
    gain = quota // 3
    given_back = 0
    for elapsed, lag in claims:
        clocks, cost = clocks.after_move(0, elapsed, lag, first=False)
        given_back += cost.lag
        assert cost.lag <= min(elapsed, 7 * gain)
    assert given_back <= quota + gain * len(claims)


@unhurried
@given(turns, st.sampled_from([BLITZ, SLOW, TimeControl.parse("60s+0s")]))
def test_no_clock_and_no_quota_is_ever_below_nothing(moves, control):
    clocks = Clocks.start(control, 3)
    for number, (elapsed, lag) in enumerate(moves):
        clocks, cost = clocks.after_move(number % 3, elapsed, lag, first=number < 3)
        assert min(*clocks.left, *clocks.quota, cost.used, cost.lag) >= 0
        assert clocks.banked(number % 3, elapsed).left[number % 3] >= 0


def test_clocks_that_are_stored_are_read_again():
    clocks = Clocks.start(SLOW, 4).after_move(2, 31_234, 99, first=False)[0]
    assert Clocks.stored(SLOW, clocks.as_json()) == clocks


def test_an_amount_of_time_is_whole_milliseconds_and_never_below_nothing():
    assert [milliseconds(timedelta(microseconds=amount)) for amount in (1_999, -1, -5_000_000)] == [1, 0, 0]
