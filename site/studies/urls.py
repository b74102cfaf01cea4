"""The addresses of the studies app."""

from __future__ import annotations

from django.urls import URLPattern, path

from studies.views import analysis, imports, studies

urlpatterns: list[URLPattern] = [
    path("analysis/look/", analysis.look, name="analysis_look"),
    path("analysis/evaluate/", analysis.evaluate, name="analysis_evaluate"),
    path("match/<int:match_id>/review/", analysis.review, name="match_review"),
    path("imported/<str:token>/review/", analysis.review_imported, name="imported_review"),
    path("match/<int:match_id>/analysis/", studies.of_match, name="analysis"),
    path("imported/<str:token>/analysis/", studies.of_imported, name="imported_analysis"),
    path("analysis/<slug:game>/<slug:variant>/", studies.of_game, name="analysis_board"),
    path("import/", imports.bring, name="import"),
    path("imported/<str:token>/", imports.imported, name="imported"),
    path("imported/<str:token>/replay.json", imports.data, name="imported_data"),
    path("imported/<str:token>/record.<slug:suffix>", imports.record_file, name="imported_record"),
    path("imported/<str:token>/delete/", imports.delete, name="imported_delete"),
    path("studies/", studies.studies, name="studies"),
    path("studies/<str:token>/", studies.study, name="study"),
    path("studies/<str:token>/copy/", studies.copy, name="study_copy"),
    path("studies/<str:token>/share/", studies.share, name="study_share"),
    path("studies/<str:token>/delete/", studies.delete, name="study_delete"),
]
