"""The one exit: all that anybody gets to see of a match, as JSON, is built here for that viewer.

A viewer is a seat's number or `None` for a spectator. Positions go out through `State.view` and `State.visible`,
which build up what the viewer may know. When the match is over, however it ended, the secret goes out too and every
position is laid open. Whatever is a sentence is in the reader's language, except in a record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts.models import User
from games import registry
from games.kit import lesson
from games.kit.lesson import Step
from games.kit.protocol import Game, Hides, Json, State, Variant, laid_open
from games.kit.record import Record, Result, replay
from matches import chronicle, privileges, seated, stakes, story, timing, vacations, words
from matches.clock import Pace
from matches.models import Event, Match, Move, Seat
from matches.replay import Ply, Position, fold, position_of

Payload = dict[str, Any]


def for_seat(match: Match, seat: int | None) -> Payload:
    """The match as it stands, for one viewer: what the socket sends and a fresh page starts from."""
    position = position_of(match)
    own = None if seat is None else _seats(match)[seat]
    turn = match.running and own is not None and not own.automatic and position.state.to_move == seat
    tail = [_ply(match, ply, state, seat) for ply, state in position.tail]
    return {
        "match": match.pk,
        "version": match.version,
        "ply": match.ply,
        "status": match.status,
        "termination": match.termination or None,
        "seat": seat,
        "to_move": match.to_move,
        "seats": _seats_with_away(match, seat),
        "scores": list(match.scores or position.state.scores()),
        "ranks": match.ranks,
        "view": _seen(match, position.state).view(seat),
        "offer": position.state.offer() if turn else None,
        "last": tail[-1] if tail else None,
        "tail": tail,
        "may": privileges.of(match, position, seat),
        "pace": match.pace,
        "rated": match.rated,
        "rating": stakes.after(match, seat, _names(match)),
        "private": match.private,
        "clock": _clock(match, position),
        "offers": match.offers,
        "series": _series(match),
        "next": None if match.running else Match.objects.filter(previous=match).values_list("pk", flat=True).first(),
        "note": _note(match),
        "commitment": match.commitment,
        "secret": _hex(match.revealed_secret()),
    }


def view_for(match: Match, seat: int | None) -> dict[str, Json]:
    """The newest position alone as one viewer may know it: what a picture of it is drawn from."""
    return _seen(match, position_of(match).state).view(seat)


def moves_for(match: Match, seat: int | None) -> list[str]:
    """The legal moves of a seat as texts, for a list to choose from; none unless its person is to move."""
    state = position_of(match).state
    turn = match.running and seat is not None and state.to_move == seat and not _seats(match)[seat].automatic
    return [str(move) for move in state.legal_moves()] if turn else []


def seats_of(match: Match, viewer: int | None) -> list[Payload]:
    """Who sits where."""
    names = _names(match)
    return [
        {
            "seat": seat.number,
            "name": name,
            "kind": seated.kind(seat),
            "level": seat.level or None,
            "you": seat.number == viewer,
            "colours": list(colours),
            "left": seat.left,
            "why": seat.left_why,
            "rating": seat.rating,
            "deviation": seat.deviation,
            **seated.looks(seat),
        }
        for seat, name, colours in zip(_seats(match), names, match.rules_variant.colours, strict=True)
    ]


def _seats_with_away(match: Match, viewer: int | None) -> list[Payload]:
    """The same, and until when somebody is on vacation."""
    away = vacations.away(match, timezone.now())
    return [seat | {"away": _iso(away.get(seat["seat"]))} for seat in seats_of(match, viewer)]


def replay_for(match: Match, seat: int | None, point: int | None = None) -> Payload:
    """The match ply by ply. While it runs a viewer gets its own view of each; afterwards the plies are open.

    Once it is over, `point` shows it with the eyes of that seat: what it could know at the time.
    """
    moves = list(Move.objects.filter(match=match, ply__lte=match.ply))
    positions = list(fold(match, (move.text for move in moves)))
    closed = match.running or point is not None
    eyes = seat if point is None or match.running else point
    texts = [
        position.state.visible(position.last.move, eyes) if closed else str(position.last.move) for position in positions if position.last
    ]
    plies = [
        {"ply": move.ply, "seat": move.seat, "text": text, "at": move.at.isoformat(), "used": used}
        for move, text, used in zip(moves, texts, _used(match, moves), strict=True)
    ]
    lasts: list[Payload | None] = [None, *({key: ply[key] for key in ("ply", "seat", "text")} for ply in plies)]
    return {
        **_table(match.rules, match.rules_variant),
        "seats": seats_of(match, seat),
        "status": match.status,
        "termination": match.termination or None,
        "ranks": match.ranks,
        "began": match.created_at.isoformat(),
        "hides": isinstance(positions[0].state, Hides),
        "point": point,
        "plies": plies,
        "events": story.story_of(match.rules, positions),
        "positions": [
            _step(position.state if closed else laid_open(position.state), position.ply, eyes, last)
            for position, last in zip(positions, lasts, strict=True)
        ],
        "commitment": match.commitment,
        "secret": _hex(match.revealed_secret()),
    }


def _used(match: Match, moves: Sequence[Move]) -> list[int | None]:
    """The milliseconds that each ply of a seat took: what its clock was charged, or else the time since the ply before."""
    before = [match.created_at, *(move.at for move in moves)]
    return [
        None if move.seat is None else move.used_ms if move.used_ms is not None else round((move.at - since).total_seconds() * 1000)
        for move, since in zip(moves, before, strict=False)
    ]


def plies_for(match: Match, seat: int | None) -> list[Payload]:
    """The plies alone, as the same viewer may read them: what the list beside the live board starts from."""
    moves = list(Move.objects.filter(match=match, ply__lte=match.ply))
    return _plies(match, moves, list(fold(match, (move.text for move in moves))), seat)


def replay_of_record(record: Record, point: int | None = None) -> Payload:
    """A record ply by ply, laid open, since it hides nothing; with `point` as that seat saw it.

    Raises `RecordError` where it cannot be played.
    """
    rules = registry.get(record.game)
    variant = rules.variant(record.variant)
    plies: list[Payload] = []
    positions: list[Payload] = []
    mover: int | None = None
    hides = False
    states, moves = list(replay(record)), [rules.parse_move(text) for text in record.plies]
    for number, state in enumerate(states):
        if number:
            move = moves[number - 1]
            text = str(move) if point is None else state.visible(move, point)
            plies.append({"ply": number, "seat": mover, "text": text, "at": None, "used": None})
        hides = hides or isinstance(state, Hides)
        last = {key: plies[-1][key] for key in ("ply", "seat", "text")} if plies else None
        positions.append(_step(laid_open(state) if point is None else state, number, point, last))
        mover = state.to_move if isinstance(state.to_move, int) else None
    result = record.result
    left = {seat for seat, _ in result.left} if result else set()
    names = record.seats or tuple(gettext("Seat {number}").format(number=seat + 1) for seat in range(variant.seats))
    return {
        **_table(rules, variant),
        "seats": [
            {"seat": seat, "name": name, "kind": "person", "level": None, "you": False, "colours": list(colours),
             "left": seat in left, "why": "", "rating": None, "deviation": None}
            for seat, (name, colours) in enumerate(zip(names, variant.colours, strict=False))
        ],
        "status": Match.Status.FINISHED if result else Match.Status.RUNNING,
        "termination": result.reason if result else None,
        "ranks": list(result.ranks) if result else None,
        "began": None,
        "hides": hides,
        "point": point,
        "plies": plies,
        "events": story.tell(rules, states, moves),
        "positions": positions,
        "commitment": record.commitment,
        "secret": _hex(record.secret),
    }


def record_of(match: Match, seat: int | None) -> Record:
    """The match as a record, in English. While it runs: the plies as the viewer may read them, and neither result nor secret."""
    texts = list(Move.objects.filter(match=match, ply__lte=match.ply).values_list("text", flat=True))
    if match.running:  # afterwards the plies are open as they are stored, and need not be played again
        texts = _texts(match, list(fold(match, texts)), seat)
    finished = match.status == Match.Status.FINISHED
    with override(settings.LANGUAGE_CODE):
        names = tuple(_names(match))
    return Record(
        game=match.game,
        variant=match.variant,
        options=tuple(match.options),
        seats=names,
        plies=tuple(texts),
        result=_result(match) if finished else None,
        commitment=match.commitment,
        secret=match.revealed_secret(),
        date=match.finished_at.date().isoformat() if match.finished_at else None,
    )


def lesson_step(game: Game, step: Step) -> Payload:
    """A step of a lesson: its texts, whether it asks for a move, the board's data and the position it shows."""
    return {
        "title": words.say(step.title),
        "text": words.say(step.text),
        "asks": step.asks,
        "data": game.board_data(step.variant),
        "seat": step.seat,
        "position": lesson_position(game, step, lesson.position(game, step), over=False),
    }


