"""What is stored of the shelf: favourites, tags, collections, and comments to a ply; each of a match or of an imported record.

A match that is private stays so: whatever refers to it is shown to nobody who may not see the match itself.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

OF_ONE_THING = Q(match=None, imported__isnull=False) | Q(match__isnull=False, imported=None)


def new_token() -> str:
    """What makes an address that nobody can guess."""
    return secrets.token_urlsafe(12)


class OfAMatch(models.Model):
    """What all of them refer to: a match of this site, or else a record that was brought from elsewhere."""

    match = models.ForeignKey("matches.Match", models.CASCADE, null=True, blank=True, related_name="+")
    imported = models.ForeignKey("studies.Imported", models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        abstract = True


class Favourite(OfAMatch):
    """A match that somebody marked with a star; nobody else is told."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="favourite_matches")
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=OF_ONE_THING, name="favourite_of_one_thing"),
            models.UniqueConstraint(fields=["user", "match"], name="favourite_match_once"),
            models.UniqueConstraint(fields=["user", "imported"], name="favourite_imported_once"),
        )
        indexes = (models.Index(fields=["user", "-at", "-id"], name="favourite_lately"),)

    def __str__(self) -> str:
        return f"a favourite of user {self.user_id}"


class Tag(models.Model):
    """A word by which somebody finds matches again; for nobody else to read."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tags")
    name = models.CharField(max_length=32)
    key = models.CharField(max_length=64)
    """The name in lower case: what makes two of them the same."""

    class Meta:
        ordering = ("key",)
        constraints = (models.UniqueConstraint(fields=["user", "key"], name="tag_once"),)

    def __str__(self) -> str:
        return f"tag {self.pk}"


class Tagged(OfAMatch):
    """That a match bears a tag."""

    tag = models.ForeignKey(Tag, models.CASCADE, related_name="tagged")
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=OF_ONE_THING, name="tagged_one_thing"),
            models.UniqueConstraint(fields=["tag", "match"], name="tagged_match_once"),
            models.UniqueConstraint(fields=["tag", "imported"], name="tagged_imported_once"),
        )

    def __str__(self) -> str:
        return f"tag {self.tag_id} on a match"


class Collection(models.Model):
    """Matches that somebody put together, in an order of their own, with a few words."""

    class Audience(models.TextChoices):
        SELF = "self", _("Only me")
        LINK = "link", _("Whoever has the link")
        EVERYBODY = "everybody", _("Everybody")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="collections")
    token = models.CharField(max_length=24, unique=True, default=new_token)
    """Its address."""
    title = models.CharField(max_length=80)
    words = models.CharField(max_length=1000, blank=True, default="")
    audience = models.CharField(max_length=16, choices=Audience, default=Audience.SELF)
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(fields=["owner", "-changed_at", "-id"], name="collection_lately"),
            models.Index(fields=["-changed_at", "-id"], name="collection_public", condition=Q(audience="everybody")),
        )

    def __str__(self) -> str:
        return f"collection {self.pk}"

    def visible_to(self, player: Any) -> bool:
        """Whether somebody who has its address may look at it."""
        return self.audience != self.Audience.SELF or (player is not None and player.pk == self.owner_id)


class Item(OfAMatch):
    """A match in a collection."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    """Its place; the smallest comes first. Places may be missing in between."""
    note = models.CharField(max_length=200, blank=True, default="")
    """What is said of it there."""
    at = models.DateTimeField()

    class Meta:
        ordering = ("position", "pk")
        constraints = (
            models.CheckConstraint(condition=OF_ONE_THING, name="item_of_one_thing"),
            models.UniqueConstraint(fields=["collection", "match"], name="item_match_once"),
            models.UniqueConstraint(fields=["collection", "imported"], name="item_imported_once"),
        )
        indexes = (models.Index(fields=["collection", "position", "id"], name="item_in_order"),)

    def __str__(self) -> str:
        return f"a match in collection {self.collection_id}"


class Comment(OfAMatch):
    """What somebody wrote to a ply: for everybody at a public match that is over, or only for the one who wrote it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="comments")
    ply = models.PositiveIntegerField()
    """How many plies had been played; 0 is the start."""
    text = models.CharField(max_length=1000)
    """Plain text, line breaks kept."""
    public = models.BooleanField(default=False)
    client_id = models.UUIDField()
    """Made once per intent by who writes; a repeat writes nothing again."""
    at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)
    """When a moderator took it away; only its author and the staff see that it was there."""
    removed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=OF_ONE_THING, name="comment_of_one_thing"),
            models.CheckConstraint(condition=Q(public=False) | Q(match__isnull=False), name="comment_public_on_matches"),
            models.UniqueConstraint(fields=["user", "client_id"], name="comment_once"),
        )
        indexes = (
            models.Index(fields=["match", "ply", "id"], name="comment_of_match", condition=Q(match__isnull=False)),
            models.Index(fields=["imported", "ply", "id"], name="comment_of_imported", condition=Q(imported__isnull=False)),
            models.Index(fields=["user", "-at"], name="comment_lately"),
        )

    def __str__(self) -> str:
        return f"comment {self.pk}"
