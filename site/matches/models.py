"""What is stored of a match: the match, its seats, its plies, and the work that must follow a commit."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from games import registry
from games.kit.protocol import Game, Variant
from matches.clock import Pace, TimeControl

LIVELY = timedelta(hours=1)
"""How long after its last move a match without a clock is worth watching: nothing else ends one that was forgotten."""


class MatchQuerySet(models.QuerySet["Match"]):
    """Ways to find matches."""

    def with_seats(self) -> MatchQuerySet:
        """Each with its seats and the people in them, in two queries."""
        return self.prefetch_related(models.Prefetch("seats", Seat.objects.select_related("user")))

    def of(self, player: Any) -> MatchQuerySet:
        """Those in which `player` has a seat that it has not left."""
        return self.filter(seats__in=Seat.objects.filter(user=player, left_at_ply=None))

    def public(self) -> MatchQuerySet:
        """Those that anybody may watch."""
        return self.filter(private=False)

    def alive(self, now: datetime) -> MatchQuerySet:
        """Those that are worth watching: running, for everybody, and with a clock or a move not long ago."""
        lively = ~Q(pace=Pace.NONE) | Q(moved_at__gt=now - LIVELY)
        return self.public().filter(lively, status=Match.Status.RUNNING)

    def awaiting(self, player: Any) -> MatchQuerySet:
        """Those running ones in which `player` is to move, the nearest deadline first, then the one that waits longest."""
        own = Seat.objects.filter(match=models.OuterRef("pk"), user=player, left_at_ply=None, number=models.OuterRef("to_move"))
        waiting = self.filter(models.Exists(own), status=Match.Status.RUNNING, paused_at=None)
        return waiting.order_by(models.F("deadline").asc(nulls_last=True), "moved_at", "pk")

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

    class Uncounted(models.TextChoices):
        SHORT = "short"
        """Too few plies for a result to say anything."""
        LINKED = "linked"
        """Two of its people are one person, as far as the site can tell."""

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
    rated = models.BooleanField(default=False)
    uncounted = models.CharField(max_length=16, choices=Uncounted, blank=True, default="")
    """Why a rated match that ended changed no rating; empty where it did."""
    private = models.BooleanField(default=False)
    """Only the people at the table see it."""
    open_seats = models.BooleanField(default=False)
    """Whether people may take over a bot's seat in the first rounds."""
    pace = models.CharField(max_length=16, choices=Pace, default=Pace.NONE)
    time_control = models.CharField(max_length=40, default="none")
    """As `TimeControl` writes it; `pace` is its pace, for finding matches."""
    clock = models.JSONField(default=dict)
    """`{"left": [ms per seat], "quota": [ms per seat]}` of a live match: time left, and lag that may still be given back."""
    since = models.DateTimeField(null=True)
    """When the clock of the seat to move began to run; null while none runs."""
    deadline = models.DateTimeField(null=True)
    """When that clock runs out. Finds matches to look at; whether time is up is decided under the lock."""
    paused_at = models.DateTimeField(null=True)
    offers = models.JSONField(default=dict)
    """Per kind of offer that is open who made it and who agreed: see `matches.offers`."""
    previous = models.OneToOneField("self", models.SET_NULL, null=True, related_name="following")
    """The match of which this one is the rematch."""
    series = models.PositiveBigIntegerField(null=True, db_index=True)
    """The first match of a row of rematches, for all but that first one."""
    rating = models.PositiveIntegerField(null=True)
    """The mean rating of the people at its start; what the table of matches to watch is ordered by."""
    created_at = models.DateTimeField()
    moved_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        indexes = (
            models.Index(fields=["status", "-moved_at"], name="match_recent"),
            models.Index(fields=["deadline"], name="match_due", condition=Q(status="running", deadline__isnull=False)),
            models.Index(fields=["game", "pace", "-rating"], name="match_on_air", condition=Q(status="running", private=False)),
        )

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

    @property
    def control(self) -> TimeControl:
        return TimeControl.parse(self.time_control)

    def visible_to(self, player: Any) -> bool:
        """Whether `player` may look at it at all."""
        return not self.private or self.seat_held_by(player) is not None

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
    """How many plies had been played when the person left."""
    left_why = models.CharField(max_length=16, choices=Match.Termination, blank=True, default="")
    """How the person left: resigned, ran out of time, or went away."""
    seen_ply = models.PositiveIntegerField(default=0)
    """The newest ply that its person has been shown."""
    rating = models.PositiveIntegerField(null=True)
    """The person's rating when the match began; of a bot its fixed one, where the match is rated."""
    deviation = models.PositiveSmallIntegerField(null=True)
    """How sure that rating was."""

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
    used_ms = models.PositiveBigIntegerField(null=True)
    """Time that the seat was charged for it, where there is a clock."""
    left_ms = models.PositiveBigIntegerField(null=True)
    """What its live clock showed afterwards."""
    lag_ms = models.PositiveIntegerField(null=True)
    """Lag of its connection that was given back."""

    class Meta:
        ordering = ("ply",)
        constraints = (
            models.UniqueConstraint(fields=["match", "ply"], name="move_once"),
            models.UniqueConstraint(fields=["match", "seat", "client_id"], name="move_intent_once"),
        )

    def __str__(self) -> str:
        return f"ply {self.ply} of match {self.match_id}"


