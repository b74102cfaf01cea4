"""The addresses of the archive app."""

from django.urls import path

from archive.views import download, search

urlpatterns = [
    path("archive/", search.archive, name="archive"),
    path("archive/records.jsonl", download.as_lines, name="archive_lines"),
    path("archive/records.zip", download.as_zip, name="archive_zip"),
    path("archive/<slug:game>/", search.archive, name="archive_game"),
]
