"""Response headers that Django has no setting for."""

from collections.abc import Awaitable, Callable

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware
from asgiref.sync import iscoroutinefunction

POLICY = ", ".join(f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb"))


@sync_and_async_middleware
def permissions_policy(get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> Callable:
    """Switch off what a board game never needs, for us and for anything embedded."""

    def mark(response: HttpResponse) -> HttpResponse:
        response.headers.setdefault("Permissions-Policy", POLICY)
        return response

    async def later(request: HttpRequest) -> HttpResponse:
        return mark(await get_response(request))

    def now(request: HttpRequest) -> HttpResponse:
        return mark(get_response(request))

    return later if iscoroutinefunction(get_response) else now
