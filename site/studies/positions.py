"""Lines and the positions along them: where a line comes from, what was tried beside it, and the identity of a position.

A line is asked for as `{"match": id}`, `{"imported": token}`, `{"study": token}`, or `{"game", "variant", "options"}` for an empty
one. Positions go out laid open: no line is that of a running match.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from games import registry
from games.kit.chance import SystemSource
from games.kit.protocol import CHANCE, N_, Game, Json, RuleError, State, Variant, is_chance, laid_open
from games.kit.protocol import Move as GameMove
from games.kit.record import Record
from matches import payloads, words
from matches.errors import MatchError
from matches.models import Match, Move
from matches.replay import Position, extend
from studies.models import Imported, Study

Payload = dict[str, Any]
MOST_TRIED = 400
"""Plies that may be tried beyond a line."""
LONGEST_TEXT = 1000
"""Characters of a ply; a deal is the longest."""
DRAW = "="
"""Asks for the draw that is due, whatever it brings."""
LINES_KEPT = 16


class NoSuchLine(MatchError):
    code = "no_such_line"
    sentence = N_("There is nothing to analyse at this address.")


class StillRunning(MatchError):
    code = "running"
    sentence = N_("This match is still being played. It can be analysed when it is over.")


class BadQuestion(MatchError):
    code = "bad_question"
    sentence = N_("This is not a line of moves. Load the page again.")


class NotPlayable(Exception):
    """A ply that was tried is none, or is not legal there: `at` is its index, `cause` the rules' own reason."""

    def __init__(self, cause: RuleError, at: int) -> None:
        super().__init__(str(cause))
        self.cause, self.at = cause, at


@dataclass(frozen=True, slots=True)
class Line:
    """A game as it was set up, and the plies that were played."""

    rules: Game
    variant: Variant
    options: tuple[str, ...] = ()
    plies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    match: Match | None = None
    """With its seats, where the line is that of a match of this site."""
    imported: Imported | None = None

    def positions(self) -> tuple[Position, ...]:
        """The start, and the position after each ply; nothing is laid open."""
        return _positions(self.rules.key, self.rules.version, self.variant.key, self.options, self.plies)


@lru_cache(LINES_KEPT)
def _positions(game: str, version: int, variant: str, options: tuple[str, ...], plies: tuple[str, ...]) -> tuple[Position, ...]:
    rules = registry.get(game)
    start = Position(rules.start(variant, options), 0, "")
    return tuple(extend(rules, start, plies))


@dataclass(frozen=True, slots=True)
class Way:
    """A line up to a ply, and what was tried from there."""

    line: Line
    ply: int
    tried: tuple[str, ...]
    """In the canonical spelling, draws included."""
    positions: tuple[Position, ...]
    """From the start to the end of what was tried."""

    @property
    def end(self) -> Position:
        return self.positions[-1]


# --- Where a line comes from


def line_of(source: object, player: User | None) -> Line:
    """The line that `player` asks for. Raises `BadQuestion`, `NoSuchLine` (also for what one may not see) and `StillRunning`."""
    match source:
        case {"match": int(number), **rest} if not rest and type(number) is int and 0 < number < 2**63:
            return _of_match(Match.objects.with_seats().filter(pk=number).first(), player)
        case {"imported": str(token), **rest} if not rest:
            return _of_imported(Imported.objects.filter(token=token).first() if token.isprintable() else None)
        case {"study": str(token), **rest} if not rest:
            study = Study.objects.filter(token=token).select_related("imported").first() if token.isprintable() else None
            return _of_study(study, player)
        case {"game": str(game), "variant": str(variant), **rest} if not rest.keys() - {"options"}:
            return _empty(game, variant, rest.get("options", []))
    raise BadQuestion


def of_match(match: Match) -> Line:
    """The line of a match that is over, loaded with its seats. Raises `StillRunning`."""
    if match.running:
        raise StillRunning
    plies = tuple(Move.objects.filter(match=match, ply__lte=match.ply).values_list("text", flat=True))
    return Line(match.rules, match.rules_variant, tuple(match.options), plies, match=match)


def of_imported(imported: Imported) -> Line:
    """The line of a record that somebody brought."""
    record = Record.from_json(imported.record)
    rules = registry.get(record.game)
    return Line(rules, rules.variant(record.variant), record.options, record.plies, record.seats or (), imported=imported)


def may_read(study: Study, player: User | None) -> bool:
    """Whether it is `player`'s own, or shared; a shared one of a private match is for those only who were in it."""
    if player is not None and study.owner_id == player.pk:
        return True
    return study.shared and (study.match is None or study.match.visible_to(player))


def of_study(study: Study) -> Line:
    """The line of a study. Who sat there is told as the match tells it now, so that who has left the site has no name."""
    match = Match.objects.with_seats().filter(pk=study.match_id).first() if study.match_id else None
    return Line(study.rules, study.rules_variant, tuple(study.options), tuple(study.plies), tuple(study.names), match, study.imported)


def _of_match(match: Match | None, player: User | None) -> Line:
    if match is None or not match.visible_to(player):
        raise NoSuchLine
    return of_match(match)


def _of_imported(imported: Imported | None) -> Line:
    if imported is None:
        raise NoSuchLine
    return of_imported(imported)


