"""What workers do for matches: let a bot move, and sweep up what was missed."""

from __future__ import annotations

import logging
import traceback
from uuid import NAMESPACE_OID, UUID, uuid5

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from games.kit.chance import Source, SystemSource
from games.kit.protocol import Game, State
from ladder import services as ladder
from matches import announce, audit, followups, offers, presence, services, timekeeping
from matches.errors import MatchOver, NotSeated, StalePly
from matches.models import FollowUp, Match, Seat
from matches.replay import position_of
from matches.writing import locked, people

log = logging.getLogger(__name__)

PATIENCE = 3
"""Attempts after which a plain legal move is played, so that no bot can hold up a match."""
STAND_IN = 1
"""The level, counted from the weakest, that plays on for a person who left."""
AUDIT_SECONDS = 3_600
AUDIT_NAMED = 20
"""How many differences of a pool the log names."""


@shared_task
def sweep() -> None:
    """Wake up again what is overdue."""
    followups.sweep(timezone.now())


@shared_task
def flags() -> None:
    """Look at every clock that has run out. The web processes do so each second for themselves; this is for when they missed one."""
    timekeeping.flag_overdue(timezone.now())


@shared_task
def leases() -> None:
    """Close the connections of sockets that were cut off without a word."""
    presence.sweep(timezone.now())


@shared_task
def tidy() -> None:
    """End what was forgotten, and delete what was done long ago."""
    offers.end_long_pauses(timezone.now())
    followups.prune(timezone.now())


@shared_task
def rate(row_id: int) -> None:
    """Rate the results of a pool that are due, in the order in which they were entered."""
    row = followups.claim(row_id, timezone.now())
    if row is None:
        return
    assert row.match is not None
    while ladder.apply_next(row.match.game, row.match.pace, timezone.now()):
        pass
    with transaction.atomic():
        # The numbers are part of what is seen of the match from now on.
        match, seats = locked(row.match.pk)
        match.version += 1
        match.save(update_fields=["version"])
        announce.changed(match)
        announce.persons(people(seats))
        followups.done(row, timezone.now())


@shared_task(acks_late=False, soft_time_limit=AUDIT_SECONDS, time_limit=AUDIT_SECONDS + 60)
def audit_ratings() -> None:
    """Rate everything again and say in the log what is not as stored. It may take long, and is not given to a second worker meanwhile."""
    for game, pace in audit.pools():
        wrong = 0
        for wrong, difference in enumerate(audit.differences(game, pace), start=1):
            if wrong <= AUDIT_NAMED:
                log.error("ratings of %s, %s: %s", game, pace, difference)
        log.log(logging.ERROR if wrong else logging.INFO, "ratings of %s, %s: %s differences from the history", game, pace, wrong)


@shared_task
def think(row_id: int) -> None:
    """Let the bot whose turn it is move. Doing it twice, at once or later, plays one move."""
    row = followups.claim(row_id, timezone.now())
    if row is None:
        return
    try:
        _move(row)
    except Exception as trouble:
        # Where it happened but not what was said: the message of an exception may quote a hidden card.
        where = "".join(traceback.format_tb(trouble.__traceback__))
        log.error("%s: attempt %s failed with %s at\n%s", row, row.attempts, type(trouble).__name__, where)
        followups.failed(row, trouble, timezone.now())


def intent_of(row: FollowUp) -> UUID:
    """The client id of the site's own move: the same whoever plays it and however often, and another one after a takeback."""
    return uuid5(NAMESPACE_OID, row.key)


def _move(row: FollowUp) -> None:
    match = row.match
    assert match is not None
    if not match.running or match.ply != row.ply or match.to_move is None:
        followups.done(row, timezone.now())
        return
    seat = match.seats.get(number=match.to_move)
    if not seat.automatic:  # a person took it over
        followups.done(row, timezone.now())
        return
    text = _choice(match, seat, row.attempts)
    with transaction.atomic():
        try:
            services.play_move(
                match.pk,
                seat.number,
                text,
                ply=match.ply,
                client_id=intent_of(row),
                now=timezone.now(),
                automatic=True,
            )
        except (StalePly, MatchOver, NotSeated):
            log.info("%s: the match went on without it", row)
        followups.done(row, timezone.now())


def _choice(match: Match, seat: Seat, attempt: int) -> str:
    state = position_of(match).state
    source = SystemSource()
    if attempt > PATIENCE:
        log.error("%s: %s gets a plain move after %s attempts", match, seat, attempt - 1)
        return str(next(iter(state.legal_moves())))
    levels = match.rules.levels
    level = seat.level or levels[min(STAND_IN, len(levels) - 1)].key
    return choose(match.rules, level, state, seat.number, source)


def choose(rules: Game, level: str, state: State, seat: int, source: Source) -> str:
    """What a bot of that level plays in that seat. It is handed what the seat has seen, the rest dealt anew, and so cannot peek."""
    return str(rules.bot(level).choose(state.determinize(seat, source), source))
