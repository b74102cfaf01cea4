"""How people are shown, and a filter for the forms of sign-in and account."""

from __future__ import annotations

from django import template
from django.forms import BoundField
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import countries, devices, mosaic
from accounts.models import User

register = template.Library()


@register.filter
def unprompted(field: BoundField) -> BoundField:
    """The field without a placeholder: each field has a label, and a second copy of it in the box only looks filled in."""
    field.field.widget.attrs.pop("placeholder", None)
    return field


@register.simple_tag
def avatar(person: User | str | None, size: int = 24) -> SafeString:
    """The picture of somebody, or of a mosaic's code, `size` pixels wide; without words, as the name stands beside it.

    Nothing for nobody: a bot, or somebody whose account is gone.
    """
    if not person:
        return SafeString()
    code = person if isinstance(person, str) else mosaic.of(person.avatar, person.pk)
    return format_html(
        '<img class="avatar" src="{}" alt="" width="{}" height="{}" loading="lazy">', reverse("avatar", args=[code]), size, size
    )


@register.filter
def country(code: str) -> str:
    """The name of a country in the reader's language."""
    return countries.country_name(code) if code else ""


@register.filter
def language(code: str) -> str:
    """The name of a language that somebody speaks, in the reader's language."""
    return countries.language_name(code)


@register.filter
def device(user_agent: str) -> str:
    """What a browser calls itself, in words."""
    return devices.words(user_agent)
