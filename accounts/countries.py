"""Countries and languages that people can name as theirs, in the reader's language. Names come from Unicode's data, by way of Babel."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from babel import Locale
from django.utils.translation import get_language, to_locale

_NO_COUNTRIES = frozenset({"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"})
"""Codes that Unicode names besides those of ISO 3166-1: parts of countries, unions, and placeholders."""
_SPOKEN = ("ast", "ckb", "fil", "gsw", "hak", "haw", "hsb", "kab", "lij", "nan", "nap", "nds", "scn", "tok", "vec", "wuu", "yue")
"""Languages with three letters in ISO 639 that people who play here may well speak."""
_UNSPOKEN = frozenset({"ae", "cu", "pi", "tl"})
"""Languages of old books only, and the second code of Filipino."""


def countries() -> list[tuple[str, str]]:
    """All of ISO 3166-1, and Kosovo under the code that it goes by, as code and name; in the order of the names."""
    return list(_countries(_reader()))


def country_name(code: str) -> str:
    """The name of a country; the code itself for one that is not known."""
    return dict(_countries(_reader())).get(code, code)


def is_country(code: str) -> bool:
    return code in dict(_countries("en"))


def languages() -> list[tuple[str, str]]:
    """The languages to choose from as code and name, in the order of the names."""
    return list(_languages(_reader()))


def language_name(code: str) -> str:
    """The name of a language; the code itself for one that is not known."""
    return dict(_languages(_reader())).get(code, code)


def _reader() -> str:
    return to_locale(get_language() or "en")


@lru_cache(maxsize=16)
def _countries(locale: str) -> tuple[tuple[str, str], ...]:
    names = Locale.parse(locale).territories
    return _in_order({code: name for code, name in names.items() if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRIES})


@lru_cache(maxsize=16)
def _languages(locale: str) -> tuple[tuple[str, str], ...]:
    known = Locale.parse("en").languages
    names = Locale.parse(locale).languages
    codes = [str(code) for code in known if (len(str(code)) == 2 and code not in _UNSPOKEN) or code in _SPOKEN]
    # In a list each begins with a capital letter, as most do not within a sentence.
    return _in_order({code: (name := names.get(code, known[code]))[:1].upper() + name[1:] for code in codes})


def _in_order(names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(names.items(), key=lambda pair: (_plain(pair[1]), pair[0])))


def _plain(name: str) -> str:
    """A name without accents and capitals, for the order of a list."""
    return "".join(char for char in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(char))
