"""What somebody gets to see of the lobby: built up for that viewer, in the viewer's language.

The token of a table that is not for everybody goes to nobody but those who sit there or are invited, or who came by it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext

from accounts import mosaic, presence
from accounts.models import User
from accounts.ties import blocked_with
from ladder import scale
from lobby import pairing, standing, worth
from lobby.checks import HIGHEST_RATING, here
from lobby.filters import Filters
from lobby.models import Place, Seek
from lobby.standing import Ratings
from matches import words
from matches.clock import Pace
from matches.models import Match, Move
from matches.payloads import Payload, cards
from matches.services import free_seats

LISTED, WATCHED, LATE, NAMED = 100, 12, 6, 80
"""How many tables, matches to watch, matches to join late, and names of people are shown."""
JUST = timedelta(minutes=2)
"""How long after it began a match is still pointed to."""
GLAZES = ("blue", "yellow", "red", "green", "purple")
"""The tiles that stand for seats that have no colour of their own."""


def lobby(player: User | None, filters: Filters, now: datetime) -> Payload:
    """The whole lobby for one viewer, in a number of queries that does not grow with it."""
    blocked = blocked_with(player)
    own_ratings = standing.all_of([player.pk] if player else [], now)
    listed = filters.narrow_by_rating(filters.narrow(Seek.objects.listed(now)), player, own_ratings).with_places()
    own = _own(player, now)
    others = [seek for seek in listed.order_by("-created_at", "-pk")[:LISTED] if not _sits(seek, player) and not _shunned(seek, blocked)]
    shown = [seek for seek in own if not _shunned(seek, blocked)] + others
    ratings = standing.all_of({place.user_id for seek in shown for place in seek.places.all() if place.user_id}, now) | own_ratings
    known = worth.strengths(shown, player, now)
    tables = {seek.pk: table(seek, player, ratings, now) | {"stakes": worth.of_table(seek, player, known)} for seek in shown}
    return {
        "seeks": [tables[seek.pk] for seek in others],
        "mine": _mine([seek for seek in shown if seek.pk not in {other.pk for other in others}], tables, player, now),
        "watch": watch(player, now),
        "late": late(player, now),
        "online": _online(player, blocked, now),
    }


def table(seek: Seek, player: User | None, ratings: Ratings, now: datetime, *, by_token: bool = False) -> Payload:
    """One table as `player` may see it; load it `with_places`. `by_token` for who came by its link."""
    places = list(seek.places.all())
    sits, invited = _sits(seek, player), _invited(seek, player)
    known = by_token or sits or invited or seek.kind in Seek.PUBLIC
    rules = words.in_words(seek.rules)
    variant = words.variant_in_words(seek.rules_variant)
    names = {option.key: option.name for option in rules.options}
    why_not = "" if sits or not seek.is_open else _why_not(seek, places, player, ratings, now)
    return {
        "id": seek.pk,
        "token": seek.token if known else None,
        "url": reverse("table", args=[seek.token]) if known else None,
        "version": seek.version,
        "kind": seek.kind,
        "status": seek.status,
        "game": seek.game,
        "game_name": rules.name,
        "variant": seek.variant,
        "variant_name": variant.name,
        "options": [names[key] for key in seek.options if key in names],
        "control": seek.time_control,
        "control_name": seek.control.describe(),
        "pace": seek.pace,
        "rated": seek.rated,
        "private": seek.private,
        "range": _range(seek),
        "language": dict(settings.LANGUAGES).get(seek.language, ""),
        "message": seek.message,
        "chosen": seek.seating == Seek.Seating.CHOSEN,
        "host": _person(seek.host, player),
        "places": [_place(seek, place, variant.colours[place.number], player, ratings) for place in places],
        "seats": len(places),
        "taken": sum(not place.free for place in places),
        "levels": [{"key": level.key, "name": level.name} for level in rules.levels],
        "sits": sits,
        "hosts": player is not None and seek.host_id == player.pk,
        "invited": invited and not sits,
        "may_join": seek.is_open and not sits and not why_not,
        "why_not": why_not,
        "match_url": _match_url(seek, player, sits),
    }


def table_page(seek: Seek, player: User | None, now: datetime) -> Payload:
    """One table for somebody who came by its link."""
    people = {place.user_id for place in seek.places.all() if place.user_id} | ({player.pk} if player else set())
    return table(seek, player, standing.all_of(people, now), now, by_token=True)


def stakes(seek: Seek, player: User | None, now: datetime) -> Payload | None:
    """What the rated match of a table would change for `player`, who sits there or could sit down. One query."""
    return worth.of_table(seek, player, worth.strengths([seek], player, now))


def watch(player: User | None, now: datetime) -> list[Payload]:
    """Running matches that anybody may watch, the best rated first."""
    running = Match.objects.with_seats().alive(now)
    if player is not None:
        running = running.without(player)
    return cards(running.order_by(F("rating").desc(nulls_last=True), "-moved_at")[:WATCHED], player)


def late(player: User | None, now: datetime) -> list[Payload]:
    """Running matches in which a bot's seat can still be taken over, with the numbers of these seats."""
    running = Match.objects.with_seats().public().filter(status=Match.Status.RUNNING, open_seats=True, rated=False)
    running = running.filter(created_at__gt=now - timedelta(days=1))
    if player is not None:
        running = running.without(player)
    matches = list(running.order_by("-created_at")[: 2 * LATE])
    moved: defaultdict[int, Counter[int | None]] = defaultdict(Counter)
    for match_id, seat in Move.objects.filter(match__in=matches, seat__isnull=False).values_list("match", "seat"):
        moved[match_id][seat] += 1
    shown = []
    for match, card in zip(matches, cards(matches, player), strict=True):
        free = free_seats(match, list(match.seats.all()), moved[match.pk])
        if free:
            take_url = reverse("lobby_take", args=[match.pk, free[0]])
            shown.append({**card, "control_name": match.control.describe(), "free": free, "take_url": take_url})
    return shown[:LATE]


