"""Several accounts in one match that were used in one browser. It may be a family, so it is only listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime
from itertools import combinations

from accounts.browsers import linked
from care.detect.findings import Suspicion
from care.models import Finding
from matches.models import Match, Seat

MANY = 8
"""Rated matches together that are as odd as it gets."""


def look(users: Collection[int], since: datetime, now: datetime) -> Iterator[Suspicion]:
    """The pairs with one of these people that sat at a match that ended since then. A handful of queries, however many people."""
    held = Seat.objects.filter(user__in=users, match__status=Match.Status.FINISHED, match__finished_at__gt=since)
    seats = Seat.objects.filter(match__in=held.values("match"), user__isnull=False).order_by("match")
    tables: defaultdict[tuple[int, bool, str], list[int]] = defaultdict(list)
    for match, is_rated, game, user in seats.values_list("match", "match__rated", "match__game", "user"):
        if user is not None:
            tables[match, is_rated, game].append(user)
    pairs = linked({user for people in tables.values() if len(people) > 1 for user in people}, now)
    together: defaultdict[frozenset[int], list[tuple[int, bool, str]]] = defaultdict(list)
    for table, people in tables.items():
        for two in map(frozenset, combinations(people, 2)):
            if two in pairs:
                together[two].append(table)
    for two, met in together.items():
        first, second = sorted(two)
        rated = sum(one[1] for one in met)
        yield Suspicion(
            key=f"browser:{first}:{second}",
            kind=Finding.Kind.BROWSER,
            user=first,
            other=second,
            game=met[-1][2],
            score=0.2 + 0.8 * min(rated / MANY, 1),
            matches=[one[0] for one in met],
            numbers={"rated": rated},
        )
