"""Tells the pages that follow an analysis how far it is. Hints only: they carry no move and no value, and may be lost."""

from __future__ import annotations

from django.db import transaction

from matches import announce


def group_of(key: str) -> str:
    """The channel layer's name for everybody who follows the analysis of that key."""
    return f"study.{key}"


def progress(key: str, done: int, total: int) -> None:
    """So much of it is done."""
    announce.hint(group_of(key), {"type": "study.progress", "key": key, "done": done, "total": total})


def ready(key: str) -> None:
    """There is something to be read, or it is known that there will be nothing."""
    transaction.on_commit(lambda: announce.hint(group_of(key), {"type": "study.ready", "key": key}))
