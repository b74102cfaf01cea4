"""Favourites and tags, and all that the shelf has to say about one match: what the panel beside a replay shows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.kit.protocol import N_
from matches import chat
from matches.errors import NotNow, TooMuch
from matches.models import Match
from shelf import comments
from shelf.finding import collections_of, tag_key
from shelf.models import Collection, Comment, Favourite, Item, Tag, Tagged
from shelf.subject import Subject
from shelf.writing import one_at_a_time

Payload = dict[str, Any]
MOST_FAVOURITES = 5000
MOST_TAGS, MOST_TAGS_EACH = 300, 12
"""How many different tags a person has, and how many bears one match."""
LONGEST_TAG = 32
"""Characters."""


def of(subject: Subject | Match, player: User | None) -> Payload:
    """What `player` keeps of a match, and the comments that it may read, as JSON.

    `{favourite, tags: [name], collections: [{token, title, inside}], comments: [{id, ply, who, page, text, at, edited, mine, public,
    removed}], may: {comment, publish}}`; `at` is an ISO time, comments come in the order of their plies.
    """
    seen = Subject(match=subject) if isinstance(subject, Match) else subject
    told = [comment | {"at": comment["at"].isoformat()} for comment in comments.listed(seen, player)]
    return {**kept(seen, player), "comments": told, "may": comments.may(seen, player)}


def set_favourite(subject: Subject, user: User, on: bool, now: datetime) -> None:
    """Give a match a star, or take it away. Doing it twice changes nothing. Raises `TooMuch`."""
    if not on:
        Favourite.objects.filter(user=user, **subject.fields).delete()
        return
    with transaction.atomic():
        one_at_a_time(user)
        if Favourite.objects.filter(user=user).count() >= MOST_FAVOURITES:
            raise TooMuch(N_("You have {limit} favourites, which is the most there can be. Take a star away first."), limit=MOST_FAVOURITES)
        Favourite.objects.get_or_create(user=user, **subject.fields, defaults={"at": now})


def add_tags(subject: Subject, user: User, text: str, now: datetime) -> list[str]:
    """Put tags on a match, several with commas between; those that are new, as they are spelt. Raises `NotNow`, `TooMuch`."""
    names = [name for part in text.split(",") if (name := chat.cleaned(part).lstrip("#").strip())]
    if not names:
        raise NotNow(N_("Write a word or two to find this match again by."))
    if any(len(name) > LONGEST_TAG for name in names):
        raise NotNow(N_("A tag has at most {limit} characters."), limit=LONGEST_TAG)
    with transaction.atomic():
        one_at_a_time(user)
        added = [name for name in names if _tag(subject, user, name, now)]
        if Tagged.objects.filter(tag__user=user, **subject.fields).count() > MOST_TAGS_EACH:
            raise TooMuch(N_("A match bears at most {limit} tags. Take one off first."), limit=MOST_TAGS_EACH)
        if Tag.objects.filter(user=user).count() > MOST_TAGS:
            raise TooMuch(N_("You have {limit} tags, which is the most there can be. Take one off everything first."), limit=MOST_TAGS)
    return added


def drop_tag(subject: Subject, user: User, name: str) -> None:
    """Take a tag off a match. A tag that nothing bears any more is gone."""
    with transaction.atomic():
        one_at_a_time(user)
        tag = Tag.objects.filter(user=user, key=tag_key(name)).first()
        if tag is not None:
            tag.tagged.filter(**subject.fields).delete()
            if not tag.tagged.exists():
                tag.delete()


def rename_tag(user: User, name: str, new: str) -> str:
    """Call a tag something else, and make two one where there is such a tag already; what it is called now. Raises `NotNow`."""
    new = chat.cleaned(new).lstrip("#").strip()
    if not new or len(new) > LONGEST_TAG or "," in new:
        raise NotNow(N_("A tag has between one and {limit} characters, and no comma."), limit=LONGEST_TAG)
    with transaction.atomic():
        one_at_a_time(user)
        tag = Tag.objects.filter(user=user, key=tag_key(name)).first()
        if tag is None:
            raise NotNow(N_("You have no such tag any more."))
        other = Tag.objects.filter(user=user, key=tag_key(new)).exclude(pk=tag.pk).first()
        if other is None:
            tag.name, tag.key = new, tag_key(new)
            tag.save(update_fields=["name", "key"])
            return new
        tag.tagged.exclude(_borne_by(other)).update(tag=other)
        tag.delete()
    return other.name


def hand_over(guest: User, user: User) -> None:
    """All that a guest kept and wrote becomes the account's; where both have the same, the account's stays."""
    with transaction.atomic():
        for known in Favourite.objects.filter(user=guest):
            if not Favourite.objects.filter(user=user, match=known.match_id, imported=known.imported_id).exists():
                Favourite.objects.filter(pk=known.pk).update(user=user)
        for tag in Tag.objects.filter(user=guest):
            own = Tag.objects.filter(user=user, key=tag.key).first()
            if own is None:
                Tag.objects.filter(pk=tag.pk).update(user=user)
            else:
                tag.tagged.exclude(_borne_by(own)).update(tag=own)
        Collection.objects.filter(owner=guest).update(owner=user)
        Comment.objects.filter(user=guest).update(user=user)


def kept(subject: Subject, player: User | None) -> Payload:
    if player is None:
        return {"favourite": False, "tags": [], "collections": []}
    inside = set(Item.objects.filter(collection__owner=player, **subject.fields).values_list("collection", flat=True))
    tags = Tagged.objects.filter(tag__user=player, **subject.fields).order_by("tag__key")
    return {
        "favourite": Favourite.objects.filter(user=player, **subject.fields).exists(),
        "tags": list(tags.values_list("tag__name", flat=True)),
        "collections": [
            {"token": one.token, "title": one.title, "inside": one.pk in inside} for one in collections_of(player)
        ],
    }  # fmt: skip


def _tag(subject: Subject, user: User, name: str, now: datetime) -> bool:
    """Put one tag on a match; whether it is new there."""
    tag, _ = Tag.objects.get_or_create(user=user, key=tag_key(name), defaults={"name": name})
    return Tagged.objects.get_or_create(tag=tag, **subject.fields, defaults={"at": now})[1]


def _borne_by(tag: Tag) -> Q:
    """What is on the same match or record as that tag, as a condition on `Tagged`."""
    own = Tagged.objects.filter(tag=tag)
    return Q(Exists(own.filter(match=OuterRef("match")))) | Q(Exists(own.filter(imported=OuterRef("imported"))))
