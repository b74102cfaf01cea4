"""The demo people and their matches: read from `seeds/`, played again through the real services, and taken away again.

The matches are rated and have clocks, and end in the order in which they are loaded, spread over the last months; so ladders,
seasons and graphs have something to show. Nobody can sign in as a demo person, and nobody real is ever taken for one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise, zip_longest
from pathlib import Path

from django.db import connection, transaction

from accounts.models import Tie, User
from games.kit.record import Record, RecordError, read_records, replay
from ladder import seasons
from ladder import services as ladder
from ladder.models import Placing, Pool, RatedMatch, Rating, Season
from matches import announce
from matches.clock import TimeControl
from matches.models import FollowUp, Match
from matches.services import Person, play_move, resign, start_match
from rungs import ladder as rungs
from rungs import services as climbing
from rungs.models import Rung
from rungs.statutes import REACH, games

BACK = timedelta(days=200)
"""How long ago the first demo match ends: so that at least one season is over, and one is on."""
LOCK = 0x7E56
"""Our advisory lock, apart from those of the pools."""
LATELY = 1.6
"""Above 1, the matches get denser towards today."""
CORRESPONDENCE = 11
"""Every so manieth match is played over days; of every game, so it shares no divisor with how many there are."""
STANDING, ASKED = timedelta(days=12), timedelta(hours=5)
"""How long the demo people have stood on the challenge ladders, and since when some are challenged."""
LIVE, OVER_DAYS = TimeControl.parse("10m+10s"), TimeControl.parse("1d")
QUICKEST, SLOWEST = 3, 14
"""Seconds for a move of a live match; in one over days as many half hours."""


class DemoError(Exception):
    """Why the demo cannot be loaded, in a sentence that says what to do."""


@dataclass(frozen=True)
class Planned:
    """A record, its number in the order of the ends, and when its match ends."""

    record: Record
    number: int
    ends: datetime

    @property
    def control(self) -> TimeControl:
        return OVER_DAYS if self.number % CORRESPONDENCE == CORRESPONDENCE - 1 else LIVE

    def times(self) -> list[datetime]:
        """When each ply is played, and last when the match ends: the same steps for the same record."""
        unit = timedelta(minutes=30) if self.control is OVER_DAYS else timedelta(seconds=1)
        digits = bytes.fromhex(self.record.commitment or "00")
        steps = [unit * (QUICKEST + digits[ply % len(digits)] % (SLOWEST - QUICKEST)) for ply in range(len(self.record.plies))]
        left = sum(steps, timedelta())
        times = [self.ends - left]
        for step in steps:
            times.append(times[-1] + step)
        return times


@contextmanager
def alone() -> Iterator[None]:
    """Nobody else loads the demo meanwhile. Raises `DemoError` when somebody does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
        if not cursor.fetchone()[0]:
            raise DemoError("The demo is being loaded already. Wait until that has ended.")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def planned(folder: Path, now: datetime) -> list[Planned]:
    """All records of the folder in the order in which their matches end, the games taking turns. Raises `DemoError`."""
    files = [_records(path) for path in sorted(folder.glob("*.jsonl"))]
    records = [record for turn in zip_longest(*files) for record in turn if record is not None]
    shares = [1 - (number + 1) / (len(records) + 1) for number in range(len(records))]
    return [Planned(record, number, now - BACK * share**LATELY) for number, (record, share) in enumerate(zip(records, shares, strict=True))]


def load(plans: Sequence[Planned], people: dict[str, User], report: Callable[[int], None]) -> None:
    """Play the planned matches and rate each. Calls `report` with how many are done."""
    for done, plan in enumerate(plans, start=1):
        with announce.silence():
            match = _play(plan, people)
        while ladder.apply_next(match.game, match.pace, plan.ends):
            pass
        report(done)


