"""What is stored of notices: what a person wants to be told and how, where to push it, and what there was to tell."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models import Match


class Kind(models.TextChoices):
    """What a notice is about."""

    TURN = "turn", _("It is my turn")
    DEADLINE = "deadline", _("My time is running out")
    CHALLENGE = "challenge", _("Somebody challenges me")
    START = "start", _("A match begins")
    OFFER = "offer", _("Somebody asks for something in a match")
    END = "end", _("A match ends")
    RUNGS = "rungs", _("A challenge on the challenge ladder")
    CARE = "care", _("Word from the moderators")


DECLINED = "declined"
"""The event of a challenge that was declined or ran out; a notice of the kind `CHALLENGE` to who challenged."""


NEWS = "news"
"""The event of what an app above tells in its own words, see `notices.news`."""


class Mail(models.TextChoices):
    """How soon a kind of notice is mailed."""

    OFF = "off", _("never")
    NOW = "now", _("at once")
    DIGEST = "digest", _("once a day")


MAIL_AT_FIRST = {Kind.END: Mail.DIGEST, Kind.OFFER: Mail.DIGEST}
"""What is mailed as long as a person has not chosen; every other kind at once."""
ALWAYS_MAILED = frozenset({Kind.CARE})
"""What is mailed at once whatever a person chose: nobody may miss a warning, nor how to appeal."""


class NoticeSettings(models.Model):
    """What one person wants to be told. People without a row get what is usual."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="notice_settings")
    mail = models.JSONField(default=dict, blank=True)
    """A `Mail` per kind that the person decided about."""
    push = models.JSONField(default=dict, blank=True)
    """Whether to push, per kind that the person decided about."""
    sound = models.BooleanField(default=True)
    title = models.BooleanField(default=True)
    badge = models.BooleanField(default=True)
    """What open pages do when something comes: a soft sound, a mark in the tab's title, a number on the site's icon."""
    digest_hour = models.PositiveSmallIntegerField(default=8, validators=[MaxValueValidator(23)])
    """The hour of the daily mail, where the person lives."""
    mailed_at = models.DateTimeField(null=True, editable=False)
    mail_failed_at = models.DateTimeField(null=True, editable=False)
    """When a mail was last handed to the mail server, and when that last failed."""

    class Meta:
        verbose_name_plural = "notice settings"

    def __str__(self) -> str:
        return f"the notices of {self.user_id}"

    def mail_for(self, kind: str) -> str:
        """The `Mail` of a kind."""
        if kind in ALWAYS_MAILED:
            return Mail.NOW.value
        return str(self.mail.get(kind) or MAIL_AT_FIRST.get(Kind(kind), Mail.NOW))

    def push_for(self, kind: str) -> bool:
        """Whether a kind is pushed."""
        return bool(self.push.get(kind, True))


class PushSubscription(models.Model):
    """A browser that takes pushes for a person, as the browser itself described it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.URLField(max_length=600, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=60, blank=True, default="")
    """What the browser calls itself, for the person to tell it from others."""
    made_at = models.DateTimeField()
    last_ok_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0)
    """How many times running it could not be reached."""

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"a browser of {self.user_id}"


class Notice(models.Model):
    """One thing that there was to tell one person; never anything hidden."""

    key = models.CharField(max_length=100, unique=True)
    """Derived from what happened and to whom, so that it is told once."""
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=16, choices=Kind)
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="+")
    version = models.PositiveIntegerField(default=0)
    ply = models.PositiveIntegerField(default=0)
    """Of the match when it happened."""
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    digest = models.BooleanField(default=False)
    """Whether it is for the daily mail."""
    digested_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=["user", "-at"], name="notice_newest"),
            models.Index(fields=["user"], name="notice_for_digest", condition=Q(digest=True, digested_at=None)),
        )

    @property
    def news(self) -> bool:
        """Whether it is told in the words of an app above."""
        return bool(self.data.get("event") == NEWS)

    @property
    def declined(self) -> bool:
        """Whether it tells that a challenge of the person's own came to nothing."""
        return bool(self.data.get("event") == DECLINED)

    def __str__(self) -> str:
        return self.key
