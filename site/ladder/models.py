"""What is stored of ratings: who stands where, which results count in which order, and what each changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from ladder.scale import Strength


class Pace(models.TextChoices):
    """Matches at one sitting and matches over days are rated apart."""

    LIVE = "live"
    CORRESPONDENCE = "correspondence"


class Pool(models.Model):
    """The results of one game at one pace, which are rated in one order.

    Its row is locked by the transaction that ends a match, so that numbers are gapless and in the order of the commits.
    Rating leaves it alone, so that nobody's last move ever waits for the arithmetic; how far that has come is told by
    `RatedMatch.applied_at`.
    """

    game = models.CharField(max_length=32)
    pace = models.CharField(max_length=16, choices=Pace)
    next_number = models.PositiveBigIntegerField(default=1)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "pace"], name="pool_once"),)

    def __str__(self) -> str:
        return f"{self.game}, {self.pace}"

    @property
    def applied_number(self) -> int:
        """The number of the last result that has been rated; 0 when none has. One query."""
        matches = RatedMatch.objects.filter(game=self.game, pace=self.pace)
        waiting = matches.filter(applied_at=None).order_by("number").values_list("number", flat=True).first()
        return (self.next_number if waiting is None else waiting) - 1


class Rating(models.Model):
    """What is known of a person at one game and pace; there is none before the first rated match."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=32)
    pace = models.CharField(max_length=16, choices=Pace)
    mu = models.FloatField()
    sigma = models.FloatField()
    """As of the last match; time widens it (`formula.widened`)."""
    matches = models.PositiveIntegerField()
    updated_at = models.DateTimeField()
    """When the last rated match ended."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "game", "pace"], name="rating_once"),)
        indexes = (models.Index(fields=["game", "pace", "-mu", "id"], name="rating_near"),)

    def __str__(self) -> str:
        return f"rating of user {self.user_id} at {self.game}, {self.pace}"

    @property
    def strength(self) -> Strength:
        return Strength(self.mu, self.sigma)


class RatedMatch(models.Model):
    """A result that counts. Made in the transaction that ends the match; rated soon after, in the order of the numbers."""

    match_id = models.BigIntegerField(unique=True)
    """Of the match, which this app does not know otherwise."""
    game = models.CharField(max_length=32)
    pace = models.CharField(max_length=16, choices=Pace)
    number = models.PositiveBigIntegerField()
    """Counted from 1 without gaps, in the order in which the matches of the pool ended."""
    ended_at = models.DateTimeField()
    ranks = models.JSONField()
    """The rank of each seat, 1 is best; equal ones are ties."""
    applied_at = models.DateTimeField(null=True)
    """When it was rated; empty while it waits."""

    class Meta:
        verbose_name_plural = "rated matches"
        constraints = (models.UniqueConstraint(fields=["game", "pace", "number"], name="rated_number_once"),)
        indexes = (models.Index(fields=["game", "pace", "number"], condition=Q(applied_at=None), name="rated_waiting"),)

    def __str__(self) -> str:
        return f"result {self.number} of {self.game}, {self.pace}"


class RatingChange(models.Model):
    """A seat of a rated match, and what the result changed for it.

    Made with the match. The strength before is known at once for a bot, whose two strengths are the same, and for a person
    when the match is rated. It stays empty for somebody whose account was deleted before that: the seat did not count.
    """

    rated = models.ForeignKey(RatedMatch, models.CASCADE, related_name="changes")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="rating_changes")
    level = models.CharField(max_length=32, blank=True, default="")
    """The bot's level; empty for a person."""
    mu_before = models.FloatField(null=True)
    sigma_before = models.FloatField(null=True)
    mu_after = models.FloatField(null=True)
    sigma_after = models.FloatField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["rated", "seat"], name="rating_change_once"),)

    def __str__(self) -> str:
        return f"seat {self.seat} of rated match {self.rated_id}"

    @property
    def before(self) -> Strength | None:
        """The strength that entered the formula, already widened by the time without a match."""
        return None if self.mu_before is None or self.sigma_before is None else Strength(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Strength | None:
        """The strength that came out; `None` while the match waits, and for a seat that did not count."""
        return None if self.mu_after is None or self.sigma_after is None else Strength(self.mu_after, self.sigma_after)
