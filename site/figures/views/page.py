"""The statistics of a game: which variant and rating band, and the charts for them."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from figures import drawing
from figures.counting import BANDS
from figures.models import Figure
from games import registry
from matches import words

BAND_NAMES = {
    "": _("Everybody"),
    "0": _("Below 1200"),
    "1200": _("1200 to 1499"),
    "1500": _("1500 to 1799"),
    "1800": _("1800 and more"),
}


@require_safe
def figures(request: HttpRequest, key: str) -> HttpResponse:
    """What all finished public matches of a game say, counted now and then. Whatever makes no sense in the address is left out."""
    try:
        rules = registry.get(key)
    except registry.UnknownGame as reason:
        raise Http404(str(reason)) from None
    game = words.in_words(rules)
    asked, band = request.GET.get("variant", ""), request.GET.get("band", "")
    variant = next((one for one in game.variants if one.key == asked), None) or _most_played(game.variants, key)
    band = band if band in BANDS else ""
    rows = {row.name: row for row in Figure.objects.filter(game=key, variant=variant.key, band=band)}
    context: dict[str, Any] = {
        "game": game,
        "variant": variant,
        "band": band,
        "bands": [(name, BAND_NAMES[name]) for name in BANDS],
        "matches": max((row.matches for row in rows.values()), default=0),
        "counted_at": max((row.counted_at for row in rows.values()), default=None),
        "charts": [draw(row) for name, draw in drawing.CHARTS.items() if (row := rows.get(name))],
        "openings": drawing.openings(rows["openings"]) if "openings" in rows else [],
    }
    return render(request, "figures/figures.html", context)


def _most_played(variants: Any, game: str) -> Any:
    """The variant that most matches were counted of; the first where none was."""
    most = Figure.objects.filter(game=game, band="").order_by("-matches").values_list("variant", flat=True).first()
    return next((variant for variant in variants if variant.key == most), variants[0])
