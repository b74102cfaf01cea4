"""The forms of fair play: what people tell the moderators, and what moderators decide."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from care.models import Report
from care.reporting import LONGEST
from care.services import LONGEST_REASON, SPANS

PERSON_KINDS = (Report.Kind.NAME, Report.Kind.CHEATING, Report.Kind.THROWING, Report.Kind.STALLING, Report.Kind.OTHER)
MATCH_KINDS = (Report.Kind.CHEATING, Report.Kind.THROWING, Report.Kind.STALLING, Report.Kind.CHAT, Report.Kind.OTHER)
LINE_KINDS = (Report.Kind.CHAT, Report.Kind.OTHER)
FOR_GOOD, OWN_DATE = "good", "date"


class ReportForm(forms.Form):
    """What it is about, in a few words; at a match also whom."""

    about = forms.ModelChoiceField(User.objects.none(), label=_("Who"), widget=forms.RadioSelect, empty_label=None)
    kind = forms.ChoiceField(
        label=_("What is it about?"), widget=forms.RadioSelect, error_messages={"required": _("Choose what it is about.")}
    )
    text = forms.CharField(
        label=_("What happened?"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("A few words are enough. Only the moderators read this, and nobody is told who wrote it."),
    )

    def __init__(self, *args: Any, people: list[User], kinds: tuple[Report.Kind, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        about, kind = self.fields["about"], self.fields["kind"]
        assert isinstance(about, forms.ModelChoiceField)
        assert isinstance(kind, forms.ChoiceField)
        kind.choices = [(one.value, one.label) for one in kinds]
        about.queryset = User.objects.filter(pk__in=[person.pk for person in people])
        setattr(about, "label_from_instance", lambda person: person.display_name)  # noqa: B010 – Django's own way of wording choices
        if len(people) == 1:
            about.widget, about.initial = forms.HiddenInput(), people[0].pk
        if len(kinds) == 2:
            kind.initial = kinds[0].value


class DecisionForm(forms.Form):
    """What a moderator imposes, why, and until when."""

    kind = forms.ChoiceField(label=_("What to do"), choices=Sanction.Kind.choices, widget=forms.RadioSelect)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("The person reads it, as it stands here. Say what was wrong and what to do better."),
    )
    span = forms.ChoiceField(
        label=_("Until when"),
        choices=[
            ("1", _("1 day")),
            ("7", _("7 days")),
            ("30", _("30 days")),
            (FOR_GOOD, _("for good, until a moderator lifts it")),
            (OWN_DATE, _("until the end of this day:")),
        ],
        initial="1",
        widget=forms.RadioSelect,
        help_text=_("A warning has no end: the person confirms it."),
    )
    day = forms.DateField(label=_("Last day"), required=False, widget=forms.DateInput({"type": "date"}))
    all_open = forms.BooleanField(label=_("Settle all open reports about this person"), required=False, initial=True)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("span") == OWN_DATE and not data.get("day"):
            self.add_error("day", _("Choose the last day, or one of the spans."))
        return data

    def ends_at(self, now: datetime) -> datetime | None:
        """The end that was chosen, `None` for no end; the form must be valid."""
        span, day = self.cleaned_data["span"], self.cleaned_data["day"]
        if span in SPANS:
            return now + SPANS[span]
        return end_of_day(day) if span == OWN_DATE else None


def end_of_day(day: date) -> datetime:
    """The end of a day in UTC."""
    return datetime.combine(day + timedelta(days=1), time(), UTC)
