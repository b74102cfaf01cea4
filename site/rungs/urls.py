"""The addresses of the challenge ladders."""

from __future__ import annotations

from django.urls import path

from rungs.views import challenges, ladders

urlpatterns = [
    path("rungs/", ladders.rungs, name="rungs"),
    path("rungs/challenges/<int:number>/", challenges.one, name="rung_challenge"),
    path("rungs/challenges/<int:number>/accept/", challenges.accept, name="rung_challenge_accept"),
    path("rungs/challenges/<int:number>/decline/", challenges.decline, name="rung_challenge_decline"),
    path("rungs/challenges/<int:number>/withdraw/", challenges.withdraw, name="rung_challenge_withdraw"),
    path("rungs/<str:key>/", ladders.game, name="rungs_game"),
    path("rungs/<str:key>/rules/", ladders.rules, name="rungs_rules"),
    path("rungs/<str:key>/join/", ladders.join, name="rungs_join"),
    path("rungs/<str:key>/leave/", ladders.leave, name="rungs_leave"),
    path("rungs/<str:key>/challenge/<str:name>/", challenges.challenge, name="rungs_challenge"),
]
