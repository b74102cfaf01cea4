"""The same two over and over, and nearly always the same one wins: rating given from one account to another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from care.detect.findings import Suspicion
from care.detect.history import Played
from care.models import Finding

FEWEST = 8
"""Matches against each other."""
SHARE = 0.5
"""Of all rated matches of one of the two."""
ONE_SIDED = 0.7
"""How much more often one wins than the other, of all their matches: 0.7 is 17 of 20."""


def look(user: int, history: Sequence[Played]) -> Iterator[Suspicion]:
    """What is odd about one person's opponents, seen from this person's side."""
    met: defaultdict[int, list[tuple[Played, int]]] = defaultdict(list)
    for played in history:
        own = played.part_of(user).rank
        for part in played.others(user):
            assert part.user is not None
            met[part.user].append((played, (own < part.rank) - (own > part.rank)))
    for other, results in met.items():
        count, balance = len(results), sum(result for _, result in results)
        share, one_sided = count / len(history), abs(balance) / count
        if count < FEWEST or share < SHARE or one_sided < ONE_SIDED:
            continue
        first, second = (user, other) if balance > 0 else (other, user)
        yield Suspicion(
            key=f"pair:{min(user, other)}:{max(user, other)}",
            kind=Finding.Kind.PAIR,
            user=first,
            other=second,
            game=Counter(played.game for played, _ in results).most_common(1)[0][0],
            score=share * one_sided,
            matches=[played.match for played, _ in results],
            numbers={"share": round(100 * share), "won": sum(result == (1 if balance > 0 else -1) for _, result in results)},
        )
