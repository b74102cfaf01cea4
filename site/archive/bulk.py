"""Records of many matches at once, as lines of JSON or as files in a zip."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO

from archive.models import Filed
from matches import payloads
from matches.models import Match

MOST = 500
"""Records in one file."""


def listed(numbers: Sequence[int]) -> list[int]:
    """Those of these matches that are in the archive, in the same order."""
    filed = set(Filed.objects.filter(match__in=numbers[:MOST]).values_list("match", flat=True))
    return [number for number in numbers[:MOST] if number in filed]


def lines(numbers: Sequence[int]) -> str:
    """A record a line, each with its match and when it ended beside what a record has."""
    return "".join(f"{text}\n" for _, text in _records(numbers))


def archive(numbers: Sequence[int]) -> bytes:
    """A zip with a file for each record, named as if it were taken alone."""
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as files:
        for match, text in _records(numbers):
            at = match.finished_at or match.moved_at
            name = zipfile.ZipInfo(f"tessera-{match.game}-{match.variant}-{match.pk}.json", at.timetuple()[:6])
            name.compress_type, name.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            files.writestr(name, text + "\n")
    return whole.getvalue()


def _records(numbers: Sequence[int]) -> Iterator[tuple[Match, str]]:
    found = Match.objects.with_seats().in_bulk(numbers)
    for number in numbers:
        if match := found.get(number):
            ended = (match.finished_at or match.moved_at).isoformat()
            data = payloads.record_of(match, None).to_json() | {"match": match.pk, "ended": ended}
            yield match, json.dumps(data, ensure_ascii=False)
