"""People: one row per person, guests included."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST, check_name, hashed, skeleton

NAME_TAKEN = _("Somebody has this name, or one that looks the same. Please choose another.")


class User(AbstractUser):
    """A person who plays. A guest is a row without a password, reached only through its own session."""

    username = models.CharField(
        _("name"),
        max_length=LONGEST,
        unique=True,
        validators=[check_name],
        error_messages={"unique": NAME_TAKEN},
    )
    name_key = models.CharField(max_length=4 * LONGEST, unique=True, null=True, editable=False)
    """How the name looks (`names.skeleton`), so that nobody can pass for somebody else; null for guests."""
    is_guest = models.BooleanField(default=False)
    seen_at = models.DateTimeField(null=True, db_index=True)
    """When a page of this person's last showed a sign of life; a lease that says who is online."""
    avatar = models.CharField(max_length=32, blank=True, default="")
    """The code of a tile mosaic (`accounts.mosaic`); empty for the one that follows from the person's id."""
    country = models.CharField(_("country"), max_length=2, blank=True, default="")
    """ISO 3166-1 alpha-2, upper case; empty when not told."""
    languages = models.JSONField(default=list, blank=True)
    """ISO 639 codes of the languages that the person speaks, best first."""
    about = models.CharField(_("about you"), max_length=600, blank=True, default="")
    """Plain text."""
    favourites = models.JSONField(default=list, blank=True)
    """Keys of the games liked best."""
    named_at = models.DateTimeField(null=True, editable=False)
    """When the name was changed last."""
    preferences = models.JSONField(default=dict, blank=True)
    """What the person chose last (game, variant, level) and how the site should behave; keys are the site's own."""

    def clean(self) -> None:
        """Refuse a name that looks like somebody else's. Raises `ValidationError`."""
        super().clean()
        if not self.is_guest and User.looks_taken(self.username, besides=self.pk):
            raise ValidationError({"username": NAME_TAKEN}, code="unique")

    @classmethod
    def looks_taken(cls, name: str, besides: int | None = None) -> bool:
        """Whether an account other than `besides` has this name or one that looks the same."""
        key = skeleton(name)
        taken = cls.objects.filter(name_key=key).exclude(pk=besides)
        return taken.exists() or FormerName.objects.filter(key_hash=hashed(key)).exclude(user=besides, user__isnull=False).exists()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the look of the name in step with it."""
        self.name_key = None if self.is_guest else skeleton(self.username)
        if (fields := kwargs.get("update_fields")) is not None and {"username", "is_guest"} & set(fields):
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)

    @property
    def display_name(self) -> str:
        """The name that others see."""
        return gettext("Guest {number}").format(number=self.pk) if self.is_guest else self.username


class FormerName(models.Model):
    """A name that somebody gave up. Links with it lead on, and nobody else can take it, even after the account is gone."""

    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="former_names")
    name = models.CharField(max_length=LONGEST, blank=True, db_index=True)
    """Empty when the account was deleted."""
    key_hash = models.CharField(max_length=64, unique=True)
    """`names.hashed` of how the name looks."""
    left_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name or "a deleted name"


class Browser(models.Model):
    """That an account was used in a browser. Two accounts in one browser are taken for one person where ratings are concerned."""

    token_hash = models.CharField(max_length=64)
    """SHA-256 of the random number in the browser's cookie."""
    user = models.ForeignKey(User, models.CASCADE, related_name="browsers")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["token_hash", "user"], name="browser_once"),)

    def __str__(self) -> str:
        return f"a browser of user {self.user_id}"


class PrivateNote(models.Model):
    """What somebody noted about another person; for nobody else to read."""

    user = models.ForeignKey(User, models.CASCADE, related_name="private_notes")
    other = models.ForeignKey(User, models.CASCADE, related_name="+")
    text = models.CharField(max_length=1000)
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "other"], name="private_note_once"),)

    def __str__(self) -> str:
        return f"a note of user {self.user_id}"


class Sanction(models.Model):
    """What a moderator imposed on somebody: a warning, silence in chats, or being shut out; with its reason and its end."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        MUTE = "mute", _("no chat")
        SUSPENSION = "suspension", _("shut out")

    user = models.ForeignKey(User, models.CASCADE, related_name="sanctions")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    reason = models.CharField(_("reason, as the person reads it"), max_length=500)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    ends_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    """Empty: until a moderator lifts it."""
    lifted_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True)
    """When the person confirmed having read a warning."""

    class Meta:
        indexes = (models.Index(fields=["user", "kind", "ends_at"], name="sanction_in_force", condition=models.Q(lifted_at=None)),)

    def __str__(self) -> str:
        return f"{self.kind} of user {self.user_id}"


class Tie(models.Model):
    """What one person is to another, as the first one chose: followed, a friend (followed, too), or blocked."""

    class Kind(models.TextChoices):
        FOLLOW = "follow"
        FRIEND = "friend"
        BLOCK = "block"

    user = models.ForeignKey(User, models.CASCADE, related_name="ties")
    other = models.ForeignKey(User, models.CASCADE, related_name="tied_by")
    kind = models.CharField(max_length=8, choices=Kind)
    made_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "other"], name="tie_one_per_pair"),
            models.CheckConstraint(condition=~models.Q(user=models.F("other")), name="tie_not_to_oneself"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} → {self.other_id}: {self.kind}"
