"""Reads what people tell about themselves, and keeps it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts import countries, mosaic
from accounts.models import PrivateNote, User
from ladder.services import move_country
from profiles.statistics import game_names

LANGUAGES = 4
"""How many languages one can name."""
NOTE = PrivateNote._meta.get_field("text").max_length or 0
ABOUT = User._meta.get_field("about").max_length or 0
_KEPT = ("avatar", "country", "languages", "about", "favourites", "preferences")


class ProfileForm(forms.Form):
    """Picture, country, languages, favourite games, some words, and whether one is seen to be here."""

    avatar = forms.CharField(required=False, max_length=32)
    country = forms.ChoiceField(label=_("Country"), required=False)
    about = forms.CharField(
        label=_("About you"),
        required=False,
        max_length=ABOUT,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Plain text. Everybody can read it."),
    )
    favourites = forms.MultipleChoiceField(label=_("Favourite games"), required=False, widget=forms.CheckboxSelectMultiple)
    hidden = forms.BooleanField(
        label=_("Do not show that I am here"),
        required=False,
        help_text=_("Neither on your page nor in the lobby. Who plays with you still sees whether you are at the board."),
    )

    def __init__(self, person: User, data: Any = None) -> None:
        spoken = {f"language_{number}": code for number, code in enumerate(person.languages[:LANGUAGES])}
        told = {name: getattr(person, name) for name in ("avatar", "country", "about", "favourites")}
        super().__init__(data, initial={**told, **spoken, "hidden": bool(person.preferences.get("hidden"))})
        self.person = person
        self._choices("country", [("", _("Not told")), *countries.countries()])
        self._choices("favourites", list(game_names().items()))
        for number in range(LANGUAGES):
            self.fields[f"language_{number}"] = forms.ChoiceField(required=False)
            self._choices(f"language_{number}", [("", "–"), *countries.languages()])

    def _choices(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def languages(self) -> list[forms.BoundField]:
        """The fields for the languages."""
        return [self[f"language_{number}"] for number in range(LANGUAGES)]

    def clean_avatar(self) -> str:
        code: str = self.cleaned_data["avatar"]
        if code and not mosaic.is_code(code):
            raise forms.ValidationError(_("There is no such picture. Please choose one of those shown."))
        return code

    def clean_about(self) -> str:
        return plain(self.cleaned_data["about"])

    def save(self) -> None:
        """Keep it all; the ladders follow to another country in the same transaction."""
        data = self.cleaned_data
        with transaction.atomic():
            row = User.objects.select_for_update(no_key=True).get(pk=self.person.pk)
            moves = row.country != data["country"]
            row.avatar, row.country, row.about = data["avatar"], data["country"], data["about"]
            row.languages = list(dict.fromkeys(code for number in range(LANGUAGES) if (code := data[f"language_{number}"])))
            row.favourites = data["favourites"]
            row.preferences["hidden"] = data["hidden"]
            row.save(update_fields=_KEPT)
            if moves:
                move_country(row, row.country)
        for name in _KEPT:
            setattr(self.person, name, getattr(row, name))


class NoteForm(forms.Form):
    """What somebody notes about another person."""

    text = forms.CharField(required=False, max_length=NOTE, widget=forms.Textarea)

    def clean_text(self) -> str:
        return plain(self.cleaned_data["text"])


def plain(text: str) -> str:
    """A text without what cannot be seen: marks that turn the direction of writing, controls, and more than one empty line."""
    lines = "".join(_visible(text.replace("\r\n", "\n"))).strip()
    return re.sub(r"\n\s*\n\s*\n+", "\n\n", lines)


def _visible(text: str) -> Iterable[str]:
    # The joiners are part of words and emoji; the other marks of format only serve to deceive.
    return (char for char in text if char in "\n\u200c\u200d" or unicodedata.category(char) not in {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
