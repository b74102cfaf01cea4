"""Says in the reader's language what rules and services say in English; the one place for it, for pages, sockets and API.

The language is the one that is active in Django: the middleware sets it for a request, the consumer for a socket.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import get_language_from_request, gettext
from django.utils.translation import gettext_lazy as _

from games.kit.protocol import Game, Label, Opening, Remark, RuleError, Variant
from ladder import words as ladder
from matches.clock import Pace
from matches.errors import MatchError

PACES: dict[str, Promise] = {**ladder.PACES, Pace.NONE.value: _("No clock")}
"""What every pace is called, those that are rated first."""


def say(reason: RuleError | MatchError | Opening | Remark | str) -> str:
    """The sentence of a refusal, an opening or a remark, or one marked with `N_`; the words of the game in it are translated too."""
    if isinstance(reason, str):
        return gettext(reason) if reason else ""
    given = dict(reason.names)
    names = {name: gettext(value) if isinstance(value, Label) else value for name, value in given.items()}
    try:
        return gettext(reason.text).format(**names)
    except (LookupError, ValueError):  # a translation that names what is not there; a reason is owed all the same
        return reason.text.format(**given)


def in_words(game: Game) -> Game:
    """The game with all that people read of it in their language; templates need no other."""
    return replace(
        game,
        name=say(game.name),
        tagline=say(game.tagline),
        variants=tuple(variant_in_words(variant) for variant in game.variants),
        levels=tuple(replace(level, name=say(level.name)) for level in game.levels),
        options=tuple(replace(option, name=say(option.name), description=say(option.description)) for option in game.options),
    )


def variant_in_words(variant: Variant) -> Variant:
    """The variant with its texts in the reader's language."""
    return replace(variant, name=say(variant.name), description=say(variant.description))


def language_of(scope: Mapping[str, Any]) -> str:
    """The language of whoever opened a socket, found as for a page: by the cookie, else by what the browser prefers."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = dict(scope.get("headers", ())).get(b"accept-language", b"").decode("latin-1")
    return get_language_from_request(request)
