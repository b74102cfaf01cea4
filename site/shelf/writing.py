"""What all writing to the shelf shares: what one person does comes in one after the other, and texts are plain."""

from __future__ import annotations

import re

from accounts.models import User
from matches import chat


def one_at_a_time(user: User) -> None:
    """Let what one person does come in one after the other, so that limits count; within a transaction."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def plain_lines(text: str) -> str:
    """Own words with their line breaks, each line cleaned, and never two empty ones together."""
    lines = "\n".join(chat.cleaned(line) for line in re.split(r"\r\n?|\n", text)).strip()
    return re.sub(r"\n{3,}", "\n\n", lines)
