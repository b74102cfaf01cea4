"""Entering results, rating them in order, and asking where somebody stands.

A result is entered in the transaction that ends its match and rated later, exactly once, by whoever comes first. Whether a match
counts at all is for the caller to decide. `now` is an argument so that time has one source, the entry point.

Locks are taken in one order: people, then the pool, then ratings. Who deletes an account locks its row first, too, and leaves its
running matches in transactions of their own before that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction

from accounts.models import User
from ladder import formula, scale
from ladder.models import Pool, RatedMatch, Rating, RatingChange
from ladder.scale import Strength

BATCH = 100
"""How many results one call rates, so that no transaction gets long."""

LOCKS = 0x7E55
"""Our advisory locks, apart from anybody else's; one for each pool."""


class Entrant(NamedTuple):
    """Who has a seat: a person by id, or a bot by level. With neither it is somebody whose account is gone."""

    user_id: int | None = None
    level: str = ""


@dataclass(frozen=True)
class Standing:
    """Where somebody stands at a game and pace, in the numbers that people see."""

    rating: int
    deviation: int
    provisional: bool
    matches: int


def standing_of(user: User, game: str, pace: str, *, now: datetime | None = None) -> Standing:
    """The standing of one person; a newcomer's before the first rated match. One query.

    With `now` the deviation is as wide as the time since the last match has made it.
    """
    return standings_of([user], game, pace, now=now)[user.pk]


def standings_of(users: Iterable[User], game: str, pace: str, *, now: datetime | None = None) -> dict[int, Standing]:
    """The standing of each, by the person's id, as for `standing_of`. One query."""
    ids = {user.pk for user in users}
    ratings = _ratings(ids, game, pace)
    return {user_id: _standing(ratings.get(user_id), now) for user_id in ids}


def enter(match_id: int, game: str, pace: str, seats: Sequence[Entrant], ranks: Sequence[int], now: datetime) -> RatedMatch:
    """Give a result its place in the order in which the matches of its game and pace ended. Call it in the transaction that ends the match.

    `ranks` has one number for each seat: 1 is best, equal ones are ties. A match that has been entered is given back as it is.
    Other matches of the pool cannot end until the transaction does, so call it late in it. Raises `ValueError` for fewer than two
    seats, a number of ranks other than that of the seats, and for a person with two seats.
    """
    _check(seats, ranks)
    with transaction.atomic():
        people = _held(seat.user_id for seat in seats)
        pool, _ = Pool.objects.select_for_update(no_key=True).get_or_create(game=game, pace=pace)
        if entered := RatedMatch.objects.filter(match_id=match_id).first():
            return entered
        number = pool.next_number
        rated = RatedMatch.objects.create(match_id=match_id, game=game, pace=pace, number=number, ended_at=now, ranks=list(ranks))
        pool.next_number = number + 1
        pool.save(update_fields=["next_number"])
        RatingChange.objects.bulk_create(_seat(rated, place, seat, people) for place, seat in enumerate(seats))
        return rated


def apply_next(game: str, pace: str, now: datetime, *, limit: int = BATCH) -> int:
    """Rate the results that wait, strictly in their order; how many were rated. Call it again while it gives `limit`.

    Whoever calls it at the same time waits, and then goes on where the other stopped. All of a call is one transaction.
    """
    with transaction.atomic():
        _lock(game, pace)
        # Numbers are given under the lock of the pool, so whoever sees one sees all below it, too: the first is the next.
        matches = list(RatedMatch.objects.filter(game=game, pace=pace, applied_at=None).order_by("number")[:limit])
        changes = list(RatingChange.objects.filter(rated__in=matches).order_by("rated", "seat"))
        people = _held(change.user_id for change in changes)
        ratings = _ratings(people, game, pace)
        for match in matches:
            rate_match(match, [change for change in changes if change.rated_id == match.pk], ratings, people)
            match.applied_at = now
        RatingChange.objects.bulk_update(changes, ["mu_before", "sigma_before", "mu_after", "sigma_after"])
        Rating.objects.bulk_create(
            (ratings[user_id] for user_id in sorted(ratings)),
            update_conflicts=True,
            unique_fields=["user", "game", "pace"],
            update_fields=["mu", "sigma", "matches", "updated_at"],
        )
        RatedMatch.objects.bulk_update(matches, ["applied_at"])
        return len(matches)


