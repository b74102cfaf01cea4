"""The ASGI application: pages through Django, sockets only from our own origin."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.asgi import get_asgi_application

django_application = get_asgi_application()  # loads the apps, so it precedes the imports that use models

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings

from lobby.routing import websocket_urlpatterns as lobby_urlpatterns
from matches.routing import websocket_urlpatterns
from notices.routing import websocket_urlpatterns as notices_urlpatterns
from studies.routing import websocket_urlpatterns as studies_urlpatterns

# Any: Channels' types do not know Django's own addresses, as in matches.routing.
SOCKETS: list[Any] = [*websocket_urlpatterns, *notices_urlpatterns, *lobby_urlpatterns, *studies_urlpatterns]

# AllowedHostsOriginValidator would also let other ports and plain http of our host pass.
application = ProtocolTypeRouter({
    "http": django_application,
    "websocket": OriginValidator(
        AuthMiddlewareStack(URLRouter(SOCKETS)),
        settings.SOCKET_ORIGINS,
    ),
})
