"""What pages about people are read from: one row for each person's part in each finished match."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from matches.models import Match


class Played(models.Model):
    """A finished match from the side of one person, with all that lists and tables of results ask for.

    Everything is taken from the match and its seats, by triggers of the database in the transaction that ends the match or gives a
    seat to another account, whoever writes there (migration 0002). So a page reads one range of an index and joins nothing.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="played")
    match = models.ForeignKey(Match, models.CASCADE, related_name="played")
    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    pace = models.CharField(max_length=16)
    private = models.BooleanField()
    others = models.PositiveSmallIntegerField()
    """How many more seats there were."""
    rank = models.PositiveSmallIntegerField()
    known = models.PositiveIntegerField()
    """The sum of the ratings that are stored with the other seats,"""
    knowers = models.PositiveSmallIntegerField()
    """and how many of them have one."""
    levels = models.CharField(max_length=400, blank=True)
    """The levels of the bots among the others that have none, in order, with spaces between."""
    finished_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "played matches"
        constraints = (models.UniqueConstraint(fields=["user", "match"], name="played_once"),)
        indexes = (models.Index(fields=["user", "-finished_at", "-match"], name="played_lately"),)

    def __str__(self) -> str:
        return f"match {self.match_id} of user {self.user_id}"
