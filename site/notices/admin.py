"""Notices in the staff's pages: to look at what people are told, not to change it."""

from django.contrib import admin

from notices.models import Notice, NoticeSettings, PushSubscription


@admin.register(NoticeSettings)
class NoticeSettingsAdmin(admin.ModelAdmin):
    list_display = ("user", "digest_hour", "mailed_at", "mail_failed_at")
    raw_id_fields = ("user",)


@admin.register(PushSubscription)
class PushSubscriptionAdmin(admin.ModelAdmin):
    list_display = ("user", "name", "made_at", "last_ok_at", "failures")
    raw_id_fields = ("user",)
    exclude = ("p256dh", "auth")


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin):
    list_display = ("key", "user", "kind", "at", "digest", "digested_at")
    list_filter = ("kind",)
    raw_id_fields = ("user", "match")
