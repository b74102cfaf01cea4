"""The addresses of the pages."""

from django.urls import path
from django.views.i18n import set_language

from pages.views import (
    about,
    actions,
    catalogue,
    comment,
    fairness,
    history,
    home,
    lesson,
    match,
    own_data,
    plan,
    ratings,
    records,
    replay,
    share,
    vacation,
    watch,
)

SHARED = {"match": "match/<int:match_id>/", "imported": "imported/<slug:imported>/", "study": "studies/<slug:study>/"}
"""Where that is which has pictures of its own."""

urlpatterns = [
    path("", home.home, name="home"),
    path("play/", home.play, name="play"),
    path("next/", actions.following, name="next"),
    path("vacation/", vacation.vacation, name="vacation"),
    path("vacation/end/", vacation.come_back, name="vacation_end"),
    path("vacation/zone/", vacation.zone, name="vacation_zone"),
    path("account/data/", own_data.data, name="account_data"),
    path("account/delete/", own_data.delete, name="account_delete"),
    path("account/deleted/", own_data.deleted, name="account_deleted"),
    path("privacy/", own_data.privacy, name="privacy"),
    path("young-players/", own_data.young, name="young_players"),
    path("watch/", watch.watch, name="watch"),
    path("tv/<slug:key>/", watch.tv, name="tv"),
    path("match/<int:match_id>/", match.match, name="match"),
    path("match/<int:match_id>/move/", match.move, name="match_move"),
    path("match/<int:match_id>/play/", actions.play, name="match_play"),
    path("match/<int:match_id>/since/", actions.since, name="match_since"),
    path("match/<int:match_id>/resign/", match.resign, name="match_resign"),
    path("match/<int:match_id>/abort/", match.abort, name="match_abort"),
    path("match/<int:match_id>/offer/<slug:kind>/", match.offer, name="match_offer"),
    path("match/<int:match_id>/decline/<slug:kind>/", match.decline, name="match_decline"),
    path("match/<int:match_id>/resume/", match.resume, name="match_resume"),
    path("match/<int:match_id>/call/<int:seat>/", match.call, name="match_call"),
    path("match/<int:match_id>/take/<int:seat>/", match.take, name="match_take"),
    path("match/<int:match_id>/chat/", match.say, name="match_chat"),
    path("match/<int:match_id>/plan/", plan.plan, name="match_plan"),
    path("match/<int:match_id>/plan/look/", plan.look, name="match_plan_look"),
    path("match/<int:match_id>/history/", history.history, name="match_history"),
    path("match/<int:match_id>/history.json", history.history_file, name="match_history_file"),
    path("match/<int:match_id>/replay/", replay.replay, name="replay"),
    path("match/<int:match_id>/replay.json", replay.data, name="replay_data"),
    path("match/<int:match_id>/record.json", replay.record, name="record"),
    path("match/<int:match_id>/record.<slug:suffix>", records.record_as, name="record_as"),
    path("match/<int:match_id>/fairness/", fairness.fairness, name="fairness"),
    path("replay/", records.open_record, name="open_record"),
    path("shelf/comments/<int:comment_id>/report/", comment.report, name="report_comment"),
    path("games/<slug:key>/", about.game, name="game"),
    path("games/<slug:key>/lesson/", lesson.lesson, name="lesson"),
    path("games/<slug:key>/lesson/<int:number>/", lesson.answer, name="lesson_answer"),
    path("ratings/", ratings.ratings, name="ratings"),
    path("ladders/<slug:game>/<slug:pace>/history.jsonl", ratings.history, name="ratings_history"),
    path("people/<str:name>/ratings/<slug:game>/<slug:pace>/", ratings.of_person, name="person_ratings"),
    path("language/", set_language, name="set_language"),
    path("catalogue/<slug:language>/<slug:tag>.js", catalogue.catalogue, name="catalogue"),
    path("components/", about.components, name="components"),
    path("healthz", about.healthz, name="healthz"),
    path("oembed/", share.oembed, name="oembed"),
    *(
        path(base + rest, view, {**more}, name=f"{kind}_{name}")
        for kind, base in SHARED.items()
        for rest, view, more, name in (
            ("ply/<int:ply>.svg", share.svg, {}, "svg"),
            ("ply/<int:ply>.png", share.png, {}, "png"),
            ("ply/<int:ply>/preview.png", share.preview, {}, "preview"),
            ("animation.webp", share.animation, {"kind": "webp"}, "webp"),
            ("animation.gif", share.animation, {"kind": "gif"}, "gif"),
            ("embed/", share.embed, {}, "embed"),
        )
    ),
]
