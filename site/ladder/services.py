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
from ladder import formula, periods, scale, seasons
from ladder.book import Book, put_before
from ladder.models import Placing, Pool, RatedMatch, Rating, RatingChange, SeasonPlace
from ladder.scale import Strength

BATCH = 100
"""How many results one call rates, so that no transaction gets long."""

SAVED_AT_ONCE = 2_000
LOCKS = 0x7E55
"""Our advisory locks, apart from anybody else's; one for each pool."""


Strengths = dict[tuple[int, str, str], Strength]
"""By person, game and pace."""


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


def standing_of_bot(level: str) -> Standing:
    """The fixed standing of the bots of a level, the same in every pool."""
    strength = scale.anchor(level)
    return Standing(scale.shown(strength.mu), scale.deviation(strength.sigma), provisional=False, matches=0)


def enter(match_id: int, game: str, pace: str, seats: Sequence[Entrant], ranks: Sequence[int], now: datetime) -> RatedMatch:
    """Give a result its place in the order in which the matches of its game and pace ended. Call it in the transaction that ends the match.

    `ranks` has one number for each seat: 1 is best, equal ones are ties. A match that has been entered is given back as it is.
    Other matches of the pool cannot end until the transaction does, so call it late in it. Raises `ValueError` for fewer than two
    seats, a number of ranks other than that of the seats, and for a person with two seats. Its time is `now`, but never before that of
    the result with the number before, nor within a season that is closed.
    """
    _check(seats, ranks)
    with transaction.atomic():
        people = held(seat.user_id for seat in seats)
        pool, _ = Pool.objects.select_for_update(no_key=True).get_or_create(game=game, pace=pace)
        if entered := RatedMatch.objects.filter(match_id=match_id).first():
            return entered
        number = pool.next_number
        # Who waited for the lock looked at the clock before it: without this a season could end before its last result.
        last = RatedMatch.objects.filter(game=game, pace=pace, number=number - 1).values_list("ended_at", flat=True).first()
        ended_at = max(moment for moment in (now, last, seasons.closed_until(game, pace)) if moment is not None)
        rated = RatedMatch.objects.create(match_id=match_id, game=game, pace=pace, number=number, ended_at=ended_at, ranks=list(ranks))
        pool.next_number = number + 1
        pool.save(update_fields=["next_number"])
        RatingChange.objects.bulk_create(_seat(rated, place, seat, people) for place, seat in enumerate(seats))
        return rated


def apply_next(game: str, pace: str, now: datetime, *, limit: int = BATCH) -> int:
    """Rate the results that wait, strictly in order, up to `limit` and of one season; how many. Call it again until that is 0.

    Whoever calls it at the same time waits, and then goes on where the other stopped. All of a call is one transaction.
    """
    with transaction.atomic():
        lock_pool(game, pace)
        seasons.close_ended(game, pace, now)
        # Numbers are given under the lock of the pool, so whoever sees one sees all below it, too: the first is the next.
        waiting = list(RatedMatch.objects.filter(game=game, pace=pace, applied_at=None).order_by("number")[:limit])
        matches = [match for match in waiting if periods.season_of(match.ended_at) == periods.season_of(waiting[0].ended_at)]
        if not matches:
            return 0
        changes = list(RatingChange.objects.filter(rated__in=matches).order_by("rated", "seat"))
        people = held(change.user_id for change in changes)
        book = _opened(game, pace, matches, people)
        for match in matches:
            book.rate(match, [change for change in changes if change.rated_id == match.pk], people)
            match.applied_at = now
        RatingChange.objects.bulk_update(changes, ["mu_before", "sigma_before", "mu_after", "sigma_after"])
        RatedMatch.objects.bulk_update(matches, ["applied_at"])
        save(book)
        return len(matches)


def save(book: Book) -> None:
    """Write what a book holds, over what was there. In one order of people, so that two writers cannot deadlock."""
    pool = {"game": book.game, "pace": book.pace}
    Rating.objects.bulk_create(
        (book.ratings[user_id] for user_id in sorted(book.ratings)),
        update_conflicts=True,
        unique_fields=["user", "game", "pace"],
        update_fields=["mu", "sigma", "matches", "updated_at"],
        batch_size=SAVED_AT_ONCE,
    )
    Placing.objects.bulk_create(
        (book.placings[key] for key in sorted(book.placings)),
        update_conflicts=True,
        unique_fields=["user", "game", "pace", "period"],
        update_fields=["mu", "sigma", "matches", "updated_at", "country", "listed"],
        batch_size=SAVED_AT_ONCE,
    )
    for key in sorted({key for key, _ in book.places}):
        season = seasons.open_season(**pool, key=key)
        places = {user_id: place for (own, user_id), place in sorted(book.places.items()) if own == key}
        for place in places.values():
            place.season = season
        SeasonPlace.objects.bulk_create(
            places.values(),
            update_conflicts=True,
            unique_fields=["season", "user"],
            update_fields=["points", "matches", "day", "day_matches"],
            batch_size=SAVED_AT_ONCE,
        )


def move_country(user: User, country: str) -> None:
    """Take a person's rows in the ladders along to another country. Call it in the transaction that changes the person."""
    Placing.objects.filter(user=user).update(country=country)


