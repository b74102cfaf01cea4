"""Which addresses we push to: browsers name them, so none may lead into our own network.

An address must be https and name a public host. That is looked at when it is given, and again on each connection, at
the address that was really reached, before anything is sent; redirects are not followed.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

LONGEST = 600


class BadEndpoint(ValueError):
    """An address that we do not push to."""


def check(endpoint: str) -> None:
    """Refuse an address that is not a public https one. Raises `BadEndpoint`. Resolves the host's name."""
    parts = urlsplit(endpoint)
    allowed = ("https", "http") if settings.PUSH_TO_LOOPBACK else ("https",)
    if len(endpoint) > LONGEST or parts.scheme not in allowed or not parts.hostname or parts.username or parts.password:
        raise BadEndpoint("not an https address")
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        raise BadEndpoint("no such host") from None
    if not all(_public(str(address[0])) for *_, address in found):
        raise BadEndpoint("not a public address")


def _public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    return (mapped.is_global and not mapped.is_multicast) or (settings.PUSH_TO_LOOPBACK and mapped.is_loopback)


def _checked(connected: socket.socket) -> socket.socket:
    if not _public(connected.getpeername()[0]):
        connected.close()
        raise BadEndpoint("not a public address")
    return connected


class _Plain(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        return _checked(super()._new_conn())


class _Secure(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        return _checked(super()._new_conn())


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}


class Session(requests.Session):
    """A session that reaches public addresses only, itself and not by a proxy, and follows no redirect."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        for scheme in ("https://", "http://"):
            self.mount(scheme, _Adapter())

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        return super().request(*args, **kwargs | {"allow_redirects": False})
