"""Response headers that Django has no setting for."""

from collections.abc import Awaitable, Callable
from typing import cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

POLICY = ", ".join(f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb"))

Now = Callable[[HttpRequest], HttpResponseBase]
Later = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def permissions_policy(get_response: Now | Later) -> Now | Later:
    """Switch off what a board game never needs, for our pages and for anything in them."""

    def mark(response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Permissions-Policy", POLICY)
        return response

    async def later(request: HttpRequest) -> HttpResponseBase:
        return mark(await cast(Later, get_response)(request))

    def now(request: HttpRequest) -> HttpResponseBase:
        return mark(cast(Now, get_response)(request))

    return later if iscoroutinefunction(get_response) else now
