"""The countries and languages that people can name."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils.translation import override

from accounts import countries

GERMANY = {"en": "Germany", "zh-hant": "德國", "it": "Germania", "fr": "Allemagne", "nl": "Duitsland"}
ITALIAN = {"en": "Italian", "zh-hant": "義大利文", "it": "Italiano", "fr": "Italien", "nl": "Italiaans"}


def test_every_country_of_iso_3166_can_be_chosen_and_nothing_that_is_none() -> None:
    codes = {code for code, _ in countries.countries()}
    assert len(codes) == 250
    assert {"AQ", "BQ", "GG", "SS", "TW", "XK"} <= codes
    assert not {"EU", "UN", "ZZ", "XA"} & codes


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_names_are_in_the_readers_language_and_in_order(language: str) -> None:
    with override(language):
        names = [name for _, name in countries.countries()]
        assert len(names) == 250 and all(names)
        assert len(countries.languages()) > 180
        assert countries.country_name("DE") == GERMANY[language]
        assert countries.language_name("it") == ITALIAN[language]


def test_accents_do_not_send_a_country_to_the_end() -> None:
    with override("fr"):
        names = [name for _, name in countries.countries()]
    assert names.index("Égypte") < names.index("France") < names.index("Zimbabwe")
