"""The addresses of the studies app."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
