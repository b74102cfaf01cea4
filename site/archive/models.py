"""What the archive is searched in: a row for each finished public match, one for each person in it, and how many there are."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.kit import protocol
from matches.models import Match


class FirstMove(models.Model):
    """A kind of first move, as its game counts alike ones together (`Game.opening`)."""

    game = models.CharField(max_length=32)
    key = models.CharField(max_length=300)
    """The kind as JSON: its English sentence, and pairs of what fills it."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "key"], name="first_move_once"),)

    def __str__(self) -> str:
        return f"a first move of {self.game}"

    @staticmethod
    def key_of(kind: protocol.Opening) -> str:
        """The key under which a kind is stored."""
        return json.dumps([kind.text, kind.names], ensure_ascii=False)

    @property
    def kind(self) -> protocol.Opening:
        """The kind that the key holds."""
        text, names = json.loads(self.key)
        return protocol.Opening(text, tuple((name, value) for name, value in names))


class Facts(models.Model):
    """What is known of a match for finding it: the same in both tables, so that a search in either joins nothing."""

    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    pace = models.CharField(max_length=16)
    rated = models.BooleanField()
    termination = models.CharField(max_length=16)
    plies = models.PositiveIntegerField()
    rating = models.PositiveIntegerField(null=True)
    """The mean rating of the people at the start; empty where nobody had one."""
    seats = models.PositiveSmallIntegerField()
    levels = models.CharField(max_length=400, blank=True)
    """The levels of the bots in it, each once, in order, with spaces between."""
    first_move = models.ForeignKey(FirstMove, models.SET_NULL, null=True, db_index=False, related_name="+")
    """What kind of move a seat made first; empty until it was looked at, and where no seat moved."""
    finished_at = models.DateTimeField()

    class Meta:
        abstract = True


def _orders() -> tuple[models.Index, ...]:
    """An index for each order of the list: of all matches, of a game, of a variant."""
    scopes = {"all": (), "game": ("game",), "variant": ("game", "variant")}
    rated = Q(rating__isnull=False)
    return tuple(
        models.Index(fields=[*scope, f"-{column}", "-match"], name=f"filed_{order}_{name}", condition=rated if order == "highest" else None)
        for order, column in {"newest": "finished_at", "longest": "plies", "highest": "rating"}.items()
        for name, scope in scopes.items()
    )


class Filed(Facts):
    """A finished match that anybody may see.

    Triggers of the database write it from the match and its seats in the transaction that ends the match (migration 0002), and take
    it out when the match is no longer public. What its first moves say is added by a task, since only the game can read them.
    A second index, over all of `archive_facets`, finds what few matches have in common.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="filed")
    line = models.CharField(max_length=400, null=True)
    """The first moves of the seats, each with a bar behind it; null until they were looked at."""
    fared = models.CharField(max_length=16, blank=True, default="", db_default="")
    """For each of these moves a letter: `w` if who made it won, `s` if the win was shared, `l` else."""

    class Meta:
        verbose_name_plural = "filed matches"
        indexes = (
            *_orders(),
            # What ended early is short: among the longest of all it would be looked for in vain.
            models.Index(fields=["termination", "-plies", "-match"], name="filed_longest_ended"),
            models.Index(fields=["game", "variant", "line"], opclasses=["", "", "varchar_pattern_ops"], name="filed_line"),
            models.Index(fields=["match"], name="filed_unread", condition=Q(line=None)),
        )

    def __str__(self) -> str:
        return f"match {self.match_id} in the archive"


class FiledSeat(Facts):
    """The part of a person in such a match; kept by the same triggers, and gone with the account."""

    class Result(models.TextChoices):
        WON = "won"
        SHARED = "shared"
        """First together with others."""
        LOST = "lost"

    filed = models.ForeignKey(Filed, models.CASCADE, db_index=False, db_column="match_id", related_name="people")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, db_index=False, related_name="+")
    number = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    result = models.CharField(max_length=8, choices=Result)
    left_why = models.CharField(max_length=16, blank=True)
    """How the person left the match before its end, if at all."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["filed", "user"], name="filed_seat_once"),)
        indexes = (models.Index(fields=["user", "-finished_at", "-filed"], name="filed_seat_newest"),)

    def __str__(self) -> str:
        return f"user {self.user_id} in match {self.filed_id}"


class FiledCount(models.Model):
    """How many matches of one kind are filed; kept by triggers, so that whole lists are counted without going through them."""

    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    pace = models.CharField(max_length=16)
    rated = models.BooleanField()
    termination = models.CharField(max_length=16)
    matches = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "variant", "pace", "rated", "termination"], name="filed_count_once"),)

    def __str__(self) -> str:
        return f"{self.matches} of {self.game} {self.variant}"
