"""What the staff's pages of all apps share."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

ASKED_FOR = frozenset({"", "exact", "in", "isnull", "gte", "gt", "lte", "lt", "id__exact", "pk__exact", "id__in"})
"""What may be asked of a column that a page filters by."""


class Guarded(admin.ModelAdmin):
    """A page that can be asked for nothing but what it shows.

    Django's own lets an address ask for the beginning of any column of the table, letter by letter: the hash chain of a running
    match, the token that opens a private table, the key of a session. Here only the page's own filters are answered.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether the address may filter by this; only by what the page offers."""
        filters = self.list_filter if request is None else self.get_list_filter(request)
        names = [_column(item[0] if isinstance(item, (list, tuple)) else item) for item in filters]
        return any(lookup == name or lookup.removeprefix(f"{name}__") in ASKED_FOR for name in names)

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        """Whether rows may be opened by that column; only by their number."""
        return to_field == self.opts.pk.name


def _column(item: Any) -> str:
    """The column, or the parameter, that one of the filters goes by."""
    return str(item.parameter_name if isinstance(item, type) and issubclass(item, admin.SimpleListFilter) else item)


class ReadOnly(Guarded):
    """Rows to look at only: they change through the services, or never."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyRows(admin.TabularInline):
    """Rows of something else on the page of what they belong to, to look at only."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
