"""Says what a notice is about, in the language that is active: the one place, for mails, pushes and pages alike.

All that is said of a match comes out of `matches.payloads` for the seat of the person who is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, pgettext

from accounts.models import User
from games.kit.protocol import N_
from lobby.models import Seek
from matches import payloads, stakes, words
from matches.models import Match
from notices import news
from notices.models import Kind, Notice

ASKED = {
    "takeback": N_("{name} asks to take a move back."),
    "pause": N_("{name} asks for a pause."),
    "abort": N_("{name} asks to call the match off."),
    "rematch": N_("{name} asks for a rematch."),
}
"""Per kind of offer what it says."""


@dataclass(frozen=True, slots=True)
class Words:
    """A notice in words: a short title, a sentence or two, and the path of the page it leads to."""

    title: str
    body: str
    path: str


def say(notice: Notice, user: User) -> Words:
    """What to say of a notice to the person it is for; its match, if any, loaded with the seats."""
    if notice.news:
        return Words(news.title_of(notice, user), news.body_of(notice, user), notice.data["path"])
    if notice.declined:
        return declined(notice.data)
    if notice.match is None:
        seek = Seek.objects.select_related("host").filter(pk=notice.data["seek"]).first()
        return challenge(seek) if seek else Words(gettext("A challenge was withdrawn"), "", reverse("home"))
    match, kind = notice.match, notice.kind
    path = reverse("match", args=[match.pk])
    if kind == Kind.TURN:
        return Words(turn(match), against(match, user), path)
    if kind == Kind.DEADLINE:
        return Words(gettext("{game}: your time is running out").format(game=game_of(match)), against(match, user), path)
    if kind == Kind.START:
        return Words(gettext("{game} has begun").format(game=game_of(match)), _first(match, user), path)
    if kind == Kind.OFFER:
        return Words(game_of(match), _asked(match, notice.data), path)
    return Words(gettext("{game} is over").format(game=game_of(match)), result(match, user), path)


def challenge(seek: Seek) -> Words:
    """Who asks whom to which game, and where the answer is given."""
    variant = words.variant_in_words(seek.rules_variant).name
    stakes = gettext("Rated") if seek.rated else pgettext("not rated", "Casual")
    about = [words.say(seek.rules.name), variant, seek.control.describe(), stakes]
    title = gettext("{name} challenges you").format(name=seek.host.display_name)
    return Words(title, ", ".join(about), reverse("table", args=[seek.token]))


def declined(data: dict[str, Any]) -> Words:
    """That a challenge of the person's own came to nothing, who did not want or did not answer, and where to look for others."""
    people = User.objects.filter(pk__in=data["people"], is_active=True).order_by("pk")
    names = enumerated([person.display_name for person in people]) or gettext("Deleted player")
    seek = Seek.objects.select_related("host").filter(pk=data["seek"]).first()
    no = data["status"] == Seek.Status.DECLINED
    title = gettext("{names} declined your challenge") if no else gettext("Your challenge to {names} ran out")
    return Words(title.format(names=names), challenge(seek).body if seek else "", reverse("lobby"))


def turn(match: Match) -> str:
    """That it is the person's turn."""
    return gettext("Your turn in {game}").format(game=game_of(match))


def game_of(match: Match) -> str:
    """The game's name."""
    return words.say(match.rules.name)


def against(match: Match, user: User) -> str:
    """Who else sits there: “against Ann and Bob”."""
    return gettext("against {names}").format(names=enumerated(others(match, user)))


def others(match: Match, user: User) -> list[str]:
    """The names of all at the table but the person."""
    own = match.seat_held_by(user)
    return [seat["name"] for seat in payloads.seats_of(match, own) if seat["seat"] != own]


def enumerated(names: Sequence[str]) -> str:
    """Names as a sentence has them: “Ann, Bob and Cid”."""
    if len(names) < 2:
        return "".join(names)
    return gettext("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def result(match: Match, user: User) -> str:
    """How the match ended, in a sentence, and what that made of the person's rating in another."""
    (card,) = payloads.cards([match], user)
    changed = stakes.told(match, match.seat_held_by(user), [seat["name"] for seat in card["seats"]])
    return f"{card['result_text']}. {changed}".rstrip()


def _first(match: Match, user: User) -> str:
    mover = next((seat for seat in payloads.seats_of(match, match.seat_held_by(user)) if seat["seat"] == match.to_move), None)
    if mover is None:
        return against(match, user)
    if mover["you"]:
        return gettext("You play against {names}, and it is your turn.").format(names=enumerated(others(match, user)))
    return gettext("You play against {names}. {name} is to move.").format(names=enumerated(others(match, user)), name=mover["name"])


def _asked(match: Match, data: dict[str, Any]) -> str:
    names = {seat["seat"]: seat["name"] for seat in payloads.seats_of(match, None)}
    return gettext(ASKED[data["offer"]]).format(name=names.get(data["seat"], ""))


def since_own_move(match: Match, user: User) -> list[str]:
    """What was played since the person's last move, as its seat may read it: “Ann: d4-e5”, oldest first; draws are left out."""
    own = match.seat_held_by(user)
    names = {seat["seat"]: seat["name"] for seat in payloads.seats_of(match, own)}
    plies = payloads.plies_for(match, own)
    last = max((index for index, ply in enumerate(plies) if ply["seat"] == own), default=-1)
    return [f"{names[ply['seat']]}: {ply['text']}" for ply in plies[last + 1 :] if ply["seat"] is not None]

