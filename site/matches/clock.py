"""Time controls and clocks as plain values: how long a turn may take, what it costs, and when it is over.

A live clock counts down from a base; each move adds an increment, and each turn has a free bonus that is lost when it is
not used. A correspondence clock allows so many days for each move and stands still at night, at weekends and on vacation
where that was agreed. Times are aware datetimes, amounts of time are whole milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import ClassVar, Self

from django.db.models import TextChoices
from django.utils.translation import gettext, ngettext

from games.kit.protocol import N_
from matches.errors import MatchError

DAYS = (1, 2, 3, 5, 7, 14)
"""The days for a move that a correspondence match may have."""
LONGEST_BASE, LONGEST_STEP = 180 * 60, 180
"""Seconds: of a base, and of an increment or a bonus."""
FIRST_MOVE_MS = 60_000
"""How long a seat of a live match may take for its first move, which costs it nothing; then the match is called off."""
GRACE_MS = 250
"""How late a move may come after the time and the lag that could be given back are used up."""
LAG_ALLOWANCE_MS = 40
"""Given back beside the measured lag."""
NIGHT_ENDS, NIGHT_BEGINS = time(8), time(23)
SATURDAY = 5
HORIZON = timedelta(days=400)
"""No turn is longer, whatever stands still."""


class Pace(TextChoices):
    """How fast a match goes; ratings are kept by it."""

    LIVE = "live"
    CORRESPONDENCE = "correspondence"
    NONE = "none"


class BadTimeControl(MatchError):
    """A text or a number that is no time control."""

    code = "time_control"
    sentence = N_("There is no such time control.")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long the turns of a match may take; `none()` when nobody counts.

    `str()` writes it (`none`, `5m+8s`, `90s+0s`, `10m+10s~20s`, `3d`, `3d nights weekends`) and `parse` reads that.
    """

    base: int = 0
    """Seconds on a live clock at the start."""
    increment: int = 0
    """Seconds that each move adds."""
    bonus: int = 0
    """Seconds at the beginning of each turn that cost nothing."""
    days: int = 0
    """Days for each move of a correspondence match."""
    nights: bool = False
    """Whether a correspondence clock stands still from 23 to 8 o'clock where the player lives."""
    weekends: bool = False
    """Whether it stands still on Saturdays and Sundays."""

    _LIVE: ClassVar = re.compile(r"(\d{1,3}m|\d{1,5}s)\+(\d{1,3})s(?:~(\d{1,3})s)?", re.ASCII)
    _DAYS: ClassVar = re.compile(r"(\d{1,2})d( nights)?( weekends)?", re.ASCII)

    def __post_init__(self) -> None:
        if self.days:
            if self.days not in DAYS or self.base or self.increment or self.bonus:
                raise BadTimeControl(N_("A correspondence move has {days} days."), days=", ".join(map(str, DAYS)))
        elif self.nights or self.weekends:
            raise BadTimeControl(N_("Only a correspondence clock can stand still at night or at weekends."))
        elif self.base or self.increment or self.bonus:
            if not (0 < self.base <= LONGEST_BASE and 0 <= self.increment <= LONGEST_STEP and 0 <= self.bonus <= LONGEST_STEP):
                raise BadTimeControl(N_("A live clock has 1 second to 180 minutes, and up to 180 seconds more for each move."))
            if self.base + 30 * (self.increment + self.bonus) < 60:
                raise BadTimeControl(N_("That is too fast for anybody: allow at least a minute for thirty moves."))

    @classmethod
    def none(cls) -> Self:
        """Nobody counts."""
        return cls()

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `str`. Raises `BadTimeControl`."""
        if text == "none":
            return cls()
        if found := cls._LIVE.fullmatch(text):
            base, increment, bonus = found.groups()
            seconds = int(base[:-1]) * (60 if base.endswith("m") else 1)
            if seconds == 0:
                raise BadTimeControl
            return cls(base=seconds, increment=int(increment), bonus=int(bonus or 0))
        if found := cls._DAYS.fullmatch(text):
            days, nights, weekends = found.groups()
            return cls(days=int(days) or -1, nights=bool(nights), weekends=bool(weekends))
        raise BadTimeControl

    def __str__(self) -> str:
        if self.days:
            return f"{self.days}d{' nights' if self.nights else ''}{' weekends' if self.weekends else ''}"
        if not self.base:
            return "none"
        base = f"{self.base // 60}m" if self.base % 60 == 0 else f"{self.base}s"
        return f"{base}+{self.increment}s{f'~{self.bonus}s' if self.bonus else ''}"

    @property
    def pace(self) -> Pace:
        if self.days:
            return Pace.CORRESPONDENCE
        return Pace.LIVE if self.base else Pace.NONE

    def describe(self) -> str:
        """In the reader's language: “5 min + 8 s”, “3 days a move”, “No clock”."""
        if self.pace is Pace.NONE:
            return gettext("No clock")
        if self.pace is Pace.CORRESPONDENCE:
            words = [ngettext("{n} day a move", "{n} days a move", self.days).format(n=self.days)]
            words += [gettext("nights off")] if self.nights else []
            words += [gettext("weekends off")] if self.weekends else []
            return ", ".join(words)
        base = gettext("{n} min").format(n=self.base // 60) if self.base % 60 == 0 else gettext("{n} s").format(n=self.base)
        words = [gettext("{base} + {increment} s").format(base=base, increment=self.increment)]
        words += [gettext("{n} s free each turn").format(n=self.bonus)] if self.bonus else []
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Rest:
    """When a correspondence clock stands still for one person, in that person's time zone."""

    zone: tzinfo = UTC
    nights: bool = False
    weekends: bool = False
    away: tuple[tuple[datetime, datetime], ...] = ()
    """Vacations, as starts and ends."""

    def after(self, start: datetime, amount: timedelta) -> datetime:
        """The moment at which `amount` of counted time has passed since `start`."""
        start = start.astimezone(UTC)  # where a day has 24 hours, also when the clocks change
        for begins, ends in self._awake(start, start + HORIZON):
            if amount <= ends - begins:
                return begins + amount
            amount -= ends - begins
        return start + HORIZON

    def between(self, start: datetime, end: datetime) -> timedelta:
        """The counted time from `start` to `end`."""
        return sum((ends - begins for begins, ends in self._awake(start.astimezone(UTC), end.astimezone(UTC))), timedelta())

    def _awake(self, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The stretches from `start` to `end` in which the clock runs, in order."""
        for begins, ends in self._days(start, end):
            at = begins
            for leaves, returns in sorted(self.away):
                if leaves < ends and returns > at:
                    if leaves > at:
                        yield at, leaves
                    at = min(returns, ends)
            if at < ends:
                yield at, ends

    def _days(self, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The same without regard to vacations."""
        if not self.nights and not self.weekends:
            yield start, end
            return
        day = start.astimezone(self.zone).date()
        while (midnight := datetime.combine(day, time(), self.zone)) < end:
            tomorrow = day + timedelta(days=1)
            if not (self.weekends and day.weekday() >= SATURDAY):
                # Wall times go through UTC, so that a day on which the clocks change has its true length.
                opens = datetime.combine(day, NIGHT_ENDS, self.zone) if self.nights else midnight
                closes = datetime.combine(day, NIGHT_BEGINS, self.zone) if self.nights else datetime.combine(tomorrow, time(), self.zone)
                begins, ends = max(opens.astimezone(UTC), start), min(closes.astimezone(UTC), end)
                if begins < ends:
                    yield begins, ends
            day = tomorrow


@dataclass(frozen=True, slots=True)
class Charge:
    """What a move cost: milliseconds taken off the clock, given back for lag, and left afterwards (`None` without a live clock)."""

    used: int
    lag: int
    left: int | None


@dataclass(frozen=True, slots=True)
class Clocks:
    """The live clocks of a match between two moves: per seat the milliseconds left, and the lag that may still be given back."""

    control: TimeControl
    left: tuple[int, ...]
    quota: tuple[int, ...]

    @classmethod
    def start(cls, control: TimeControl, seats: int) -> Self:
        """The clocks before the first move."""
        return cls(control, (control.base * 1000,) * seats, (3 * cls._gain(control),) * seats)

    @classmethod
    def stored(cls, control: TimeControl, clock: dict[str, Sequence[int]]) -> Self:
        """The clocks that `as_json` wrote."""
        return cls(control, tuple(clock["left"]), tuple(clock["quota"]))

    def as_json(self) -> dict[str, list[int]]:
        """For the match's row."""
        return {"left": list(self.left), "quota": list(self.quota)}

    @staticmethod
    def _gain(control: TimeControl) -> int:
        """Lag that each move earns, as lichess reckons it: 150 ms and 4 ms per second of a match of forty moves, at most a second."""
        return min(1000, 150 + 4 * (control.base + 40 * control.increment))

    def allowance(self, seat: int, *, first: bool) -> int:
        """How long this turn may take before the clock stands at nothing."""
        return FIRST_MOVE_MS if first else self.left[seat] + 1000 * self.control.bonus

    def after_move(self, seat: int, elapsed: int, lag: int, *, first: bool) -> tuple[Clocks, Charge]:
        """The clocks after a move that took `elapsed` and came over a connection with that one-way `lag` (0: unknown)."""
        gain = self._gain(self.control)
        given = min(lag + LAG_ALLOWANCE_MS, self.quota[seat], elapsed) if lag else 0
        if first:
            used, left = 0, self.left[seat]
        else:
            used = max(0, elapsed - given - 1000 * self.control.bonus)
            left = max(0, self.left[seat] - used) + 1000 * self.control.increment
        quota = min(self.quota[seat] - given + gain, 7 * gain)
        return replace(self._with_left(seat, left), quota=_put(self.quota, seat, quota)), Charge(used, given, left)

    def banked(self, seat: int, elapsed: int) -> Clocks:
        """The clocks when a turn is interrupted after `elapsed`: what was used is used, without an increment."""
        return self._with_left(seat, max(0, self.left[seat] - max(0, elapsed - 1000 * self.control.bonus)))

    def _with_left(self, seat: int, left: int) -> Clocks:
        return replace(self, left=_put(self.left, seat, left))


def _put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def milliseconds(amount: timedelta) -> int:
    """An amount of time as a whole number, never below nothing."""
    return max(0, amount // timedelta(milliseconds=1))
