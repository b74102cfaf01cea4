"""What the templates of the panel beside a replay are filled with."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.utils.translation import gettext

from accounts.models import User
from shelf import comments, services
from shelf.finding import tags_of
from shelf.subject import Subject

Context = dict[str, Any]


def filled(subject: Subject, player: User | None, back: str, *, ply: int | None = None, draft: Context | None = None) -> Context:
    """The panel for one person; `back` is the page it stands on, `ply` the one to write to, `draft` words that were refused."""
    kept = services.kept(subject, player)
    at = subject.plies if ply is None else min(max(ply, 0), subject.plies)
    return {
        "subject": subject,
        "back": back,
        **kept,
        "inside": sum(collection["inside"] for collection in kept["collections"]),
        "comments": comments.listed(subject, player),
        "may": comments.may(subject, player),
        "known_tags": [tag.name for tag in tags_of(player) if tag.name not in kept["tags"]],
        "ply": at,
        "step": with_ply(back if back.startswith(subject.url) else subject.url, ""),
        "draft": draft or {},
        "client_id": uuid4(),
        "longest": comments.LONGEST,
        "urls": {act: subject.act_url(act) for act in ("favourite", "tag", "untag", "collect", "comment")},
    }


def with_ply(address: str, ply: int | str) -> str:
    """The address of a page at a ply."""
    return f"{address}{'&' if '?' in address else '?'}ply={ply}"


def marks(context: Context) -> list[Context]:
    """A mark for each ply with comments, for the slider and the list of moves: `{ply, kind, text}`."""
    by_ply: dict[int, list[str]] = {}
    for comment in context["comments"]:
        if not comment["removed"]:
            by_ply.setdefault(comment["ply"], []).append(
                gettext("{name}: {words}").format(
                    name=gettext("You") if comment["mine"] else comment["who"], words=shortened(comment["text"])
                )
            )
    return [{"ply": ply, "kind": "comment", "text": "\n".join(texts)} for ply, texts in by_ply.items()]


def shortened(text: str, most: int = 80) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
