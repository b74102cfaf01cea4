"""Reads the lobby's forms: what was typed becomes a `Wish`, people and a kind, or a refusal that says what to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from accounts.models import User
from accounts.names import LONGEST, skeleton
from games import registry
from games.kit.protocol import N_, Game
from lobby.checks import Wish
from lobby.errors import BadWish, NoSuchPlayer
from lobby.models import Seek
from matches.clock import DAYS, TimeControl

LIVE = ("3m+5s", "5m+10s", "10m+10s~20s", "30m+20s~30s")
"""Live clocks that are offered; any other that `TimeControl` reads is taken too."""
CONTROLS = (*LIVE, *(f"{days}d" for days in DAYS), "none")
FIRST_CONTROL = "5m+10s"
MOST_NAMED = 4
KINDS = {"open": Seek.Kind.OPEN, "link": Seek.Kind.LINK, "people": Seek.Kind.CHALLENGE}
"""By the answer to “For whom?”."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the form for a new table asks for."""

    kind: Seek.Kind
    wish: Wish
    people: tuple[User, ...]


def read(data: QueryDict) -> Asked:
    """The form for a new table. Raises `UnknownGame`, `RuleError`, or `MatchError` for what cannot be read."""
    game, _, variant = data.get("table", "").partition(":")
    rules = registry.get(game)
    seats = rules.variant(variant).seats
    kind = KINDS.get(data.get("who", "open"))
    if kind is None:
        raise BadWish(N_("Say for whom the table is: everybody, who has the link, or people you name."))
    chosen = data.get("seating") == Seek.Seating.CHOSEN
    seat = _whole(data, "seat", 1) - 1 if chosen else 0
    wish = Wish(
        game,
        variant,
        options=tuple(key for key in data.getlist("option") if key in {option.key for option in rules.options}),
        control=_control(data),
        rated=data.get("rated") == "rated",
        private=bool(data.get("private")),
        open_seats=bool(data.get("open_seats")),
        rating_low=_whole(data, "rating_low", None),
        rating_high=_whole(data, "rating_high", None),
        language=data.get("language", ""),
        seating=Seek.Seating.CHOSEN if chosen else Seek.Seating.RANDOM,
        message=" ".join(data.get("message", "").split()),
        seat=seat,
        bots=_bots(data, rules, seats, seat),
    )
    return Asked(kind, wish, tuple(people_named(data.get("names", ""))) if kind is Seek.Kind.CHALLENGE else ())


def people_named(text: str) -> list[User]:
    """The accounts of these names, separated by commas. Raises `NoSuchPlayer`, `BadWish` for none or too many."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise BadWish(N_("Name whom you challenge."))
    if len(names) > MOST_NAMED:
        raise BadWish(N_("A table has room for at most {most} others."), most=MOST_NAMED)
    return [person_named(name) for name in names]


def person_named(name: str) -> User:
    """The account of that name, however its letters are written. Raises `NoSuchPlayer`."""
    found = None
    if len(name) <= LONGEST:
        found = User.objects.filter(name_key=skeleton(name), is_active=True, is_guest=False).first()
    if found is None:
        raise NoSuchPlayer(name=name[:LONGEST])
    return found


def _control(data: QueryDict) -> TimeControl:
    text = data.get("control", "none")
    if text.endswith("d"):
        text += (" nights" if data.get("nights") else "") + (" weekends" if data.get("weekends") else "")
    return TimeControl.parse(text)


def _bots(data: QueryDict, rules: Game, seats: int, own: int) -> dict[int, str]:
    """The last of the other places for as many bots as were asked for."""
    count = _whole(data, "bots", 0)
    others = [number for number in range(seats) if number != own]
    if not 0 <= count <= len(others):
        raise BadWish(N_("This table has room for {most} bots at most."), most=len(others))
    level = data.get("level") or rules.levels[0].key
    return dict.fromkeys(others[len(others) - count :], level)


def _whole(data: QueryDict, name: str, missing: Any) -> Any:
    """A whole number, or `missing` where nothing was typed. Raises `BadWish`."""
    text = data.get(name, "").strip()
    if not text:
        return missing
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise BadWish(N_("“{typed}” is not a number that fits here."), typed=text[:20])
    return int(text)
