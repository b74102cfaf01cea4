"""The analysis of a whole match or record by the bot: asked for once, made in slices, then there for everybody who may see it.

For each move the bot compares its best with the one that was played, both looked at equally closely. What the move lost is the
difference of the ranks that its seat could expect: 0.2 means that in five such moments one loses a place once.

Thresholds. A search of four to six times as much work says something else of a move by less than 0.06 of a rank in nine cases of
ten, so less than 0.08 is not held against anybody. From there each kind is twice as bad as the one before. They are the same for any
number of seats, since a rank is a rank (docs/analysis.md has the measurements).

Accuracy of a move is the curve that lichess.org fits to the win percentage lost (https://lichess.org/page/accuracy),

    103.1668 · exp(−0.04354 · lost) − 3.1669,  within 0 and 100,

where `lost` is the part of all ranks that the move lost, in per cent. That of a seat is the mean of the arithmetic and the harmonic
mean over its moves with a choice, so that one blunder shows among many easy moves.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import exp
from statistics import fmean, harmonic_mean
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.kit import story
from games.kit.protocol import N_, State
from games.kit.standing import placed
from matches import followups
from matches.errors import NotNow, TooMuch
from matches.models import FollowUp, Match
from matches.replay import Position
from matches.words import say
from studies import analysis, guard, news
from studies.models import Evaluation, Imported, Review
from studies.positions import Line, identity, of_imported, of_match

Payload = dict[str, Any]
REVIEW = "review"
"""What a follow-up of this module has under `what`."""
PLAYOUTS = 1_500
SLICE_SECONDS = 4.0
"""How long one go lasts: so much is done again at most when a worker is killed, and so long a single position waits behind it."""
PER_DAY, PER_DAY_GUEST = 20, 4
"""Matches that one person may have analysed."""
MOST_WAITING = 100
MOST_PLIES = 2_000
"""Of a record: no match of any game is nearly as long."""
KINDS = (("blunder", 0.32), ("mistake", 0.16), ("inaccuracy", 0.08))
"""What a move is called that loses so much of a rank, the worst first."""
FORCED, BEST, GOOD = "forced", "best", ""
"""There was no choice; it is the bot's own; it loses less than an inaccuracy."""


class NeedsPerson(NotNow):
    code = "nobody"
    sentence = N_("Sign in or play a match first; then you can have matches analysed.")


# --- Asking


def of(thing: Match | Imported) -> Review | None:
    """The review of a match or a record, if somebody asked for it."""
    return Review.objects.filter(match=thing).first() if isinstance(thing, Match) else Review.objects.filter(imported=thing).first()


def line_for(thing: Match | Imported) -> Line:
    """The line of a match that is over, loaded with its seats, or of a record. Raises `StillRunning`, `NotNow`."""
    if isinstance(thing, Imported):
        return of_imported(thing)
    if thing.status == Match.Status.ABORTED:
        raise NotNow(N_("A match that was called off is not analysed. Try moves on the board instead."))
    return of_match(thing)


def ask(thing: Match | Imported, player: User | None, now: datetime) -> Review:
    """Have a match or record analysed, by whoever may see it; asked again, or after a failure, it goes on. Raises `MatchError`."""
    review = of(thing)
    if review is not None and review.status != Review.Status.FAILED:
        return review
    if player is None:
        raise NeedsPerson
    line = line_for(thing)
    if not line.plies:
        raise NotNow(N_("Nothing was played in it, so there is nothing to analyse."))
    if len(line.plies) > MOST_PLIES:
        raise NotNow(N_("This record is too long to be analysed."))
    _hold_back(player, now)
    which = {"match": thing} if isinstance(thing, Match) else {"imported": thing}
    fields = {"status": Review.Status.WAITING, "total": len(line.plies), "asked_by": player, "asked_at": now}
    with transaction.atomic():
        review, _ = Review.objects.update_or_create(**which, defaults=fields)
        FollowUp.objects.filter(key=_row_key(review)).delete()  # one that failed too often
        followups.ask(followups.STUDY, key=_row_key(review), person=player, data={"what": REVIEW, "review": review.pk}, now=now)
    return review


