"""The replay of a match as one small file for a browser: packed, compressed, and kept once the match is over.

What is in it comes from `payloads` alone. A file is kept under a hash of all that it is made of, so nothing has to be
forgotten when somebody is renamed: the next reader's file has another name.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.core.cache import cache as store
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from redis.exceptions import RedisError

import games
from games.kit.record import Record
from matches import packing, payloads
from matches.models import Match
from matches.payloads import Payload
from stack.places import ROOT

log = logging.getLogger(__name__)

KEPT_SECONDS = 7 * 24 * 3600
EFFORT = 6


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    body: bytes
    """JSON, compressed with gzip."""
    tag: str
    """The same for the same contents."""


def file_of(match: Match, seat: int | None, point: int | None = None) -> File:
    """The replay for the viewer in `seat`; `point` as for `payloads.replay_for`. Load the match with its seats."""
    if match.running:
        return _made(payloads.replay_for(match, seat))
    tag = _tag(match.chain, match.game, match.rules.version, match.status, match.termination, payloads.seats_of(match, seat), point)
    return _kept(tag) or _keep(tag, payloads.replay_for(match, seat, point))


def file_of_record(record: Record, point: int | None = None) -> File:
    """The replay of a record; `point` as for `payloads.replay_of_record`. Raises `RecordError` where it cannot be played."""
    tag = _tag("record", record.to_json(), point)
    return _kept(tag) or _keep(tag, payloads.replay_of_record(record, point))


def reply(request: HttpRequest, file: File) -> HttpResponse:
    """The file as an answer: nothing at all where the browser has it already. It may keep it, but asks each time whether it still may."""
    compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    tag = f'"{file.tag}{"" if compressed else "-plain"}"'
    response = HttpResponse(file.body if compressed else gzip.decompress(file.body), content_type="application/json")
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    if compressed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ("Accept-Encoding", "Accept-Language", "Cookie"))
    answer = get_conditional_response(request, etag=tag, response=response)
    assert answer is not None  # one was given
    return answer


def packed(replay: Payload) -> Payload:
    """A replay with its positions as `packing` writes them, without what each repeats of its ply."""
    positions = [{key: position[key] for key in ("to_move", "scores", "view")} for position in replay["positions"]]
    return {**replay, "positions": packing.pack(positions)}


def _made(replay: Payload) -> File:
    text = json.dumps(packed(replay), ensure_ascii=False, separators=(",", ":")).encode()
    return File(gzip.compress(text, EFFORT, mtime=0), hashlib.sha256(text).hexdigest()[:32])


@cache
def _code() -> str:
    """A hash of the programs and translations that a file is made by, so that none outlives a change of them."""
    sources = [*Path(games.__file__).parent.rglob("*.py"), *Path(__file__).parent.glob("*.py"), *(ROOT / "locale").rglob("*.po")]
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _tag(*parts: object) -> str:
    text = json.dumps([_code(), get_language(), *parts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _kept(tag: str) -> File | None:
    try:
        body: bytes | None = store.get(f"replay:{tag}")
    except RedisError as trouble:  # it can be made again
        log.warning("no kept replay: %s", trouble)
        return None
    return None if body is None else File(body, tag)


def _keep(tag: str, replay: Payload) -> File:
    file = File(_made(replay).body, tag)
    try:
        store.set(f"replay:{tag}", file.body, KEPT_SECONDS)
    except RedisError as trouble:
        log.warning("a replay was not kept: %s", trouble)
    return file
