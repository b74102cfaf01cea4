"""Keeps analysis away from matches that are being played.

Nobody gets help where one is playing: no bot looks at a position that one's own running match has come through, and beyond the
first moves neither a bot nor a board goes on from where such a match stands. Positions are compared by what a spectator
sees, so that a refusal tells nothing that is hidden.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass

from accounts.models import User
from games.kit.protocol import N_
from matches.errors import MatchError
from matches.models import Match, Move
from matches.replay import fold
from studies.positions import Line, Way, spectacle, spectacles

OPENING = 2
"""So many moves of every seat are an opening, which any two matches may share."""
KEPT = 256


class PlayedNow(MatchError):
    code = "played_now"
    sentence = N_("This position belongs to a match that you are playing. Analyse it when that match is over.")


@dataclass(frozen=True, slots=True)
class Course:
    """What a spectator saw of a running match, position by position."""

    seen: tuple[str, ...]
    settled: int | None
    """The first ply by which every seat has made `OPENING` moves; `None` before that."""

    @property
    def beyond(self) -> frozenset[str]:
        """The positions beyond the opening."""
        return frozenset() if self.settled is None else frozenset(self.seen[self.settled :])

    @property
    def now(self) -> str | None:
        """The present position, beyond the opening."""
        return None if self.settled is None else self.seen[-1]


class _Courses:
    """The courses of the running matches that were asked for last, each as of its chain."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[int, str], Course] = OrderedDict()

    def of(self, match: Match) -> Course:
        """The course up to where `match`, as it was read, stands."""
        key = match.pk, match.chain
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        course = _course(match)
        with self._lock:
            self._held[key] = course
            while len(self._held) > KEPT:
                self._held.popitem(last=False)
        return course

    def clear(self) -> None:
        with self._lock:
            self._held.clear()


courses = _Courses()


def _course(match: Match) -> Course:
    texts = Move.objects.filter(match=match, ply__lte=match.ply).values_list("text", flat=True)
    positions = list(fold(match, texts))
    made: Counter[int] = Counter()
    settled = None
    for position in positions:
        if position.last is not None and position.last.seat is not None:
            made[position.last.seat] += 1
        if settled is None and all(made[seat] >= OPENING for seat in range(match.rules_variant.seats)):
            settled = position.ply
    return Course(tuple(spectacles(positions)), settled)


def courses_of(player: User | None, line: Line) -> list[Course]:
    """The courses of the matches that `player` is playing in the line's variant."""
    if player is None:
        return []
    playing = Match.objects.of(player).filter(status=Match.Status.RUNNING, game=line.rules.key, variant=line.variant.key)
    return [courses.of(match) for match in playing]


def check(player: User | None, way: Way, *, bot: bool) -> None:
    """Raise `PlayedNow` where `player` may not go; with `bot`, where no bot may look for `player`."""
    running = courses_of(player, way.line)
    if not running:
        return
    here = spectacle(way.end.state)
    if any(here in (course.seen if bot else course.beyond) for course in running):
        raise PlayedNow
    presents = {course.now for course in running if course.now is not None}
    if presents and not presents.isdisjoint(spectacles(way.positions)):
        raise PlayedNow


def kept_from(player: User | None, line: Line) -> frozenset[int]:
    """The plies of a line after which stands a position that no bot may show to `player`; 0 is the start."""
    running = courses_of(player, line)
    if not running:
        return frozenset()
    seen = frozenset[str]().union(*(course.seen for course in running))
    presents = {course.now for course in running if course.now is not None}
    kept, beyond = set(), False
    for position, here in zip(line.positions(), spectacles(line.positions()), strict=True):
        beyond = beyond or here in presents
        if beyond or here in seen:
            kept.add(position.ply)
    return frozenset(kept)
