"""The addresses of people and of what they change, take along or delete."""

from __future__ import annotations

from django.urls import path

from profiles.views import acts, avatar, matches, mine, person

urlpatterns = [
    path("avatar/<slug:code>.svg", avatar.avatar, name="avatar"),
    path("people/<str:name>/", person.person, name="person"),
    path("people/<str:name>/matches/", matches.matches, name="person_matches"),
    path("people/<str:name>/tie/", acts.tie, name="person_tie"),
    path("people/<str:name>/note/", acts.note, name="person_note"),
    path("account/profile/", mine.edit, name="profile_edit"),
    path("account/people/", mine.everybody, name="people"),
    path("account/people/<int:person>/forget/", mine.forget, name="people_forget"),
]
