"""What a page needs to be in the reader's language: the script with the sentences of the other scripts."""

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from pages.views.catalogue import edition

register = template.Library()


@register.simple_tag
def catalogue_url() -> str:
    """The address of the scripts' catalogue in the active language; nothing where they speak it by themselves."""
    language = get_language() or ""
    tag = edition(language)
    return reverse("catalogue", args=[language, tag]) if tag else ""
