"""People for the staff: found, named and shut out; their passwords and second factors are no one's to read."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User


@admin.register(User)
class PeopleAdmin(UserAdmin):
    """Django's own, without the password hash and with guests marked."""

    list_display = ("username", "email", "is_guest", "is_active", "is_staff", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "email")
    readonly_fields = ("is_guest", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "email", "is_guest")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """A guest's row has no name to choose."""
        return (*self.readonly_fields, "username") if obj is not None and obj.is_guest else self.readonly_fields
