"""Which management commands need the servers, and their start before such a command runs."""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence

from stack.preflight import check_database, check_redis

WITHOUT_SERVERS = frozenset({
    "", "help", "version", "--help", "-h", "--version", "check", "collectstatic", "compilemessages", "diffsettings",
    "findstatic", "i18n", "makemessages", "process", "record check", "record legal", "startapp", "startproject",
    "up",  # which starts, watches and stops them itself
})
"""Commands, or commands with their first word, that run on an idle machine."""


def needs_servers(words: Sequence[str]) -> bool:
    """Whether `manage.py WORDS…` uses the database or the broker. An unknown command is taken to need them."""
    if {"-h", "--help"} & set(words):
        return False
    return not {" ".join(words[:1]), " ".join(words[:2])} & WITHOUT_SERVERS


def serve(words: Sequence[str]) -> None:
    """Start what `manage.py WORDS…` needs; it is released when the process ends. Raises `Trouble`."""
    if not needs_servers(words):
        return
    # A command may take its time: the limit on one statement is there for the pages and the workers.
    os.environ.setdefault("DB_STATEMENT_TIMEOUT", "0")
    from django.conf import settings

    check_external()
    for service in settings.SERVICES:
        service.acquire()
        atexit.register(service.release)


def check_external() -> None:
    """Raise `Trouble` when a server that somebody else runs for us cannot be used."""
    from django.conf import settings

    if settings.DATABASE_URL:
        check_database(settings.DATABASES["default"])
    if not any(service.name == "valkey" for service in settings.SERVICES):
        check_redis(settings.REDIS_URL)
