"""Tables that fill up, for staff to look at: read only, and without the token that opens a private one."""

from __future__ import annotations

from django.contrib import admin

from accounts.staff import ReadOnly, ReadOnlyRows
from lobby.models import Place, Seek


class PlaceInline(ReadOnlyRows):
    """Who sits at a table."""

    model = Place
    fields = readonly_fields = ("number", "user", "level", "invited", "joined_at")


@admin.register(Seek)
class SeekAdmin(ReadOnly):
    """Tables, the newest first."""

    list_display = ("id", "kind", "host", "game", "variant", "time_control", "rated", "status", "created_at")
    list_filter = ("status", "kind", "game", "pace")
    list_select_related = ("host",)
    search_fields = ("=id", "host__username")
    exclude = ("token",)
    inlines = (PlaceInline,)
    ordering = ("-pk",)