def _of_study(study: Study | None, player: User | None) -> Line:
    if study is None or not may_read(study, player):
        raise NoSuchLine
    return of_study(study)


def _empty(game: str, variant: str, options: object) -> Line:
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        raise BadQuestion
    try:
        rules = registry.get(game)
        chosen = tuple(sorted(set(options)))
        rules.start(variant, chosen)
    except (registry.UnknownGame, RuleError):
        raise NoSuchLine from None
    return Line(rules, rules.variant(variant), chosen)


# --- What is tried


def way_to(line: Line, ply: object, moves: object, *, draws: bool = False) -> Way:
    """The positions up to a ply of the line and then along `moves`; with `draws`, a `=` among them draws what is due.

    Raises `BadQuestion` for what is no such way, `NotPlayable` for a move that the rules refuse.
    """
    if type(ply) is not int or not 0 <= ply <= len(line.plies):
        raise BadQuestion
    if not isinstance(moves, list) or len(moves) > MOST_TRIED or not all(_is_text(text) for text in moves):
        raise BadQuestion
    positions = list(line.positions()[: ply + 1])
    tried = []
    for index, text in enumerate(moves):
        state = positions[-1].state
        try:
            move = state.draw(SystemSource()) if draws and text == DRAW and state.to_move is CHANCE else read_ply(line.rules, state, text)
            positions.append(positions[-1].after(move))
        except RuleError as cause:
            raise NotPlayable(cause, index) from None
        tried.append(str(move))
    return Way(line, ply, tuple(tried), tuple(positions))


def _is_text(text: object) -> bool:
    return isinstance(text, str) and len(text) <= LONGEST_TEXT


def read_ply(rules: Game, state: State, text: str) -> GameMove:
    """A ply as it may come next. Raises `RuleError`, also where a draw stands in for a move or the other way round."""
    if state.to_move is None:
        raise RuleError("match_over", "The match is over here; nothing more can be played.")
    if state.to_move is CHANCE and not is_chance(text):
        raise RuleError("draw_due", "A draw is due here. Draw first, then move.")
    if state.to_move is not CHANCE and is_chance(text):
        raise RuleError("no_draw_due", "Nothing is drawn here; it is a seat’s turn to move.")
    return rules.parse_move(text)


# --- What is shown


def shown(way: Way) -> Payload:
    """The end of a way as a board takes it: laid open, seen by the seat to move and with its moves, which may be played on."""
    position = way.end
    state = laid_open(position.state)
    seat = state.to_move if isinstance(state.to_move, int) else None
    outcome = state.outcome()
    tail = [{"ply": ply.number, "seat": ply.seat, "text": str(ply.move)} for ply, _ in position.tail]
    return {
        "ply": position.ply,
        "version": position.ply,
        "status": Match.Status.FINISHED if state.to_move is None else Match.Status.RUNNING,
        "seat": seat,
        "to_move": seat,
        "seats": seats_of(way.line),
        "scores": list(state.scores()),
        "ranks": None if outcome is None else list(outcome.ranks),
        "view": state.view(seat),
        "offer": None if seat is None else state.offer(),
        "last": tail[-1] if tail else None,
        "tail": tail,
    }


def seats_of(line: Line) -> list[Payload]:
    """Who sits where, as boards and panels take it."""
    if line.match is not None:
        return payloads.seats_of(line.match, None)
    names = line.names or tuple(gettext("Player {number}").format(number=seat + 1) for seat in range(line.variant.seats))
    return [
        {"seat": seat, "name": name, "kind": "person", "level": None, "you": False, "colours": list(colours),
         "left": False, "why": "", "rating": None, "deviation": None}
        for seat, (name, colours) in enumerate(zip(names, line.variant.colours, strict=False))
    ]  # fmt: skip


def due(position: Position) -> str | None:
    """What a draw that is due is for, in the words of the rules; `None` where none is."""
    return position.state.chance_label if position.state.to_move is CHANCE else None


def table_of(line: Line) -> Payload:
    """What a page must know of the line once."""
    return {
        "title": f"{words.say(line.rules.name)}, {words.say(line.variant.name)}",
        "game": line.rules.key,
        "variant": line.variant.key,
        "options": list(line.options),
        "data": line.rules.board_data(line.variant.key),
    }


# --- Which position it is


def identity(line: Line, state: State) -> str:
    """What tells a position from all others, with everything shown: equal however it came about, in whatever match."""
    opened = laid_open(state)
    label = opened.chance_label if opened.to_move is CHANCE else None
    setup = [line.rules.key, line.rules.version, line.variant.key, sorted(line.options)]
    return _digest([*setup, _without_last(opened.view(None)), _mover(opened), label])


def spectacle(state: State) -> str:
    """What tells a position from others of its variant for a spectator, who does not see what is hidden."""
    return _digest([_without_last(state.view(None)), _mover(state)])


def spectacles(positions: Sequence[Position]) -> list[str]:
    """`spectacle` of each."""
    return [spectacle(position.state) for position in positions]


def _mover(state: State) -> Json:
    return "chance" if state.to_move is CHANCE else state.to_move


def _without_last(view: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in view.items() if key != "last"}


def _digest(value: Json) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
