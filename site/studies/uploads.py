"""What somebody uploads or pastes, taken apart into matches: files, zips of files, and the formats of the games.

Nothing is trusted: sizes are counted while reading, whatever a file says of itself, and what cannot be read becomes a `Wrong`
that says where and why.
"""

from __future__ import annotations

import re
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, islice
from typing import Final

from games.kit.protocol import N_, RuleError
from games.kit.reading import Reading, readings, suffixes
from games.kit.record import Fault, RecordError

MEGABYTE: Final = 1_000_000
LARGEST_FILE: Final = MEGABYTE
"""Bytes of a file of records; a match takes two or three thousand."""
LARGEST_ZIP: Final = 5 * MEGABYTE
LARGEST_UNPACKED: Final = 20 * MEGABYTE
"""Bytes of all files of a zip together."""
MOST_FILES: Final = 500
"""Files of one import, those in zips counted."""
MOST_MATCHES: Final = 1000
_LONGEST_NAME: Final = 60
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
"""How zips begin, and empty ones."""
_CHARSET: Final = re.compile(rb"CA\s*\[\s*(ISO-?8859-1|latin-?1|windows-1252)\s*\]", re.IGNORECASE)
"""What a text that is not UTF-8 may say of itself: old files of Pentobi do."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file, or a text without a name."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Found:
    """A match that was read, and where it stood."""

    file: str
    number: int | None
    """Its place among the matches of the file, from 1; `None` for the only one."""
    reading: Reading


@dataclass(frozen=True, slots=True)
class Wrong:
    """What could not be read: a file, or with `number` one match of it."""

    file: str
    fault: Fault
    number: int | None = None


class TooMuch(RuleError):
    """An upload that is larger than what is read."""


def shown_name(name: str) -> str:
    """The name of a file as a page may show it: its last part, short and plain."""
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(character if character.isprintable() else "?" for character in last).strip()
    return plain if len(plain) <= _LONGEST_NAME else plain[: _LONGEST_NAME - 1] + "…"


def matches_in(uploads: Iterable[Upload], deadline: float) -> Iterator[Found | Wrong]:
    """The matches in all that was brought, in its order, until `deadline` of the steady clock: what is left then is `Wrong` as a whole."""
    files = matches = 0
    for upload in uploads:
        for file in _files(upload):
            if isinstance(file, Wrong):
                yield file
                continue
            files += 1
            if files > MOST_FILES:
                text = N_("At most {most} files are read at once; the others were left out.")
                yield _wrong(file.name, RuleError("too_many_files", text, most=MOST_FILES))
                return
            for one in _matches(file):
                matches += 1
                if matches > MOST_MATCHES:
                    text = N_("At most {most} matches are read at once; the others were left out.")
                    yield _wrong(file.name, RuleError("too_many_matches", text, most=MOST_MATCHES))
                    return
                if time.monotonic() > deadline:
                    text = N_("This takes long, so the rest was not looked at. Bring it again: what is kept is passed over quickly.")
                    yield _wrong(file.name, RuleError("too_long", text))
                    return
                yield one


def _wrong(name: str, cause: RuleError) -> Wrong:
    return Wrong(name, Fault(None, str(cause), cause))


def _files(upload: Upload) -> Iterator[Upload | Wrong]:
    """The file itself, or what is in it when it is a zip."""
    if not upload.content.startswith(_ZIP):
        yield upload
    elif len(upload.content) > LARGEST_ZIP:
        text = N_("A zip of records has at most {most} megabytes. Split it into several.")
        yield _wrong(upload.name, TooMuch("zip_too_large", text, most=LARGEST_ZIP // MEGABYTE))
    else:
        try:
            yield from _unzipped(upload)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
            yield _wrong(upload.name, RuleError("bad_zip", "This zip is damaged, or packed in a way that cannot be opened here."))


def _unzipped(upload: Upload) -> Iterator[Upload | Wrong]:
    """The files of a zip that may hold records; others, such as a note beside them, are passed over."""
    left, seen = LARGEST_UNPACKED, 0
    with zipfile.ZipFile(BytesIO(upload.content)) as archive:
        for entry in archive.infolist()[: 2 * MOST_FILES]:
            if entry.is_dir() or not entry.filename.lower().endswith(suffixes()):
                continue
            seen += 1
            name = shown_name(f"{upload.name}: {entry.filename.rpartition('/')[2]}")
            if entry.flag_bits & 1:
                yield _wrong(name, RuleError("locked_zip", "This file is locked with a password. Unpack it first."))
                continue
            with archive.open(entry) as packed:
                content = packed.read(min(LARGEST_FILE, left) + 1)
            left -= len(content)
            if left < 0:
                text = N_("A zip unpacks to at most {most} megabytes; the rest of it was left out.")
                yield _wrong(upload.name, TooMuch("zip_unpacks_too_large", text, most=LARGEST_UNPACKED // MEGABYTE))
                return
            yield Upload(name, content)
    if not seen:
        text = N_("There is no record in this zip: none of its files ends in {suffixes}.")
        yield _wrong(upload.name, RuleError("empty_zip", text, suffixes=", ".join(suffixes())))


def _matches(file: Upload) -> Iterator[Found | Wrong]:
    try:
        found = iter(readings(_text(file.content)))
    except RecordError as error:
        yield Wrong(file.name, error.fault)
        return
    except RuleError as error:
        yield _wrong(file.name, error)
        return
    first = list(islice(found, 2))
    for index, one in enumerate(chain(first, found), start=1):
        number = index if len(first) > 1 else None
        yield Wrong(file.name, one, number) if isinstance(one, Fault) else Found(file.name, number, one)


def _text(content: bytes) -> str:
    """Raises `RuleError` for what is too large, or no text."""
    if len(content) > LARGEST_FILE:
        text = N_("A file of records has at most {most} megabyte. Split it, or pack it into a zip of several.")
        raise TooMuch("too_large", text, most=LARGEST_FILE // MEGABYTE)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        charset = _CHARSET.search(content)
        if charset is None:
            raise RuleError("no_text", "This file is not text in UTF-8.") from None
        return content.decode("cp1252" if charset[1].lower().startswith(b"w") else "latin-1", errors="replace")
