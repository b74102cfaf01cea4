"""What is stored of the challenge ladders: who stands on which rung, who moved on them, and who challenged whom."""

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
    """When its person joined, or last began or ended a ladder match: what decay counts from."""
    warned_at = models.DateTimeField(null=True)
    """When the person was told that the rung will be lost by and by; empty again with the next match."""
    sunk_at = models.DateTimeField(null=True)
    """When the rung was last lowered for want of play."""
    last_call_at = models.DateTimeField(null=True)
    """When the person was told that the place in the ladder will be lost."""
    best = models.PositiveIntegerField()
    """The highest position ever held."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["game", "user"], name="rung_one_per_person"),
            # Checked at the end of a transaction: a swap passes through two people on one rung.
            models.UniqueConstraint(fields=["game", "position"], name="rung_once", deferrable=Deferrable.DEFERRED),
        )
        indexes = (models.Index(fields=["active_at"], name="rung_idle"),)

    def __str__(self) -> str:
        return f"rung {self.position} of {self.game}"


class Step(models.Model):
    """That somebody moved in a ladder, by something that happened to that person; who only makes room leaves none."""

    class Why(models.TextChoices):
        WON = "won"
        LOST = "lost"
        FORFEITED = "forfeited"
        """The rung went to who challenged, without a match."""
        IDLE = "idle"

    game = models.CharField(max_length=32)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    before = models.PositiveIntegerField()
    after = models.PositiveIntegerField()
    why = models.CharField(max_length=16, choices=Why)
    at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["user", "game", "-at"], name="step_newest"),)

    def __str__(self) -> str:
        return f"from rung {self.before} to {self.after} of {self.game}"


class Challenge(models.Model):
    """Somebody dares somebody above. Open until answered or too late; then a match decides."""

    class State(models.TextChoices):
        OPEN = "open"
        PLAYING = "playing"
        WON = "won"
        LOST = "lost"
        DRAWN = "drawn"
        FORFEITED = "forfeited"
        """Declined, or not answered in time: counts as won for who challenged."""
        WITHDRAWN = "withdrawn"
        VOID = "void"
        """The match was called off, or who challenged left the ladder."""

    class Why(models.TextChoices):
        """More about a challenge that ended without a result on the board."""

        DECLINED = "declined"
        LATE = "late"
        CALLED_OFF = "called_off"
        """By who was challenged, alone: as good as declined; otherwise the challenge is void."""
        LEFT = "left"
        LINKED = "linked"
        BARRED = "barred"
        """Who challenged blocked the other, or may not play for a while."""

    game = models.CharField(max_length=32)
    challenger = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="challenges_made")
    challenged = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="challenges_got")
    from_position = models.PositiveIntegerField()
    to_position = models.PositiveIntegerField()
    """Where both stood when it was made."""
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    why = models.CharField(max_length=16, choices=Why, blank=True, default="")
    controls = models.JSONField(default=list)
    """What who challenged offers to play by, as `TimeControl` writes it; one of them is chosen with the answer."""
    made_at = models.DateTimeField()
    answer_by = models.DateTimeField()
    """As far as it is known: a vacation of who was challenged moves it on."""
    settled_at = models.DateTimeField(null=True)
    match = models.OneToOneField("matches.Match", models.SET_NULL, null=True, related_name="rung_challenge")
    swapped = models.BooleanField(default=False)

    UNSETTLED = (State.OPEN, State.PLAYING)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["game", "challenger"], name="challenge_one_made", condition=Q(state__in=("open", "playing"))),
            models.UniqueConstraint(fields=["game", "challenged"], name="challenge_one_got", condition=Q(state__in=("open", "playing"))),
        )
        indexes = (
            models.Index(fields=["answer_by"], name="challenge_open", condition=Q(state="open")),
            models.Index(fields=["match"], name="challenge_played", condition=Q(state="playing")),
            models.Index(fields=["game", "-settled_at"], name="challenge_settled"),
        )

    def __str__(self) -> str:
        return f"challenge {self.pk} of {self.game}, {self.state}"
