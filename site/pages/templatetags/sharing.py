"""What a page says of itself to those it is shared with, and what its panel for sharing offers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.template import Context, Library
from django.urls import reverse

from matches.animation import KINDS
from matches.replay_page import ply_of
from pages import sharing

register = Library()
LABELS = {"webp": "WebP", "gif": "GIF"}


@register.simple_tag(takes_context=True)
def open_graph(context: Context) -> dict[str, Any] | None:
    """`{title, description, url, picture, oembed}` of the page's match, record or study at the ply in its address.

    `None` where others may not see it.
    """
    subject = sharing.of_context(context)
    if subject is None or not subject.public:
        return None
    address = context["request"].GET
    asked = address.get("ply")
    ply = ply_of(asked, subject.plies, otherwise=subject.plies)
    named, moves = None if asked is None else ply, subject.tried(address.getlist("move"))
    return {
        "title": subject.title,
        "description": subject.described(named),
        "url": subject.link(named, moves),
        "picture": settings.SITE_URL + subject.picture(ply, "/preview.png", moves),
        "oembed": f"{settings.SITE_URL}{reverse('oembed')}?{urlencode({'url': subject.link(named)})}",
    }


@register.simple_tag(takes_context=True)
def share(context: Context) -> dict[str, Any] | None:
    """What the panel shows, beginning at the page's ply; `None` where there is nothing to share."""
    subject = sharing.of_context(context)
    if subject is None or (subject.kind == "study" and not subject.public):
        return None
    page = context.get("page")
    ply = page.get("start", 0) if isinstance(page, dict) else 0
    return {
        "subject": subject,
        "ply": ply,
        "link": subject.link(ply),
        "link_start": f"{subject.link()}?ply=",
        "frame": subject.frame(ply),
        "embed": f"{subject.base}embed/?ply={ply}",
        "png": subject.picture(ply, ".png"),
        "svg": subject.picture(ply, ".svg"),
        "animations": [{"label": LABELS[kind], "url": f"{subject.base}animation.{kind}", "kind": kind} for kind in KINDS],
        "records": subject.records(),
    }
