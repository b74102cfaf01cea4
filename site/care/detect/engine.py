"""How often somebody's moves are what our strongest bot would have played, compared with people of like rank.

The bot is handed what the seat knew at that moment, the rest dealt anew, as in `matches.tasks.choose`. Only finished rated
matches between people are looked at, and only positions with a real choice. It waits in the queue for analysis, and gives way to
bots whose turn it is.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from math import sqrt
from statistics import fmean, pstdev
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Subquery, Sum

from care.detect import findings
from care.models import Check, Finding, Report
from games.kit.chance import KeyedSource
from matches import followups
from matches.models import FollowUp, Match, Move, Seat
from matches.replay import fold
from matches.tasks import choose

PER_HOUR = 20
"""Seats that are chosen each hour."""
FRESH = timedelta(days=3)
FIRST_SKIPPED = 2
"""Moves of a seat at the start that are left out: everybody knows openings."""
CHOICES = 4
"""Legal moves that make a real choice."""
MOST = 24
"""Positions that are looked at in a match."""
SECONDS, PAUSE, EXPIRES = 5.0, 20, 3600
"""How long one go lasts, the pause before the next, and how long a go may wait in the queue at all."""

COUNTS = timedelta(days=90)
ENOUGH, ENOUGH_PEERS = 60, 5
"""Positions of a person, and other people with `PEER_PLIES` each, without which nothing is said."""
PEER_PLIES = 30
LIKE = 250
"""Points of rating within which others are of like rank."""
FAR = 4.0
"""Standard deviations above them that are odd, and `ABOVE` is the least difference of the shares."""
ABOVE = 0.15


class Progress(NamedTuple):
    """How far a seat's check has come: the ply to go on from, positions looked at, and how many agreed."""

    match: int
    seat: int
    ply: int = 0
    plies: int = 0
    same: int = 0


def sample(now: datetime) -> list[tuple[int, int]]:
    """Seats of people to check next, by match and number: first those of people whom somebody reported for it, then by chance."""
    seats = Seat.objects.filter(
        user__isnull=False, match__rated=True, match__status=Match.Status.FINISHED, match__finished_at__gt=now - FRESH
    ).exclude(Exists(Check.objects.filter(match=OuterRef("match"), seat=OuterRef("number"))))
    seats = seats.exclude(Exists(Seat.objects.filter(match=OuterRef("match")).exclude(level="")))
    suspected = Report.objects.filter(about=OuterRef("user"), kind=Report.Kind.CHEATING, state=Report.State.OPEN)
    chosen = seats.annotate(suspected=Exists(suspected)).order_by("-suspected", "?")
    return list(chosen.values_list("match", "number")[:PER_HOUR])


def go_on(progress: Progress, now: datetime) -> Progress | None:
    """Look at some more positions; how far it came then, `None` when the check is done and stored."""
    match = Match.objects.with_seats().filter(pk=progress.match, status=Match.Status.FINISHED, rated=True).first()
    user = match.seats.all()[progress.seat].user if match else None
    if match is None or user is None:
        return None
    began = time.monotonic()
    for ply, agrees in _compared(match, progress):
        progress = progress._replace(ply=ply, plies=progress.plies + 1, same=progress.same + agrees)
        if progress.plies >= MOST:
            break
        if time.monotonic() - began > SECONDS or bots_wait(now):
            return progress
    row = Check(match=match, seat=progress.seat, user=user, plies=progress.plies, same=progress.same, done_at=now)
    Check.objects.bulk_create([row], ignore_conflicts=True)
    judge(user.pk, match.game, now)
    return None


def bots_wait(now: datetime) -> bool:
    """Whether a bot's turn waits that nobody has begun to think about."""
    turns = FollowUp.objects.filter(kind=followups.THINK, done_at=None, dead_at=None, due_at__lte=now, attempts=0)
    return turns.exists()


def judge(user: int, game: str, now: datetime) -> bool:
    """Compare a person with others of like rank, and keep a finding where the share is far above theirs; whether there is one."""
    checks = Check.objects.filter(match__game=game, done_at__gt=now - COUNTS)
    rating = Seat.objects.filter(match=OuterRef("match"), number=OuterRef("seat")).values("rating")[:1]
    checks = checks.annotate(rating=Subquery(rating))
    own = list(checks.filter(user=user, rating__isnull=False).values_list("match", "plies", "same", "rating"))
    all_plies, all_same = sum(plies for _, plies, _, _ in own), sum(same for _, _, same, _ in own)
    if all_plies < ENOUGH:
        return False
    middle = fmean(rating for _, _, _, rating in own)
    near = checks.exclude(user=user).filter(rating__range=(middle - LIKE, middle + LIKE))
    peers = near.values("user").annotate(all=Sum("plies"), like=Sum("same")).filter(all__gte=PEER_PLIES).order_by()
    rates = [peer["like"] / peer["all"] for peer in peers]
    if len(rates) < ENOUGH_PEERS:
        return False
    rate, usual = all_same / all_plies, fmean(rates)
    z = (rate - usual) / spread(rates, all_plies)
    if z < FAR or rate - usual < ABOVE:
        return False
    matches = [match for match, *_ in own]
    numbers = {"same": all_same, "plies": all_plies, "rate": round(100 * rate), "usual": round(100 * usual), "z": round(z, 1)}
    suspicion = findings.Suspicion(f"engine:{user}:{game}", Finding.Kind.ENGINE, user, min(z / 10, 1), matches, game=game, numbers=numbers)
    return findings.keep([suspicion], now) > 0


def spread(rates: list[float], plies: int) -> float:
    """How far a share of so many positions strays by chance from what people of that rank have, who differ among themselves."""
    usual = min(max(fmean(rates), 0.02), 0.98)
    return sqrt(pstdev(rates) ** 2 + usual * (1 - usual) / plies)


def _compared(match: Match, progress: Progress) -> Iterator[tuple[int, bool]]:
    """Per position of the seat with a real choice, from where it stopped: the ply after it, and whether the bot would have moved so."""
    moves = list(Move.objects.filter(match=match, ply__lte=match.ply).values_list("seat", "text", "client_id"))
    strongest, made = match.rules.levels[-1].key, 0
    positions = fold(match, (text for _, text, _ in moves))
    for position, (mover, text, client_id) in zip(positions, moves, strict=False):
        if mover != progress.seat:
            continue
        made += 1
        left_by_then = match.seats.all()[progress.seat].left_at_ply
        own = client_id is not None and (left_by_then is None or position.ply < left_by_then)
        if position.ply < progress.ply or made <= FIRST_SKIPPED or not own:
            continue
        if len(list(islice(iter(position.state.legal_moves()), CHOICES))) < CHOICES:
            continue
        seed = hashlib.sha256(f"check {match.pk} {position.ply}".encode()).digest()
        yield position.ply + 1, choose(match.rules, strongest, position.state, progress.seat, KeyedSource(seed, "check")) == text
