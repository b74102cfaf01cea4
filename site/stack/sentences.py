"""Finds the sentences to translate in the sources, and what is wrong with their translations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from django.utils.translation.template import templatize

from stack.catalogues import PAGES, SCRIPTS, po_file, read
from stack.places import ROOT

TEMPLATES = ("templates/**/*", "games/*/templates/**/*")
PYTHON = ("accounts/**/*.py", "games/**/*.py", "site/**/*.py")
SCRIPT = ("static/js/**/*.js", "games/*/static/**/*.js")
TEMPLATE_KINDS = {".html", ".txt", ".svg"}

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "N_": None,
    "Label": None,
    "RuleError": (2,),
    "InvalidMove": (2,),
    "IllegalMove": (2,),
    "MatchError": (1,),
}
"""Per function the arguments that are sentences; `None` is the first."""

_TEXT = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
_SAID = re.compile(rf"(?<![\w$.])(?:t\(\s*{_TEXT}|tn\(\s*{_TEXT}\s*,\s*{_TEXT})")
_PLACEHOLDER = re.compile(r"\{\w+\}|%\(\w+\)[a-z]|</?\w+[^<>]*>")
_NUMBERS = {"{n}", "%(n)s", "%(count)s", "%(counter)s"}
"""Placeholders that a form for one number may leave out: “one move” for “{n} move”."""


class Sentence(NamedTuple):
    """A sentence, or a pair for one and for many, where it stands and in what context."""

    text: str | tuple[str, str]
    place: str
    context: str | None = None


def extract(domain: str) -> Catalog:
    """A catalogue without translations of all sentences that the sources say in `domain`."""
    catalogue = Catalog(domain=domain, project="Tessera", charset="utf-8")
    for sentence in _scripts() if domain == SCRIPTS else _server():
        if sentence.text and sentence.text != ("", ""):
            catalogue.add(sentence.text, locations=[(sentence.place, 0)], context=sentence.context)
    return catalogue


def faults(language: str) -> Iterator[str]:
    """What is missing or wrong in the catalogues of a language, a line each."""
    for domain in (PAGES, SCRIPTS):
        path = po_file(language, domain)
        known = read(path) if path.exists() else Catalog(locale=path.parents[1].name)
        for wanted in extract(domain):
            if not wanted.id:
                continue
            reason = fault_of(wanted, known.get(wanted.id, wanted.context), known.num_plurals)
            if reason:
                yield f"{path.relative_to(ROOT)}: {_key(wanted)!r}: {reason}"


def fault_of(wanted: Message, found: Message | None, plurals: int) -> str | None:
    """What is wrong with the translation that was found for a sentence, in a language of so many plural forms."""
    texts = texts_of(found) if found is not None else ()
    if found is None or not texts or not all(texts):
        return "not translated"
    if found.fuzzy:
        return "marked as fuzzy"
    if wanted.pluralizable and len(texts) != plurals:
        return f"has {len(texts)} forms of {plurals}"
    needed = set(_PLACEHOLDER.findall(wanted.id[-1] if isinstance(wanted.id, (list, tuple)) else wanted.id))
    for text in texts:
        given = set(_PLACEHOLDER.findall(text))
        lost, gained = needed - given - (_NUMBERS if wanted.pluralizable else set()), given - needed
        if lost or gained:
            return f"placeholders differ: {', '.join(sorted(lost | gained))}"
    return None


def texts_of(message: Message) -> tuple[str, ...]:
    """The translations of a message: one, or one per plural form."""
    if isinstance(message.string, (list, tuple)):
        return tuple(text or "" for text in message.string)
    return (message.string or "",)


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _files(patterns: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """The files with their names from the root; what others wrote is left out."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and not {"vendor", "migrations", "__pycache__"} & set(path.parts):
                yield path, path.relative_to(ROOT).as_posix()


def _server() -> Iterator[Sentence]:
    for path, place in _files(TEMPLATES):
        if path.suffix in TEMPLATE_KINDS:
            yield from _python(templatize(path.read_text("utf-8"), origin=place), place)
    for path, place in _files(PYTHON):
        yield from _python(path.read_text("utf-8"), place)


def _python(code: str, place: str) -> Iterator[Sentence]:
    # Babel's own annotation leaves out the name of the function.
    found = cast("Iterator[tuple[int, str, Any, list[str]]]", extract_python(BytesIO(code.encode()), KEYWORDS, [], {"encoding": "utf-8"}))
    for _, function, arguments, _ in found:
        given: Sequence[str | None] = arguments if isinstance(arguments, (list, tuple)) else (arguments,)
        spec = KEYWORDS[function] or (1,)
        context = next((_at(given, index[0]) for index in spec if isinstance(index, tuple)), None)
        texts = [_at(given, index) for index in spec if isinstance(index, int)]
        if all(texts):
            yield Sentence(texts[0] if len(texts) == 1 else (texts[0], texts[1]), place, context)


def _at(arguments: Sequence[str | None], number: int) -> str:
    """The argument of that number, counted from 1; nothing when it is no literal."""
    return (arguments[number - 1] or "") if number <= len(arguments) else ""


def _scripts() -> Iterator[Sentence]:
    for path, place in _files(SCRIPT):
        for only, one, many in _SAID.findall(path.read_text("utf-8")):
            yield Sentence(_literal(only) if only else (_literal(one), _literal(many)), place)


def _literal(quoted: str) -> str:
    """The text of a JavaScript string."""
    inside = quoted[1:-1]
    return str(json.loads(f'"{inside}"' if quoted[0] == '"' else '"' + inside.replace("\\'", "'").replace('"', '\\"') + '"'))
