"""The socket addresses of the site."""

from django.urls import path

from matches.consumers import MatchConsumer

websocket_urlpatterns = [path("ws/match/<int:match_id>/", MatchConsumer.as_asgi())]
