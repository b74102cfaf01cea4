"""The page of somebody's vacation from matches over days, and of the time zone in which nights and weekends are counted."""

from __future__ import annotations

from datetime import datetime, time, timedelta, tzinfo
from typing import Any
from zoneinfo import available_timezones

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import formats, timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.players import player_of
from accounts.zones import CHOSEN, NAMED, zone_called, zone_of
from matches import vacations, words
from matches.errors import MatchError
from notices.people import keep


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def vacation(request: HttpRequest) -> HttpResponse:
    """What vacation somebody has, and going on one (POST `until`, the last day of it)."""
    person = player_of(request.session, request.user)
    now = timezone.now()
    if request.method == "POST":
        if person is None:
            raise BadRequest("nobody's vacation")
        until = _end_of(request.POST.get("until", ""), zone_of(person))
        if until is None:
            messages.error(request, gettext("Choose the last day of your vacation."))
        else:
            try:
                vacations.take(person, until, now=now)
            except MatchError as reason:
                messages.error(request, words.say(reason))
            else:
                messages.success(request, gettext("Have a good time! Your clocks stand still."))
        return redirect("vacation")
    return render(request, "pages/vacation.html", _page(person, now))


@require_POST
def come_back(request: HttpRequest) -> HttpResponse:
    """End the vacation that is on."""
    person = player_of(request.session, request.user)
    if person is not None and vacations.come_back(person, now=timezone.now()):
        messages.success(request, gettext("Welcome back! Your clocks run again, and the days you did not use are yours."))
    return redirect("vacation")


@require_POST
def zone(request: HttpRequest) -> HttpResponse:
    """Choose a time zone (POST `zone`, an IANA name), or go by the browser's again (an empty one)."""
    person = player_of(request.session, request.user)
    name = request.POST.get("zone", "")
    if person is None or (name and zone_called(name) is None):
        messages.error(request, gettext("There is no such time zone."))
    else:
        keep(person, **{CHOSEN: name})
        messages.success(request, gettext("Kept. It counts from your next turn on."))
    return redirect("vacation")


def _page(person: User | None, now: datetime) -> dict[str, Any]:
    own_zone = zone_of(person)
    held = vacations.balance(person, now) if person else timedelta()
    on = vacations.current(person, now) if person else None
    today = now.astimezone(own_zone).date()
    latest = (now + held).astimezone(own_zone).date() - timedelta(days=1)
    return {
        "person": person,
        "layout": f"allauth/layouts/{'manage' if person and not person.is_guest else 'base'}.html",
        "held": formats.number_format(held / timedelta(days=1), 1),
        "days": held // timedelta(days=1),
        "away_until": on and formats.date_format(on.ends.astimezone(own_zone), "l j F, H:i"),
        "earliest": today.isoformat(),
        "latest": latest.isoformat() if latest >= today else None,
        "at_first": vacations.AT_FIRST.days,
        "days_for_one": vacations.DAYS_FOR_ONE,
        "most": vacations.MOST_HELD.days,
        "zone": str(own_zone),
        "chosen": person.preferences.get(CHOSEN, "") if person else "",
        "named": person.preferences.get(NAMED, "") if person else "",
        "time": formats.date_format(now.astimezone(own_zone), "H:i"),
        "zones": ["UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))],
    }


def _end_of(text: str, own_zone: tzinfo) -> datetime | None:
    """The midnight with which the day of that ISO date ends; `None` for what is no day."""
    try:
        day = parse_date(text)
        return None if day is None else datetime.combine(day + timedelta(days=1), time(), own_zone)
    except (ValueError, OverflowError):  # well formed, but not in the calendar
        return None
