"""Finding somebody by name, and what a page about somebody shows to somebody else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import names_had, sanctions
from accounts.models import FormerName, PrivateNote, Sanction, Tie, User
from accounts.names import GUEST_START, LONGEST, hashed, normal, skeleton
from accounts.presence import ONLINE
from ladder import words
from ladder.models import SeasonPlace

BADGES = 12
"""Seasons that are shown of somebody; the newest."""


class Gone(Exception):
    """There was an account with this name that nobody can look at any more, or just now; the text is a sentence for people."""


@dataclass(frozen=True)
class Badge:
    """A place in a season that is over."""

    division: int
    place: int
    name: str
    season: str
    url: str


@dataclass(frozen=True)
class Relation:
    """What the viewer is to the person shown: its own choice, and its note. Empty for nobody in particular."""

    own: bool = False
    tie: str = ""
    note: str = ""


def found(name: str, now: datetime) -> User:
    """The account of that name, however it is spelled, or that had it once. Raises `Gone`, and `Http404` with a sentence."""
    if normal(name).casefold().startswith(GUEST_START):
        raise Http404(_("Guests have no page. Somebody who signs up gets one."))
    if not 0 < len(name) <= LONGEST:
        raise Http404(_("Nobody here has such a name."))
    person = names_had.find(name)
    if person is None:
        key = skeleton(name)
        if User.objects.filter(name_key=key, is_active=False).exists() or FormerName.objects.filter(key_hash=hashed(key)).exists():
            raise Gone(_("This account is closed, or has another name now."))
        raise Http404(_("Nobody here is called “{name}”.").format(name=name))
    if sanctions.of_kind(person, Sanction.Kind.SUSPENSION, now):
        raise Gone(_("The moderators have shut this account out for now."))
    return person


def relation_to(person: User, viewer: User | None) -> Relation:
    """What the viewer chose and noted about somebody. Two queries."""
    if viewer is None or viewer.pk == person.pk:
        return Relation(own=viewer is not None)
    pair = {"user": viewer, "other": person}
    tie = Tie.objects.filter(**pair).values_list("kind", flat=True).first()
    note = PrivateNote.objects.filter(**pair).values_list("text", flat=True).first()
    return Relation(tie=tie or "", note=note or "")


def write_note(author: User, about: User, text: str, now: datetime) -> None:
    """Keep what somebody notes about somebody else; nothing instead of an empty text. Raises `ValueError` about oneself."""
    if author.pk == about.pk:
        raise ValueError("a note about oneself")
    if text:
        PrivateNote.objects.update_or_create(user=author, other=about, defaults={"text": text, "updated_at": now})
    else:
        PrivateNote.objects.filter(user=author, other=about).delete()


def noted_among(author: User | None, people: Collection[int]) -> list[str]:
    """The names of those among these people about whom `author` noted something. One query, none for nobody."""
    if author is None:
        return []
    notes = PrivateNote.objects.filter(user=author, other__in=people, other__is_guest=False, other__is_active=True)
    return list(notes.values_list("other__username", flat=True))


def is_here(person: User, now: datetime) -> bool:
    """Whether somebody is here and does not hide it."""
    return person.seen_at is not None and person.seen_at > now - ONLINE and not person.preferences.get("hidden")


def badges(person: User) -> list[Badge]:
    """The places that somebody had in seasons that are over, the newest first. One query."""
    places = SeasonPlace.objects.filter(user=person, season__closed_at__isnull=False, place__isnull=False)
    names = words.games()
    return [
        Badge(
            division=place.division,
            place=place.place or 0,
            name=f"{names[place.season.game]} · {words.PACES[place.season.pace]}",
            season=words.period_name(place.season.key),
            url=reverse("season", args=[place.season.game, place.season.pace, place.season.key]),
        )
        for place in places.select_related("season").order_by("-season__key", "-division", "place")[:BADGES]
        if place.season.game in names
    ]