def lesson_position(game: Game, step: Step, state: State, *, over: bool) -> Payload:
    """A position of a lesson as a board takes it; `over` once the move that was asked for is made."""
    variant = game.variant(step.variant)
    asks = step.asks and not over
    return {
        "version": int(over),
        "ply": len(step.plies) + int(over),
        "status": Match.Status.RUNNING,
        "seat": step.seat,
        "to_move": state.to_move if isinstance(state.to_move, int) else None,
        "seats": [
            {
                "seat": seat,
                "name": gettext("You") if seat == step.seat else gettext("Player {number}").format(number=seat + 1),
                "kind": "person", "level": None, "you": seat == step.seat, "colours": list(colours), "left": False,
                "why": "", "rating": None, "deviation": None,
            }
            for seat, colours in enumerate(variant.colours)
        ],
        "scores": list(state.scores()),
        "ranks": None,
        "view": state.view(step.seat),
        "offer": state.offer() if asks and state.to_move == step.seat else None,
        "last": None,
        "tail": [],
    }  # fmt: skip


def imagined(match: Match, state: State, ply: int, seat: int, *, closed: bool) -> Payload:
    """A position that a plan of `seat` may lead to, as a board takes it; with the moves to choose from unless it is `closed`.

    Only for a position that follows from what the seat may know: in a game that hides something, one with itself to move.
    """
    step = _step(state, ply, seat, None)
    return step | {
        "version": ply,
        "status": Match.Status.RUNNING,
        "seat": step["to_move"],
        "seats": seats_of(match, seat),
        "ranks": None,
        "offer": None if closed else state.offer(),
        "tail": [],
    }


