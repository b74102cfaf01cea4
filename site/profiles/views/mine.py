"""What people change about themselves, and the list of the people they chose something about."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import mosaic, ties
from accounts.models import Tie, User
from accounts.players import player_of
from profiles.forms import ABOUT, ProfileForm

SHOWN, PAGES = 36, 50
"""Pictures to choose from at a time, and how many times one may ask for others before they begin again."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest) -> HttpResponse:
    """Everything on one's page. `others` counts how often other pictures were asked for; what is typed stays meanwhile."""
    person = request.user
    assert isinstance(person, User)
    asked = request.POST if request.method == "POST" else request.GET
    others = asked.get("others", "")
    page = int(others) % PAGES if others.isascii() and others.isdigit() and len(others) < 4 else 0
    form = ProfileForm(person, request.POST if request.method == "POST" else None)
    if request.method == "POST" and "more" not in request.POST and form.is_valid():
        form.save()
        messages.success(request, gettext("Your page is up to date."))
        return redirect("person", name=person.username)
    if "more" in request.POST:
        page = (page + 1) % PAGES
        form.errors.clear()
    chosen = form["avatar"].value() or ""
    own = mosaic.default(person.pk)
    offered = [code for code in mosaic.choices(person.pk, page, SHOWN) if code not in (chosen, own)]
    context = {
        "form": form,
        "page": page,
        "chosen": chosen if mosaic.is_code(chosen) else "",
        "own_code": own,
        "offered": offered,
        "longest": ABOUT,
    }
    return render(request, "profiles/edit.html", context)


@never_cache
@require_safe
def everybody(request: HttpRequest) -> HttpResponse:
    """One's friends, the people one follows, and those one blocked."""
    player = player_of(request.session, request.user)
    chosen = ties.all_of(player) if player else []
    kinds = (
        (Tie.Kind.FRIEND, gettext("Friends"), gettext("You have no friends here yet. A person’s page has a button for it.")),
        (Tie.Kind.FOLLOW, gettext("Followed"), gettext("You follow nobody else. Whose matches you want to see stands here.")),
        (Tie.Kind.BLOCK, gettext("Blocked"), gettext("You have blocked nobody.")),
    )
    groups = [(title, empty, [tie.other for tie in chosen if tie.kind == kind], kind) for kind, title, empty in kinds]
    layout = "allauth/layouts/manage.html" if request.user.is_authenticated else "allauth/layouts/base.html"
    return render(request, "profiles/people.html", {"groups": groups, "layout": layout})


@require_POST
def forget(request: HttpRequest, person: int) -> HttpResponse:
    """Take a choice about somebody back; by number, since people without a page can stand in the list, too."""
    player = player_of(request.session, request.user)
    if player is not None:
        ties.forget(player, person)
        messages.success(request, gettext("That is taken back."))
    return redirect("people")
