"""The addresses of the ladders, the seasons and the ratings."""

from __future__ import annotations

from django.urls import path

from ladder.views import ladders, seasons

urlpatterns = [
    path("ladders/", ladders.ladders, name="ladders"),
    path("ladders/<slug:game>/<slug:pace>/", ladders.ladder, name="ladder"),
    path("seasons/", seasons.seasons, name="seasons"),
    path("seasons/<slug:game>/<slug:pace>/", seasons.season_now, name="season_now"),
    path("seasons/<slug:game>/<slug:pace>/<slug:key>/", seasons.season_page, name="season"),
]