class TakenBack(models.Model):
    """A ply that was taken back by agreement: kept, so that its mover's repeat is still known and the history is whole."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="taken_back")
    ply = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.TextField()
    client_id = models.UUIDField(null=True)
    version = models.PositiveIntegerField()
    """As of the `Move` that it was."""
    at = models.DateTimeField()
    taken_back_at = models.DateTimeField()

    class Meta:
        ordering = ("taken_back_at", "ply")
        indexes = (models.Index(fields=["match", "seat", "client_id"], name="taken_back_intent"),)

    def __str__(self) -> str:
        return f"ply {self.ply} of match {self.match_id}, taken back"


class Event(models.Model):
    """Something that happened beside the plies: time given back, a pause, somebody who left. Who may watch may read it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="events")
    version = models.PositiveIntegerField()
    ply = models.PositiveIntegerField()
    """How many plies had been played."""
    kind = models.CharField(max_length=24)
    seat = models.PositiveSmallIntegerField(null=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.kind} in match {self.match_id}"


class ChatLine(models.Model):
    """Something said at a match, in words or as one of the phrases that everybody reads in their own language."""

    class Room(models.TextChoices):
        PLAYERS = "players"
        SPECTATORS = "spectators"

    match = models.ForeignKey(Match, models.CASCADE, related_name="chat")
    room = models.CharField(max_length=16, choices=Room)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    phrase = models.CharField(max_length=24, blank=True, default="")
    """The key of a preset phrase; empty when `text` holds own words."""
    text = models.CharField(max_length=300, blank=True, default="")
    client_id = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=["match", "user", "client_id"], name="chat_line_once"),)

    def __str__(self) -> str:
        return f"a line in match {self.match_id}"


class Connection(models.Model):
    """One socket at a match, held by a lease: open while its beats come. Those of seats are kept as their history."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="connections")
    seat = models.PositiveSmallIntegerField(null=True)
    """Empty for a spectator, whose row goes when the socket does."""
    opened_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    lag_ms = models.PositiveIntegerField(null=True)
    """The one-way lag measured last."""

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=["match", "seat"], name="connection_open", condition=Q(closed_at=None)),
            models.Index(fields=["seen_at"], name="connection_stale", condition=Q(closed_at=None)),
        )

    def __str__(self) -> str:
        return f"a socket at match {self.match_id}"


class Plan(models.Model):
    """The conditional moves of a seat: if this is played, I answer that. Nobody but the seat's person ever sees it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="plans")
    seat = models.PositiveSmallIntegerField()
    ply = models.PositiveIntegerField()
    """How many plies had been played in the position that the tree starts from."""
    tree = models.JSONField(default=list)
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["match", "seat"], name="plan_one_per_seat"),)

    def __str__(self) -> str:
        return f"the plan of seat {self.seat} of match {self.match_id}"


class Vacation(models.Model):
    """Days on which a person's correspondence clocks stand still."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations")
    starts = models.DateTimeField()
    ends = models.DateTimeField()

    class Meta:
        ordering = ("starts",)
        constraints = (models.CheckConstraint(condition=Q(ends__gt=models.F("starts")), name="vacation_has_length"),)

    def __str__(self) -> str:
        return f"a vacation of {self.user_id}"


class Pulse(models.Model):
    """The one row in which the web processes say that they live."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"alive at {self.at}"


class Outage(models.Model):
    """A time in which no web process lived; the clocks that ran then were given it back."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    matches = models.PositiveIntegerField(default=0)
    """How many clocks were put back."""

    class Meta:
        ordering = ("-ended_at",)

    def __str__(self) -> str:
        return f"outage until {self.ended_at}"


class FollowUp(models.Model):
    """Work that must follow a commit, written in the same transaction and done by a worker."""

    key = models.CharField(max_length=100, unique=True)
    """Derived from what it is for, so that it cannot be asked for twice."""
    kind = models.CharField(max_length=16)
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="follow_ups")
    ply = models.PositiveIntegerField(null=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    """Whom it concerns, for work that concerns one person."""
    data = models.JSONField(default=dict)
    """What else the work must know; never anything hidden."""
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
