"""Tags for lists of people: the badge of a division."""

from __future__ import annotations

from typing import Any

from django.template import Library
from django.utils.translation import gettext

from ladder import divisions

register = Library()
ON_THE_STEPS = 3
"""Places that a badge shows."""


@register.inclusion_tag("ladder/parts/badge.html")
def division_badge(number: int, place: int | None = None, size: int = 40) -> dict[str, Any]:
    """The badge of a division, `size` pixels high; with a place from the first to the third it shows that, too."""
    division = divisions.called(number)
    shown = place if place is not None and place <= ON_THE_STEPS else None
    words = gettext("{division} division, place {place}") if shown else gettext("{division} division")
    return {"division": division, "place": shown, "size": size, "words": words.format(division=division.name, place=shown)}
