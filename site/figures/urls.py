"""The addresses of the statistics."""

from __future__ import annotations

from django.urls import path

from figures.views import page

urlpatterns = [path("games/<slug:key>/statistics/", page.figures, name="figures")]
