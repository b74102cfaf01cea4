"""What one client sent and was told, and whether the database bears all of it out."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from matches import payloads, replay
from matches.commands import find
from matches.models import Event, Match, Move, Outage
from matches.timing import clocks_of

SEEN_FIELDS = ("ply", "status", "to_move", "ranks", "view")


@dataclass(slots=True)
class Ledger:
    """What the client of one seat (`None`: a spectator) sent and heard, in the order of time; times are monotonic seconds."""

    match: int
    seat: int | None
    sent: dict[UUID, int] = field(default_factory=dict)
    """Intent to the ply it was meant for."""
    acks: dict[UUID, tuple[int, int]] = field(default_factory=dict)
    """Intent to ply and version."""
    refused: dict[UUID, str] = field(default_factory=dict)
    """Intent to the code, final ones only."""
    repeated: int = 0
    """Acks that said that they were."""
    positions: list[tuple[int, int, str]] = field(default_factory=list)
    """Version, ply and digest of every position that was heard, older ones that come late included."""
    last: dict[str, Any] | None = None
    """The newest position."""
    notes: list[str] = field(default_factory=list)
    """The kinds of what was said to have happened beside the plies."""
    opened: list[float] = field(default_factory=list)
    """When a connection first brought a position."""
    closed: list[tuple[float, int | None]] = field(default_factory=list)
    """When a connection ended, and with which code."""
    echoes: list[float] = field(default_factory=list)
    """Seconds from each move to its ack."""
    leaks: int = 0
    """Messages that held the secret while the match ran."""


def digest(position: dict[str, Any]) -> str:
    """A hash over what the board shows."""
    shown = {name: position[name] for name in SEEN_FIELDS}
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]


def faults(ledgers: Iterable[Ledger]) -> list[str]:
    """Every promise that was broken, as a sentence; none is what a run must come to.

    I1 what was acknowledged is stored, I2 once and without gaps, I3 what was shown is what is stored, I4 what was refused is
    not, I5 all ends agree, I6 nothing follows the end, I9 the clocks add up, I10 no secret went out.
    """
    of_match: defaultdict[int, list[Ledger]] = defaultdict(list)
    for ledger in ledgers:
        of_match[ledger.match].append(ledger)
    return [fault for match_id, those in sorted(of_match.items()) for fault in _Check(match_id).all(those)]


class _Check:
    def __init__(self, match_id: int) -> None:
        self.match = find(match_id)
        self.moves = list(Move.objects.filter(match=match_id))
        self.fold = list(replay.fold(self.match, (move.text for move in self.moves)))

    def all(self, ledgers: list[Ledger]) -> list[str]:
        found = [*self._log(), *self._clocks()]
        for ledger in ledgers:
            found += [f"seat {ledger.seat}: {fault}" for fault in (*self._answers(ledger), *self._shown(ledger))]
        return [f"{self.match}: {fault}" for fault in found]

    def _log(self) -> Iterable[str]:
        if [move.ply for move in self.moves] != list(range(1, self.match.ply + 1)):
            yield "I2 the plies have a gap"
        intents = Counter((move.seat, move.client_id) for move in self.moves if move.client_id is not None)
        if intents and max(intents.values()) > 1:
            yield "I2 an intent was stored twice"
        versions = [move.version for move in self.moves]
        if versions != sorted(versions) or versions[-1:] > [self.match.version]:
            yield "I2 the versions are out of order"
        if self.fold[-1].chain != self.match.chain:
            yield "I5 the plies do not lead to the stored position"
        if self.match.finished_at is not None and any(move.at > self.match.finished_at for move in self.moves):
            yield "I6 somebody moved after the end"

    def _clocks(self) -> Iterable[str]:
        clocks = clocks_of(self.match)
        if clocks is None:
            return
        left = [1000 * self.match.control.base] * len(clocks.left)
        for move in self.moves:
            if move.seat is None or move.left_ms is None or move.used_ms is None:
                continue
            first = all(other.seat != move.seat for other in self.moves[: move.ply - 1])
            left[move.seat] = max(0, left[move.seat] - move.used_ms) + (0 if first else 1000 * self.match.control.increment)
            if left[move.seat] != move.left_ms:
                yield f"I9 ply {move.ply} left {move.left_ms} ms where {left[move.seat]} were due"
        if list(clocks.left) != left:
            yield f"I9 the clocks show {list(clocks.left)} where {left} are left"
        for flag in Event.objects.filter(match=self.match, kind__in=("left", "called_off")):
            if Outage.objects.filter(began_at__lt=flag.at, ended_at__gt=flag.at).exists():
                yield "I9 a flag fell while the site was down"

    def _answers(self, ledger: Ledger) -> Iterable[str]:
        rows = {move.client_id: move for move in self.moves if move.seat == ledger.seat and move.client_id is not None}
        for intent, answer in ledger.acks.items():
            row = rows.get(intent)
            if row is None or (row.ply, row.version) != answer:
                yield f"I1 the acknowledged move {intent} at {answer} is stored as {row and (row.ply, row.version)}"
        for intent, code in ledger.refused.items():
            if intent in rows and intent not in ledger.acks:
                yield f"I4 {intent} was refused as {code} and is stored"
        if strangers := rows.keys() - ledger.sent.keys():
            yield f"I2 {len(strangers)} stored moves were never sent"

    def _shown(self, ledger: Ledger) -> Iterable[str]:
        for version, ply, heard in set(ledger.positions):
            stored = max((move.ply for move in self.moves if move.version <= version), default=0)
            if version > self.match.version or ply != stored:
                yield f"I3 version {version} was shown with ply {ply}, and is stored with ply {stored}"
            elif heard != self._digest(version, ply, ledger.seat):
                yield f"I3 what was shown at version {version} is not what is stored"
        if ledger.last is not None and digest(ledger.last) != self._digest(self.match.version, self.match.ply, ledger.seat):
            yield f"I5 it ends with version {ledger.last['version']} and the match with {self.match.version}"
        if ledger.leaks:
            yield f"I10 the secret went out {ledger.leaks} times"

    def _digest(self, version: int, ply: int, seat: int | None) -> str:
        """What a viewer must have been shown at that version, folded anew from the stored plies."""
        over = not self.match.running and version == self.match.version
        if over:
            return digest(payloads.for_seat(self.match, seat))
        state = self.fold[ply].state
        mover = state.to_move if isinstance(state.to_move, int) else None
        running = Match.Status.RUNNING.value
        return digest({"ply": ply, "status": running, "to_move": mover, "ranks": None, "view": state.view(seat)})

