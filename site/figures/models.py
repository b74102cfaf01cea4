"""What is stored of statistics: one row per chart, counted by a periodic task."""

from __future__ import annotations

from django.db import models


class Figure(models.Model):
    """One chart's numbers for a game, a variant and a rating band."""

    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32, blank=True, default="")
    """Empty for all variants together, where that makes sense."""
    band = models.CharField(max_length=16, blank=True, default="")
    """The rating band, as `figures.counting` names it; empty for all."""
    name = models.CharField(max_length=24)
    """Which chart: `days`, `seats`, `length`, `scores`, `openings`."""
    data = models.JSONField(default=dict)
    matches = models.PositiveIntegerField(default=0)
    """How many matches it was counted from."""
    counted_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "variant", "band", "name"], name="figure_once"),)

    def __str__(self) -> str:
        return f"{self.name} of {self.game} {self.variant} {self.band}"
