"""People: one row per person, guests included."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST, check_name, skeleton

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
        return cls.objects.filter(name_key=skeleton(name)).exclude(pk=besides).exists()

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


class Tie(models.Model):
    """What one person is to another, as the first one chose: a friend, or blocked."""

    class Kind(models.TextChoices):
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
