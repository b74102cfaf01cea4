"""The addresses of people and of what they change, take along or delete."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
