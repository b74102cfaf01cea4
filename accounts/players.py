"""Who is playing: the signed-in user, or the guest whose id the session holds."""

from __future__ import annotations

import secrets
from typing import Any, Protocol

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.names import GUEST_START
from accounts.sanctions import ShutOut, heeding

SESSION_KEY = "guest"


class SessionLike(Protocol):
    """The part of a session that is read here, so that a socket's scope serves as well as a request."""

    def get(self, key: str, /) -> Any: ...


def guest_of(session: SessionLike) -> User | None:
    """The guest whose id the session holds, unless it is shut out. Queries the database."""
    guest_id = session.get(SESSION_KEY)
    if guest_id is None:
        return None
    return heeding(_guests(guest_id), timezone.now()).first()


def _guests(guest_id: Any) -> QuerySet[User]:
    return User.objects.filter(pk=guest_id, is_guest=True, is_active=True)


def shut_out_guest(session: SessionLike) -> User | None:
    """The guest whose id the session holds although it is shut out. Queries the database."""
    guest_id = session.get(SESSION_KEY)
    return None if guest_id is None or guest_of(session) is not None else _guests(guest_id).first()


def player_of(session: SessionLike, user: Any) -> User | None:
    """The person behind a request or a socket; `None` for somebody who has not played yet. Queries the database."""
    if user is not None and user.is_authenticated:
        return user
    return guest_of(session)


def ensure_player(request: HttpRequest) -> User:
    """The person behind a request; somebody new becomes a guest, remembered in the session. Raises `ShutOut` for a guest who is."""
    player = player_of(request.session, request.user)
    if player is None:
        if shut_out_guest(request.session) is not None:
            raise ShutOut
        player = User(username=GUEST_START + secrets.token_hex(8), is_guest=True)
        player.set_unusable_password()
        player.save()
        request.session[SESSION_KEY] = player.pk
    return player
