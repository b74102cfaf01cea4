"""The addresses of the statistics."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
