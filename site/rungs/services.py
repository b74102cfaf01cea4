"""The verbs of a challenge: make it, accept it, decline it, withdraw it. Each holds the ladder's lock until it is committed.

`now` is an argument so that time has one source, the entry point.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import Tie, User
from accounts.presence import touch
from games.kit.protocol import N_
from lobby.checks import here
from matches.clock import Rest, TimeControl
from matches.models import Vacation
from matches.services import Person, SeatPlan, start_match
from rungs import news
from rungs.errors import Blocked, NoSuchChallenge, NotNow, NotOnLadder, NotYours, Settled
from rungs.ladder import lock, played, rung_of, settle, swap
from rungs.models import Challenge, Rung, Step
from rungs.reach import bars, own_bar
from rungs.statutes import ANSWER_WITHIN, CONTROLS, over_days, variant_of

State, Why = Challenge.State, Challenge.Why


def challenge(challenger: User, challenged: User, game: str, controls: Sequence[str], *, now: datetime) -> Challenge:
    """Dare somebody above, to be played by one of these time controls. Raises `MatchError` for what is not possible."""
    offered = [control for control in CONTROLS if control in controls]
    if not any(over_days(control) for control in offered):
        raise NotNow(N_("Offer at least one time control of days, so that you need not be here at the same time."))
    with transaction.atomic():
        lock(game)
        own, target = rung_of(challenger, game), rung_of(challenged, game)
        if (reason := own_bar(challenger, own, now)) is not None:
            raise reason
        if own is None or target is None:
            raise NotOnLadder(N_("This player is not on the ladder."))
        if (reason := bars(own, [target], now)[challenged.pk]) is not None:
            raise reason
        made = Challenge.objects.create(
            game=game,
            challenger=challenger,
            challenged=challenged,
            from_position=own.position,
            to_position=target.position,
            controls=offered,
            made_at=now,
            answer_by=now + ANSWER_WITHIN,
        )
        touch(challenger, now)
        news.challenged(made, now)
    return made


def accept(challenge_id: int, user: User, control: str, *, now: datetime) -> Challenge:
    """Take the challenge by one of the time controls it offers; the match begins, rated, the seats drawn by lot. Raises `MatchError`."""
    with transaction.atomic():
        found = _answerable(challenge_id, user, now)
        challenger = found.challenger
        assert challenger is not None
        if control not in found.controls:
            raise NotNow(N_("Choose one of the time controls that are offered."))
        if not over_days(control) and not here(challenger, now):
            raise NotNow(N_("{name} is not here just now. Choose days, or wait until you both are here."), name=challenger.display_name)
        variant = variant_of(found.game)
        assert variant is not None
        seats: list[SeatPlan] = [Person(challenger), Person(user)]
        secrets.SystemRandom().shuffle(seats)
        found.match = start_match(found.game, variant.key, seats=seats, control=TimeControl.parse(control), rated=True, now=now)
        found.state = State.PLAYING
        found.save(update_fields=["match", "state"])
        played(found.game, (challenger.pk, user.pk), now)
        touch(user, now)
        news.accepted(found, now)
    return found


def decline(challenge_id: int, user: User, *, now: datetime) -> Challenge:
    """Give the rung away without a match. Raises `MatchError`."""
    with transaction.atomic():
        found = _answerable(challenge_id, user, now)
        forfeit(found, Why.DECLINED, now)
    return found


def withdraw(challenge_id: int, user: User, *, now: datetime) -> Challenge:
    """Take back a challenge that was not answered yet. Doing it again changes nothing. Raises `MatchError`."""
    with transaction.atomic():
        found = locked(challenge_id)
        if found.challenger_id != user.pk:
            raise NotYours
        if found.state == State.WITHDRAWN:
            return found
        if found.state != State.OPEN:
            raise Settled
        settle(found, State.WITHDRAWN, now)
        news.withdrawn(found, now)
    return found


def locked(challenge_id: int) -> Challenge:
    """The challenge as it is now, its ladder and its row held until the transaction ends. Raises `NoSuchChallenge`."""
    game = Challenge.objects.filter(pk=challenge_id).values_list("game", flat=True).first()
    if game is None:
        raise NoSuchChallenge
    lock(game)
    # of self: the people's rows are only read.
    rows = Challenge.objects.select_for_update(of=("self",)).select_related("challenger", "challenged", "match")
    return rows.get(pk=challenge_id)


def due_at(found: Challenge) -> datetime:
    """Until when a challenge can be answered, by the vacations that who was challenged has taken so far; never sooner than was promised."""
    away = Vacation.objects.filter(user=found.challenged_id, ends__gt=found.made_at).values_list("starts", "ends")
    return max(found.answer_by, Rest(away=tuple(away)).after(found.made_at, ANSWER_WITHIN))


def barred(found: Challenge) -> bool:
    """Whether who challenged has blocked the other since, and so made it impossible to accept."""
    return Tie.objects.filter(user=found.challenger_id, other=found.challenged_id, kind=Tie.Kind.BLOCK).exists()


def forfeit(found: Challenge, why: Challenge.Why, now: datetime) -> None:
    """Let a locked challenge be won without a match."""
    rungs = rungs_of(found)
    swapped = _take(found, rungs, now, down=Step.Why.FORFEITED)
    settle(found, State.FORFEITED, now, why=why, swapped=swapped)
    if found.challenger_id is not None:
        played(found.game, (found.challenger_id,), now)
    news.forfeited(found, rungs, now)


def won(found: Challenge, rungs: dict[int, Rung], now: datetime) -> bool:
    """Let who challenged take the rung, after a match; whether they changed places."""
    return _take(found, rungs, now, down=Step.Why.LOST)


def rungs_of(found: Challenge) -> dict[int, Rung]:
    """Where the two of a challenge stand now, by person."""
    rungs = Rung.objects.filter(game=found.game, user__in=(found.challenger_id, found.challenged_id)).select_related("user")
    return {rung.user_id: rung for rung in rungs}


def _take(found: Challenge, rungs: dict[int, Rung], now: datetime, *, down: Step.Why) -> bool:
    lower, higher = rungs.get(found.challenger_id or 0), rungs.get(found.challenged_id or 0)
    # Both may have moved since: who stands above already takes nothing.
    if lower is None or higher is None or lower.position < higher.position:
        return False
    swap(higher, lower, now, down=down, up=Step.Why.WON)
    return True


def _answerable(challenge_id: int, user: User, now: datetime) -> Challenge:
    """A challenge that `user` may answer now, locked. Raises `MatchError`."""
    found = locked(challenge_id)
    if found.challenged_id != user.pk:
        raise NotYours
    if found.state != State.OPEN or found.challenger_id is None or due_at(found) <= now:
        raise Settled
    if barred(found):
        raise Blocked
    return found
