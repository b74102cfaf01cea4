"""The addresses of the ladders, the seasons and the ratings."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
