"""The command `record`: checks records, lists legal moves in them, turns them into other formats, and writes a match as one.

`check`, `legal` and `convert` need no database and no servers.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import Error as DatabaseError

from games.kit.reading import formats, readings
from games.kit.record import Fault, Record, RecordError, check, each_legal_count, replay
from matches import commands, files, payloads
from matches.errors import NoSuchMatch
from matches.files import OWN_SUFFIX

HELP = """
check FILE…        replay records, verify every ply, draw and result. Faults go to standard error, a line each,
                   as FILE:RECORD:PLY: reason. RECORD counts from 0, PLY from 1; a PLY of - is the whole record.
legal FILE         the moves that are legal after so many plies, one a line
export MATCH       a match of this site as a record; of a running one, what a spectator may know
convert FILE       the records of a file in another format, as far as their games can be written so

A file holds one JSON object, an array of them, or JSON lines, or games in a format that is read beside it (.blksgf of Pentobi);
- is standard input.
"""


class Unreadable(Exception):
    """A file that cannot be read; the text is a sentence."""


class Command(BaseCommand):
    """Exit codes: 0 all is well, 1 something is not, 2 wrong usage."""

    help = HELP
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="check|legal|export|convert")
        checks = actions.add_parser("check", help="verify records")
        checks.add_argument("files", nargs="+", metavar="FILE")
        checks.add_argument("--legal", action="store_true", help="print a JSON line per record: how many moves were legal before each ply")
        legal = actions.add_parser("legal", help="list legal moves")
        legal.add_argument("file", metavar="FILE")
        legal.add_argument("--ply", type=int, metavar="N", help="plies played before (default: all)")
        legal.add_argument("--index", type=int, default=0, metavar="I", help="which record of the file, from 0 (default: 0)")
        export = actions.add_parser("export", help="write a match as a record")
        export.add_argument("match", type=int, metavar="MATCH")
        convert = actions.add_parser("convert", help="write records in another format")
        convert.add_argument("file", metavar="FILE")
        for writes in (export, convert):
            keys = [OWN_SUFFIX, *(form.key for form in formats())]
            writes.add_argument("--format", choices=keys, default=OWN_SUFFIX, help=f"one of {', '.join(keys)} (default: {OWN_SUFFIX})")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        try:
            if action == "check":
                self._check(options["files"], legal=options["legal"])
            elif action == "legal":
                self._legal(options["file"], options["index"], options["ply"])
            elif action == "export":
                self._export(options["match"], options["format"])
            else:
                self._convert(options["file"], options["format"])
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read our output has seen enough; and Python must not try to flush the rest at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _check(self, files: Sequence[str], *, legal: bool) -> None:
        sound = True
        for file in files:
            try:
                records = _read(file)
            except Unreadable as reason:
                self.stderr.write(str(reason))
                sound = False
                continue
            for index, record in enumerate(records):
                faults = [record] if isinstance(record, Fault) else check(record)
                for fault in faults:
                    self.stderr.write(_line(file, index, fault))
                sound = sound and not faults
                if legal:
                    counts = [] if isinstance(record, Fault) else _legal_counts(record)
                    self.stdout.write(json.dumps({"index": index, "legal": counts}))
        if not sound:
            sys.exit(1)

    def _legal(self, file: str, index: int, ply: int | None) -> None:
        try:
            records = _read(file)
        except Unreadable as reason:
            raise CommandError(str(reason)) from None
        if not 0 <= index < len(records):
            raise CommandError(f"{_name(file)} has no record {index}; they are numbered from 0 to {len(records) - 1}.")
        record = records[index]
        if isinstance(record, Fault):
            raise CommandError(_line(file, index, record))
        ply = len(record.plies) if ply is None else ply
        if not 0 <= ply <= len(record.plies):
            raise CommandError(f"The record has {len(record.plies)} plies, so there is no position after {ply}.")
        try:
            *_, state = islice(replay(record), ply + 1)
        except RecordError as error:
            raise CommandError(_line(file, index, error.fault)) from None
        for move in state.legal_moves():
            self.stdout.write(str(move))

    def _export(self, match_id: int, key: str) -> None:
        try:
            match = commands.find(match_id)
            if match.running and key != OWN_SUFFIX:
                raise CommandError("A running match goes out as a record of our own only.")
            record = payloads.record_of(match, None)
        except NoSuchMatch:
            raise CommandError(f"There is no match {match_id}.") from None
        except DatabaseError as trouble:
            raise CommandError(f"The database does not answer: {trouble}") from None
        try:
            self._write(record, key)
        except RecordError as error:
            raise CommandError(str(error)) from None

    def _convert(self, file: str, key: str) -> None:
        """Write what can be written, and name the rest on standard error."""
        try:
            records = _read(file)
        except Unreadable as reason:
            raise CommandError(str(reason)) from None
        sound = True
        for index, record in enumerate(records):
            fault = record if isinstance(record, Fault) else self._fault_of(record, key)
            if fault is not None:
                self.stderr.write(_line(file, index, fault))
                sound = False
        if not sound:
            sys.exit(1)

    def _fault_of(self, record: Record, key: str) -> Fault | None:
        """Write a record, or tell why that cannot be."""
        try:
            self._write(record, key)
        except RecordError as error:
            return error.fault
        return None

    def _write(self, record: Record, key: str) -> None:
        """Raises `RecordError` where the format cannot express the record, or its plies cannot be played."""
        written = files.written(record, key)
        if written is None:
            raise RecordError(f"“{key}” cannot express {record.game} {record.variant}.")
        self.stdout.write(written.text.rstrip("\n"))


def _read(file: str) -> list[Record | Fault]:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return [one if isinstance(one, Fault) else one.record for one in readings(raw.decode("utf-8-sig"))]
    except UnicodeDecodeError:
        raise Unreadable(f"{_name(file)}: This is not text in UTF-8.") from None
    except RecordError as error:
        raise Unreadable(f"{_name(file)}: {error}") from None
    except (OSError, ValueError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else str(trouble)
        raise Unreadable(f"{_name(file)} cannot be read: {reason}.") from None


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _line(file: str, index: int, fault: Fault) -> str:
    ply = "-" if fault.ply is None else fault.ply
    return f"{_name(file)}:{index}:{ply}: {fault.reason}"


def _legal_counts(record: Record) -> list[int | None]:
    """How many moves were legal before each ply, as far as the record can be replayed; null before a chance ply."""
    counts: list[int | None] = []
    with suppress(RecordError):
        for count in each_legal_count(record):
            counts.append(count)  # one by one, so that those before a bad ply stay
    return counts
