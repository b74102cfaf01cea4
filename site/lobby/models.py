"""What is stored of the lobby: tables that fill up, and the places at them."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games import registry
from games.kit.protocol import Game, Variant
from matches.clock import Pace, TimeControl
from matches.models import Match

HERE = timedelta(seconds=45)
"""How long after its last sign of life somebody still counts as waiting at a live table."""
LONGEST_MESSAGE = 140


def new_token() -> str:
    """What a link is secret by: 192 bits from the operating system."""
    return secrets.token_urlsafe(24)


class SeekQuerySet(models.QuerySet["Seek"]):
    """Ways to find tables."""

    def with_places(self) -> SeekQuerySet:
        """Each with its host, its places and the people in them, in two queries."""
        places = Place.objects.select_related("user", "invited")
        return self.select_related("host").prefetch_related(models.Prefetch("places", places))

    def open(self, now: datetime) -> SeekQuerySet:
        """Those that can still be joined."""
        return self.filter(status=Seek.Status.OPEN, expires_at__gt=now)

    def listed(self, now: datetime) -> SeekQuerySet:
        """The open ones that stand in the lobby for everybody; those of a live pace only while their host is here."""
        here = ~Q(pace=Pace.LIVE) | Q(host__seen_at__gt=now - HERE)
        return self.open(now).filter(here, kind__in=Seek.PUBLIC)

    def concerning(self, player: Any) -> SeekQuerySet:
        """Those at which `player` sits or is invited to sit."""
        mine = Place.objects.filter(Q(user=player) | Q(invited=player))
        return self.filter(pk__in=mine.values("seek"))


class Seek(models.Model):
    """A table that fills up; when its last place is taken, the match begins."""

    class Kind(models.TextChoices):
        OPEN = "open"
        CHALLENGE = "challenge"
        LINK = "link"
        QUICK = "quick"

    class Status(models.TextChoices):
        OPEN = "open"
        STARTED = "started"
        CANCELLED = "cancelled"
        DECLINED = "declined"
        EXPIRED = "expired"

    class Seating(models.TextChoices):
        RANDOM = "random"
        CHOSEN = "chosen"

    PUBLIC = (Kind.OPEN, Kind.QUICK)

    kind = models.CharField(max_length=16, choices=Kind)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="seeks")
    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    options = models.JSONField(default=list)
    time_control = models.CharField(max_length=40, default="none")
    pace = models.CharField(max_length=16, choices=Pace, default=Pace.NONE)
    """The pace of `time_control`, for finding tables."""
    rated = models.BooleanField(default=False)
    private = models.BooleanField(default=False)
    """Whether only the people at the table will see the match."""
    open_seats = models.BooleanField(default=False)
    """Whether people may take over bots' seats when the match has begun."""
    rating_low = models.PositiveIntegerField(null=True)
    rating_high = models.PositiveIntegerField(null=True)
    language = models.CharField(max_length=12, blank=True, default="")
    """The language the host would like to chat in; empty for any."""
    seating = models.CharField(max_length=8, choices=Seating, default=Seating.RANDOM)
    message = models.CharField(max_length=LONGEST_MESSAGE, blank=True, default="")
    token = models.CharField(max_length=48, unique=True, default=new_token)
    """Opens the table's page. Goes to nobody who may not sit down there."""
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+")
    version = models.PositiveIntegerField(default=1)
    """Raised by every change."""
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    objects = SeekQuerySet.as_manager()

    class Meta:
        ordering = ("created_at", "pk")
        indexes = (
            models.Index(fields=["game", "variant", "time_control"], name="seek_open", condition=Q(status="open")),
            models.Index(fields=["host", "created_at"], name="seek_posted"),
            models.Index(fields=["expires_at"], name="seek_expires", condition=Q(status="open")),
            models.Index(fields=["closed_at"], name="seek_started", condition=Q(status="started")),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(rating_low=None) | Q(rating_high=None) | Q(rating_low__lte=F("rating_high")), name="seek_rating_range"
            ),
        )

    def __str__(self) -> str:
        return f"table {self.pk}"

    @property
    def rules(self) -> Game:
        return registry.get(self.game)

    @property
    def rules_variant(self) -> Variant:
        return self.rules.variant(self.variant)

    @property
    def control(self) -> TimeControl:
        return TimeControl.parse(self.time_control)

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN


class Place(models.Model):
    """One place at a table: free, kept for somebody, taken by a person, or given to a bot."""

    seek = models.ForeignKey(Seek, models.CASCADE, related_name="places")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="places")
    level = models.CharField(max_length=32, blank=True, default="")
    """The bot's level; empty for a person."""
    invited = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="invitations")
    """For whom it is kept; stays when the person has sat down."""
    joined_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["seek", "number"], name="place_once"),
            models.UniqueConstraint(fields=["seek", "user"], name="place_one_per_person"),
            models.CheckConstraint(condition=Q(user=None) | Q(level=""), name="place_for_one"),
        )

    def __str__(self) -> str:
        return f"place {self.number} at table {self.seek_id}"

    @property
    def free(self) -> bool:
        """Whether nobody sits there yet."""
        return self.user_id is None and not self.level


class SatDown(models.Model):
    """How often somebody sat down since when, to keep tables from being joined and left over and over."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    since = models.DateTimeField()
    times = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = "counts of sitting down"

    def __str__(self) -> str:
        return f"{self.user_id} sat down {self.times} times"
