"""The one door: everything that changes a match comes through here, or through `offers` for what all must agree to.

Each service locks the match row, checks, writes and bumps the version in one transaction; sockets and workers
are told after the commit. `now` is an argument so that time has one source, the entry point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from accounts.models import User
from accounts.ties import any_blocked
from games import registry
from games.kit.chance import KeyedSource, commitment, new_secret
from games.kit.protocol import CHANCE, N_, Game, InvalidMove, RuleError, State, is_chance
from games.kit.protocol import Move as GameMove
from ladder import services as ladder
from ladder.scale import AHEAD
from matches import announce, outages, plans, presence, timing
from matches.clock import Clocks, Pace, TimeControl
from matches.errors import (
    Blocked,
    MatchError,
    MatchOver,
    NotNow,
    NotSeated,
    NotYourTurn,
    Paused,
    StalePly,
    TimeIsUp,
    TooLateToAbort,
    TooMuch,
)
from matches.models import Match, Move, Seat, Secret, TakenBack
from matches.replay import Position, position_of, start_of
from matches.writing import append, call_off, leave, locked, note, pass_on, people, seated, tell

LONGEST_TEXT = 500
"""Characters of a move; the longest real one of any game is far shorter."""
MOST_STARTED = 60
"""Matches that somebody may start within an hour."""
EARLY = 2
"""A bot's seat that has moved more often is no longer to be had."""
SHORTEST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(seconds=120)
"""How long somebody may be away from a live match before the others may call the time."""
NO_CLOCK = TimeControl.none()


@dataclass(frozen=True, slots=True)
class Person:
    """A seat for a person."""

    user: User


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat for a bot of this level."""

    level: str


SeatPlan = Person | BotSeat
Draw = Callable[[Match, State], GameMove]
"""Gives the chance ply that is due in a state."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the service did: the ply that was played (or stood at), the match's version then, and whether it had been done before."""

    ply: int
    version: int
    repeated: bool = False


def start_match(
    game: str,
    variant: str,
    *,
    seats: Sequence[SeatPlan],
    options: Collection[str] = (),
    control: TimeControl = NO_CLOCK,
    rated: bool = False,
    private: bool = False,
    open_seats: bool = False,
    previous: Match | None = None,
    now: datetime,
    secret: bytes | None = None,
    draw: Draw | None = None,
) -> Match:
    """Start a match. Raises `UnknownGame`, `RuleError` for its variant, house rules or level, `MatchError` for the seats.

    `open_seats` lets people take over a bot's seat in the first rounds; `previous` is the match of which it is the
    rematch. `secret` fixes every draw to come; without it the operating system gives a new one. `draw` replaces the draws
    that the secret gives, for tests of what a viewer can tell; such a match does not pass the check of its record.
    """
    rules = registry.get(game)
    rules.start(variant, options)
    _check_plan(rules, variant, seats)
    persons = [plan.user for plan in seats if isinstance(plan, Person)]
    if rated:
        _check_rated(persons, control, open_seats)
    _check_people(persons, now)
    secret = secret or new_secret()
    match = Match(
        game=game,
        variant=variant,
        options=sorted(options),
        rules_version=rules.version,
        commitment=commitment(secret),
        pace=control.pace,
        time_control=str(control),
        clock=Clocks.start(control, len(seats)).as_json() if control.pace is Pace.LIVE else {},
        rated=rated,
        private=private,
        open_seats=open_seats,
        previous=previous,
        series=None if previous is None else previous.series or previous.pk,
        created_at=now,
        moved_at=now,
    )
    start = start_of(match)
    match.chain = start.chain
    standings = _standings(persons, game, control, now)
    if rated:
        _check_lead(seats, standings)
    match.rating = sum(one.rating for one in standings.values()) // len(standings) if standings else None
    with transaction.atomic():
        match.save()
        Secret.objects.create(match=match, value=secret)
        rows = Seat.objects.bulk_create(_seat(match, number, plan, standings) for number, plan in enumerate(seats))
        append(match, rows, start, _draws(match, start, draw or drawn_by_secret), now)
        tell(match, rows, "start", now)
        announce.persons(people(rows))
        announce.lobby()
    return match


