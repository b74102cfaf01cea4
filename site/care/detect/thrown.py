"""Matches left early against much weaker players, again and again: losing on purpose to be rated lower, and what came after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from care.detect.findings import Suspicion
from care.detect.history import Played
from care.models import Finding
from matches.models import Match

FEWEST = 4
WEAKER = 150
"""Points by which every opponent is rated lower."""
SHARE = 0.3
"""Of all rated losses."""
EARLY = 0.4
"""Of the plies that such a match usually has."""
PLIES_AT_LEAST = 10
"""What counts as usual as long as too few matches of a variant were played to their end."""
NEXT = 10
"""Matches that are looked at after the last thrown one."""
LEFT = frozenset({Match.Termination.RESIGNED.value, Match.Termination.ABANDONED.value})


def usual_lengths(histories: Iterable[Sequence[Played]]) -> dict[str, float]:
    """How many plies a complete match has, by variant: the median of all that are at hand."""
    lengths: defaultdict[str, list[int]] = defaultdict(list)
    for history in histories:
        for played in history:
            if played.complete:
                lengths[played.variant].append(played.plies)
    return {variant: max(median(found), PLIES_AT_LEAST) for variant, found in lengths.items()}


def look(user: int, history: Sequence[Played], usual: Mapping[str, float]) -> Iterator[Suspicion]:
    """What is odd about the matches that one person lost."""
    thrown = [played for played in history if _is_thrown(user, played, usual)]
    lost = sum(played.part_of(user).rank > min(part.rank for part in played.parts) for played in history)
    if len(thrown) < FEWEST or len(thrown) < SHARE * lost:
        return
    after = [played for played in history if played.ended_at > thrown[-1].ended_at][:NEXT]
    first, last = (played.part_of(user).rating or 0 for played in (thrown[0], after[0] if after else thrown[-1]))
    yield Suspicion(
        key=f"thrown:{user}",
        kind=Finding.Kind.THROWN,
        user=user,
        game=thrown[-1].game,
        score=0.6 * min(len(thrown) / 10, 1) + 0.4 * len(thrown) / lost,
        matches=[played.match for played in thrown],
        numbers={
            "weaker": WEAKER,
            "share": round(100 * len(thrown) / lost),
            "dropped": max(first - last, 0),
            "then": len(after),
            "then_won": sum(played.part_of(user).rank == 1 for played in after),
        },
    )


def _is_thrown(user: int, played: Played, usual: Mapping[str, float]) -> bool:
    own, others = played.part_of(user), played.others(user)
    if own.why not in LEFT or own.left_at is None or own.rating is None or not others:
        return False
    if own.left_at > EARLY * usual.get(played.variant, PLIES_AT_LEAST):
        return False
    return all(part.rating is not None and part.rating <= own.rating - WEAKER for part in others)
