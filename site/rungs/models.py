"""What is stored of the challenge ladders: who stands on which rung, and who challenged whom."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Deferrable, Q


class Rung(models.Model):
    """Somebody's place in the ladder of a game; 1 is the top. The rows of a game are always numbered without gaps."""

    game = models.CharField(max_length=32)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rungs")
    position = models.PositiveIntegerField()
    joined_at = models.DateTimeField()
    active_at = models.DateTimeField()
    """When its person joined, or last ended a challenge by playing: what decay counts from."""
    best = models.PositiveIntegerField()
    """The highest position ever held."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["game", "user"], name="rung_one_per_person"),
            # Checked at the end of a transaction: a swap passes through two people on one rung.
            models.UniqueConstraint(fields=["game", "position"], name="rung_once", deferrable=Deferrable.DEFERRED),
        )

    def __str__(self) -> str:
        return f"rung {self.position} of {self.game}"


class Challenge(models.Model):
    """Somebody dares somebody above. Open until answered or too late; then a match decides."""

    class State(models.TextChoices):
        OPEN = "open"
        PLAYING = "playing"
        WON = "won"
        LOST = "lost"
        DRAWN = "drawn"
        FORFEITED = "forfeited"
        """Not answered in time: counts as won for who challenged."""
        WITHDRAWN = "withdrawn"
        VOID = "void"
        """The match was called off, or somebody left the ladder."""

    game = models.CharField(max_length=32)
    challenger = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="challenges_made")
    challenged = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="challenges_got")
    from_position = models.PositiveIntegerField()
    to_position = models.PositiveIntegerField()
    """Where both stood when it was made."""
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    made_at = models.DateTimeField()
    answer_by = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    match = models.OneToOneField("matches.Match", models.SET_NULL, null=True, related_name="rung_challenge")
    swapped = models.BooleanField(default=False)

    class Meta:
        indexes = (
            models.Index(fields=["answer_by"], name="challenge_open", condition=Q(state="open")),
            models.Index(fields=["game", "-settled_at"], name="challenge_settled"),
        )

    def __str__(self) -> str:
        return f"challenge {self.pk} of {self.game}, {self.state}"
