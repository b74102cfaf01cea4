"""The page on which anybody checks that chance was fair in a match."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.kit.chance import Number, commitment
from matches import fairness as draws
from matches import words
from pages.views.match import found


@never_cache
@require_safe
def fairness(request: HttpRequest, match_id: int) -> HttpResponse:
    """Before the end the commitment and what it is for; after it the secret, and every draw made again step by step."""
    match = found(request, match_id)
    context: dict[str, Any] = {
        "match": match,
        "game": words.in_words(match.rules),
        "variant": words.variant_in_words(match.rules_variant),
        "record_url": request.build_absolute_uri(reverse("record", args=[match.pk])),
    }
    secret = match.revealed_secret()
    if secret is not None:
        made = draws.draws_of(match)
        context |= {
            "secret": secret.hex(),
            "hash": commitment(secret),
            "draws": [(draw, [_shown(number) for number in draw.numbers]) for draw in made],
            "fair": commitment(secret) == match.commitment and all(draw.agrees for draw in made),
        }
    return render(request, "pages/fairness.html", context)


def _shown(number: Number) -> dict[str, Any]:
    """A number for the table: how many were possible, the bytes read (those thrown away first), and what came out."""
    *thrown, used = (read.hex() for read in number.read)
    return {"below": number.below, "thrown": thrown, "used": used, "value": int(used, 16), "result": number.result}
