"""The catalogues of translations: which languages there are, their files, and compiling them for Django.

A catalogue is `locale/<LANGUAGE>/LC_MESSAGES/<DOMAIN>.po`; beside it lies the compiled `.mo`, which git does not keep.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from django.utils.translation import to_locale

from stack.places import ROOT
from stack.service import explain
from stack.trouble import Trouble

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = ROOT / "locale"
PAGES, SCRIPTS = "django", "djangojs"
DOMAINS = (PAGES, SCRIPTS)
"""What the server says, and what the scripts in the browser say."""
SOURCE_LANGUAGE = "en"
"""The language that sentences are written in; their own keys."""


def po_file(language: str, domain: str) -> Path:
    """Where the catalogue of a language, as the settings name it, lies."""
    return LOCALE / to_locale(language) / "LC_MESSAGES" / f"{domain}.po"


def read(path: Path) -> Catalog:
    """The catalogue in a file. Raises `Trouble` when it is no catalogue."""
    from babel.messages.pofile import PoFileError, read_po

    try:
        with open(path, "rb") as file:
            return read_po(file, locale=path.parents[1].name, domain=path.stem, abort_invalid=True)
    except PoFileError as error:
        raise Trouble(f"{path}, line {error.lineno}: {error.args[0]}") from error
    except OSError as error:
        raise Trouble(explain(error, path)) from error


def compile_all() -> int:
    """Compile every catalogue that changed since the last time, and say how many did. Raises `Trouble`."""
    stale = list(_stale())
    for path in stale:
        _compile(path)
    return len(stale)


def _stale() -> Iterator[Path]:
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        compiled = path.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime_ns <= path.stat().st_mtime_ns:
            yield path


def _compile(path: Path) -> None:
    from babel.messages.mofile import write_mo  # only here: a start with nothing to compile should not wait for it

    catalogue = read(path)
    fresh = path.with_name(f"{path.stem}.{os.getpid()}.new")
    try:
        with open(fresh, "wb") as file:
            write_mo(file, catalogue)
        fresh.replace(path.with_suffix(".mo"))  # whole or not at all, for whoever reads it now
    except OSError as error:
        raise Trouble(explain(error, path.parent)) from error
