"""News from the apps above: a durable row with marked sentences, put into the reader's language when it is read.

What is said may name people, moments and words of a game. They are stored as what they are and put into words for the
reader: a person by its present name, a moment by the reader's clock, a `Label` in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext

from accounts.models import User
from games.kit.protocol import Label
from matches import followups
from matches.models import FollowUp
from notices.models import NEWS, Kind, Notice
from notices.people import moment
from notices.spreading import News

Value = str | int | User | datetime | Label
LONGEST_KEY = 60
"""Characters; the keys of a person's mails and pushes are made of it and must fit their columns."""


def tell(
    person: User,
    *,
    key: str,
    title: str,
    path: str,
    kind: Kind,
    now: datetime,
    body: str = "",
    values: Mapping[str, Value] | None = None,
) -> None:
    """Tell a person something, inside the caller's transaction: on open pages, by mail and by push as the person chose.

    `key` names what happened, such as `rungs:7:won`; the same person is told once per key. `title` and `body` are sentences
    marked with `N_`, with the names of `values` in braces; `path` is the page of ours that it leads to. Raises `ValueError`
    for a key that is too long or a path that leads elsewhere.
    """
    if len(key) > LONGEST_KEY:
        raise ValueError(f"The key {key!r} has more than {LONGEST_KEY} characters")
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError(f"{path!r} is no path of this site")
    stored = {name: _stored(value) for name, value in (values or {}).items()}
    data = {"event": NEWS, "kind": str(kind), "title": title, "body": body, "values": stored, "path": path}
    followups.ask(followups.TELL, key=f"{followups.TELL}:{person.pk}:{key}", person=person, data=data, now=now)


def of(row: FollowUp) -> News:
    """The piece of news of a `tell` row that this module wrote."""
    assert row.person is not None
    return News(row.person, Kind(row.data["kind"]), row.key.split(":", 2)[2], data=row.data)


def title_of(notice: Notice, reader: User) -> str:
    """The title in the language that is active."""
    return _said(notice.data["title"], notice, reader)


def body_of(notice: Notice, reader: User) -> str:
    """The sentence or two in the language that is active; may be empty."""
    return _said(notice.data["body"], notice, reader)


def _said(sentence: str, notice: Notice, reader: User) -> str:
    if not sentence:
        return ""
    values = {name: _in_words(value, reader) for name, value in notice.data["values"].items()}
    return gettext(sentence).format(**values)


def _stored(value: Value) -> Any:
    if isinstance(value, User):
        return {"person": value.pk}
    if isinstance(value, datetime):
        return {"moment": value.isoformat()}
    return {"word": str(value)} if isinstance(value, Label) else value


def _in_words(value: Any, reader: User) -> str:
    if not isinstance(value, dict):
        return str(value)
    if "person" in value:
        person = User.objects.filter(pk=value["person"], is_active=True).first()
        return person.display_name if person else gettext("Deleted player")
    if "moment" in value:
        when = parse_datetime(value["moment"])
        return moment(when, reader) if when else ""
    return gettext(value["word"])
