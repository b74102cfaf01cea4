"""All of a person's own data as one ZIP: `account.json`, a record for each match, and a text that explains them.

A match that runs comes as its person's seat may see it, through `payloads` like everything else that leaves the site.
Nothing is held in memory as a whole, so thousands of matches take time and no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import islice
from typing import IO, Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.apps import apps
from django.conf import settings
from django.db.models import Field, Model
from django.template.loader import render_to_string

from accounts.models import User
from matches import payloads, plans
from matches.models import Match, Seat
from pages.data.relations import PROFILE, RELATIONS, Relation

OWN_ROWS = {"tagged": ("match", "imported"), "items": ("match", "imported", "note")}
"""What is exported of the rows that belong to a row, by the name under which it has them."""
AT_ONCE = 200
"""How many rows, and how many matches, are held at once."""


def write(person: User, file: IO[bytes], now: datetime) -> None:
    """Write the ZIP into a file, the explanation in the language that is active."""
    with ZipFile(file, "w") as archive:
        readme = {"person": person, "now": now, "site": settings.SITE_URL}
        _put(archive, "README.txt", [render_to_string("pages/data_readme.txt", readme)], now)
        _put(archive, "account.json", _account(person), now)
        for name, content in _matches(person):
            _put(archive, name, [json.dumps(content, ensure_ascii=False), "\n"], now)


def name_of(now: datetime) -> str:
    """What the ZIP is called."""
    return f"tessera-{now:%Y-%m-%d}.zip"


def rows_of(name: str, person: User) -> Iterator[dict[str, Any]]:
    """The rows of one relation of `RELATIONS` as they are exported, the oldest first."""
    relation = RELATIONS[name]
    label, _, field = name.rpartition(".")
    model = apps.get_model(label)
    rows = model._default_manager.filter(**{field: person}).select_related(*_joined(model, relation)).order_by("pk")
    for row in rows.iterator(chunk_size=AT_ONCE):
        yield {column.replace("__", "_"): _value(row, column) for column in relation.columns}


def _account(person: User) -> Iterator[str]:
    """The text of `account.json`, piece by piece."""
    profile = {column: _plain(getattr(person, column)) for column in PROFILE}
    yield '{\n"profile": ' + _json(profile)
    for name, relation in RELATIONS.items():
        if relation.section:
            yield f',\n"{relation.section}": ['
            for number, row in enumerate(rows_of(name, person)):
                yield (",\n  " if number else "\n  ") + _json(row)
            yield "]"
    yield "\n}\n"


def _matches(person: User) -> Iterator[tuple[str, Any]]:
    """A file for each match of the person's: what it is called, and what is in it."""
    seats = dict(Seat.objects.filter(user=person).order_by("match").values_list("match", "number"))
    for ids in _batches(seats):
        for match in Match.objects.with_seats().filter(pk__in=ids).order_by("pk"):
            called = f"tessera-{match.game}-{match.variant}-{match.pk}.json"
            if match.running:
                yield f"running/{called}", _as_it_stands(match, seats[match.pk])
            else:
                yield f"records/{called}", payloads.record_of(match, seats[match.pk]).to_json()


def _as_it_stands(match: Match, seat: int) -> dict[str, Any]:
    """A match that runs, as the person's own seat may know it."""
    return {
        "record": payloads.record_of(match, seat).to_json(),
        "view": payloads.view_for(match, seat),
        "plan": plans.of(match, seat).branches,
    }


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    left = iter(ids)
    while batch := list(islice(left, AT_ONCE)):
        yield batch


def _put(archive: ZipFile, name: str, pieces: Iterable[str], now: datetime) -> None:
    info = ZipInfo(name, now.timetuple()[:6])
    info.compress_type = ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as entry:
        for piece in pieces:
            entry.write(piece.encode())


def _joined(model: type[Model], relation: Relation) -> list[str]:
    """What must be read with each row: people, for their names, and whatever a column goes on to."""
    joined = set()
    for column in relation.columns:
        first, onward, _ = column.partition("__")
        field = model._meta.get_field(first)
        if onward:
            joined.add(column if _leads_to_person(field, column) else first)
        elif field.related_model is User:
            joined.add(first)
    return sorted(joined)


def _leads_to_person(field: Any, column: str) -> bool:
    last = field.related_model._meta.get_field(column.rpartition("__")[2])
    return last.related_model is User


def _value(row: Any, column: str) -> Any:
    *way, last = column.split("__")
    for step in way:
        row = getattr(row, step)
        if row is None:
            return None
    field: Field[Any, Any] = row._meta.get_field(last)
    if field.one_to_many:  # rows of its own, by what each refers to
        return [{name: value for name, value in one.items() if value is not None} for one in getattr(row, last).values(*OWN_ROWS[last])]
    if field.related_model is not None and field.related_model is not User:
        return getattr(row, field.attname)
    return _plain(getattr(row, last))


def _plain(value: Any) -> Any:
    if isinstance(value, User):
        return value.display_name
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
