"""People: one row per person, guests included."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person who plays. A guest is a row without a password, reached only through its own session."""

    is_guest = models.BooleanField(default=False)
    preferences = models.JSONField(default=dict, blank=True)
    """What the person chose last (game, variant, level) and how the site should behave; keys are the site's own."""

    @property
    def display_name(self) -> str:
        """The name that others see."""
        return f"Guest {self.pk}" if self.is_guest else self.username
