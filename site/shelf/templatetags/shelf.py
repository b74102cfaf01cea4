"""What other pages take from the shelf: its panel, for the match that the page shows."""

from __future__ import annotations

from typing import Any

from django.template import Context, Library

from accounts.models import User
from matches.models import Match
from shelf import panel
from shelf.subject import Subject

register = Library()


@register.simple_tag(takes_context=True)
def shelf_here(context: Context) -> dict[str, Any] | None:
    """The panel of the page's `match`, else of its `imported` record; `None` where it shows neither."""
    match, imported, request = context.get("match"), context.get("imported"), context["request"]
    subject = Subject(match=match) if isinstance(match, Match) else Subject(imported=imported) if imported is not None else None
    if subject is None:
        return None
    player = context.get("player") or None
    asked = request.GET.get("ply", "")
    ply = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else None
    shown = panel.filled(subject, player if isinstance(player, User) else None, request.path, ply=ply)
    return {**shown, "marks": panel.marks(shown)}