def play_move(
    match_id: int,
    seat: int,
    text: str,
    *,
    ply: int,
    client_id: UUID | None = None,
    lag: int = 0,
    now: datetime,
    automatic: bool = False,
    draw: Draw | None = None,
) -> Receipt:
    """Play a move of `seat` in the position after `ply` plies, draw what chance owes, and say so after the commit.

    A repeated `client_id` gets its first answer again, whatever has happened since. `lag` is the one-way lag of the
    connection in milliseconds as the server measured it, some of which is given back. `automatic` is for the site's
    own moves, in seats of bots and of those who left; `draw` is as for `start_match`. A move that comes after its time
    was up is not played: what follows from that is, and `TimeIsUp` says so. Raises `MatchError`, `InvalidMove` or `IllegalMove`.
    """
    with transaction.atomic():
        match, seats = locked(match_id)
        if client_id is not None and (first := _played_before(match, seat, client_id)):
            return first
        mover = seated(seats, seat)
        if not automatic and mover.left_why == Match.Termination.TIMEOUT:
            raise TimeIsUp
        if mover.automatic is not automatic:
            raise NotSeated
        if not match.running:
            raise MatchOver
        if ply != match.ply:
            raise StalePly
        position = position_of(match)
        if position.state.to_move != seat:
            raise NotYourTurn
        if match.paused_at is not None and not automatic:
            raise Paused
        outages.make_good(match, now)
        if not timing.is_up(match, now, lag):
            steps = _steps(match, position, text, draw)
            cost = timing.charge(match, position, now, lag)
            append(match, seats, position, steps, now, client_id=client_id, cost=cost)
            receipt = Receipt(steps[0].ply, match.version)
            plans.answer(match, seats, position, steps, now, lambda before, planned: _steps(match, before, planned, draw))
            return receipt
        _gone(match, seats, seat, Match.Termination.TIMEOUT, now)
    raise TimeIsUp


def go_by_plans(match: Match, seats: Sequence[Seat], now: datetime) -> None:
    """Let the seat to move answer by its plan, which it could not while the match was paused. Inside the caller's transaction."""
    plans.answer(match, seats, position_of(match), (), now, lambda before, planned: _steps(match, before, planned, None))


def resign(match_id: int, seat: int, *, now: datetime) -> Receipt:
    """Leave the match for good. With two seats that ends it; with more a bot plays the seat out and it ranks last."""
    with transaction.atomic():
        match, seats = locked(match_id)
        leaver = seated(seats, seat)
        if leaver.left:
            return Receipt(match.ply, match.version, repeated=True)
        if leaver.automatic:
            raise NotSeated
        if not match.running:
            raise MatchOver
        leave(match, seats, leaver, Match.Termination.RESIGNED, now)
        return Receipt(match.ply, match.version)


def abort(match_id: int, seat: int, *, now: datetime) -> Receipt:
    """Call the match off, without a result; only until every seat has moved once."""
    with transaction.atomic():
        match, seats = locked(match_id)
        if seated(seats, seat).automatic:
            raise NotSeated
        if match.status == Match.Status.ABORTED:
            return Receipt(match.ply, match.version, repeated=True)
        if not match.running:
            raise MatchOver
        if not may_abort(match, position_of(match)):
            raise TooLateToAbort
        call_off(match, seats, "asked", now, seat)
        return Receipt(match.ply, match.version)


def flag(match_id: int, now: datetime) -> bool:
    """Look whether the time of the seat to move is up, and let follow what must; whether it was. Never while the site is down."""
    with transaction.atomic():
        match, seats = locked(match_id)
        if not match.running or not timing.is_up(match, now) or outages.silent(now):
            return False
        assert match.to_move is not None  # somebody's time is up
        _gone(match, seats, match.to_move, Match.Termination.TIMEOUT, now)
        return True


def call_time(match_id: int, seat: int, target: int, *, now: datetime) -> Receipt:
    """Treat the seat `target`, whose person went away from a live match, as having left it. Raises `NotNow` while it is too early."""
    with transaction.atomic():
        match, seats = locked(match_id)
        if seated(seats, seat).automatic:
            raise NotSeated
        gone = seated(seats, target)
        if gone.left:
            return Receipt(match.ply, match.version, repeated=True)
        if not match.running:
            raise MatchOver
        may_from = callable_from(match, seats, now).get(target)
        if may_from is None or target == seat:
            raise NotNow(N_("This player is here."))
        if now < may_from:
            raise NotNow(N_("Give this player a little longer to come back."))
        _gone(match, seats, target, Match.Termination.ABANDONED, now)
        return Receipt(match.ply, match.version)


