"""The addresses of fair play."""

from __future__ import annotations

from django.urls import path

from care.views import reports, word

urlpatterns = [
    path("people/<str:name>/report/", reports.person, name="report_person"),
    path("match/<int:match_id>/report/", reports.match, name="report_match"),
    path("match/<int:match_id>/chat/<int:line_id>/report/", reports.line, name="report_line"),
    path("reported/", reports.thanks, name="report_thanks"),
    path("warning/", word.warning, name="warning"),
    path("warning/<int:sanction_id>/confirm/", word.confirm, name="warning_confirm"),
    path("shut-out/", word.shut_out, name="shut_out"),
    path("moderation/", word.moderation, name="moderation"),
]
