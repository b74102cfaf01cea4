"""What the bot says of a position: asked for once by anybody, worked out by a worker, and kept for all who may see it.

The bot is handed what the seat to move could know, the rest dealt anew, as in a match. Who asks is asked again whether they
may when the work begins, and whenever something is shown.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import registry
from games.kit.chance import KeyedSource
from games.kit.protocol import CHANCE, N_, Analysis, Candidate, Game, IllegalMove, State
from games.kit.protocol import Move as GameMove
from matches import followups
from matches.errors import MatchError, NotNow, TooMuch
from matches.models import FollowUp
from studies import guard, news
from studies.models import Evaluation
from studies.positions import NotPlayable, Way, identity, line_of, way_to

Payload = dict[str, Any]
POSITION = "position"
"""What a follow-up of this module has under `what`."""
PLAYOUTS = 6_000
"""As many as our strongest bots make for two or three moves; one to five seconds of a core."""
PATIENT = 2
"""Attempts after which less work has to do: on a machine that is too slow for all of it a task is ended."""
MOST_SHOWN = 12
"""Candidates that are kept of a position."""
PER_HOUR, PER_HOUR_GUEST = 240, 60
"""New positions that one person may have looked at."""
MOST_WAITING, WAITING_EACH = 60, 3
"""Positions that may wait for the bot altogether, and of one person: whoever steps on through a match waits for the newest."""
TOLD_EVERY = 0.25
"""Seconds between two words about how far it is."""


class NothingToMove(NotNow):
    sentence = N_("The bot can say something where a seat is to move. Draw first, or go back a move.")


class NeedsPerson(NotNow):
    code = "nobody"
    sentence = N_("Sign in to have a position analysed that nobody asked about before. Trying out moves needs no account.")


class TooBusy(TooMuch):
    code = "busy"
    sentence = N_("Many positions are waiting for the bot. Try again in a minute.")


def way_of(player: User | None, source: object, ply: object, moves: object) -> Way:
    """The way that `player` asks about, if it may. Raises what `line_of` and `way_to` raise, `PlayedNow` and `NothingToMove`."""
    way = way_to(line_of(source, player), ply, moves)
    guard.check(player, way, bot=True)
    if not isinstance(way.end.state.to_move, int):
        raise NothingToMove
    return way


def ask(player: User | None, source: object, ply: object, moves: object, now: datetime) -> Payload:
    """What is known of the position at the end of a way: `{"key", "evaluation", "progress"}`; where little is, ask a worker for more.

    `progress` is `None` where nothing more is to come. Raises what `way_of` raises, `NeedsPerson`, `TooMuch`, `TooBusy`.
    """
    way = way_of(player, source, ply, moves)
    key = identity(way.line, way.end.state)
    stored = Evaluation.objects.filter(key=key).first()
    if stored is not None and stored.playouts >= PLAYOUTS:
        return {"key": key, "evaluation": payload(stored, way.end.state), "progress": None}
    answer = {"key": key, "evaluation": stored and payload(stored, way.end.state), "progress": {"done": 0, "total": PLAYOUTS}}
    try:
        _request(player, key, {"what": POSITION, "key": key, "source": source, "ply": ply, "moves": list(way.tried)}, now)
    except MatchError:
        if stored is None:
            raise
        answer["progress"] = None
    return answer


def _request(player: User | None, key: str, data: Mapping[str, Any], now: datetime) -> None:
    """Ask a worker, unless this person has asked and waits."""
    if player is None:
        raise NeedsPerson
    name = _row_key(player, key)
    studies = FollowUp.objects.filter(kind=followups.STUDY)
    if studies.filter(key=name, done_at=None, dead_at=None).exists():
        return
    asked = studies.filter(person=player, key__startswith=f"{POSITION}:", due_at__gt=now - timedelta(hours=1))
    if asked.count() >= (PER_HOUR_GUEST if player.is_guest else PER_HOUR):
        raise TooMuch(N_("You have had many positions analysed in the last hour. Take a break and try again later."))
    if studies.filter(key__startswith=f"{POSITION}:", done_at=None, dead_at=None).count() >= MOST_WAITING:
        raise TooBusy
    with transaction.atomic():
        studies.filter(key=name).delete()  # one that was refused, or that failed too often
        own = studies.filter(person=player, key__startswith=f"{POSITION}:", done_at=None, dead_at=None, lease_until=None)
        studies.filter(pk__in=list(own.order_by("-pk").values_list("pk", flat=True)[WAITING_EACH - 1 :])).delete()
        followups.ask(followups.STUDY, key=name, person=player, data=data, now=now)


def _row_key(player: User, key: str) -> str:
    return f"{POSITION}:{player.pk}:{key}"


def answer_to(player: User | None, key: str) -> Payload | None:
    """What came of a position that `player` asked about: the evaluation, or why not; `None` while it is not known.

    `{"type": "evaluation", "key", "evaluation"}` or, with `MatchError` raised, a refusal.
    """
    row = None if player is None else FollowUp.objects.filter(kind=followups.STUDY, key=_row_key(player, key)).first()
    if row is None:
        return None
    if row.dead_at is not None:
        raise NotNow(N_("The bot could not make out this position. Try again later."))
    if row.done_at is None:
        return None
    way = way_of(player, row.data["source"], row.data["ply"], row.data["moves"])
    stored = Evaluation.objects.filter(key=key).first()
    if stored is None or identity(way.line, way.end.state) != key:
        return None
    return {"type": "evaluation", "key": key, "evaluation": payload(stored, way.end.state)}


def work(row: FollowUp) -> None:
    """Look at the position that a row asks for, unless it is known by now or its person may not ask any more."""
    key, wanted = row.data["key"], row.data
    try:
        way = way_of(row.person, wanted["source"], wanted["ply"], wanted["moves"])
    except (MatchError, NotPlayable):
        followups.done(row, timezone.now())
        news.ready(key)
        return
    playouts = PLAYOUTS if row.attempts <= PATIENT else PLAYOUTS // 4
    if not Evaluation.objects.filter(key=key, playouts__gte=playouts).exists():
        found = look(way.line.rules, way.end.state, key, playouts, tell=_teller(key))
        keep(key, way.line.rules, found, playouts)
    followups.done(row, timezone.now())
    news.ready(key)


def waiting(now: datetime) -> list[int]:
    """The rows of positions that nobody has begun to look at, the oldest first."""
    rows = FollowUp.objects.filter(kind=followups.STUDY, key__startswith=f"{POSITION}:", done_at=None, dead_at=None, lease_until=None)
    return list(rows.filter(due_at__lte=now).order_by("pk").values_list("pk", flat=True))


def look(
    rules: Game, state: State, key: str, playouts: int, *, also: GameMove | None = None, tell: Callable[[int], None] | None = None
) -> Analysis:
    """What the bot finds in a position with a seat to move, handed what that seat could know; the same every time it is asked."""
    seat = state.to_move
    assert isinstance(seat, int)
    source = KeyedSource(hashlib.sha256(key.encode()).digest(), "analysis")
    return rules.analyst().analyse(state.determinize(seat, source), source, playouts=playouts, also=also, tell=tell)


def keep(key: str, rules: Game, found: Analysis, playouts: int, *, also: GameMove | None = None) -> None:
    """Store what was found, of the best moves and of `also`, in place of what less work had found."""
    kept = [one for index, one in enumerate(found.candidates) if index < MOST_SHOWN or one.move == also]
    fields = {
        "game": rules.key,
        "playouts": playouts,
        "values": _rounded(found.values),
        "candidates": [candidate(one) for one in kept],
        "made_at": timezone.now(),
    }
    Evaluation.objects.bulk_create([Evaluation(key=key, **fields)], ignore_conflicts=True)
    Evaluation.objects.filter(key=key, playouts__lt=playouts).update(**fields)


def candidate(one: Candidate) -> Payload:
    """A move that the bot looked at, as it is stored."""
    return {
        "text": str(one.move),
        "values": _rounded(one.values),
        "share": round(one.share, 4),
        "line": [str(move) for move in one.line],
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]


def payload(stored: Evaluation, state: State) -> Payload:
    """An evaluation for a page, in a position that it is of: `{"seat", "playouts", "values", "ranks", "candidates"}`.

    `values` are per seat from 0 (last) to 1 (first), `ranks` the same as ranks to expect. A candidate is `{"text", "values",
    "rank", "loss", "share", "line"}`: `rank` is that of the seat to move, `loss` by how much it is worse than that of the best one.
    """
    seat = state.to_move
    assert isinstance(seat, int)
    best = stored.candidates[0]["values"]
    return {
        "seat": seat,
        "playouts": stored.playouts,
        "values": stored.values,
        "ranks": [rank(value, len(best)) for value in stored.values],
        "candidates": [
            one
            | {
                "rank": rank(one["values"][seat], len(best)),
                "loss": round(max(0.0, (len(best) - 1) * (best[seat] - one["values"][seat])), 3),
                "line": playable(state, one["line"], stored.game),
            }
            for one in stored.candidates
        ],
    }


def rank(value: float, seats: int) -> float:
    """The rank that a seat standing at `value` may expect (`games.kit.standing`)."""
    return round(1 + (seats - 1) * (1 - value), 3)


def playable(state: State, texts: Sequence[str], game: str) -> list[str]:
    """As much of a line as can be played: the bot may have been dealt other hands for the other seats."""
    rules, played = registry.get(game), []
    for text in texts:
        if state.to_move is None or state.to_move is CHANCE:
            break
        try:
            state = state.play(rules.parse_move(text))
        except IllegalMove:
            break
        played.append(text)
    return played


def _teller(key: str) -> Callable[[int], None]:
    """Passes on how far the work is, though not every word of it."""
    told = 0.0

    def tell(done: int) -> None:
        nonlocal told
        if time.monotonic() - told >= TOLD_EVERY:
            told = time.monotonic()
            news.progress(key, done, PLAYOUTS)

    return tell