def callable_from(match: Match, seats: Sequence[Seat], now: datetime) -> dict[int, datetime]:
    """From when the others may call the time of each seat whose person went away. At most two queries.

    Only in a live match: from a tenth of its base on, within `SHORTEST_WAIT` and `LONGEST_WAIT`.
    """
    if match.pace != Pace.LIVE or not match.running or match.paused_at is not None:
        return {}
    wait = min(max(timedelta(seconds=match.control.base / 10), SHORTEST_WAIT), LONGEST_WAIT)
    persons = [seat.number for seat in seats if not seat.automatic]
    return {seat: since + wait for seat, since in presence.away(match, persons, now).items()}


def take_over(match_id: int, seat: int, user: User, *, now: datetime) -> Receipt:
    """Sit down in a bot's seat of a running match that was opened for that, while the seat has moved at most `EARLY` times."""
    with transaction.atomic():
        match, seats = locked(match_id)
        taken = seated(seats, seat)
        if taken.user_id == user.pk:
            return Receipt(match.ply, match.version, repeated=True)
        if not match.running:
            raise MatchOver
        if match.private or seat not in free_seats(match, seats):
            raise NotNow(N_("This seat can no longer be taken."))
        if any(other.user_id == user.pk for other in seats):
            raise NotNow(N_("Nobody can hold two seats of a match."))
        if any_blocked([user, *(other.user for other in seats if other.user)]):
            raise Blocked
        taken.user, taken.level = user, ""
        taken.save(update_fields=["user", "level"])
        match.version += 1
        note(match, "joined", now, seat)
        if match.to_move == seat:
            timing.begin_turn(match, seats, position_of(match), now)
            pass_on(match, seats, now)
        match.save()
        announce.persons(people(seats))
        announce.changed(match)
        announce.lobby()
        return Receipt(match.ply, match.version)


def free_seats(match: Match, seats: Sequence[Seat], moved: Mapping[int | None, int] | None = None) -> list[int]:
    """The seats that somebody may take over now. `moved` says how often each seat has moved, where that is known; else it is asked for."""
    if not match.open_seats or match.rated or not match.running or match.ply > 2 * (EARLY + 1) * len(seats):
        return []
    if moved is None:
        moved = Counter(Move.objects.filter(match=match, seat__isnull=False).values_list("seat", flat=True))
    return [seat.number for seat in seats if seat.level and not seat.left and moved.get(seat.number, 0) <= EARLY]


def hand_over_seats(guest: User, user: User) -> None:
    """Give all of a guest's seats to an account; where both sit at the same match, the guest's stays the guest's."""
    for match_id in Seat.objects.filter(user=guest).order_by("match_id").values_list("match_id", flat=True):
        with transaction.atomic():
            match, seats = locked(match_id)
            if not any(seat.user_id == user.pk for seat in seats):
                Seat.objects.filter(match=match, user=guest).update(user=user)
                match.version += 1
                match.save(update_fields=["version"])
                announce.changed(match)


def may_abort(match: Match, position: Position) -> bool:
    """Whether the match can still be called off."""
    return match.running and len(position.moved) < match.rules_variant.seats


def read_move(rules: Game, text: str) -> GameMove:
    """A seat's move from its text. Raises `InvalidMove`; nobody but the site draws for chance."""
    if len(text) > LONGEST_TEXT:
        raise InvalidMove("too_long", "A move has at most {limit} characters.", limit=LONGEST_TEXT)
    if is_chance(text):
        raise InvalidMove("chance", "Nobody moves for chance.")
    return rules.parse_move(text)


def _check_plan(rules: Game, variant: str, seats: Sequence[SeatPlan]) -> None:
    wanted = rules.variant(variant).seats
    if len(seats) != wanted:
        sentence = N_("{game} {variant} is for {wanted} seats, not {given}.")
        raise MatchError(sentence, game=rules.name, variant=variant, wanted=wanted, given=len(seats))
    people = [plan.user.pk for plan in seats if isinstance(plan, Person)]
    if len(people) != len(set(people)):
        raise MatchError("Nobody can hold two seats of a match.")
    for plan in seats:
        if isinstance(plan, BotSeat) and plan.level not in {level.key for level in rules.levels}:
            raise RuleError("unknown_level", "{game} has no bot “{level}”.", game=rules.name, level=plan.level)


