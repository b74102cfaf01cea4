"""What is stored of fair play: reports by people, and what the site's own looking found."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Report(models.Model):
    """Somebody tells the moderators about a person, a message or a match."""

    class Kind(models.TextChoices):
        CHAT = "chat", _("Insults or spam")
        CHEATING = "cheating", _("Help by a computer")
        THROWING = "throwing", _("Losing on purpose")
        STALLING = "stalling", _("Stalling or leaving")
        NAME = "name", _("Name or profile")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        OPEN = "open"
        ACTED = "acted"
        DISMISSED = "dismissed"

    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    about = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=16, choices=Kind)
    text = models.CharField(max_length=1000, blank=True, default="")
    match = models.ForeignKey("matches.Match", models.SET_NULL, null=True, related_name="+")
    line = models.ForeignKey("matches.ChatLine", models.SET_NULL, null=True, related_name="+")
    quote = models.CharField(max_length=300, blank=True, default="")
    """The reported words, as they were."""
    made_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    handled_at = models.DateTimeField(null=True)
    handled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    sanction = models.ForeignKey("accounts.Sanction", models.SET_NULL, null=True, related_name="reports")
    """What came of it."""

    class Meta:
        ordering = ("made_at",)
        indexes = (models.Index(fields=["made_at"], name="report_open", condition=Q(state="open")),)

    def __str__(self) -> str:
        return f"report {self.pk} about user {self.about_id}"


class Finding(models.Model):
    """Something that looks odd, for a moderator to look at; never acted on by the site itself."""

    class Kind(models.TextChoices):
        PAIR = "pair", _("The same opponents over and over")
        THROWN = "thrown", _("Matches that look thrown")
        ENGINE = "engine", _("Moves like our strongest bot's")
        BROWSER = "browser", _("Several accounts of one match in one browser")

    key = models.CharField(max_length=120, unique=True)
    """Of what it is about, so that finding it again updates it."""
    kind = models.CharField(max_length=16, choices=Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="findings")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    game = models.CharField(max_length=32, blank=True, default="")
    score = models.FloatField()
    """How odd, from 0 to 1; what the list is ordered by."""
    data = models.JSONField(default=dict)
    """The numbers behind it and the ids of the matches, all finished."""
    found_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    """When a moderator put it aside."""
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ("-score", "pk")

    def __str__(self) -> str:
        return f"{self.kind} about user {self.user_id}"


class Check(models.Model):
    """How often a person's moves in a finished match were what our strongest bot would have played."""

    match = models.ForeignKey("matches.Match", models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    plies = models.PositiveIntegerField()
    """Positions with a real choice that were looked at."""
    same = models.PositiveIntegerField()
    done_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["match", "seat"], name="check_once"),)

    def __str__(self) -> str:
        return f"check of seat {self.seat} of match {self.match_id}"
