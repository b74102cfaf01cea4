"""The time controls that the form for a match against bots offers."""

from __future__ import annotations

from django.template import Library

from matches.clock import TimeControl

register = Library()

CLOCKS = ("none", "5m+5s", "15m+10s", "3d")
"""As `TimeControl` writes them, the one that is chosen at first in front."""


@register.simple_tag
def bot_clocks() -> list[dict[str, str]]:
    """The same as `{key, name}`, named in the reader's language."""
    return [{"key": key, "name": TimeControl.parse(key).describe()} for key in CLOCKS]
