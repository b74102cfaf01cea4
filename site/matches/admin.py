"""Matches and follow-ups for staff to look at: read only, and nothing that a player may not know yet."""

from __future__ import annotations

from django.contrib import admin

from accounts.staff import ReadOnly
from matches.models import FollowUp, Match


@admin.register(Match)
class MatchAdmin(ReadOnly):
    """No plies, which may hold a hidden card, and never the secret."""

    list_display = ("id", "game", "variant", "status", "termination", "ply", "created_at", "moved_at")
    list_filter = ("game", "status")
    fields = ("game", "variant", "options", "status", "termination", "ply", "version", "to_move", "commitment",
              "scores", "ranks", "created_at", "moved_at", "finished_at")  # fmt: skip


@admin.register(FollowUp)
class FollowUpAdmin(ReadOnly):
    """Shows what waits, failed or was given up."""

    list_display = ("key", "kind", "due_at", "attempts", "error", "done_at", "dead_at")
    list_filter = ("kind", "done_at", "dead_at")
    search_fields = ("key",)
