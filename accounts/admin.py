"""People for the staff: found and looked at; their passwords, second factors and sessions are no one's to read.

What moderators do about somebody is done in the pages of `care`, which a link on each person's page leads to.
"""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import FormerName, Sanction, User
from accounts.staff import Guarded, ReadOnly, ReadOnlyRows


class SanctionRows(ReadOnlyRows):
    """What moderators imposed on somebody."""

    model = Sanction
    fk_name = "user"
    fields = readonly_fields = ("kind", "reason", "made_at", "made_by", "ends_at", "lifted_at", "read_at")
    ordering = ("-made_at",)
    verbose_name_plural = _("sanctions")


class FormerNames(ReadOnlyRows):
    """How somebody was called before."""

    model = FormerName
    fields = readonly_fields = ("name", "left_at")
    ordering = ("-left_at",)
    verbose_name_plural = _("former names")


@admin.register(User)
class PeopleAdmin(Guarded, UserAdmin):
    """Django's own, without the password hash and with guests marked."""

    list_display = ("username", "email", "is_guest", "is_active", "is_staff", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "email")
    readonly_fields = ("is_guest", "last_login", "date_joined", "seen_at", "named_at", "browsers_used", "country")
    fieldsets = (
        (None, {"fields": ("username", "email", "is_guest", "about", "country")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined", "seen_at", "named_at")}),
        (_("Browsers"), {"fields": ("browsers_used",)}),
    )
    inlines = (SanctionRows, FormerNames)

    @admin.display(description=_("browsers in which this account was used lately"))
    def browsers_used(self, person: User) -> int:
        """How many browsers; not which, and who else uses them is told only where two play each other."""
        return person.browsers.count() if person.pk else 0

    def get_inlines(self, request: HttpRequest, obj: User | None) -> tuple[Any, ...]:
        """None on the page that adds somebody."""
        return self.inlines if obj is not None else ()

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Names change by their people or in a case, where links and reservations follow; rights are given by the owners only."""
        rights = () if _owner(request) else ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")
        return (*self.readonly_fields, *rights, *(("username",) if obj is not None else ()))

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody but an owner changes one of the staff."""
        return super().has_change_permission(request, obj) and (obj is None or not _staff(obj) or _owner(request))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Accounts are deleted by their people, whose matches then stay with the others (`pages.data`)."""
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """A new password for somebody: for owners only, since whoever sets it can sign in with it."""
        if not _owner(request):
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)


def _owner(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


def _staff(person: User) -> bool:
    return person.is_staff or person.is_superuser


admin.site.site_header = admin.site.site_title = _("Tessera, staff only")

for _theirs in (Authenticator, UserSession, EmailAddress, SocialAccount, SocialApp, SocialToken):
    if admin.site.is_registered(_theirs):  # not before allauth has done so
        admin.site.unregister(_theirs)


@admin.register(Authenticator)
class FactorAdmin(ReadOnly):
    """That somebody has a second factor, never what it is made of. Deleting it lets in again who lost it."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "type", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _owner(request)


@admin.register(UserSession)
class SessionAdmin(ReadOnly):
    """Where somebody is signed in; without the key, and without the address to ask for."""

    list_display = ("user", "created_at", "last_seen_at", "user_agent")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "created_at", "last_seen_at", "user_agent")


@admin.register(EmailAddress)
class AddressAdmin(ReadOnly):
    """Which addresses people have confirmed."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")


@admin.register(SocialAccount)
class ElsewhereAdmin(ReadOnly):
    """With which other sites somebody signs in; nothing of what those told about the person."""

    list_display = ("user", "provider", "date_joined", "last_login")
    list_filter = ("provider",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "provider", "date_joined", "last_login")


@admin.register(Sanction)
class SanctionAdmin(ReadOnly):
    """All that moderators imposed, the newest first."""

    list_display = ("user", "kind", "reason", "made_at", "ends_at", "lifted_at", "made_by")
    list_filter = ("kind", "made_at", "lifted_at")
    list_select_related = ("user", "made_by")
    search_fields = ("user__username", "reason")
    fields = ("user", "kind", "reason", "made_at", "made_by", "ends_at", "lifted_at", "read_at")
    ordering = ("-made_at",)
