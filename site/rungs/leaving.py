"""Going off a ladder: everybody below moves up, and whoever had challenged the one who goes has won."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Least

from accounts.models import User
from rungs import ladder, news, services, settling
from rungs.errors import NotOnLadder
from rungs.models import Challenge, Rung

State, Why = Challenge.State, Challenge.Why


def leave(user: User, game: str, *, now: datetime) -> None:
    """Give up the rung. Raises `NotOnLadder`."""
    with transaction.atomic():
        ladder.lock(game)
        own = ladder.rung_of(user, game)
        if own is None:
            raise NotOnLadder
        remove(own, now)


def leave_all(user: User, now: datetime) -> int:
    """Take somebody off all ladders, such as before the account is deleted; from how many.

    To be called before anything else locks the person's row. Where it is forgotten, the next sweep closes the gaps.
    """
    games = list(Rung.objects.filter(user=user).order_by("game").values_list("game", flat=True))
    for game in games:
        with transaction.atomic():
            ladder.lock(game)
            if (own := ladder.rung_of(user, game)) is not None:
                remove(own, now)
    return len(games)


def remove(own: Rung, now: datetime) -> None:
    """The same for one rung of a ladder that is locked."""
    user, game = own.user, own.game
    both = Q(challenger=user) | Q(challenged=user)
    unsettled = Challenge.objects.filter(both, game=game, state__in=Challenge.UNSETTLED).order_by("pk")
    for challenge_id in list(unsettled.values_list("pk", flat=True)):
        if settling.ended(challenge_id, now):  # a result that was only not entered yet
            continue
        found = services.locked(challenge_id)
        if found.challenged_id == user.pk and found.challenger_id is not None:
            services.forfeit(found, Why.LEFT, now)
        else:
            ladder.settle(found, State.VOID, now, why=Why.LEFT)
            news.void(found, now, besides=user)
    own.refresh_from_db(fields=["position"])
    own.delete()
    below = Rung.objects.filter(game=game, position__gt=own.position)
    below.update(position=F("position") - 1, best=Least("best", F("position") - 1))