def climb(people: dict[str, User], now: datetime) -> None:
    """Put the demo people on the challenge ladders of the games they like, and let a few have challenged those above. Once only."""
    for game in games():
        fans = [person for person in people.values() if game.key in person.favourites]
        if Rung.objects.filter(game=game.key, user__in=fans).exists():
            continue
        for number, person in enumerate(fans):
            rungs.join(person, game.key, now=now - STANDING + timedelta(hours=number))
        for number, low in enumerate(range(REACH, len(fans), REACH)):
            found = climbing.challenge(fans[low], fans[low - 2], game.key, [str(OVER_DAYS)], now=now - ASKED)
            if number % 2:
                climbing.decline(found.pk, fans[low - 2], now=now - ASKED)


def clear(plans: Sequence[Planned]) -> None:
    """Take away what there is of the demo matches, with all ratings that hang on them.

    Raises `DemoError` when people have played rated matches in between: what they have won would change.
    """
    matches = Match.objects.filter(commitment__in=[plan.record.commitment for plan in plans])
    rated = RatedMatch.objects.filter(match_id__in=matches.values("pk"))
    pools = set(rated.values_list("game", "pace"))
    with transaction.atomic():
        for game, pace in pools:
            if RatedMatch.objects.filter(game=game, pace=pace).exclude(match_id__in=matches.values("pk")).exists():
                raise DemoError(
                    "People have played rated matches here since the first demo matches were loaded, and more of them would come "
                    "in between. Use a new database for the whole demo."
                )
            for model in (RatedMatch, Rating, Placing, Season, Pool):
                model._default_manager.filter(game=game, pace=pace).delete()
        matches.delete()


def people(folder: Path, now: datetime) -> dict[str, User]:
    """The demo people by name, made where they are missing. Raises `DemoError` when somebody real has such a name."""
    rows = json.loads((folder / "people.json").read_text("utf-8"))
    everybody = {row["name"]: _person(row, now - BACK - timedelta(days=3 * number)) for number, row in enumerate(rows)}
    for one, other in pairwise(everybody.values()):
        Tie.objects.get_or_create(user=one, other=other, defaults={"kind": Tie.Kind.FRIEND, "made_at": now})
    return everybody


def _person(row: dict[str, str], joined: datetime) -> User:
    person = User.objects.filter(username=row["name"]).first()
    if person is None:
        fields = {key: row[key] for key in ("country", "languages", "about", "favourites")}
        person = User(username=row["name"], date_joined=joined, **fields)
        person.set_unusable_password()
        person.save()
    elif person.has_usable_password():
        raise DemoError(f"“{person.username}” is a real account here, so the demo matches, which use that name, were not loaded.")
    return person


def _records(path: Path) -> list[Record]:
    try:
        return read_records(path.read_text("utf-8"))
    except (OSError, RecordError) as trouble:
        raise DemoError(f"{path} cannot be read: {trouble}") from None


@transaction.atomic
def _play(plan: Planned, people: dict[str, User]) -> Match:
    """Play a record from its start to its end, a person in each seat."""
    record, times = plan.record, plan.times()
    seasons.reopen(record.game, plan.control.pace, plan.ends)
    match = start_match(
        record.game,
        record.variant,
        seats=[Person(people[name]) for name in record.seats or ()],
        options=record.options,
        control=plan.control,
        rated=True,
        now=times[0],
        secret=record.secret,
    )
    left = record.result.left if record.result else ()
    gone: set[int] = set()
    for ply, state in enumerate(replay(record)):
        for seat in [seat for seat, plies in left if plies == ply]:
            resign(match.pk, seat, now=times[ply])
            gone.add(seat)
        if ply < len(record.plies) and isinstance(state.to_move, int):
            play_move(match.pk, state.to_move, record.plies[ply], ply=ply, now=times[ply + 1], automatic=state.to_move in gone)
    # Nobody is waiting for word of it, and it is rated at once.
    FollowUp.objects.filter(match=match, done_at=None).update(done_at=plan.ends)
    return match