def _hold_back(player: User, now: datetime) -> None:
    lately = Review.objects.filter(asked_by=player, asked_at__gt=now - timedelta(days=1)).count()
    if lately >= (PER_DAY_GUEST if player.is_guest else PER_DAY):
        raise TooMuch(N_("You have had many matches analysed today. More can be analysed tomorrow."))
    if Review.objects.filter(status=Review.Status.WAITING).count() >= MOST_WAITING:
        raise TooMuch(N_("Many matches are waiting for analysis. Try again later."))


def _row_key(review: Review) -> str:
    return f"{REVIEW}:{review.pk}"


def key_of(review: Review) -> str:
    """What a page follows to hear how far it is."""
    return f"{REVIEW}-{review.pk}"


def is_key(key: str) -> bool:
    """Whether it is the key of a review."""
    return key.startswith(f"{REVIEW}-")


def followed(player: User | None, key: str) -> Review | None:
    """The review of that key, if `player` may see what it is about."""
    number = key.removeprefix(f"{REVIEW}-")
    if not is_key(key) or not (number.isascii() and number.isdecimal()) or len(number) > 18:
        return None
    review = Review.objects.filter(pk=int(number)).select_related("match").first()
    return None if review is None or (review.match is not None and not review.match.visible_to(player)) else review


def thing_of(review: Review) -> Match | Imported:
    """What it is a review of; a match with its seats."""
    if review.match_id is not None:
        return Match.objects.with_seats().get(pk=review.match_id)
    assert review.imported is not None
    return review.imported


# --- Working


def work(row: FollowUp) -> bool:
    """Look at the next plies of a review, for a few seconds; whether there is more to do. Doing it twice changes nothing."""
    review = Review.objects.filter(pk=row.data["review"], status=Review.Status.WAITING).select_related("imported").first()
    if review is None:
        followups.done(row, timezone.now())
        return False
    line = line_for(thing_of(review))
    began, found = time.monotonic(), list(review.plies)
    while len(found) < len(line.plies):
        found.append(_ply(line, len(found)))
        news.progress(key_of(review), len(found), len(line.plies))
        if time.monotonic() - began >= SLICE_SECONDS:
            break
    return _store(row, review, line, found)


def _store(row: FollowUp, review: Review, line: Line, found: list[Payload]) -> bool:
    """Keep what was found, unless another worker has gone on from there; whether there is more to do."""
    over = len(found) == len(line.plies)
    fields: dict[str, Any] = {"done": len(found), "plies": found}
    if over:
        fields |= {"status": Review.Status.DONE, "accuracy": accuracies(line, found), "done_at": timezone.now()}
    with transaction.atomic():
        Review.objects.filter(pk=review.pk, done=review.done, status=Review.Status.WAITING).update(**fields)
        if over:
            followups.done(row, timezone.now())
            news.ready(key_of(review))
    return not over


def give_up(row: FollowUp) -> None:
    """Say of a review that it failed; somebody may ask again, and it goes on from where it stopped."""
    Review.objects.filter(pk=row.data["review"], status=Review.Status.WAITING).update(status=Review.Status.FAILED)


def _ply(line: Line, index: int) -> Payload:
    """What is found of the ply after `index` others."""
    before, after = line.positions()[index : index + 2]
    assert after.last is not None
    seat = after.last.seat
    if seat is None:
        return {"seat": None, "values": None}
    state, move = before.state, after.last.move
    choice = len(list(zip(range(2), state.legal_moves(), strict=False))) > 1
    key = identity(line, state)
    best, played = _known(key, str(move)) or _compared(line, state, key, after)
    lost = max(0.0, (len(best["values"]) - 1) * (best["values"][seat] - played["values"][seat]))
    kind = FORCED if not choice else BEST if best["text"] == played["text"] else _kind(lost)
    entry = {"seat": seat, "values": best["values"], "kind": kind, "loss": round(lost, 3)}
    if kind not in (FORCED, BEST):
        entry |= {"after": played["values"], "best": best["text"], "line": analysis.playable(state, best["line"], line.rules.key)}
    if kind in dict(KINDS):
        remark = line.rules.reason(state, line.rules.parse_move(best["text"]), move)
        entry["reason"] = None if remark is None else story.to_json(remark)
    return entry


