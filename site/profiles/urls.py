"""The addresses of people and of what they change, take along or delete."""

from __future__ import annotations

from django.urls import path

from profiles.views import avatar

urlpatterns = [
    path("avatar/<slug:code>.svg", avatar.avatar, name="avatar"),
]
