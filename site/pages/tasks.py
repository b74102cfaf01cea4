"""What a worker does for the pages: draw a match as a moving picture."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils.translation import override

from games.kit.record import RecordError
from matches.animation import Kind, animated
from matches.lettering import legible
from pages import animations, sharing

log = logging.getLogger(__name__)


@shared_task
def animate(where: dict[str, str], kind: Kind, tag: str, turn: str, language: str) -> None:
    """Draw what is at `where` (as the address has it) and keep it under its tag; what cannot be drawn is kept as nothing."""
    with override(language), legible():
        subject = sharing.subject_at(**where)
        try:
            picture = animated(subject.load(), kind) if subject is not None else b""
        except RecordError as trouble:
            log.error("no moving picture of %s: %s", where, trouble)
            picture = b""
    animations.keep(tag, turn, picture)
