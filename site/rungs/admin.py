"""The challenge ladders for staff to look at: read only, since they change by challenges and by rest alone."""

from __future__ import annotations

from django.contrib import admin

from accounts.staff import ReadOnly
from rungs.models import Challenge, Rung


@admin.register(Rung)
class RungAdmin(ReadOnly):
    """Who stands on which rung."""

    list_display = ("game", "position", "user", "joined_at", "active_at", "best")
    list_filter = ("game",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("game", "position")


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly):
    """Who challenged whom, and what came of it."""

    list_display = ("game", "challenger", "challenged", "from_position", "to_position", "state", "made_at", "settled_at")
    list_filter = ("game", "state")
    list_select_related = ("challenger", "challenged")
    search_fields = ("challenger__username", "challenged__username")
    ordering = ("-pk",)
