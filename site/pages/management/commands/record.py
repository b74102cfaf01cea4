"""The command `record`: checks records, lists legal moves in them, and writes a match as one.

`check` and `legal` need no database and no servers.
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

from games.kit.record import Fault, Record, RecordError, check, each_legal_count, read_each, replay
from matches import commands, payloads
from matches.errors import NoSuchMatch

HELP = """
check FILE…        replay records, verify every ply, draw and result. Faults go to standard error, a line each,
                   as FILE:RECORD:PLY: reason. RECORD counts from 0, PLY from 1; a PLY of - is the whole record.
legal FILE         the moves that are legal after so many plies, one a line
export MATCH       a match of this site as a record; of a running one, what a spectator may know

A file holds one JSON object, an array of them, or JSON lines; - is standard input.
"""


class Unreadable(Exception):
    """A file that cannot be read; the text is a sentence."""


class Command(BaseCommand):
    """Exit codes: 0 all is well, 1 something is not, 2 wrong usage."""

    help = HELP
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="check|legal|export")
        checks = actions.add_parser("check", help="verify records")
        checks.add_argument("files", nargs="+", metavar="FILE")
        checks.add_argument("--legal", action="store_true", help="print a JSON line per record: how many moves were legal before each ply")
        legal = actions.add_parser("legal", help="list legal moves")
        legal.add_argument("file", metavar="FILE")
        legal.add_argument("--ply", type=int, metavar="N", help="plies played before (default: all)")
        legal.add_argument("--index", type=int, default=0, metavar="I", help="which record of the file, from 0 (default: 0)")
        export = actions.add_parser("export", help="write a match as a record")
        export.add_argument("match", type=int, metavar="MATCH")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        try:
            if action == "check":
                self._check(options["files"], legal=options["legal"])
            elif action == "legal":
                self._legal(options["file"], options["index"], options["ply"])
            else:
                self._export(options["match"])
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

    def _export(self, match_id: int) -> None:
        try:
            record = payloads.record_of(commands.find(match_id), None)
        except NoSuchMatch:
            raise CommandError(f"There is no match {match_id}.") from None
        except DatabaseError as trouble:
            raise CommandError(f"The database does not answer: {trouble}") from None
        self.stdout.write(json.dumps(record.to_json(), ensure_ascii=False))


def _read(file: str) -> list[Record | Fault]:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return read_each(raw.decode("utf-8-sig"))
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
