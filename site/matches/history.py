"""How a match went in time: every ply with what it cost, what happened beside the plies, and who was connected when.

Texts of plies come from `payloads`, so a reader sees here what the match itself shows that reader.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import formats
from django.utils.translation import gettext

from accounts.models import User
from matches import chronicle, payloads
from matches.clock import Pace
from matches.models import Connection, Event, Match, Move, TakenBack
from matches.presence import LEASE

Payload = dict[str, Any]


def may_read(match: Match, player: User | None) -> bool:
    """Whether somebody may read the history: everybody who may look at the match once it is over, before that the table."""
    return match.visible_to(player) and (not match.running or match.seat_held_by(player) is not None)


def history_of(match: Match, player: User | None, now: datetime) -> Payload:
    """The history as `player` may read it; load the match with its seats.

    `{"match", "pace", "control", "started_at", "ended_at", "seats", "entries", "connections"}`: the `kind` of an entry is
    `ply`, `taken_back` or `event`; times are ISO texts, amounts of time whole milliseconds, and `None` where there is none.
    Of a match over days each reads only its own connections: when somebody is awake is nobody else's business.
    """
    seat = match.seat_held_by(player)
    seats = payloads.seats_of(match, seat)
    names = [one["name"] for one in seats]
    entries = [*_plies(match, seat), *_taken_back(match), *_events(match, names)]
    shown = [one.number for one in match.seats.all() if not one.level and (match.pace == Pace.LIVE or one.number == seat)]
    return {
        "match": match.pk,
        "pace": match.pace,
        "control": match.time_control,
        "started_at": match.created_at.isoformat(),
        "ended_at": match.finished_at.isoformat() if match.finished_at else None,
        "seats": seats,
        "entries": sorted(entries, key=lambda entry: (entry["at"], entry["version"])),
        "connections": [_connections(match, number, now) for number in shown],
    }


def _plies(match: Match, seat: int | None) -> list[Payload]:
    costs = {move.ply: move for move in Move.objects.filter(match=match).defer("text")}
    return [
        {
            "kind": "ply",
            **ply,
            "version": costs[ply["ply"]].version,
            "used_ms": costs[ply["ply"]].used_ms,
            "lag_ms": costs[ply["ply"]].lag_ms,
            "left_ms": costs[ply["ply"]].left_ms,
        }
        for ply in payloads.plies_for(match, seat)
    ]


def _taken_back(match: Match) -> list[Payload]:
    # In the open: nothing is taken back where something is hidden.
    return [
        {
            "kind": "taken_back", "ply": row.ply, "seat": row.seat, "text": row.text, "at": row.at.isoformat(),
            "version": row.version, "taken_back_at": row.taken_back_at.isoformat(),
        }
        for row in TakenBack.objects.filter(match=match)
    ]  # fmt: skip


def _events(match: Match, names: list[str]) -> list[Payload]:
    return [
        {
            "kind": "event", "event": event.kind, "ply": event.ply, "seat": event.seat, "text": chronicle.say(event, names),
            "data": event.data, "at": event.at.isoformat(), "version": event.version,
        }
        for event in Event.objects.filter(match=match)
    ]  # fmt: skip


def _connections(match: Match, seat: int, now: datetime) -> Payload:
    """The sockets of a seat, and the times in between when it had none."""
    rows = list(Connection.objects.filter(match=match, seat=seat).order_by("opened_at", "pk"))
    sockets = [
        {"opened_at": row.opened_at.isoformat(), "ended_at": ended.isoformat() if ended else None, "lag_ms": row.lag_ms}
        for row in rows
        for ended in [_ended(row, now)]
    ]
    gaps = [
        {"from": ended.isoformat(), "to": opened.isoformat()}
        for ended, opened in _gaps((row.opened_at, _ended(row, now) or now) for row in rows)
    ]
    return {"seat": seat, "sockets": sockets, "gaps": gaps}


def _ended(row: Connection, now: datetime) -> datetime | None:
    """When a socket ended, be it that nobody said so; `None` while it is open."""
    return row.closed_at or (row.seen_at if now - row.seen_at > LEASE else None)


def _gaps(spans: Iterable[tuple[datetime, datetime]]) -> list[tuple[datetime, datetime]]:
    """What the spans, in the order of their starts, leave open between them."""
    gaps, end = [], None
    for opens, closes in spans:
        if end is not None and opens > end:
            gaps.append((end, opens))
        end = closes if end is None else max(end, closes)
    return gaps


def spent(ms: float | None) -> str:
    """An amount of time as people read it: `12.3 s`, `4:05`, `1:02:05`, `2 d 3 h`; empty for `None`."""
    if ms is None:
        return ""
    seconds = int(ms // 1000)
    if seconds < 60:
        return gettext("{n} s").format(n=formats.number_format(ms / 1000, 1))
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02}"
    if seconds < 86_400:
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return gettext("{days} d {hours} h").format(days=seconds // 86_400, hours=seconds // 3600 % 24)
