"""From plies back to positions: the fold that everything shown or decided rests on, and a small cache of it.

A cached position is only ever extended, and only trusted when the hash chain over its plies is the one the
match row carries: what is not the fold of the stored plies is never served, whatever happened in between.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.kit.protocol import Game, State
from games.kit.protocol import Move as GameMove
from matches.models import Match, Move

CACHED_MATCHES = 256


class BrokenLog(RuntimeError):
    """The stored plies do not lead to the position that the match row vouches for."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A ply as it was played; `seat` is `None` for chance."""

    number: int
    seat: int | None
    move: GameMove


@dataclass(frozen=True, slots=True)
class Position:
    """A state and how it came about."""

    state: State
    ply: int
    chain: str
    last: Ply | None = None
    moved: frozenset[int] = frozenset()
    """The seats that have moved at least once."""
    tail: tuple[tuple[Ply, State], ...] = ()
    """The last move of a seat and the draws that followed it, each with the state it led to."""

    def after(self, move: GameMove) -> Position:
        """The position one ply on. Raises `IllegalMove`."""
        mover = self.state.to_move
        seat = mover if isinstance(mover, int) else None
        state, ply = self.state.play(move), Ply(self.ply + 1, seat, move)
        return Position(
            state=state,
            ply=ply.number,
            chain=_link(self.chain, str(move)),
            last=ply,
            moved=self.moved if seat is None else self.moved | {seat},
            tail=(*(self.tail if seat is None else ()), (ply, state)),
        )


def _link(chain: str, text: str) -> str:
    return hashlib.sha256(f"{chain} {text}".encode()).hexdigest()


def start_of(match: Match) -> Position:
    """The empty start of a match."""
    state = match.rules.start(match.variant, match.options)
    return Position(state, 0, _link(match.commitment, f"{match.game} {match.variant} {match.options}"))


def fold(match: Match, texts: Iterable[str]) -> Iterator[Position]:
    """The start and then the position after each ply."""
    return extend(match.rules, start_of(match), texts)


def extend(rules: Game, position: Position, texts: Iterable[str]) -> Iterator[Position]:
    """A position and then the one after each further ply."""
    yield position
    for text in texts:
        position = position.after(rules.parse_move(text))
        yield position


class _Recent:
    """The newest known position of the matches used last, shared by the threads of a process."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Position] = OrderedDict()

    def get(self, commitment: str) -> Position | None:
        with self._lock:
            if commitment in self._held:
                self._held.move_to_end(commitment)
            return self._held.get(commitment)

    def put(self, commitment: str, position: Position) -> None:
        with self._lock:
            self._held[commitment] = position
            self._held.move_to_end(commitment)
            while len(self._held) > self._size:
                self._held.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._held.clear()


recent = _Recent(CACHED_MATCHES)


def remember(match: Match, position: Position) -> None:
    """Keep a position just reached; should its transaction fail, the chain will not match and it is not used."""
    recent.put(match.commitment, position)


def position_of(match: Match) -> Position:
    """The position that `match`, as read, stands at. Raises `BrokenLog` when its plies were tampered with."""
    held = recent.get(match.commitment)
    if held is not None and held.chain == match.chain:
        return held
    position = _catch_up(match, held) if held is not None and held.ply < match.ply else None
    if position is None:
        position = _catch_up(match, start_of(match))
    if position is None:
        raise BrokenLog(f"The plies of {match} do not lead to its stored position.")
    remember(match, position)
    return position


def warm(matches: Iterable[Match]) -> None:
    """Have the positions of several matches ready for `position_of`, with one query for all plies that are not known yet."""
    behind = {match.pk: match for match in matches if not _is_known(match)}
    if not behind:
        return
    texts: defaultdict[int, list[str]] = defaultdict(list)
    stored = Move.objects.filter(match__in=behind).order_by("match", "ply").values_list("match_id", "ply", "text")
    for match_id, ply, text in stored:
        if ply <= behind[match_id].ply:
            texts[match_id].append(text)
    for match_id, match in behind.items():
        held = recent.get(match.commitment)
        for known in (held, start_of(match)):
            if known is not None and (position := _reach(match, known, texts[match_id][known.ply :])):
                remember(match, position)
                break


def _is_known(match: Match) -> bool:
    held = recent.get(match.commitment)
    return held is not None and held.chain == match.chain


def _catch_up(match: Match, held: Position) -> Position | None:
    """`held` plus the plies stored since, if the chain then agrees with the match row."""
    stored = Move.objects.filter(match=match, ply__gt=held.ply, ply__lte=match.ply)
    return _reach(match, held, list(stored.order_by("ply").values_list("text", flat=True)))


def _reach(match: Match, held: Position, texts: Sequence[str]) -> Position | None:
    chain = held.chain
    for text in texts:
        chain = _link(chain, text)
    if chain != match.chain:
        return None
    *_, reached = extend(match.rules, held, texts)
    return reached
