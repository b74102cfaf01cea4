"""Matches and follow-ups for staff to look at: read only, and nothing that a player may not know yet."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.staff import ReadOnly, ReadOnlyRows
from matches.models import FollowUp, Match, Outage, Seat


class Seats(ReadOnlyRows):
    """Who sits at a match."""

    model = Seat
    fields = readonly_fields = ("number", "user", "level", "rating", "left_at_ply", "left_why")


@admin.register(Match)
class MatchAdmin(ReadOnly):
    """No plies, which may hold a hidden card, no plans, no clocks of thought, and never the secret or the chain over the plies."""

    list_display = ("id", "game", "variant", "pace", "rated", "private", "status", "termination", "ply", "created_at", "moved_at")
    list_filter = ("game", "pace", "rated", "private", "status", "termination", "uncounted")
    search_fields = ("=id", "seats__user__username")
    search_help_text = _("A number of a match, or a part of a player’s name.")
    ordering = ("-pk",)
    fields = ("page", "game", "variant", "options", "status", "termination", "pace", "time_control", "rated", "uncounted", "private",
              "ply", "version", "to_move", "commitment", "scores", "ranks", "paused_at", "deadline", "created_at", "moved_at",
              "finished_at")  # fmt: skip
    readonly_fields = ("page",)
    inlines = (Seats,)

    @admin.display(description=_("page"))
    def page(self, match: Match) -> str:
        """The way to the match as everybody sees it."""
        return format_html('<a href="{}">{}</a>', reverse("match", args=[match.pk]), match)


@admin.register(FollowUp)
class FollowUpAdmin(ReadOnly):
    """Shows what waits, failed or was given up."""

    list_display = ("key", "kind", "due_at", "attempts", "error", "done_at", "dead_at")
    list_filter = ("kind", "done_at", "dead_at")
    search_fields = ("key",)
    fields = ("key", "kind", "match", "ply", "person", "due_at", "lease_until", "attempts", "error", "done_at", "dead_at")


@admin.register(Outage)
class OutageAdmin(ReadOnly):
    """When the site was down, and how many clocks were put back for it."""

    list_display = ("began_at", "ended_at", "matches")