def _check_rated(persons: Sequence[User], control: TimeControl, open_seats: bool) -> None:
    if not persons:
        raise NotNow(N_("Bots alone play no rated match."))
    if any(person.is_guest for person in persons):
        raise NotNow(N_("A rated match needs an account. Sign up, or play casual."))
    if control.pace is Pace.NONE:
        raise NotNow(N_("A rated match needs a clock. Choose one, or play casual."))
    if open_seats:
        raise NotNow(N_("In a rated match nobody takes over a bot’s seat. Choose one of the two."))


def _check_lead(seats: Sequence[SeatPlan], standings: Mapping[int, ladder.Standing]) -> None:
    """Refuse one person a rated match against bots alone that are all far too weak to tell anything."""
    bots = [ladder.standing_of_bot(plan.level).rating for plan in seats if isinstance(plan, BotSeat)]
    own = [standing.rating for standing in standings.values()]
    if len(own) == 1 and own[0] > max(bots, default=own[0]) + AHEAD:
        raise NotNow(N_("You are more than {points} points ahead of these bots. Choose a stronger one, or play casual."), points=AHEAD)


def _check_people(persons: Sequence[User], now: datetime) -> None:
    if len(persons) > 1 and any_blocked(persons):
        raise Blocked
    lately = Seat.objects.filter(user__in=persons, match__created_at__gt=now - timedelta(hours=1))
    if max(Counter(lately.order_by().values_list("user", flat=True)).values(), default=0) >= MOST_STARTED:
        raise TooMuch(N_("That were many matches in one hour. Finish some of them first."))


def _standings(persons: Sequence[User], game: str, control: TimeControl, now: datetime) -> dict[int, ladder.Standing]:
    """Where each stands at this game and pace; nothing where there is no clock."""
    if control.pace is Pace.NONE or not persons:
        return {}
    return ladder.standings_of(persons, game, control.pace, now=now)


def _seat(match: Match, number: int, plan: SeatPlan, standings: Mapping[int, ladder.Standing]) -> Seat:
    if isinstance(plan, Person):
        seat, standing = Seat(match=match, number=number, user=plan.user), standings.get(plan.user.pk)
    else:
        seat, standing = Seat(match=match, number=number, level=plan.level), ladder.standing_of_bot(plan.level) if match.rated else None
    if standing is not None:
        seat.rating, seat.deviation = standing.rating, standing.deviation
    return seat


def _played_before(match: Match, seat: int, client_id: UUID) -> Receipt | None:
    """The answer that an intent got already, be it that its move was taken back since."""
    same = {"match": match, "seat": seat, "client_id": client_id}
    played, undone = (log.objects.filter(**same).values_list("ply", "version") for log in (Move, TakenBack))
    first = next(iter(played.union(undone)), None)
    return None if first is None else Receipt(*first, repeated=True)


def _gone(match: Match, seats: Sequence[Seat], seat: int, why: Match.Termination, now: datetime) -> None:
    """What follows when somebody's time is up or called: who never moved lets the match be called off, anybody else has left it."""
    position = position_of(match)
    if seat not in position.moved and may_abort(match, position):
        call_off(match, seats, "no_show", now, seat)
    else:
        leave(match, seats, seats[seat], why, now)


def drawn_by_secret(match: Match, state: State) -> GameMove:
    """The chance ply that the match's secret gives."""
    return state.draw(KeyedSource(Secret.of(match), state.chance_label))


def _steps(match: Match, before: Position, text: str, draw: Draw | None) -> list[Position]:
    """The position after a seat's move, and after each draw that it leads to. Raises `InvalidMove` or `IllegalMove`."""
    played = before.after(read_move(match.rules, text))
    return [played, *_draws(match, played, draw or drawn_by_secret)]


def _draws(match: Match, position: Position, draw: Draw) -> list[Position]:
    """The positions after each chance ply that is due now."""
    drawn: list[Position] = []
    while position.state.to_move is CHANCE:
        position = position.after(draw(match, position.state))
        drawn.append(position)
    return drawn
