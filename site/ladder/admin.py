"""Ratings in the admin: read only, since a rating follows from the results and from nothing else."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.staff import ReadOnly
from ladder.models import Pool, RatedMatch, Rating, RatingChange


@admin.register(Pool)
class PoolAdmin(ReadOnly):
    """Shows how far the rating of a game has come."""

    list_display = ("game", "pace", "next_number", "applied_number")


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    """Who stands where."""

    list_display = ("user", "game", "pace", "mu", "sigma", "matches", "updated_at")
    list_filter = ("game", "pace")
    list_select_related = ("user",)
    search_fields = ("user__username",)


class Changes(admin.TabularInline):
    """What a match changed, seat by seat."""

    model = RatingChange
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnly):
    """Shows what counts, and what waits."""

    list_display = ("match_id", "game", "pace", "number", "ranks", "ended_at", "applied_at")
    list_filter = ("game", "pace", "applied_at")
    search_fields = ("=match_id",)
    inlines = (Changes,)
