"""The socket addresses of the site."""

from django.urls import path

from matches.consumers import MatchConsumer

# Django's `path` is typed for views, and Channels hands it ASGI applications.
websocket_urlpatterns = [path("ws/match/<int:match_id>/", MatchConsumer.as_asgi())]  # type: ignore[arg-type]
