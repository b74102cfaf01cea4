"""What every page may know about who is looking at it."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.players import player_of


def player(request: HttpRequest) -> dict[str, object]:
    """`player`: the signed-in user or the session's guest, falsy for somebody new; looked up only where a page asks.

    `other_sites`: whether accounts of other sites sign in here.
    """
    return {
        "player": SimpleLazyObject(lambda: player_of(request.session, request.user)),
        "other_sites": bool(settings.SOCIALACCOUNT_PROVIDERS),
    }
