"""What is stored of a match: the match, its seats, its plies, and the work that must follow a commit."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from games import registry
from games.kit.protocol import Game, Variant


class MatchQuerySet(models.QuerySet["Match"]):
    """Ways to find matches."""

    def with_seats(self) -> MatchQuerySet:
        """Each with its seats and the people in them, in two queries."""
        return self.prefetch_related(models.Prefetch("seats", Seat.objects.select_related("user")))

    def of(self, player: Any) -> MatchQuerySet:
        """Those in which `player` has a seat that it has not left."""
        return self.filter(seats__in=Seat.objects.filter(user=player, left_at_ply=None))

    def without(self, player: Any) -> MatchQuerySet:
        """Those in which `player` has no seat."""
        return self.exclude(pk__in=Seat.objects.filter(user=player).values("match"))


class Match(models.Model):
    """One play of a game. The plies decide everything; the columns here only find matches and guard the log."""

    class Status(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        ABORTED = "aborted"

    class Termination(models.TextChoices):
        COMPLETE = "complete"
        RESIGNED = "resigned"
        TIMEOUT = "timeout"
        ABANDONED = "abandoned"

    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    options = models.JSONField(default=list)
    rules_version = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=16, choices=Status, default=Status.RUNNING)
    termination = models.CharField(max_length=16, choices=Termination, blank=True, default="")
    ply = models.PositiveIntegerField(default=0)
    """How many plies have been played."""
    version = models.PositiveIntegerField(default=0)
    """Raised by every change that somebody could see; moves included."""
    to_move = models.PositiveSmallIntegerField(null=True)
    scores = models.JSONField(null=True)
    ranks = models.JSONField(null=True)
    """Set with `scores` when the match is finished."""
    chain = models.CharField(max_length=64)
    """SHA-256 over all plies so far, each hash taking in the one before: what a fold of the plies must arrive at.

    Not for anybody to see while the match runs: hidden draws could be guessed from it.
    """
    commitment = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    moved_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        indexes = (models.Index(fields=["status", "-moved_at"], name="match_recent"),)

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def rules(self) -> Game:
        return registry.get(self.game)

    @property
    def rules_variant(self) -> Variant:
        return self.rules.variant(self.variant)

    @property
    def running(self) -> bool:
        return self.status == self.Status.RUNNING

    def seat_held_by(self, player: Any) -> int | None:
        """The number of the seat that `player` holds, left or not; `None` for a spectator. No query when loaded with its seats."""
        if player is None:
            return None
        return next((seat.number for seat in self.seats.all() if seat.user_id == player.pk), None)

    def revealed_secret(self) -> bytes | None:
        """The secret once the match is over; `None` before."""
        return None if self.running else Secret.of(self)


class Secret(models.Model):
    """What fixes the draws of a match; in a row of its own, so that nothing that prints or copies a match carries it along."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    value = models.BinaryField(max_length=32, editable=False)

    def __str__(self) -> str:
        return f"the secret of match {self.match_id}"

    @classmethod
    def of(cls, match: Match) -> bytes:
        """The secret of a match. Only who draws, and who reveals it after the end, may ask."""
        return bytes(cls.objects.values_list("value", flat=True).get(match=match))


class Seat(models.Model):
    """A place at a match: a person, a bot of some level, or nobody any more when the account was deleted."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats")
    level = models.CharField(max_length=32, blank=True, default="")
    """The bot's level; empty for a person."""
    left_at_ply = models.PositiveIntegerField(null=True)
    """How many plies had been played when the person resigned."""

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["match", "number"], name="seat_once"),
            models.UniqueConstraint(fields=["match", "user"], name="seat_one_per_person"),
        )

    def __str__(self) -> str:
        return f"seat {self.number} of match {self.match_id}"

    @property
    def left(self) -> bool:
        return self.left_at_ply is not None

    @property
    def automatic(self) -> bool:
        """Whether the site moves for it: a bot, or a seat whose person resigned or is gone."""
        return bool(self.level) or self.left or self.user_id is None


class Move(models.Model):
    """One ply. Rows are only ever added; a trigger of the database refuses to change one."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="moves")
    ply = models.PositiveIntegerField()
    """Counted from 1."""
    seat = models.PositiveSmallIntegerField(null=True)
    """Who moved; empty for a chance ply."""
    text = models.TextField()
    client_id = models.UUIDField(null=True)
    """Made once per intent by who moves; a repeat gets the first answer again."""
    version = models.PositiveIntegerField()
    """The match's version after the transaction that added this ply."""
    at = models.DateTimeField()

    class Meta:
        ordering = ("ply",)
        constraints = (
            models.UniqueConstraint(fields=["match", "ply"], name="move_once"),
            models.UniqueConstraint(fields=["match", "seat", "client_id"], name="move_intent_once"),
        )

    def __str__(self) -> str:
        return f"ply {self.ply} of match {self.match_id}"


class FollowUp(models.Model):
    """Work that must follow a commit, written in the same transaction and done by a worker."""

    key = models.CharField(max_length=100, unique=True)
    """Derived from what it is for, so that it cannot be asked for twice."""
    kind = models.CharField(max_length=16)
    match = models.ForeignKey(Match, models.CASCADE, related_name="follow_ups")
    ply = models.PositiveIntegerField()
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    dead_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=100, blank=True, default="")
    """The class of the last failure; never its message, which could quote a hidden card."""

    class Meta:
        indexes = (models.Index(fields=["due_at"], name="follow_up_due", condition=Q(done_at=None, dead_at=None)),)

    def __str__(self) -> str:
        return self.key
