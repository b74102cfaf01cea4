"""What can be wrong before a start, each with a sentence that says what to do."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stack.service import explain
from stack.trouble import Trouble

MEBIBYTE = 2**20
LEAST_FREE_MEBIBYTES = 100
ORPHAN_SECONDS = 6.0
"""How long the web process of a killed run may take to let go of its port."""
CONNECT_SECONDS = 5


def check_disk(*folders: Path) -> None:
    """Raise `Trouble` when a disk has no room for the database to work in. A folder need not exist yet."""
    for folder in folders:
        there = next(parent for parent in (folder, *folder.parents) if parent.exists())
        free = shutil.disk_usage(there).free // MEBIBYTE
        if free < LEAST_FREE_MEBIBYTES:
            raise Trouble(
                f"The disk with {folder} is full: {free} MiB are free, and the site needs {LEAST_FREE_MEBIBYTES}."
                " Free some space and try again."
            )


def check_port(host: str, port: int, *, patience: float = 0) -> None:
    """Raise `Trouble` when nothing can listen there, `patience` seconds from now at the latest."""
    if not 0 < port < 2**16:
        raise Trouble(f"There is no port {port}: they go from 1 to 65535.")
    deadline = time.monotonic() + patience
    while (error := _bind_error(host, port)) is not None:
        if error.errno != errno.EADDRINUSE:
            raise Trouble(f"Nothing can listen on {host}, port {port}: {error.strerror}. Choose with --host and --port.") from error
        if time.monotonic() >= deadline:
            raise Trouble(
                f'Port {port} is in use by another program. Stop that one, or choose another port: make run ARGS="--port {port + 1}"'
            ) from error
        time.sleep(0.1)


def _bind_error(host: str, port: int) -> OSError | None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error
    return None


@contextmanager
def sole_run(path: Path) -> Iterator[bool]:
    """Hold `path` as the only `up` of its folder; yields whether the run before was killed. Raises `Trouble`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+")
    except OSError as error:
        raise Trouble(explain(error, path.parent)) from error
    with file:
        file.seek(0)
        left = file.read().strip()
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Trouble(
                f"The site already runs from here (process {left}). Stop it with Ctrl-C,"
                " or set TESSERA_VAR to another folder for a second one."
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield bool(left)
        file.truncate(0)


def check_database(database: Mapping[str, Any]) -> None:
    """Raise `Trouble` when the Postgres of a Django setting cannot be used."""
    import psycopg

    try:
        psycopg.connect(
            host=database["HOST"] or None, port=database["PORT"] or None, user=database["USER"] or None,
            password=database["PASSWORD"] or None, dbname=database["NAME"], connect_timeout=CONNECT_SECONDS,
        ).close()
    except psycopg.OperationalError as error:
        place = f"{database['HOST'] or 'the local socket'}{':' if database['PORT'] else ''}{database['PORT']}"
        reason = str(error).strip().splitlines()[-1]
        raise Trouble(
            f"The database “{database['NAME']}” at {place} cannot be used: {reason}."
            " Start it or correct DATABASE_URL; without DATABASE_URL the site brings its own."
        ) from None


def check_redis(url: str) -> None:
    """Raise `Trouble` when nothing answers at a Redis or Valkey address."""
    import redis

    try:
        with redis.Redis.from_url(url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=CONNECT_SECONDS) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        parts = urlsplit(url)
        place = f"{parts.hostname}:{parts.port or 6379}" if parts.hostname else parts.path
        raise Trouble(
            f"Redis or Valkey at {place} cannot be used: {error}. Start it or correct REDIS_URL; without REDIS_URL the site brings its own."
        ) from None
