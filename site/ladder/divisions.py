"""The divisions of a season by name: what tiles are made of, from the cheapest to the dearest. How they look is in the style sheets."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ladder import season


class Division(NamedTuple):
    """One of them; `key` names its colours (`--clay` and so on) and its mark."""

    number: int
    key: str
    name: Promise


DIVISIONS = tuple(
    Division(number, key, name)
    for number, (key, name) in enumerate(
        (("clay", _("Clay")), ("glaze", _("Glaze")), ("lapis", _("Lapis")), ("jade", _("Jade")), ("gold", _("Gold"))), season.LOWEST
    )
)
"""From the lowest up."""


def called(number: int) -> Division:
    """The division of that number, from `season.LOWEST` to `season.HIGHEST`."""
    return DIVISIONS[number - season.LOWEST]
