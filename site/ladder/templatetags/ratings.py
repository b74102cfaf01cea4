"""How ratings and their changes are written on pages."""

from __future__ import annotations

from django.template import Library

from ladder import scale

register = Library()


@register.filter
def give_or_take(rating: int, deviation: int | None) -> str:
    """`{{ 1523|give_or_take:210 }}`: `1523? ± 210` while provisional, `1523 ± 60` after; the number alone without a deviation."""
    return scale.written(rating, deviation)


@register.filter
def signed(points: int) -> str:
    """`{{ change|signed }}`: `+12`, `−9` with a true minus, `±0`."""
    return scale.signed(points)
