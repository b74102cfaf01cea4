"""What a match page shows and offers without JavaScript: a picture, who sits, the clocks, forms for every wish."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import uuid4

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, ngettext

from games.kit.protocol import N_
from ladder import scale
from matches import chat, payloads, words
from matches.gallery import picture_of, time_left
from matches.models import Match

Payload = dict[str, Any]
MOST_MOVES = 300
"""A longer list of moves is shown only to who asks for it."""
FEW_MOVES = 20
"""So many need no headings."""
PLIES, LINES, EXAMPLES = 10, 30, 3
"""How many of the last plies, of the last lines of the chat, and of examples of a move are shown."""
REFRESH_SECONDS = 60
OFFERS = {
    "abort": (N_("Offer to call the match off"), N_("calling the match off")),
    "takeback": (N_("Ask to take your move back"), N_("taking a move back")),
    "pause": (N_("Offer a pause"), N_("a pause")),
    "rematch": (N_("Offer a rematch"), N_("a rematch")),
}
"""Per kind of offer the button that makes it, and what it is about."""
WISHES = {"abort": "offer_abort", "takeback": "takeback", "pause": "pause", "rematch": "rematch"}
"""Per kind of offer its word in `may`."""
ROOMS = {chat.PLAYERS: N_("Players"), chat.SPECTATORS: N_("Spectators")}


def section(match: Match, seat: int | None, page: Payload, now: datetime, *, every: bool) -> Payload:
    """All that the plain section of a match page shows, from the `page` that the live one starts with.

    `every` lists the legal moves, however many they are.
    """
    position = page["position"]
    moves = payloads.moves_for(match, seat)
    listed = len(moves) <= MOST_MOVES or every
    return {
        "turn": _turn(position),
        "yours": bool(moves),
        "refresh": REFRESH_SECONDS if match.running and not moves else None,
        "picture": picture_of(match, seat),
        "seats": _seats(position, now),
        "rating": _rating(position),
        "control": position["clock"]["control_name"] if position["clock"] else "",
        "paused": position["clock"] is not None and position["clock"]["paused"] is not None,
        "groups": grouped(moves) if listed else [],
        "count": len(moves),
        "examples": sorted({min(moves, key=len), moves[len(moves) // 2], max(moves, key=len)}, key=len)[:EXAMPLES] if moves else [],
        "id": str(uuid4()),
        "open_offers": _open_offers(position, seat),
        "offers": _offers(position),
        "callable": _callable(position, now),
        "plies": [_ply(ply, position["seats"]) for ply in page["plies"][-PLIES:]],
        "chat": _chat(page["chat"]),
        "others": any(one["kind"] in ("person", "guest") and not one["you"] for one in position["seats"]),
    }


def grouped(moves: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Moves under headings, whatever their game: by how many places they name, else by how they begin; few need none."""
    if len(moves) <= FEW_MOVES:
        return [("", sorted(moves, key=_order))]
    if any("," in move for move in moves):
        parts = groupby(sorted(moves, key=_order), key=_places)
        return [(ngettext("{n} place", "{n} places", n).format(n=n), list(group)) for n, group in parts]
    return [(f"{start} …", list(group)) for start, group in groupby(sorted(moves), key=lambda move: move[0])]


def _places(move: str) -> int:
    return move.count(",") + 1


def _order(move: str) -> tuple[int, str]:
    return _places(move), move


def _turn(position: Payload) -> str:
    seats, mover = position["seats"], position["to_move"]
    if position["status"] == Match.Status.ABORTED:
        return gettext("This match was called off.")
    if position["status"] == Match.Status.FINISHED:
        winners = [seat["name"] for seat, rank in zip(seats, position["ranks"], strict=True) if rank == 1]
        return gettext("This match is over. First: {names}.").format(names=", ".join(winners))
    if mover is None:
        return ""
    if mover == position["seat"] and not seats[mover]["left"]:
        return gettext("It is your turn.")
    return gettext("It is the turn of {name}.").format(name=seats[mover]["name"])


def _seats(position: Payload, now: datetime) -> list[Payload]:
    """The seats with their score and what their clock shows, in words."""
    running = position["status"] == Match.Status.RUNNING
    return [
        {
            **seat,
            "score": position["scores"][number],
            "rank": position["ranks"][number] if position["ranks"] else None,
            "turn": running and position["to_move"] == number,
            "rated": _rated(position, number),
            "time": _time(position, number, now) if running else "",
        }
        for number, seat in enumerate(position["seats"])
    ]


def _rated(position: Payload, seat: int) -> str:
    """The rating of a seat: as it came, or with what the match made of it."""
    rating = position["rating"]
    change = rating["changes"][seat] if rating and rating["changes"] else None
    if change:
        return f"{change['rating']} ({change['change']})"
    own = position["seats"][seat]
    return scale.written(own["rating"], own["deviation"]) if own["rating"] is not None else ""


def _rating(position: Payload) -> str:
    """Why the viewer's rating changed as it did, or why nothing counts."""
    rating = position["rating"]
    if rating is None:
        return ""
    if rating["counted"] and not rating["changes"]:
        return gettext("The new ratings come in a moment.")
    return str(rating["sentence"] or rating["reason"])


def _time(position: Payload, seat: int, now: datetime) -> str:
    clock = position["clock"]
    if clock is None:
        return ""
    if position["to_move"] == seat and (deadline := _moment(clock["deadline"])):
        return time_left(deadline - now)
    if clock["left"] is None:
        return ""
    seconds = clock["left"][seat] // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def _moment(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None


def _open_offers(position: Payload, seat: int | None) -> list[Payload]:
    """The offers that are open, as sentences; `answer` where the viewer's is still due, `own` where it may be withdrawn."""
    seats = position["seats"]
    return [
        {
            "kind": kind,
            "text": gettext("{name} proposes {what}.").format(name=seats[offer["by"]]["name"], what=words.say(OFFERS[kind][1])),
            "answer": seat is not None and seat not in offer["agreed"],
            "own": seat == offer["by"],
        }
        for kind, offer in position["offers"].items()
        if kind in OFFERS
    ]


def _offers(position: Payload) -> list[Payload]:
    """The offers that the viewer may make now."""
    return [
        {"kind": kind, "text": words.say(OFFERS[kind][0])}
        for kind, wish in WISHES.items()
        if position["may"][wish] and kind not in position["offers"]
    ]


def _callable(position: Payload, now: datetime) -> list[Payload]:
    """The seats whose time may be called now."""
    ready = [int(seat) for seat, at in position["may"]["call_at"].items() if (moment := _moment(at)) and moment - now <= timedelta()]
    return [position["seats"][seat] for seat in ready]


def _ply(ply: Payload, seats: Sequence[Payload]) -> Payload:
    who = gettext("Drawn") if ply["seat"] is None else seats[ply["seat"]]["name"]
    return {"number": ply["ply"], "who": who, "text": ply["text"]}


def _chat(said: Payload) -> Payload:
    return {
        "lines": said["lines"][-LINES:],
        "rooms": [{"key": room, "name": words.say(ROOMS[room])} for room in said["say"]],
        "phrases": said["phrases"],
        "url": said["url"],
        "id": said["id"],
        "longest": chat.LONGEST,
    }