def started(player: User | None, now: datetime) -> list[str]:
    """The addresses of the matches of `player` that began at a table just now."""
    if player is None:
        return []
    just = Seek.objects.concerning(player).filter(status=Seek.Status.STARTED, closed_at__gt=now - JUST, match__isnull=False)
    return [reverse("match", args=[match]) for match in just.order_by("closed_at").values_list("match", flat=True)]


def _own(player: User | None, now: datetime) -> list[Seek]:
    if player is None:
        return []
    just = Q(status=Seek.Status.STARTED, closed_at__gt=now - JUST, match__status=Match.Status.RUNNING)
    still_open = Q(status=Seek.Status.OPEN, expires_at__gt=now)
    return list(Seek.objects.concerning(player).filter(just | still_open).with_places().order_by("created_at", "pk"))


def _mine(seeks: Sequence[Seek], tables: dict[int, Payload], player: User | None, now: datetime) -> Payload:
    """The viewer's own: the quick match that is being looked for, tables, challenges to and from, matches that just began."""
    mine: dict[str, Any] = {"quick": None, "tables": [], "to_me": [], "from_me": [], "started": []}
    for seek in seeks:
        row = tables[seek.pk]
        if seek.status == Seek.Status.STARTED:
            if row["sits"] and row["match_url"]:
                mine["started"].append(row)
        elif row["invited"]:
            mine["to_me"].append(row)
        elif seek.kind == Seek.Kind.CHALLENGE and row["hosts"]:
            mine["from_me"].append(row)
        elif seek.kind == Seek.Kind.QUICK and row["hosts"]:
            waited = now - seek.created_at
            reach = pairing.window(waited, seek.pace)
            mine["quick"] = row | {"since": seek.created_at.isoformat(), "waited": int(waited.total_seconds()), "reach": reach}
        else:
            mine["tables"].append(row)
    return mine


def _online(player: User | None, blocked: frozenset[int], now: datetime) -> Payload:
    everybody = presence.online(now)
    people = everybody.filter(is_guest=False).exclude(pk__in=blocked).order_by("username")[:NAMED]
    return {
        "people": [_person(user, player) for user in people],
        "guests": everybody.filter(is_guest=True).count(),
        "count": everybody.count(),
    }


def _person(user: User, viewer: User | None) -> Payload:
    return {
        "name": user.display_name,
        "avatar": mosaic.of(user.avatar, user.pk),
        "you": viewer is not None and viewer.pk == user.pk,
        "url": None if user.is_guest else reverse("person", args=[user.username]),
    }


def _place(seek: Seek, place: Place, colours: Iterable[str], player: User | None, ratings: Ratings) -> Payload:
    tiles = list(colours) if seek.seating == Seek.Seating.CHOSEN else []
    shown: Payload = {"number": place.number, "label": place.number + 1, "colours": tiles, "glaze": GLAZES[place.number % len(GLAZES)]}
    if place.user is not None:
        rating = None if seek.pace == Pace.NONE else ratings.get((place.user.pk, seek.game, seek.pace))
        return shown | {"kind": "person", "rating": scale.written(*rating) if rating else None} | _person(place.user, player)
    if place.level:
        level = next((level.name for level in seek.rules.levels if level.key == place.level), place.level)
        return shown | {"kind": "bot", "name": gettext("{level} bot").format(level=words.say(level)), "you": False}
    if place.invited is not None:
        return shown | {"kind": "kept"} | _person(place.invited, player)
    return shown | {"kind": "free", "name": gettext("Free"), "you": False}


def _why_not(seek: Seek, places: Sequence[Place], player: User | None, ratings: Ratings, now: datetime) -> str:
    """Why the viewer cannot sit down there, as far as it can be said beforehand; empty when nothing is known against it."""
    if not any(place.free and place.invited_id in (None, player.pk if player else None) for place in places):
        return gettext("Full")
    if seek.rated and (player is None or player.is_guest):
        return gettext("Needs an account")
    if seek.pace == Pace.LIVE and seek.kind in Seek.PUBLIC and not here(seek.host, now):
        return gettext("The host has gone")
    own = standing.own(ratings, player, seek.game, seek.pace)
    low, high = seek.rating_low or 0, HIGHEST_RATING if seek.rating_high is None else seek.rating_high
    return "" if low <= own <= high else gettext("Outside your rating")


def _range(seek: Seek) -> str:
    low, high = seek.rating_low, seek.rating_high
    if low is not None and high is not None:
        return gettext("{low} to {high}").format(low=low, high=high)
    if low is not None:
        return gettext("from {low}").format(low=low)
    return "" if high is None else gettext("up to {high}").format(high=high)


def _match_url(seek: Seek, player: User | None, sits: bool) -> str | None:
    """Where the match is, for those who may look at it."""
    if seek.match_id is None or (seek.private and not sits):
        return None
    return reverse("match", args=[seek.match_id])


def _sits(seek: Seek, player: User | None) -> bool:
    return player is not None and any(place.user_id == player.pk for place in seek.places.all())


def _invited(seek: Seek, player: User | None) -> bool:
    return player is not None and any(place.invited_id == player.pk for place in seek.places.all())


def _shunned(seek: Seek, blocked: frozenset[int]) -> bool:
    return any(place.user_id in blocked for place in seek.places.all())
