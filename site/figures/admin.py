"""Statistics in the admin: read only, since a task counts them."""

from __future__ import annotations

from django.contrib import admin

from accounts.staff import ReadOnly
from figures.models import Figure


@admin.register(Figure)
class FigureAdmin(ReadOnly):
    """What has been counted, and when."""

    list_display = ("game", "variant", "band", "name", "matches", "counted_at")
    list_filter = ("game", "name", "band")
