"""The socket address of pages that wait for the bot."""

from django.urls import path

from studies.consumers import AnalysisConsumer

websocket_urlpatterns = [path("ws/analysis/", AnalysisConsumer.as_asgi())]  # type: ignore[arg-type]  # as in matches.routing
