"""What the page of a replay begins with, and the same replay as a page without scripts: for matches and for records from elsewhere."""

from __future__ import annotations

from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from games.kit.protocol import Game, Variant
from matches import words
from matches.history import spent
from matches.models import Match
from matches.payloads import Payload

Context = dict[str, Any]


def begin(
    rules: Game,
    variant: Variant,
    *,
    plies: int,
    asked: str | None,
    at_end: bool = False,
    data_url: str | None = None,
    point: int | None = None,
) -> Context:
    """The context of `matches/replay.html`: `game`, `variant` and `page`.

    `asked` is the ply in the address; without one it opens at the start, or at the newest one with `at_end`. The script gets
    the replay from `data_url` (`matches.replays.reply`), to which it adds `?seat=N` for the eyes of a seat, at first for `point`.
    """
    eyes = "" if point is None else f"?seat={point}"
    return {
        "game": words.in_words(rules),
        "variant": words.variant_in_words(variant),
        "page": {
            "title": f"{words.say(rules.name)}, {words.say(variant.name)}",
            "start": ply_of(asked, plies, otherwise=plies if at_end else 0),
            "plies": plies,
            "data_url": data_url,
            "first_url": f"{data_url}{eyes}" if data_url else None,
        },
    }


def ply_of(asked: str | None, plies: int, *, otherwise: int = 0) -> int:
    """The ply in an address, kept within the match."""
    try:
        return min(max(int(asked or ""), 0), plies)
    except ValueError:
        return otherwise


def plain(replay: Payload, rules: Game, ply: int) -> Context:
    """What `matches/replay_plain.html` shows of a replay at a ply, as `plain`."""
    position = replay["positions"][ply]
    over = ply == len(replay["plies"]) and replay["ranks"] is not None
    picture = rules.picture(replay["variant"], position["view"])
    return {
        "ply": ply,
        "last": len(replay["plies"]),
        "back": ply - 1,
        "forward": ply + 1,
        "picture": mark_safe(picture),  # noqa: S308 - built by games.kit.svg, which escapes
        "where": _where(replay, ply),
        "seats": [
            {
                **seat,
                "score": position["scores"][seat["seat"]],
                "turn": position["to_move"] == seat["seat"],
                "rank": replay["ranks"][seat["seat"]] if over else None,
            }
            for seat in replay["seats"]
        ],
        "told": [_told(replay, event) for event in _events(replay, ply)],
        "rows": [_row(replay, one) for one in replay["plies"]],
        "timed": any(one["used"] is not None for one in replay["plies"]),
        "point": replay["point"],
        "points": replay["hides"] and replay["status"] != Match.Status.RUNNING,
        "eyes": "" if replay["point"] is None else mark_safe(f"&amp;seat={replay['point']}"),  # noqa: S308 - a number
    }


def _row(replay: Payload, ply: Payload) -> Payload:
    return {
        "number": ply["ply"],
        "who": _who(replay, ply),
        "text": ply["text"],
        "used": spent(ply["used"]),
        "told": [_told(replay, event) for event in _events(replay, ply["ply"])],
    }


def _where(replay: Payload, ply: int) -> str:
    if ply == 0:
        return gettext("Start")
    one = replay["plies"][ply - 1]
    return gettext("Ply {n} of {all}: {name}, {move}").format(n=ply, all=len(replay["plies"]), name=_who(replay, one), move=one["text"])


def _who(replay: Payload, ply: Payload) -> str:
    return gettext("Drawn") if ply["seat"] is None else replay["seats"][ply["seat"]]["name"]


def _told(replay: Payload, event: Payload) -> str:
    """What is told, and of whom."""
    return event["text"] if event["seat"] is None else f"{replay['seats'][event['seat']]['name']}: {event['text']}"


def _events(replay: Payload, ply: int) -> list[Payload]:
    """What is told of a ply; nothing of the start."""
    return replay["events"][ply - 1] if ply else []
