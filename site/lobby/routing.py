"""Where the lobby's sockets connect."""

from django.urls import path

from lobby.consumers import LobbyConsumer, TableConsumer

# See `matches.routing` for the types.
websocket_urlpatterns = [
    path("ws/lobby/", LobbyConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/table/<str:token>/", TableConsumer.as_asgi()),  # type: ignore[arg-type]
]
