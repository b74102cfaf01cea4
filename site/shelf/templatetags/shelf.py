"""What other pages take from the shelf: its panel, for the match that the page shows."""

from __future__ import annotations

from typing import Any

from django.template import Context, Library

from accounts.models import User
from matches.models import Match
from shelf import panel
from shelf.course import PARAMETER, along
from shelf.subject import Subject

register = Library()


@register.simple_tag(takes_context=True)
def shelf_here(context: Context) -> dict[str, Any] | None:
    """The panel of the page's `match`, else of its `imported` record, at the ply that the `page` starts with; `None` without either."""
    match, imported, request = context.get("match"), context.get("imported"), context["request"]
    subject = Subject(match=match) if isinstance(match, Match) else Subject(imported=imported) if imported is not None else None
    if subject is None:
        return None
    page, player = context.get("page"), context.get("player") or None
    viewer = player if isinstance(player, User) else None
    ply = page.get("start") if isinstance(page, dict) else None
    back = f"{request.path}?plain=1" if "plain" in request.GET else request.path
    shown = panel.filled(subject, viewer, back, ply=ply)
    course = along(subject, request.GET.get(PARAMETER, ""), viewer)
    return {**shown, "marks": panel.marks(shown), "course": course}
