"""The moderators' pages: the queue of reports with all that belongs to each, what was found, and what to do about somebody."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from accounts.models import Sanction, User
from accounts.staff import ReadOnly
from care import case, services
from care.detect.findings import explain
from care.forms import DecisionForm
from care.models import Check, Finding, Report
from matches import words
from matches.errors import MatchError

MAY = "care.change_report"
"""Who moderates has this right."""


class OpenFirst(admin.SimpleListFilter):
    """What waits, unless something else is asked for."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("settled", gettext("settled")), ("all", gettext("all"))]

    def choices(self, changelist: ChangeList) -> Any:
        yield {"selected": self.value() is None, "query_string": changelist.get_query_string(remove=[self.parameter_name]),
               "display": gettext("waiting")}  # fmt: skip
        for key, title in self.lookup_choices:
            query = changelist.get_query_string({self.parameter_name: key})
            yield {"selected": self.value() == str(key), "query_string": query, "display": title}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        waits = {"state": Report.State.OPEN} if queryset.model is Report else {"seen_at": None}
        if self.value() == "all":
            return queryset
        return queryset.exclude(**waits) if self.value() == "settled" else queryset.filter(**waits)


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """The queue, the oldest first; a report opens with the whole case."""

    list_display = ("made_at", "about", "kind", "words", "match", "reporter", "state")
    list_filter = (OpenFirst, "kind")
    list_select_related = ("about", "match", "reporter")
    search_fields = ("about__username", "reporter__username", "text", "quote")
    ordering = ("made_at",)

    @admin.display(description=_("words"))
    def words(self, report: Report) -> str:
        """The beginning of what was reported."""
        said = report.quote or report.text
        return said if len(said) <= 60 else f"{said[:59]}…"

    def get_urls(self) -> list[URLPattern]:
        own = [
            path("person/<int:user_id>/", self.admin_site.admin_view(self.person_view), name="care_person"),
            path("lift/<int:sanction_id>/", self.admin_site.admin_view(csrf_protect(require_POST(self.lift_view))), name="care_lift"),
        ]
        return own + super().get_urls()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """All that this moderator may read."""
        return case.readable_by(cast(User, request.user), super().get_queryset(request))

    def has_view_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        return super().has_view_permission(request, obj) or request.user.has_perm(MAY)

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A report with its case, and the forms to decide it."""
        report = self.get_object(request, object_id)
        if report is None:
            raise Http404("There is no such report.")
        return self._case(request, report.about, report)

    def person_view(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """The case of somebody whom nobody reported."""
        person = User.objects.filter(pk=user_id).first()
        if person is None:
            raise Http404("There is no such person.")
        return self._case(request, person, None)

    def lift_view(self, request: HttpRequest, sanction_id: int) -> HttpResponse:
        """End a sanction now."""
        moderator = _moderator(request)
        sanction = Sanction.objects.select_related("user").filter(pk=sanction_id).first()
        if sanction is None:
            raise Http404("There is no such sanction.")
        try:
            services.lift(moderator, sanction, now=timezone.now())
            messages.success(request, gettext("Lifted. The person is told."))
        except MatchError as reason:
            messages.error(request, words.say(reason))
        return redirect("admin:care_person", sanction.user_id)

    def _case(self, request: HttpRequest, person: User, report: Report | None) -> HttpResponse:
        moderator = _moderator(request)
        act = request.POST.get("act", "") if request.method == "POST" else ""
        form = DecisionForm(request.POST if act == "impose" else None)
        try:
            if done := self._act(act, form, moderator, person, report):
                messages.success(request, done)
                return redirect("admin:care_report_changelist" if report else request.path)
        except MatchError as reason:
            messages.error(request, words.say(reason))
        context = {
            **self.admin_site.each_context(request),
            "title": report.get_kind_display() if report else person.display_name,
            "opts": self.opts,
            "case": case.of(person, moderator, report),
            "form": form,
        }
        return TemplateResponse(request, "admin/care/case.html", context, status=400 if form.errors else 200)

    def _act(self, act: str, form: DecisionForm, moderator: User, person: User, report: Report | None) -> str:
        """Do what a button asks for; what to say then, nothing where nothing was done."""
        now, reports = timezone.now(), [report] if report else []
        if act == "impose" and form.is_valid():
            data = form.cleaned_data
            if data["all_open"]:
                reports = list(Report.objects.filter(about=person, state=Report.State.OPEN).exclude(reporter=moderator))
            services.impose(moderator, person, data["kind"], data["reason"], ends_at=form.ends_at(now), reports=reports, now=now)
            return gettext("Done. The person is told, with the reason and how to appeal.")
        if act == "dismiss" and reports:
            services.dismiss(moderator, reports, now=now)
            return gettext("Dismissed. Who reported it is told that somebody looked.")
        if act == "rename":
            return gettext("The name is gone; {name} stands there now.").format(name=services.rename(moderator, person, now=now))
        return ""


@admin.register(Finding)
class FindingAdmin(ReadOnly):
    """What looks odd, the oddest first. A list to look at, nothing more."""

    list_display = ("kind", "who", "game", "oddness", "explanation", "found_at")
    list_filter = (OpenFirst, "kind", "game")
    list_select_related = ("user", "other")
    search_fields = ("user__username", "other__username")
    fields = ("kind", "who", "game", "oddness", "explanation", "listed", "found_at", "seen_at", "seen_by")
    readonly_fields = ("who", "oddness", "explanation", "listed")
    actions = ("put_aside",)

    @admin.display(description=_("who"))
    def who(self, finding: Finding) -> str:
        """The one or two whom it is about, with the way to their cases."""
        people = [one for one in (finding.user, finding.other) if one is not None]
        links = [format_html('<a href="{}">{}</a>', reverse("admin:care_person", args=[one.pk]), one.display_name) for one in people]
        return links[0] if len(links) == 1 else format_html("{}, {}", *links)

    @admin.display(description=_("how odd"), ordering="score")
    def oddness(self, finding: Finding) -> str:
        return f"{100 * finding.score:.0f} %"

    @admin.display(description=_("what is odd"))
    def explanation(self, finding: Finding) -> str:
        return explain(finding)

    @admin.display(description=_("matches"))
    def listed(self, finding: Finding) -> str:
        """The matches behind it, newest first."""
        links = [format_html('<a href="{}">{}</a>', reverse("match", args=[number]), number) for number in finding.data.get("matches", ())]
        return format_html(" ".join(["{}"] * len(links)), *reversed(links)) if links else "–"

    @admin.action(description=_("Put aside: I have looked, nothing to do"), permissions=["view"])
    def put_aside(self, request: HttpRequest, chosen: QuerySet[Finding]) -> None:
        count = services.put_aside(_moderator(request), list(chosen), now=timezone.now())
        messages.success(request, gettext("Put aside: {count}").format(count=count))

    def has_view_permission(self, request: HttpRequest, obj: Finding | None = None) -> bool:
        return super().has_view_permission(request, obj) or request.user.has_perm(MAY)


@admin.register(Check)
class CheckAdmin(ReadOnly):
    """How often moves were our strongest bot's, seat by seat of finished matches."""

    list_display = ("match", "seat", "user", "plies", "same", "done_at")
    list_select_related = ("match", "user")
    search_fields = ("user__username", "=match__id")
    ordering = ("-pk",)


def _moderator(request: HttpRequest) -> User:
    """Who decides. Raises `PermissionDenied` for staff without the right."""
    if not request.user.has_perm(MAY):
        raise PermissionDenied
    return cast(User, request.user)
