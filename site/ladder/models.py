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


class Placing(models.Model):
    """A row of the ladders: where somebody stands at a game and pace, for all time or within one month or season.

    Made from the same results as `Rating`, and the only thing that lists are read from. `Tally` counts these rows.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="placings")
    game = models.CharField(max_length=32)
    pace = models.CharField(max_length=16, choices=Pace)
    period = models.CharField(max_length=8, blank=True, default="")
    """A key of `ladder.periods`: empty for all time, `2026-11` a month, `2026-Q4` a season."""
    country = models.CharField(max_length=2, blank=True, default="")
    """The person's own, kept here so that a country's ladder is one range of an index."""
    mu = models.FloatField()
    sigma = models.FloatField()
    """Both as of the last match within the period."""
    matches = models.PositiveIntegerField()
    """Rated ones within the period."""
    listed = models.BooleanField(default=False)
    """Whether the rating is narrow enough to be ranked, not provisional after that last match, and the person is not `Unlisted`."""
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "game", "pace", "period"], name="placing_once"),)
        indexes = (
            models.Index(fields=["game", "pace", "period", "-mu", "id"], name="placing_order", condition=Q(listed=True)),
            models.Index(fields=["game", "pace", "period", "country", "-mu", "id"], name="placing_in_country", condition=Q(listed=True)),
            models.Index(fields=["game", "pace", "period", "-mu", "id"], name="placing_unlisted", condition=Q(listed=False)),
        )

    def __str__(self) -> str:
        return f"user {self.user_id} in {self.game}, {self.pace}, {self.period or 'all time'}"

    @property
    def strength(self) -> Strength:
        return Strength(self.mu, self.sigma)


class Unlisted(models.Model):
    """Somebody who is in no list for now, being shut out or gone. A trigger of the database keeps `Placing.listed` false meanwhile."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="unlisted")

    class Meta:
        verbose_name_plural = "unlisted"

    def __str__(self) -> str:
        return f"user {self.user_id}, in no list"


class Tally(models.Model):
    """How many listed placings have their mean in one bucket, so that a rank is a short sum and no count of a million rows.

    Kept by triggers of the database on `Placing`, in the same transaction, whoever writes there.
    """

    game = models.CharField(max_length=32)
    pace = models.CharField(max_length=16, choices=Pace)
    period = models.CharField(max_length=8, blank=True, default="")
    country = models.CharField(max_length=2, blank=True, default="")
    """Empty for all countries together."""
    bucket = models.IntegerField()
    """`floor(10 * mu)`."""
    people = models.IntegerField()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = (models.UniqueConstraint(fields=["game", "pace", "period", "country", "bucket"], name="tally_once"),)

    def __str__(self) -> str:
        return f"{self.people} around {self.bucket / 10}"


class Season(models.Model):
    """A season of one game and pace. Made with its first result, closed when all its results are rated and the next has begun."""

    game = models.CharField(max_length=32)
    pace = models.CharField(max_length=16, choices=Pace)
    key = models.CharField(max_length=8)
    """As in `ladder.periods`: `2026-Q4`."""
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "pace", "key"], name="season_once"),)

    def __str__(self) -> str:
        return f"{self.key} of {self.game}, {self.pace}"


class SeasonPlace(models.Model):
    """Somebody's part in a season: the division, the points so far, and after the end the place and where it leads."""

    class Outcome(models.TextChoices):
        PROMOTED = "promoted"
        STAYED = "stayed"
        RELEGATED = "relegated"

    season = models.ForeignKey(Season, models.CASCADE, related_name="places")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="season_places")
    """Empty when the account was deleted: the others keep their places."""
    division = models.PositiveSmallIntegerField()
    """1 is the first one that everybody starts in."""
    points = models.PositiveIntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)
    day = models.DateField(null=True)
    """The day (UTC) of the last match, and how many were counted on it: a day counts only so far."""
    day_matches = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveIntegerField(null=True)
    """Within the division, from 1; set when the season is closed, for who has played enough."""
    outcome = models.CharField(max_length=16, choices=Outcome, blank=True, default="")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["season", "user"], name="season_place_once"),)
        indexes = (
            models.Index(fields=["season", "division", "-points", "matches", "id"], name="season_places"),
            models.Index(fields=["season", "-division", "place"], name="season_winners", condition=Q(place__lte=3)),
        )

    def __str__(self) -> str:
        return f"user {self.user_id} in season {self.season_id}"


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
