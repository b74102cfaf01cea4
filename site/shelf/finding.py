"""Finding matches by what a person keeps of them: favourites, own tags, and collections that this person may read."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from matches.models import Match
from shelf.models import Collection, Favourite, Item, Tag, Tagged


@dataclass(frozen=True, slots=True)
class OwnTag:
    """A tag of somebody's."""

    pk: int
    name: str
    count: int
    """How many matches and records bear it."""


def matches_of(player: User | None, *, favourite: bool = False, tag: str | None = None, collection: str | None = None) -> QuerySet[Any]:
    """The ids of the matches of which all that is asked for holds, to be used within another query (`pk__in`, `match__in`).

    `tag` is the name of one of the player's own tags, `collection` the token of a collection. Nothing is found where there is no
    such tag, or no such collection that the player may look at. Private matches are among them: the caller shows only what may be seen.
    Without any wish all matches are found.
    """
    found = Match.objects.order_by()
    if favourite:
        found = found.filter(pk__in=Favourite.objects.filter(user=player, match__isnull=False).values("match"))
    if tag is not None:
        bearing = Tagged.objects.filter(tag__user=player, tag__key=tag_key(tag), match__isnull=False)
        found = found.filter(pk__in=bearing.values("match"))
    if collection is not None:
        inside = Item.objects.filter(collection__in=readable(player).filter(token=collection), match__isnull=False)
        found = found.filter(pk__in=inside.values("match"))
    return found.values_list("pk", flat=True)


def readable(player: User | None) -> QuerySet[Collection]:
    """The collections that somebody who has their address may look at."""
    open_to_all = ~Q(audience=Collection.Audience.SELF)
    return Collection.objects.filter(open_to_all if player is None else open_to_all | Q(owner=player))


def tags_of(player: User | None) -> list[OwnTag]:
    """The tags of a person by name, and how much bears each. Tags that nothing bears are left out."""
    if player is None:
        return []
    rows = Tag.objects.filter(user=player).annotate(count=Count("tagged")).filter(count__gt=0).order_by("key")
    return [OwnTag(*row) for row in rows.values_list("pk", "name", "count")]


def collections_of(player: User | None) -> list[Collection]:
    """The collections of a person, the one changed last first, each with `count`: how much is in it."""
    if player is None:
        return []
    return list(Collection.objects.filter(owner=player).annotate(count=Count("items")).order_by("-changed_at", "-pk"))


def tag_key(name: str) -> str:
    """What makes two spellings the same tag."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()[:64]
