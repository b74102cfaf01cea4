"""A filter for the forms of sign-in and account."""

from django import template
from django.forms import BoundField

register = template.Library()


@register.filter
def unprompted(field: BoundField) -> BoundField:
    """The field without a placeholder: each field has a label, and a second copy of it in the box only looks filled in."""
    field.field.widget.attrs.pop("placeholder", None)
    return field
