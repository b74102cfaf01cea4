"""Web Push: encrypts a notice for one browser and hands it to the push service of that browser, signed with our key (VAPID)."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from datetime import timedelta
from email.utils import parseaddr
from functools import cache
from http import HTTPStatus
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.translation import gettext
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode
from pywebpush import WebPusher

from notices import endpoints
from notices.models import Kind, PushSubscription

TEST = "test"
KEPT = {Kind.START: timedelta(minutes=10), TEST: timedelta(minutes=10)}
"""How long the push service keeps a notice for a browser that is off; other kinds for `LONGEST`."""
LONGEST = timedelta(days=2)
PATIENCE_SECONDS = 10
SIGNED_FOR_SECONDS = 3600
NO_MORE = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
"""Answers that mean that this browser takes nothing from us any more."""


class Gone(Exception):
    """The browser has withdrawn its subscription, or never had one with our key."""


class NotTaken(Exception):
    """The push service did not take the message; it may do so later."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What the browser is told: public text and where it leads, nothing else. A newer one of the same match replaces it."""

    kind: str
    match: int | None
    title: str
    body: str


def test() -> Payload:
    """What somebody sends to oneself to see whether pushes come; the language is active."""
    return Payload(TEST, None, gettext("A test from Tessera"), gettext("Notices reach you here."))


@cache
def _signer() -> Vapid02:
    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def public_key() -> str:
    """What a browser subscribes with."""
    return str(b64urlencode(_signer().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)))


def send(browser: PushSubscription, payload: Payload) -> None:
    """Hand the payload to the browser's push service. Raises `Gone`, `NotTaken`, `BadEndpoint`, or what the network raises."""
    endpoints.check(browser.endpoint)
    where = urlsplit(browser.endpoint)
    claims = {"sub": _contact(), "aud": f"{where.scheme}://{where.netloc}", "exp": int(time.time()) + SIGNED_FOR_SECONDS}
    headers = {**_signer().sign(claims), "Urgency": "high" if payload.kind in (Kind.START, Kind.CHALLENGE, TEST) else "normal"}
    if payload.match is not None:
        headers["Topic"] = f"match-{payload.match}"
    about = {"endpoint": browser.endpoint, "keys": {"p256dh": browser.p256dh, "auth": browser.auth}}
    with endpoints.Session() as session:
        pusher = WebPusher(about, requests_session=session)
        kept = int(KEPT.get(payload.kind, LONGEST).total_seconds())
        answer = pusher.send(json.dumps(asdict(payload)), headers, ttl=kept, timeout=PATIENCE_SECONDS)
    assert not isinstance(answer, str)
    if answer.status_code in NO_MORE:
        raise Gone
    if not 200 <= answer.status_code < 300:  # a redirect takes nothing either
        raise NotTaken(str(answer.status_code))


def _contact() -> str:
    """Whom a push service may write to about us."""
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
