"""What one can do about a person: follow, make a friend, block, and note something; each a plain form."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts import ties
from accounts.models import Tie
from accounts.players import ensure_player
from games.kit.protocol import N_
from lobby.errors import BadWish, ToYourself
from lobby.views.answers import answer
from profiles import people
from profiles.forms import NOTE, NoteForm
from profiles.views.person import gone

CHANGES = ("follow", "friend", "block", "forget")


@require_POST
def tie(request: HttpRequest, name: str) -> HttpResponse:
    """Follow somebody, make a friend, block, or take that back."""
    try:
        other = people.found(name, timezone.now())
    except people.Gone as reason:
        return gone(request, reason)
    change = request.POST.get("change", "")
    done = {
        "follow": gettext("You follow {name} now: running matches stand on the page “Watch”."),
        "friend": gettext("{name} is your friend now."),
        "block": gettext("You and {name} no longer meet: neither in the lobby nor in a match."),
        "forget": gettext("That is taken back."),
    }

    def act() -> str | None:
        if change not in CHANGES:
            raise BadWish(N_("One can follow somebody, make a friend, block somebody, or take that back."))
        player = ensure_player(request)
        if player.pk == other.pk:
            raise ToYourself(N_("That is you."))
        if change == "forget":
            ties.untie(player, other)
        else:
            ties.tie(player, other, Tie.Kind(change), now=timezone.now())
        return None

    return answer(request, act, reverse("person", args=[other.username]), done.get(change, "").format(name=other.username))


@require_POST
def note(request: HttpRequest, name: str) -> HttpResponse:
    """Keep a note about somebody, which nobody else ever sees; an empty one is thrown away."""
    try:
        other = people.found(name, timezone.now())
    except people.Gone as reason:
        return gone(request, reason)
    form = NoteForm(request.POST)

    def act() -> str | None:
        if not form.is_valid():
            raise BadWish(N_("A note has at most {most} characters."), most=NOTE)
        player = ensure_player(request)
        if player.pk == other.pk:
            raise ToYourself(N_("That is you."))
        people.write_note(player, other, form.cleaned_data["text"], timezone.now())
        return None

    kept = bool(form.is_valid() and form.cleaned_data["text"])
    return answer(
        request, act, reverse("person", args=[other.username]) + "#note", gettext("Noted.") if kept else gettext("The note is gone.")
    )
