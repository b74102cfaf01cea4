"""The socket address of a person's pages."""

from django.urls import path

from notices.consumers import PersonConsumer

websocket_urlpatterns = [path("ws/me/", PersonConsumer.as_asgi())]  # type: ignore[arg-type]  # as in matches.routing
