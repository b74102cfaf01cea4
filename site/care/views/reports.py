"""The forms that tell the moderators about a person, a line of a chat, or a match. Guests may, and nobody is told who did."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Tie, User
from accounts.players import ensure_player, player_of
from care import reporting
from care.forms import LINE_KINDS, MATCH_KINDS, PERSON_KINDS, ReportForm
from care.models import Report
from lobby import forms as lobby_forms
from lobby.errors import NoSuchPlayer
from matches import commands, words
from matches.errors import MatchError, NoSuchMatch, TooMuch
from matches.models import ChatLine, Match

PER_ADDRESS, WITHIN = 30, 3600
"""Reports from one address within so many seconds, since anybody can be a new guest each time."""


@dataclass(frozen=True)
class Target:
    """What a report is about: whom it may name, in what matter, and where one came from."""

    people: list[User]
    kinds: tuple[Report.Kind, ...]
    title: str
    back: str
    match: Match | None = None
    line: ChatLine | None = None
    quote: str = ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Report somebody from the profile."""
    try:
        about = lobby_forms.person_named(name)
    except NoSuchPlayer as reason:
        raise Http404(str(reason)) from None
    title = gettext("Report {name}").format(name=about.display_name)
    return _answer(request, Target([about], PERSON_KINDS, title, reverse("person", args=[about.username])))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Report somebody who plays or played in a match."""
    player = player_of(request.session, request.user)
    found = _match(match_id, player)
    people = [seat.user for seat in found.seats.all() if seat.user and seat.user != player]
    if not people:
        raise Http404("Nobody else plays in this match.")
    title = gettext("Report somebody in match {number}").format(number=found.pk)
    return _answer(request, Target(people, MATCH_KINDS, title, reverse("match", args=[found.pk]), found))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def line(request: HttpRequest, match_id: int, line_id: int) -> HttpResponse:
    """Report a line of the chat of a match."""
    player = player_of(request.session, request.user)
    found = _match(match_id, player)
    said = reporting.line_seen_by(player, found, line_id)
    if said is None or said.user is None or said.user == player:
        raise Http404("There is no such line.")
    return _answer(request, Target([said.user], LINE_KINDS, gettext("Report a message"), reverse("match", args=[found.pk]), found, said))


def written(request: HttpRequest, about: User, match: Match, quote: str, back: str) -> HttpResponse:
    """Report what somebody wrote to a match elsewhere than in its chat, as other pages have found it for the reporter."""
    return _answer(request, Target([about], LINE_KINDS, gettext("Report a comment"), back, match, quote=quote))


@never_cache
@require_safe
def thanks(request: HttpRequest) -> HttpResponse:
    """That a report has arrived, and what one can do besides."""
    told = request.session.get("care_reported") or {"about": 0}
    about = User.objects.filter(pk=told["about"], is_active=True).first()
    player = player_of(request.session, request.user)
    may_block = about is not None and not about.is_guest and about != player
    blocked = may_block and Tie.objects.filter(user=player, other=about, kind=Tie.Kind.BLOCK).exists()
    context = {"about": about, "may_block": may_block and not blocked, "back": told.get("back") or reverse("home")}
    return render(request, "care/thanks.html", context)


def _match(match_id: int, player: User | None) -> Match:
    try:
        return commands.Caller(match_id, player).match()
    except NoSuchMatch as reason:
        raise Http404(str(reason)) from None


def _answer(request: HttpRequest, target: Target) -> HttpResponse:
    """The form, or what follows when it was sent."""
    form = ReportForm(request.POST or None, people=target.people, kinds=target.kinds)
    if request.method == "POST" and form.is_valid():
        try:
            about = form.cleaned_data["about"]
            _report(request, target, about, form)
        except MatchError as reason:
            form.add_error(None, words.say(reason))
        else:
            request.session["care_reported"] = {"about": about.pk, "back": target.back}
            return redirect("report_thanks")
    status = 400 if form.is_bound else 200
    context = {"form": form, "target": target, "quote": reporting.quote_of(target.line) if target.line else target.quote}
    return render(request, "care/report.html", context, status=status)


def _report(request: HttpRequest, target: Target, about: User, form: ReportForm) -> None:
    _count(request)
    reporting.report(
        ensure_player(request),
        about,
        form.cleaned_data["kind"],
        text=form.cleaned_data["text"],
        match=target.match,
        line=target.line,
        quote=target.quote,
        now=timezone.now(),
    )


def _count(request: HttpRequest) -> None:
    """Count a report of this address. Raises `TooMuch`."""
    key = f"care:reports:{get_adapter().get_client_ip(request)}"
    cache.add(key, 0, WITHIN)
    try:
        if cache.incr(key) > PER_ADDRESS:
            raise TooMuch
    except ValueError:  # the hour ended this moment
        return