def steps_for(match: Match, seat: int | None, since: int) -> list[Payload]:
    """The positions after ply `since` up to now, as that viewer may see them: what somebody who comes back has missed."""
    moves = Move.objects.filter(match=match, ply__lte=match.ply).values_list("text", flat=True)
    return [
        _step(_seen(match, position.state), position.ply, seat, _last(match, position, seat))
        for position in fold(match, moves)
        if position.ply >= since
    ]


def _clock(match: Match, position: Position) -> Payload | None:
    """The clocks as they stood when the turn began; `None` where nobody counts. A browser counts on from there."""
    if match.pace == Pace.NONE:
        return None
    clocks = timing.clocks_of(match)
    return {
        "left": list(clocks.left) if clocks else None,
        "since": _iso(match.since),
        "deadline": _iso(match.deadline),
        "bonus": match.control.bonus * 1000,
        "first": match.running and timing.is_first(match, position),
        "paused": _iso(match.paused_at),
        "control": match.time_control,
        "control_name": match.control.describe(),
    }


def _series(match: Match) -> list[Payload] | None:
    """What each at the table has won in this row of rematches: a point for a first place, shared where it is; by seat."""
    if match.series is None:
        return None
    played = Q(match__series=match.series) | Q(match=match.series)
    seats = Seat.objects.filter(played, match__status=Match.Status.FINISHED).order_by("match", "number")
    points: defaultdict[object, float] = defaultdict(float)
    for user, level, number, ranks in seats.values_list("user", "level", "number", "match__ranks"):
        if ranks and ranks[number] == 1:
            points[user or level] += 1 / ranks.count(1)
    return [{"name": name, "points": points[seat.user_id or seat.level]} for seat, name in zip(_seats(match), _names(match), strict=True)]