def expected(seats: Sequence[Entrant], seat: int, game: str, pace: str, *, now: datetime) -> tuple[int, ...]:
    """What a match would change in the shown rating of the person in `seat`: for each rank of its own, from a win to the last. One query.

    The others come in behind or before in the order of their strengths, which matters from three seats on. Raises `ValueError` as `enter`
    does, and when a seat is held by nobody or `seat` is not a person's.
    """
    _check(seats, seats)
    if seats[seat].user_id is None or any(entrant == Entrant() for entrant in seats):
        raise ValueError("Only a person among people and bots can expect something.")
    known = strengths_of((entrant.user_id for entrant in seats), now, game, pace)
    strengths = [strength_of(entrant, game, pace, known) for entrant in seats]
    own = strengths.pop(seat)
    return forecast(own, strengths)


def strengths_of(user_ids: Iterable[int | None], now: datetime, game: str | None = None, pace: str | None = None) -> Strengths:
    """What people would enter a match with now, widened by the time since their last one; at one game and pace, or at all. One query."""
    ratings = Rating.objects.filter(user__in={user_id for user_id in user_ids if user_id is not None})
    if game is not None:
        ratings = ratings.filter(game=game, pace=pace)
    return {(rating.user_id, rating.game, rating.pace): _strength(rating, now) for rating in ratings}


def strength_of(entrant: Entrant, game: str, pace: str, known: Strengths) -> Strength:
    """The strength of a bot, or of a person among those that are `known`; a newcomer's for whoever is not."""
    if entrant.user_id is None:
        return scale.anchor(entrant.level)
    return known.get((entrant.user_id, game, pace), scale.START)


def forecast(own: Strength, others: Sequence[Strength]) -> tuple[int, ...]:
    """What each rank against these would change in the shown rating of `own`, from a win to the last. Pure."""
    ranks = range(1, len(others) + 2)
    rivals = sorted(others, reverse=True)
    results = (formula.rate([own, *rivals], [rank, *(other for other in ranks if other != rank)])[0] for rank in ranks)
    return tuple(scale.shown(result.mu) - scale.shown(own.mu) for result in results)


def _check(seats: Sequence[Entrant], ranks: Sequence[object]) -> None:
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    if len(seats) < 2 or len(seats) != len(ranks) or len(people) != len(set(people)):
        raise ValueError("A result has two or more seats, as many ranks, and nobody twice.")


def lock_pool(game: str, pace: str) -> None:
    """Wait until nobody else rates this pool; until the end of the transaction it is ours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCKS, f"{game} {pace}"])


def held(user_ids: Iterable[int | None]) -> dict[int, str]:
    """The countries of those of the people who have an account; until the end of the transaction none can be deleted."""
    # KEY SHARE is what the check of a foreign key takes, and what Django cannot ask for: it stands in the way of a deletion only.
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, country FROM accounts_user WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE",
            [sorted({user_id for user_id in user_ids if user_id is not None})],
        )
        return dict(cursor.fetchall())


def _opened(game: str, pace: str, matches: Sequence[RatedMatch], people: Collection[int]) -> Book:
    """The book with the rows of those people, in the periods of those matches, which are of one season."""
    keys = {period for match in matches for period in periods.periods_of(match.ended_at)}
    season = periods.season_of(matches[0].ended_at)
    placings = Placing.objects.filter(user__in=people, game=game, pace=pace, period__in=keys)
    places = SeasonPlace.objects.filter(user__in=people, season__game=game, season__pace=pace, season__key=season)
    known = {(season, place.user_id): place for place in places if place.user_id is not None}
    new = {user_id for user_id in people if (season, user_id) not in known}
    starting = {
        (season, user_id): SeasonPlace(user_id=user_id, division=division)
        for user_id, division in seasons.divisions(game, pace, season, new).items()
    }
    return Book(
        game,
        pace,
        ratings=_ratings(people, game, pace),
        placings={(placing.period, placing.user_id): placing for placing in placings},
        places=known | starting,
    )


def _ratings(user_ids: Collection[int], game: str, pace: str) -> dict[int, Rating]:
    return {rating.user_id: rating for rating in Rating.objects.filter(user__in=user_ids, game=game, pace=pace)}


def _seat(rated: RatedMatch, place: int, entrant: Entrant, people: Collection[int]) -> RatingChange:
    user_id = entrant.user_id if entrant.user_id in people else None
    change = RatingChange(rated=rated, seat=place, user_id=user_id, level=entrant.level)
    if entrant.level:
        put_before(change, scale.anchor(entrant.level))
    return change


def _strength(rating: Rating | None, now: datetime) -> Strength:
    return scale.START if rating is None else formula.widened(rating.strength, now - rating.updated_at)


def _standing(rating: Rating | None, now: datetime | None) -> Standing:
    if rating is None:
        strength, matches = scale.START, 0
    else:
        strength = rating.strength if now is None else _strength(rating, now)
        matches = rating.matches
    return Standing(scale.shown(strength.mu), scale.deviation(strength.sigma), scale.provisional(strength.sigma), matches)
