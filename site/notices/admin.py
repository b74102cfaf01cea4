"""Notices in the staff's pages: to look at what people are told, not to change it."""

from django.contrib import admin

from accounts.staff import ReadOnly
from notices.models import Notice, NoticeSettings, PushSubscription


@admin.register(NoticeSettings)
class NoticeSettingsAdmin(ReadOnly):
    """What people want to be told; they alone choose."""

    list_display = ("user", "digest_hour", "mailed_at", "mail_failed_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(PushSubscription)
class PushSubscriptionAdmin(ReadOnly):
    """Browsers that take pushes; without their addresses and keys, with which anybody could push."""

    list_display = ("user", "name", "made_at", "last_ok_at", "failures")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "name", "made_at", "last_ok_at", "failures")


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    """What there was to tell, the newest first."""

    list_display = ("key", "user", "kind", "at", "digest", "digested_at")
    list_filter = ("kind", "digest")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-pk",)
    fields = ("key", "user", "kind", "match", "version", "ply", "at", "digest", "digested_at")
