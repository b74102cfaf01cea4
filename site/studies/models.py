"""What is stored of studying: imported records, trees of tried moves, and what a bot found."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q

from games import registry
from games.kit.protocol import Game, Variant
from matches.models import Match


def new_token() -> str:
    """What makes an address that nobody can guess."""
    return secrets.token_urlsafe(12)


class Imported(models.Model):
    """A record that somebody brought from elsewhere. It is no match of this site: no seat is an account's, and nothing rates it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="imported")
    token = models.CharField(max_length=24, unique=True, default=new_token)
    """Its address; who has the link may read it."""
    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    record = models.JSONField()
    """As `Record.to_json` writes it, checked: each of its plies can be played."""
    plies = models.PositiveIntegerField()
    format = models.CharField(max_length=24, blank=True, default="")
    """The key of the format it came in, empty for our own."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the record, so that the same one is not kept twice."""
    made_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "imported records"
        constraints = (models.UniqueConstraint(fields=["owner", "digest"], name="imported_once"),)
        indexes = (models.Index(fields=["owner", "-made_at", "-id"], name="imported_lately"),)

    def __str__(self) -> str:
        return f"imported record {self.pk}"


class Study(models.Model):
    """A line and the moves that somebody tried beside it, as a tree."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="studies")
    token = models.CharField(max_length=24, unique=True, default=new_token)
    """Its address."""
    shared = models.BooleanField(default=False)
    """Whether others who have the link may read it."""
    title = models.CharField(max_length=80)
    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    options = models.JSONField(default=list)
    names = models.JSONField(default=list)
    """What the seats are called."""
    plies = models.JSONField(default=list)
    """The texts of the line that it starts from, draws of chance included."""
    tree = models.JSONField(default=list)
    """`[{"id", "parent", "text", "note"}]`, parents first: `parent` is the id of a node, or `-p` for ply `p` of the line."""
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+")
    """The match of the line, where it is one of this site."""
    imported = models.ForeignKey(Imported, models.SET_NULL, null=True, related_name="+")
    version = models.PositiveIntegerField(default=0)
    """Raised by every change, so that two pages do not write over each other."""
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "studies"
        indexes = (models.Index(fields=["owner", "-changed_at", "-id"], name="study_lately"),)

    def __str__(self) -> str:
        return f"study {self.pk}"

    @property
    def rules(self) -> Game:
        return registry.get(self.game)

    @property
    def rules_variant(self) -> Variant:
        return self.rules.variant(self.variant)


class Evaluation(models.Model):
    """What a bot found in a position, kept once per position however often and by whom it is asked for."""

    key = models.CharField(max_length=64, primary_key=True)
    """The identity of the position (`studies.positions.identity`)."""
    game = models.CharField(max_length=32)
    playouts = models.PositiveIntegerField()
    """How much work went into it; a result of more work takes the place of one of less."""
    values = models.JSONField()
    """Per seat from 0 (last) to 1 (first)."""
    candidates = models.JSONField()
    """The moves that were looked at, best first: `[{"text", "values", "share", "line": [texts]}]`."""
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"evaluation {self.key}"


class Review(models.Model):
    """The analysis of a whole match or imported record by a bot, ply by ply; asked for once, then there for everybody who may see it."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"

    match = models.OneToOneField(Match, models.CASCADE, null=True, related_name="+")
    imported = models.OneToOneField(Imported, models.CASCADE, null=True, related_name="+")
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    done = models.PositiveIntegerField(default=0)
    """How many plies have been looked at,"""
    total = models.PositiveIntegerField()
    """of so many."""
    plies = models.JSONField(default=list)
    """Per ply that was looked at, from the first: what `studies.reviews` found of it."""
    accuracy = models.JSONField(null=True)
    """Per seat from 0 to 100 when it is done; null for a seat that never had a choice."""
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(match=None, imported__isnull=False) | Q(match__isnull=False, imported=None), name="review_of_one_thing"
            ),
        )

    def __str__(self) -> str:
        return f"review {self.pk}"
