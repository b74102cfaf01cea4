"""The addresses of the pages."""

from django.urls import path
from django.views.i18n import set_language

from pages.views import about, catalogue, fairness, home, lesson, match, replay

urlpatterns = [
    path("", home.home, name="home"),
    path("play/", home.play, name="play"),
    path("match/<int:match_id>/", match.match, name="match"),
    path("match/<int:match_id>/move/", match.move, name="match_move"),
    path("match/<int:match_id>/resign/", match.resign, name="match_resign"),
    path("match/<int:match_id>/abort/", match.abort, name="match_abort"),
    path("match/<int:match_id>/replay/", replay.replay, name="replay"),
    path("match/<int:match_id>/record.json", replay.record, name="record"),
    path("match/<int:match_id>/fairness/", fairness.fairness, name="fairness"),
    path("replay/", replay.open_record, name="open_record"),
    path("games/<slug:key>/", about.game, name="game"),
    path("games/<slug:key>/lesson/", lesson.lesson, name="lesson"),
    path("games/<slug:key>/lesson/<int:number>/", lesson.answer, name="lesson_answer"),
    path("language/", set_language, name="set_language"),
    path("catalogue/<slug:language>/<slug:tag>.js", catalogue.catalogue, name="catalogue"),
    path("components/", about.components, name="components"),
    path("healthz", about.healthz, name="healthz"),
]
