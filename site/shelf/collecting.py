"""The verbs of collections: make, change and delete one, put matches into it, order them, take them out."""

from __future__ import annotations

from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import Max

from accounts.models import User
from games.kit.protocol import N_
from matches import chat
from matches.errors import MatchError, NotNow, TooMuch
from shelf.models import Collection, Item
from shelf.subject import Subject
from shelf.writing import one_at_a_time, plain_lines

MOST, MOST_ITEMS = 100, 500
"""Collections of a person, and matches in one of them."""
LONGEST_TITLE, LONGEST_WORDS, LONGEST_NOTE = 80, 1000, 200
"""Characters."""


class NoSuchCollection(MatchError):
    code = "no_such_collection"
    sentence = N_("There is no such collection.")


def create(owner: User, title: str, *, now: datetime) -> Collection:
    """A new collection for its owner alone. Raises `NotNow`, `TooMuch`."""
    title = check_title(title)
    with transaction.atomic():
        one_at_a_time(owner)
        if Collection.objects.filter(owner=owner).count() >= MOST:
            raise TooMuch(N_("You have {limit} collections, which is the most there can be. Delete one first."), limit=MOST)
        return Collection.objects.create(owner=owner, title=title, made_at=now, changed_at=now)


def change(collection: Collection, *, title: str, words: str, audience: str, now: datetime) -> None:
    """Call it something else, say something else of it, or show it to others. Raises `NotNow`, `Muted`."""
    if audience not in Collection.Audience.values:
        raise NotNow(N_("Choose who may look at it."))
    if audience == Collection.Audience.EVERYBODY and collection.owner.is_guest:
        raise NotNow(N_("Sign up to show a collection to everybody. As a guest you can pass its link on."))
    if audience != Collection.Audience.SELF:
        chat.check_voice(collection.owner, now)
    words = plain_lines(words)
    if len(words) > LONGEST_WORDS:
        raise NotNow(N_("Please say it in at most {limit} characters."), limit=LONGEST_WORDS)
    collection.title, collection.words, collection.audience = check_title(title), words, audience
    collection.changed_at = now
    collection.save(update_fields=["title", "words", "audience", "changed_at"])


def own(token: str, user: User | None) -> Collection:
    """A collection of this person. Raises `NoSuchCollection`."""
    found = None if user is None else Collection.objects.select_related("owner").filter(token=token, owner=user).first()
    if found is None:
        raise NoSuchCollection
    return found


def put(collection: Collection, subject: Subject, *, now: datetime) -> None:
    """Put a match at the end; one that is in it stays where it is. Raises `NotNow`, `TooMuch`."""
    if subject.imported is not None and subject.imported.owner_id != collection.owner_id:
        raise NotNow(N_("This record belongs to somebody else. Import it yourself to put it into a collection."))
    with transaction.atomic():
        _hold(collection)
        if collection.items.filter(**subject.fields).exists():
            return
        if collection.items.count() >= MOST_ITEMS:
            raise TooMuch(N_("This collection holds {limit} matches, which is the most there can be. Begin another one."), limit=MOST_ITEMS)
        last = collection.items.aggregate(last=Max("position"))["last"]
        Item.objects.create(collection=collection, **subject.fields, position=0 if last is None else last + 1, at=now)
        _touch(collection, now)


def take_out(collection: Collection, subject: Subject, *, now: datetime) -> None:
    """Take a match out; one that is not in it is no matter."""
    with transaction.atomic():
        _hold(collection)
        if collection.items.filter(**subject.fields).delete()[0]:
            _touch(collection, now)


def drop(item: Item, *, now: datetime) -> None:
    """The same by its row there."""
    with transaction.atomic():
        _hold(item.collection)
        item.delete()
        _touch(item.collection, now)


def move(item: Item, place: int, *, now: datetime) -> None:
    """Give a match another place, counted from 1; the others close up. A place beyond the end is the last one."""
    with transaction.atomic():
        _hold(item.collection)
        order = list(item.collection.items.order_by("position", "pk"))
        held = next((one for one in order if one.pk == item.pk), None)
        if held is None:  # it was taken out this moment
            return
        order.remove(held)
        order.insert(min(max(place, 1) - 1, len(order)), held)
        for position, one in enumerate(order):
            one.position = position
        Item.objects.bulk_update(order, ["position"])
        _touch(item.collection, now)


def annotate(item: Item, note: str, *, now: datetime) -> None:
    """Say something of a match in its collection; nothing where `note` is empty. Raises `NotNow`, `Muted`."""
    note = chat.cleaned(note)
    if len(note) > LONGEST_NOTE:
        raise NotNow(N_("Please say it in at most {limit} characters."), limit=LONGEST_NOTE)
    if note and item.collection.audience != Collection.Audience.SELF:
        chat.check_voice(item.collection.owner, now)
    item.note = note
    item.save(update_fields=["note"])
    _touch(item.collection, now)


def close(moderator: User, collection: Collection) -> bool:
    """Show it to nobody but its owner, as a moderator decided; whether others could see it. What follows is for a word with the owner."""
    with transaction.atomic():
        open_to_others = Collection.objects.filter(pk=collection.pk).exclude(audience=Collection.Audience.SELF)
        done = open_to_others.update(audience=Collection.Audience.SELF) == 1
        if done:
            LogEntry.objects.log_actions(moderator.pk, [collection], CHANGE, "Closed", single_object=True)
    return done


def check_title(title: str) -> str:
    """The title as it is kept. Raises `NotNow` for none, or one that is too long."""
    title = chat.cleaned(title)
    if not title:
        raise NotNow(N_("Give the collection a title first."))
    if len(title) > LONGEST_TITLE:
        raise NotNow(N_("A title has at most {limit} characters."), limit=LONGEST_TITLE)
    return title


def _hold(collection: Collection) -> None:
    """Let changes of what is in it come one after the other; within a transaction."""
    Collection.objects.select_for_update(no_key=True).filter(pk=collection.pk).first()


def _touch(collection: Collection, now: datetime) -> None:
    Collection.objects.filter(pk=collection.pk).update(changed_at=now)
