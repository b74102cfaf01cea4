"""The form of a collection."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from shelf.collecting import LONGEST_TITLE, LONGEST_WORDS
from shelf.models import Collection


class CollectionForm(forms.Form):
    """What it is called, what it is about, and who may look at it."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    words = forms.CharField(
        label=_("What it is about"),
        required=False,
        max_length=LONGEST_WORDS,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Plain text, if you like. Whoever may look at the collection reads it."),
    )
    audience = forms.ChoiceField(label=_("Who may look at it"), choices=Collection.Audience.choices, widget=forms.RadioSelect)

    def __init__(self, collection: Collection, owner: User, data: object = None) -> None:
        kept = {name: getattr(collection, name) for name in ("title", "words", "audience")}
        super().__init__(data, initial=kept)  # type: ignore[arg-type]
        audience = self.fields["audience"]
        assert isinstance(audience, forms.ChoiceField)
        if owner.is_guest:  # a guest has no name to be found by
            audience.choices = [choice for choice in Collection.Audience.choices if choice[0] != Collection.Audience.EVERYBODY]
