"""Imported records: kept for who brought them, each once, checked by the rules; the good ones though others are bad."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.core.cache import cache
from django.db import transaction
from redis.exceptions import RedisError

from accounts.models import User
from games import registry
from games.kit.protocol import N_, Format, RuleError
from games.kit.reading import OWN, Reading
from games.kit.record import Fault, Record, check
from matches.errors import MatchError, NotNow
from studies import keeping, positions, trees
from studies.keeping import Content
from studies.models import Imported, Study
from studies.uploads import Found, Wrong

log = logging.getLogger(__name__)

MOST_KEPT: Final = 2000
"""Records of one person."""
BUDGET_SECONDS: Final = 8.0
"""How long one import may take."""


class NoSuchImport(MatchError):
    code = "no_such_import"
    sentence = N_("There is no such record.")


@dataclass(frozen=True, slots=True)
class Kept:
    """A record that is kept now."""

    found: Found
    imported: Imported
    new: bool
    """Whether it was not kept already."""
    study: Study | None = None
    """Of its other lines, where there are any and they were asked for."""


@dataclass(slots=True)
class Brought:
    """What came of an import."""

    kept: list[Kept] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)


@contextmanager
def alone(owner: User) -> Iterator[None]:
    """Let one import of a person run at a time. Raises `NotNow` while another does."""
    key = f"studies:importing:{owner.pk}"
    try:
        free = cache.add(key, True, int(BUDGET_SECONDS) * 4)
    except RedisError as trouble:  # then they share what there is
        log.warning("imports are not kept apart: %s", trouble)
        free = True
    if not free:
        raise NotNow(N_("Another import of yours is still under way. Try again in a few seconds."))
    try:
        yield
    finally:
        try:
            cache.delete(key)
        except RedisError as trouble:
            log.warning("an import was not let go of: %s", trouble)


def deadline() -> float:
    """Until when an import that begins now may take."""
    return time.monotonic() + BUDGET_SECONDS


def bring(owner: User, matches: Iterable[Found | Wrong], *, lines: bool, now: datetime) -> Brought:
    """Keep all good matches as `owner`'s; with `lines`, the other lines of a file as a study beside it."""
    brought = Brought()
    room = MOST_KEPT - Imported.objects.filter(owner=owner).count()
    for one in matches:
        if isinstance(one, Wrong):
            brought.wrong.append(one)
        else:
            room -= _take(owner, one, brought, room=room, lines=lines, now=now)
    return brought


def _take(owner: User, found: Found, brought: Brought, *, room: int, lines: bool, now: datetime) -> bool:
    """Keep one match, or note what is wrong with it; whether it is a new one."""
    record = found.reading.record
    digest = digest_of(record)
    imported = Imported.objects.filter(owner=owner, digest=digest).first()
    new = imported is None
    if imported is None:
        faults = faults_of(found.reading)
        if not faults and room <= 0:
            full = RuleError("full", "You keep {most} records already. Delete some you no longer need.", most=MOST_KEPT)
            faults = [Fault(None, str(full), full)]
        if faults:
            brought.wrong += [Wrong(found.file, fault, found.number) for fault in faults]
            return False
        imported, new = _stored(owner, found.reading, digest, now)
    study = _study(owner, imported, found.reading, now) if lines and found.reading.branches else None
    brought.kept.append(Kept(found, imported, new, study))
    return new


def faults_of(reading: Reading) -> list[Fault]:
    """All that is wrong with a match; what a game's own format gives was played while it was read."""
    return check(reading.record) if reading.format == OWN else []


def digest_of(record: Record) -> str:
    """What tells a record from all others."""
    return hashlib.sha256(json.dumps(record.to_json(), sort_keys=True).encode()).hexdigest()


def _stored(owner: User, reading: Reading, digest: str, now: datetime) -> tuple[Imported, bool]:
    record = reading.record
    return Imported.objects.get_or_create(
        owner=owner,
        digest=digest,
        defaults={
            "game": record.game,
            "variant": record.variant,
            "record": record.to_json(),
            "plies": len(record.plies),
            "format": reading.format,
            "made_at": now,
        },
    )


# --- Other lines


def tree_of(reading: Reading, plies: Sequence[str]) -> list[trees.Node]:
    """The other lines and the notes of a file as the tree of a study whose line are `plies`; as many moves as a study has."""
    notes: dict[int, str] = {}
    for ply, note in reading.record.notes:
        at = max(ply, 1)  # what is said of the start stands at the first ply
        notes[at] = f"{notes[at]}\n{note}" if at in notes else note
    nodes: list[trees.Node] = [
        {"id": number, "parent": 1 - ply, "text": plies[ply - 1], "note": note[: trees.LONGEST_NOTE]}
        for number, (ply, note) in enumerate(sorted(notes.items()), start=1)
        if ply <= len(plies)
    ]
    said = len(nodes)
    nodes += [
        {
            "id": said + number,
            "parent": branch.parent if branch.parent <= 0 else said + branch.parent,
            "text": branch.text,
            "note": branch.note[: trees.LONGEST_NOTE],
        }
        for number, branch in enumerate(reading.branches, start=1)
    ]
    return nodes[: trees.MOST_NODES]


def _study(owner: User, imported: Imported, reading: Reading, now: datetime) -> Study | None:
    """The study of the other lines; one that is there already, whatever became of it since, is not made again."""
    known = Study.objects.filter(owner=owner, imported=imported).order_by("pk").first()
    if known is not None:
        return known
    line = trees.spelt(positions.of_imported(imported))
    try:
        with transaction.atomic():
            return keeping.make(owner, line, Content("", False, tree_of(reading, line.plies)), now)
    except (MatchError, trees.Unplayable) as refused:
        log.info("no study of %s: %s", imported, refused)
        return None


# --- What is kept


def at(token: str) -> Imported:
    """The record at that address, with its owner. Raises `NoSuchImport`."""
    imported = Imported.objects.select_related("owner").filter(token=token).first()
    if imported is None:
        raise NoSuchImport
    return imported


def delete(token: str, owner: User | None) -> Imported:
    """Delete a record of `owner`'s; its studies stay. Raises `NoSuchImport`, also for somebody else's."""
    imported = at(token)
    if owner is None or imported.owner_id != owner.pk:
        raise NoSuchImport
    imported.delete()
    return imported


def record_of(imported: Imported) -> Record:
    """The record that is kept."""
    return Record.from_json(imported.record)


def format_of(imported: Imported) -> Format | None:
    """The format that it came in; `None` for our own."""
    return next((form for form in registry.get(imported.game).formats if form.key == imported.format), None)