def rate_match(match: RatedMatch, changes: Sequence[RatingChange], ratings: dict[int, Rating], people: Collection[int]) -> None:
    """Rate one result in memory: fill its changes, and bring the ratings of its people up to it, adding those that are new.

    `changes` are its seats in order, `ratings` those of the pool by person, `people` whoever still has an account. A bot counts with
    the strength stored in its seat, and so does somebody who has left the site since; a seat without any is left out. Saves nothing.
    """
    for change in changes:
        if change.user_id is not None and change.user_id in people:
            _put_before(change, _strength(ratings.get(change.user_id), match.ended_at))
    counted = [(change, before) for change in changes if (before := change.before)]
    if len(counted) < 2:
        return
    results = formula.rate([before for _, before in counted], [match.ranks[change.seat] for change, _ in counted])
    for (change, before), result in zip(counted, results, strict=True):
        if change.user_id is None or change.user_id not in people:
            change.mu_after, change.sigma_after = before
            continue
        change.mu_after, change.sigma_after = result
        rating = ratings.setdefault(change.user_id, Rating(user_id=change.user_id, game=match.game, pace=match.pace, matches=0))
        rating.mu, rating.sigma = result
        rating.matches += 1
        rating.updated_at = match.ended_at


def expected(seats: Sequence[Entrant], seat: int, game: str, pace: str, *, now: datetime) -> tuple[int, ...]:
    """What a match would change in the shown rating of the person in `seat`: for each rank of its own, from a win to the last. One query.

    The others come in behind or before in the order of their strengths, which matters from three seats on. Raises `ValueError` as `enter`
    does, and when a seat is held by nobody or `seat` is not a person's.
    """
    ranks = range(1, len(seats) + 1)
    _check(seats, ranks)
    if seats[seat].user_id is None or any(entrant == Entrant() for entrant in seats):
        raise ValueError("Only a person among people and bots can expect something.")
    ratings = _ratings({entrant.user_id for entrant in seats if entrant.user_id is not None}, game, pace)
    strengths = [_expected_strength(entrant, ratings, now) for entrant in seats]
    own = strengths.pop(seat)
    others = sorted(strengths, reverse=True)
    return tuple(
        scale.shown(formula.rate([own, *others], [rank, *(other for other in ranks if other != rank)])[0].mu) - scale.shown(own.mu)
        for rank in ranks
    )


def _check(seats: Sequence[Entrant], ranks: Sequence[int]) -> None:
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    if len(seats) < 2 or len(seats) != len(ranks) or len(people) != len(set(people)):
        raise ValueError("A result has two or more seats, as many ranks, and nobody twice.")


def _lock(game: str, pace: str) -> None:
    """Wait until nobody else rates this pool; until the end of the transaction it is ours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCKS, f"{game} {pace}"])


def _held(user_ids: Iterable[int | None]) -> set[int]:
    """Those of the people who have an account; until the end of the transaction none can be deleted."""
    # KEY SHARE is what the check of a foreign key takes, and what Django cannot ask for: it stands in the way of a deletion only.
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM accounts_user WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE",
            [sorted({user_id for user_id in user_ids if user_id is not None})],
        )
        return {user_id for (user_id,) in cursor.fetchall()}


def _ratings(user_ids: Collection[int], game: str, pace: str) -> dict[int, Rating]:
    return {rating.user_id: rating for rating in Rating.objects.filter(user__in=user_ids, game=game, pace=pace)}


def _seat(rated: RatedMatch, place: int, entrant: Entrant, people: Collection[int]) -> RatingChange:
    user_id = entrant.user_id if entrant.user_id in people else None
    change = RatingChange(rated=rated, seat=place, user_id=user_id, level=entrant.level)
    if entrant.level:
        _put_before(change, scale.anchor(entrant.level))
    return change


def _put_before(change: RatingChange, strength: Strength) -> None:
    change.mu_before, change.sigma_before = strength


def _strength(rating: Rating | None, now: datetime) -> Strength:
    return scale.START if rating is None else formula.widened(rating.strength, now - rating.updated_at)


def _expected_strength(entrant: Entrant, ratings: dict[int, Rating], now: datetime) -> Strength:
    if entrant.user_id is None:
        return scale.anchor(entrant.level)
    return _strength(ratings.get(entrant.user_id), now)


def _standing(rating: Rating | None, now: datetime | None) -> Standing:
    if rating is None:
        strength, matches = scale.START, 0
    else:
        strength = rating.strength if now is None else _strength(rating, now)
        matches = rating.matches
    return Standing(scale.shown(strength.mu), scale.deviation(strength.sigma), scale.provisional(strength.sigma), matches)
