"""Records as files: the text of one in a format of its game, and the download."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse

from games.kit.reading import format_of
from games.kit.record import Record

OWN_SUFFIX: Final = "json"


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a record in some format."""

    text: str
    media_type: str


def written(record: Record, suffix: str) -> Written | None:
    """The record in the format of that suffix, without its dot; `None` where there is none.

    Raises `RecordError` where the format needs its plies to be played, and they cannot.
    """
    if suffix == OWN_SUFFIX:
        return Written(json.dumps(record.to_json(), ensure_ascii=False) + "\n", "application/json")
    form = format_of(record.game, suffix)
    if form is None or record.variant not in form.variants:
        return None
    return Written(form.write(record), form.media_type)


def download(file: Written, name: str) -> HttpResponse:
    """The file as an answer that a browser saves under that name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(file.text, content_type=file.media_type, headers=headers)
