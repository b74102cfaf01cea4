"""What the pages of the challenge ladders show: rungs with what the viewer may do about them, challenges, and what happened lately."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max, Q, QuerySet, Sum
from django.utils.translation import gettext

from accounts.models import User
from matches import words
from rungs.errors import MatchError
from rungs.models import Challenge, Rung, Step
from rungs.reach import bars, own_bar
from rungs.statutes import REACH

State, Why = Challenge.State, Challenge.Why
WINDOW = 40
"""Rungs on a page."""
TOP = 3
"""So many stand above the neighbours of one's own rung."""
LATELY = timedelta(days=7)
MOST_RUNNING, MOST_RESULTS = 12, 12


@dataclass(frozen=True, slots=True)
class Row:
    """A rung as the page shows it to somebody."""

    rung: Rung
    own: bool
    moved: int
    """Rungs up (down where negative) within `LATELY`."""
    new: bool
    challenge: bool
    """Whether the viewer may challenge its person now."""
    why_not: str
    """Why the viewer may not, where it is near enough to ask."""
    against: Challenge | None
    """The challenge that its person has to answer, or plays."""

    @property
    def fallen(self) -> int:
        """Rungs down within `LATELY`."""
        return -self.moved


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rungs that follow each other."""

    rows: tuple[Row, ...]
    gap: int
    """How many rungs are left out above it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a ladder. The numbers are first rungs of other parts; `None` where there is no such part."""

    stretches: tuple[Stretch, ...]
    people: int
    higher: int | None
    lower: int | None
    mine: int | None
    between: int = TOP + 1
    """The first rung that is left out where one's own neighbours stand below the top."""


