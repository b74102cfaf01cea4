"""Tables that fill up, for staff to look at: read only, and without the token that opens a private one."""

from __future__ import annotations

from django.contrib import admin

from accounts.staff import ReadOnly
from lobby.models import Place, Seek


class PlaceInline(admin.TabularInline):
    """Who sits at a table."""

    model = Place
    extra = 0
    fields = ("number", "user", "level", "invited", "joined_at")
    readonly_fields = fields
    can_delete = False


@admin.register(Seek)
class SeekAdmin(ReadOnly):
    """Tables, the newest first."""

    list_display = ("id", "kind", "host", "game", "variant", "time_control", "rated", "status", "created_at")
    list_filter = ("status", "kind", "game", "pace")
    exclude = ("token",)
    inlines = (PlaceInline,)
    ordering = ("-pk",)
