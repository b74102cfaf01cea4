"""The addresses of the lobby and of tables that fill up."""

from django.urls import path

from lobby.views import lobby, tables

urlpatterns = [
    path("lobby/", lobby.lobby, name="lobby"),
    path("lobby/post/", lobby.post, name="lobby_post"),
    path("lobby/quick/", lobby.quick, name="lobby_quick"),
    path("lobby/take/<int:match_id>/<int:seat>/", lobby.take, name="lobby_take"),
    path("table/<str:token>/", tables.table, name="table"),
    path("table/<str:token>/preview.png", tables.preview, name="table_preview"),
    path("table/<str:token>/join/", tables.join, name="table_join"),
    path("table/<str:token>/leave/", tables.leave, name="table_leave"),
    path("table/<str:token>/cancel/", tables.cancel, name="table_cancel"),
    path("table/<str:token>/decline/", tables.decline, name="table_decline"),
    path("table/<str:token>/bot/<int:number>/", tables.bot, name="table_bot"),
]
