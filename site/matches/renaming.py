"""Lets everybody who looks at a match see that somebody at it is called otherwise, or is nobody any more."""

from __future__ import annotations

from django.db import transaction

from matches import announce
from matches.writing import locked


def show_anew(match_id: int) -> None:
    """Raise the version of a match of which nothing but a name has changed. Raises `NoSuchMatch`."""
    with transaction.atomic():
        match, _ = locked(match_id)
        match.version += 1
        match.save(update_fields=["version"])
        announce.changed(match)
