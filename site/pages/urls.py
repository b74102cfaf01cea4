"""The addresses of the pages."""

from django.urls import path

from pages.views import about, home, match, replay

urlpatterns = [
    path("", home.home, name="home"),
    path("play/", home.play, name="play"),
    path("match/<int:match_id>/", match.match, name="match"),
    path("match/<int:match_id>/move/", match.move, name="match_move"),
    path("match/<int:match_id>/resign/", match.resign, name="match_resign"),
    path("match/<int:match_id>/abort/", match.abort, name="match_abort"),
    path("match/<int:match_id>/replay/", replay.replay, name="replay"),
    path("match/<int:match_id>/record.json", replay.record, name="record"),
    path("replay/", replay.open_record, name="open_record"),
    path("games/<slug:key>/", about.game, name="game"),
    path("components/", about.components, name="components"),
    path("healthz", about.healthz, name="healthz"),
]
