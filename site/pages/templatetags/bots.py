"""What a rated match against bots would change, for the form that starts one."""

from __future__ import annotations

from typing import Any

from django.template import Context, Library
from django.utils import timezone

from games.kit.protocol import Game
from ladder import services
from lobby import worth

register = Library()
KEPT = "own_strengths"
"""Where a request keeps what was asked for once."""


@register.simple_tag(takes_context=True)
def bot_stakes(context: Context, game: Game) -> list[dict[str, Any]]:
    """Per level `{name, rating, stakes: [live, over days]}` for whoever is signed in; nothing for others. One query a page."""
    request = context["request"]
    if not request.user.is_authenticated:
        return []
    if not hasattr(request, KEPT):
        setattr(request, KEPT, services.strengths_of([request.user.pk], timezone.now()))
    return worth.of_bots(request.user, game, getattr(request, KEPT))
