"""The staff's pages of the shelf: comments, which moderators take away and put back, and collections that others may look at."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.staff import ReadOnly
from shelf import collecting, comments
from shelf.models import Collection, Comment
from shelf.panel import shortened


class ForModerators(ReadOnly):
    """What whoever moderates may look at and act on."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) or self.has_moderate_permission(request)

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Whether the actions are offered."""
        return request.user.has_perm(comments.MODERATES)


@admin.register(Comment)
class CommentAdmin(ForModerators):
    """Comments for everybody, the newest first. What somebody wrote for oneself is nobody's business."""

    list_display = ("at", "user", "beginning", "where", "taken_away")
    list_filter = (("removed_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user", "match")
    search_fields = ("user__username", "text", "=match__id")
    fields = ("at", "user", "text", "where", "edited_at", "removed_at", "removed_by")
    readonly_fields = ("where",)
    ordering = ("-at", "-pk")
    actions = ("remove", "restore")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Comment]:
        return super().get_queryset(request).filter(public=True)

    @admin.display(description=_("words"))
    def beginning(self, comment: Comment) -> str:
        """The beginning of what it says."""
        return shortened(comment.text, 60)

    @admin.display(description=_("where"))
    def where(self, comment: Comment) -> str:
        """The way to the ply."""
        address = f"{reverse('replay', args=[comment.match_id])}?ply={comment.ply}#comment-{comment.pk}"
        return format_html('<a href="{}">{}</a>', address, f"{comment.match_id}:{comment.ply}")

    @admin.display(description=_("taken away"), boolean=True)
    def taken_away(self, comment: Comment) -> bool:
        return comment.removed_at is not None

    @admin.action(description=_("Take away: nobody but the author sees it"), permissions=["moderate"])
    def remove(self, request: HttpRequest, chosen: QuerySet[Comment]) -> None:
        count = sum(comments.remove(cast(User, request.user), one, now=timezone.now()) for one in chosen)
        messages.success(request, gettext("Taken away: {count}").format(count=count))

    @admin.action(description=_("Put back"), permissions=["moderate"])
    def restore(self, request: HttpRequest, chosen: QuerySet[Comment]) -> None:
        count = sum(comments.restore(cast(User, request.user), one) for one in chosen)
        messages.success(request, gettext("Put back: {count}").format(count=count))


@admin.register(Collection)
class CollectionAdmin(ForModerators):
    """Collections that others may look at, the one changed last first."""

    list_display = ("changed_at", "owner", "title", "audience")
    list_filter = ("audience",)
    list_select_related = ("owner",)
    search_fields = ("owner__username", "title", "words")
    fields = ("changed_at", "owner", "title", "words", "audience", "made_at")
    ordering = ("-changed_at", "-pk")
    actions = ("close",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        return super().get_queryset(request).exclude(audience=Collection.Audience.SELF)

    @admin.action(description=_("Close: nobody but the owner sees it"), permissions=["moderate"])
    def close(self, request: HttpRequest, chosen: QuerySet[Collection]) -> None:
        count = sum(collecting.close(cast(User, request.user), one) for one in chosen)
        messages.success(request, gettext("Closed: {count}").format(count=count))