def _note(match: Match) -> Payload | None:
    """What the newest change brought beside plies, in the reader's language."""
    event = Event.objects.filter(match=match, version=match.version).last()
    if event is None:
        return None
    return {"kind": event.kind, "seat": event.seat, "data": event.data, "text": chronicle.say(event, _names(match))}


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def cards(matches: Iterable[Match], player: User | None) -> list[Payload]:
    """Matches in a list, as `player` may see them; load them `with_seats`."""
    return [_card(match, player) for match in matches]


def _card(match: Match, player: User | None) -> Payload:
    own = match.seat_held_by(player)
    return {
        "id": match.pk,
        "url": reverse("match", args=[match.pk]),
        "game": match.game,
        "game_name": words.say(match.rules.name),
        "variant_name": words.say(match.rules_variant.name),
        "seats": seats_of(match, own),
        "your_turn": match.running and own is not None and match.to_move == own and not _seats(match)[own].left,
        "status": match.status,
        "ply": match.ply,
        "moved_at": match.moved_at,
        "private": match.private,
        "result_text": _result_text(match),
    }


def _result_text(match: Match) -> str:
    if match.status == Match.Status.ABORTED:
        return gettext("Called off")
    if match.running:
        return ""
    return won_by(_names(match), match.ranks or (), resigned=match.termination == Match.Termination.RESIGNED)


def won_by(names: Sequence[str], ranks: Sequence[int], *, resigned: bool = False) -> str:
    """Who won, in a sentence, from a name and a rank per seat."""
    winners = [name for name, place in zip(names, ranks, strict=True) if place == 1]
    if len(winners) == 1:
        sentence = gettext("{name} won by resignation") if resigned else gettext("{name} won")
        return sentence.format(name=winners[0])
    sentence = gettext("{names} and {last} share the win by resignation") if resigned else gettext("{names} and {last} share the win")
    return sentence.format(names=", ".join(winners[:-1]), last=winners[-1])


def _seats(match: Match) -> Sequence[Seat]:
    return list(match.seats.all())


def _names(match: Match) -> list[str]:
    return seated.names(match.rules, _seats(match))


def _seen(match: Match, state: State) -> State:
    """A position of the match as its views may be taken from it: laid open when the match is over."""
    return state if match.running else laid_open(state)


def _texts(match: Match, positions: Sequence[Position], seat: int | None) -> list[str]:
    """The plies as the viewer may read them."""
    return [_text(match, position.last, position.state, seat) for position in positions if position.last is not None]


def _text(match: Match, ply: Ply, state: State, seat: int | None) -> str:
    """A ply as the viewer may read it: by its own view of the state it led to while the match runs, open after."""
    return state.visible(ply.move, seat) if match.running else str(ply.move)


def _plies(match: Match, moves: Sequence[Move], positions: Sequence[Position], seat: int | None) -> list[Payload]:
    texts = _texts(match, positions, seat)
    return [{"ply": move.ply, "seat": move.seat, "text": text, "at": move.at.isoformat()} for move, text in zip(moves, texts, strict=True)]


def _last(match: Match, position: Position, seat: int | None) -> Payload | None:
    return None if position.last is None else _ply(match, position.last, position.state, seat)


def _ply(match: Match, ply: Ply, state: State, seat: int | None) -> Payload:
    return {"ply": ply.number, "seat": ply.seat, "text": _text(match, ply, state, seat)}


def _step(state: State, ply: int, seat: int | None, last: Payload | None) -> Payload:
    return {
        "ply": ply,
        "to_move": state.to_move if isinstance(state.to_move, int) else None,
        "scores": list(state.scores()),
        "view": state.view(seat),
        "last": last,
        "offer": None,
    }


def _table(rules: Game, variant: Variant) -> dict[str, Json]:
    return {
        "title": f"{words.say(rules.name)}, {words.say(variant.name)}",
        "game": rules.key,
        "variant": variant.key,
        "data": rules.board_data(variant.key),
    }


def _result(match: Match) -> Result:
    left = [(seat.number, seat.left_at_ply) for seat in _seats(match) if seat.left_at_ply is not None]
    return Result(tuple(match.scores or ()), tuple(match.ranks or ()), str(match.termination), tuple(left))


def _hex(secret: bytes | None) -> str | None:
    return None if secret is None else secret.hex()