def _known(key: str, text: str) -> tuple[Payload, Payload] | None:
    """The best move and the one played as they are known of the position already, if both were looked at closely."""
    stored = Evaluation.objects.filter(key=key, playouts__gte=PLAYOUTS).first()
    if stored is None:
        return None
    best = stored.candidates[0]
    played = next((one for one in stored.candidates if one["text"] == text), None)
    return (best, played) if played is not None and played["share"] >= best["share"] / 2 else None


def _compared(line: Line, state: State, key: str, after: Position) -> tuple[Payload, Payload]:
    """The best move and the one played, looked at equally closely; what was found is kept for whoever asks about the position."""
    assert after.last is not None
    found = analysis.look(line.rules, state, key, PLAYOUTS, also=after.last.move)
    analysis.keep(key, line.rules, found, PLAYOUTS, also=after.last.move)
    played = next(one for one in found.candidates if one.move == after.last.move)
    return analysis.candidate(found.candidates[0]), analysis.candidate(played)


def _kind(lost: float) -> str:
    return next((kind for kind, least in KINDS if lost >= least), GOOD)


# --- What it says


def accuracy_of(lost: float) -> float:
    """From 0 to 100, for a move that lost such a part of all ranks, from 0 to 1."""
    return min(100.0, max(0.0, 103.1668 * exp(-4.354 * lost) - 3.1669))


def accuracies(line: Line, found: Sequence[Payload]) -> list[float | None]:
    """Per seat; `None` for one that never had a choice. Moves that the site made for somebody who had left are not counted."""
    seats = line.variant.seats
    made: list[list[float]] = [[] for _ in range(seats)]
    gone = {seat.number: seat.left_at_ply for seat in line.match.seats.all() if seat.left_at_ply is not None} if line.match else {}
    for ply, entry in enumerate(found):
        seat = entry["seat"]
        if seat is not None and entry["kind"] != FORCED and ply < gone.get(seat, len(found)):
            made[seat].append(max(1.0, accuracy_of(entry["loss"] / (seats - 1))))
    return [round((fmean(one) + harmonic_mean(one)) / 2, 1) if one else None for one in made]


def brief(thing: Match | Imported, player: User | None) -> Payload | None:
    """The review as `player` may read it, in the reader's language; `None` where there is none yet, or while the match runs.

    `{"key", "status", "done", "total", "accuracy", "counts", "values", "plies"}`. `accuracy` and `counts` are per seat, of
    the latter how many moves of each kind. `values` has for each position, the start first, per seat how it stands (from 0, last,
    to 1, first), or `None` where it is not known. `plies` has what is to be said of a ply: `{"ply", "seat", "kind", "loss", "best", "line",
    "values", "after", "reason"}`; `best`, `line`, `after` and `reason` only where another move was better. Of positions that the
    reader's own running matches have come through nothing is told.
    """
    if isinstance(thing, Match) and (thing.running or not thing.visible_to(player)):
        return None
    review = of(thing)
    if review is None:
        return None
    line = line_for(thing)
    hidden = guard.kept_from(player, line)
    plies = [_told(number, entry) for number, entry in enumerate(review.plies, 1) if entry["seat"] is not None and number - 1 not in hidden]
    return {
        "key": key_of(review),
        "status": review.status,
        "done": review.done,
        "total": review.total,
        "accuracy": review.accuracy,
        "counts": [{kind: _count(review, seat, kind) for kind, _ in KINDS} for seat in range(line.variant.seats)],
        "values": [None if number in hidden else values for number, values in enumerate(_values(review, line))],
        "plies": plies,
    }


def _count(review: Review, seat: int, kind: str) -> int:
    return sum(entry["seat"] == seat and entry["kind"] == kind for entry in review.plies)


def _values(review: Review, line: Line) -> list[list[float] | None]:
    """Per position how the seats stand there; at the end by the result."""
    values = [entry["values"] for entry in review.plies]
    if review.status == Review.Status.DONE:
        ranks = _ranks(line)
        values.append(None if ranks is None else [round(value, 4) for value in placed(ranks)])
    return values


def _ranks(line: Line) -> Sequence[int] | None:
    if line.match is not None:
        ranks: list[int] | None = line.match.ranks
        return ranks
    outcome = line.positions()[-1].state.outcome()
    return None if outcome is None else outcome.ranks


def _told(number: int, entry: Payload) -> Payload:
    reason = entry.get("reason")
    return {"ply": number, **entry, **({"reason": say(story.from_json(reason))} if reason else {})}
