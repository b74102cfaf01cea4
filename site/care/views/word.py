"""What people read of the moderators: a warning to confirm, why somebody is shut out, and how all that goes."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.players import player_of, shut_out_guest
from care import services


@never_cache
@require_safe
def warning(request: HttpRequest) -> HttpResponse:
    """The oldest warning that waits to be confirmed; on to where one wanted to go where there is none."""
    player, onward = player_of(request.session, request.user), _onward(request)
    told = sanctions.unread_warning(player, timezone.now()) if player else None
    if told is None:
        return redirect(onward)
    return render(request, "care/warning.html", {"warning": told, "onward": onward, "address": settings.MODERATORS_EMAIL})


@require_POST
def confirm(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Confirm having read a warning."""
    player = player_of(request.session, request.user)
    if player is not None:
        services.confirm(player, sanction_id, now=timezone.now())
    return redirect(_onward(request))


@never_cache
@require_safe
def shut_out(request: HttpRequest) -> HttpResponse:
    """Why the guest of this browser is shut out, and until when; home for everybody else."""
    guest = shut_out_guest(request.session)
    return redirect("home") if guest is None else shut_out_page(request, guest)


def shut_out_page(request: HttpRequest, user: User) -> HttpResponse:
    """What somebody who is shut out reads, when it tries to sign in or to play."""
    held = sanctions.of_kind(user, Sanction.Kind.SUSPENSION, timezone.now())
    context = {"sanction": held, "end": sanctions.end_of(held) if held else "", "address": settings.MODERATORS_EMAIL}
    return render(request, "care/shut_out.html", context, status=403)


@require_safe
def moderation(request: HttpRequest) -> HttpResponse:
    """How moderators work, what they can do, and how to appeal; who is signed in reads what holds for oneself."""
    player = player_of(request.session, request.user)
    now = timezone.now()
    held = [(one, sanctions.end_of(one, player)) for one in sanctions.in_force(player, now)] if player else []
    return render(request, "care/moderation.html", {"held": held, "address": settings.MODERATORS_EMAIL})


def _onward(request: HttpRequest) -> str:
    """Where to go on: `next`, if it is a page of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    allowed = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None) and wanted.startswith("/")
    return wanted if allowed else reverse("home")