def page_of(game: str, viewer: User | None, own: Rung | None, start: int | None, now: datetime) -> Page:
    """The rungs from `start` on; without it the top, and the neighbours of one's own rung where that is further down."""
    people = Rung.objects.filter(game=game).aggregate(lowest=Max("position"))["lowest"] or 0
    spans = _spans(own, start, people)
    inside = Q()
    for first, last in spans:
        inside |= Q(position__range=(first, last))
    rungs = list(Rung.objects.filter(inside, game=game).select_related("user").order_by("position"))
    rows = _rows(game, rungs, viewer, own, now)
    stretches = tuple(
        Stretch(tuple(row for row in rows if first <= row.rung.position <= last), first - TOP - 1 if first > 1 and len(spans) > 1 else 0)
        for first, last in spans
    )
    first, last = spans[-1]
    return Page(
        stretches,
        people,
        higher=max(1, first - WINDOW) if first > 1 and len(spans) == 1 else None,
        lower=last + 1 if last < people else None,
        mine=max(1, own.position - WINDOW // 2) if own is not None and not first <= own.position <= last else None,
    )


def _spans(own: Rung | None, start: int | None, people: int) -> list[tuple[int, int]]:
    """The first and last rung of each stretch."""
    if start is None and own is not None and own.position > WINDOW:
        around = max(TOP + 1, own.position - REACH - 3)
        return [(1, TOP), (around, around + WINDOW - TOP)]
    first = min(max(1, start or 1), max(1, people))
    return [(first, first + WINDOW - 1)]


def _rows(game: str, rungs: Sequence[Rung], viewer: User | None, own: Rung | None, now: datetime) -> list[Row]:
    ids = [rung.user_id for rung in rungs]
    moved = dict(
        Step.objects.filter(game=game, user__in=ids, at__gt=now - LATELY)
        .order_by()
        .values("user")
        .annotate(moved=Sum(F("before") - F("after")))
        .values_list("user", "moved")
    )
    against = {found.challenged_id: found for found in unsettled(game).filter(challenged__in=ids)}
    reasons: dict[int, MatchError | None] = {}
    general = own_bar(viewer, own, now)
    if own is not None:
        reasons = {person: general or reason for person, reason in bars(own, rungs, now).items()}
    near = {rung.user_id for rung in rungs if own is not None and 1 <= own.position - rung.position <= REACH}
    return [
        Row(
            rung,
            own=own is not None and rung.pk == own.pk,
            moved=moved.get(rung.user_id, 0),
            new=rung.joined_at > now - LATELY,
            challenge=rung.user_id in near and reasons[rung.user_id] is None,
            why_not=_sentence(reasons.get(rung.user_id)) if rung.user_id in near and general is None else "",
            against=against.get(rung.user_id),
        )
        for rung in rungs
    ]


def _sentence(reason: MatchError | None) -> str:
    return "" if reason is None else words.say(reason)


def unsettled(game: str | None = None) -> QuerySet[Challenge]:
    """The challenges that are open or played, the oldest first."""
    found = Challenge.objects.filter(state__in=Challenge.UNSETTLED).select_related("challenger", "challenged").order_by("pk")
    return found if game is None else found.filter(game=game)


def of_person(person: User, game: str | None = None) -> list[Challenge]:
    """Those that concern somebody."""
    return list(unsettled(game).filter(Q(challenger=person) | Q(challenged=person)))


def results(game: str) -> list[Challenge]:
    """What was decided last, the newest first."""
    decided = (State.WON, State.LOST, State.DRAWN, State.FORFEITED)
    found = Challenge.objects.filter(game=game, settled_at__isnull=False, state__in=decided).select_related("challenger", "challenged")
    return list(found.order_by("-settled_at")[:MOST_RESULTS])


def name_of(person: User | None) -> str:
    """A name, also where the account is gone."""
    return person.display_name if person is not None else gettext("Deleted player")


def outcome(found: Challenge) -> str:
    """How a challenge stands or ended, in a sentence of the active language."""
    sentence = {
        State.OPEN: gettext("{challenger} challenges {challenged}."),
        State.PLAYING: gettext("{challenger} and {challenged} play for rung {high}."),
        State.WON: gettext("{challenger} beat {challenged} and took rung {high}."),
        State.LOST: gettext("{challenged} beat {challenger} and kept the rung."),
        State.DRAWN: gettext("{challenger} and {challenged} drew; {challenged} kept the rung."),
        State.WITHDRAWN: gettext("{challenger} withdrew the challenge."),
        State.VOID: gettext("The challenge of {challenger} came to nothing."),
        State.FORFEITED: _forfeit(found),
    }[State(found.state)]
    return sentence.format(challenger=name_of(found.challenger), challenged=name_of(found.challenged), high=found.to_position)


def _forfeit(found: Challenge) -> str:
    if found.why == Why.DECLINED:
        return gettext("{challenged} gave rung {high} to {challenger} without a match.")
    if found.why == Why.LEFT:
        return gettext("{challenged} left the ladder, so {challenger} took rung {high}.")
    if found.why == Why.CALLED_OFF:
        return gettext("{challenged} did not play, so {challenger} took rung {high}.")
    return gettext("{challenged} did not answer in time, so {challenger} took rung {high}.")


def why_void(found: Challenge) -> str:
    """Why a challenge came to nothing; empty where that is nobody's business."""
    if found.state != State.VOID:
        return ""
    return {
        Why.LEFT: gettext("One of the two left the ladder."),
        Why.CALLED_OFF: gettext("The match was called off, so the challenge may be made again."),
    }.get(Why(found.why), "")


def cards(games: Iterable[Any], viewer: User | None) -> list[dict[str, Any]]:
    """Per game how many people its ladder has, who leads it, and where the viewer stands. Three queries."""
    keys = [game.key for game in games]
    people = dict(Rung.objects.filter(game__in=keys).order_by().values("game").annotate(n=Max("position")).values_list("game", "n"))
    leaders: dict[str, list[Rung]] = {key: [] for key in keys}
    for rung in Rung.objects.filter(game__in=keys, position__lte=TOP).select_related("user").order_by("position"):
        leaders[rung.game].append(rung)
    own = {} if viewer is None else {rung.game: rung for rung in Rung.objects.filter(game__in=keys, user=viewer)}
    return [
        {"game": words.in_words(game), "people": people.get(game.key, 0), "leaders": leaders[game.key], "own": own.get(game.key)}
        for game in games
    ]
