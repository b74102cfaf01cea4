"""What a rated match would change for whoever looks at the lobby: known before one sits down, asks somebody, or looks for a match.

Where it is open who will play, somebody like the viewer is supposed, which `about` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from accounts.models import User
from games import registry
from games.kit.protocol import Game
from ladder import scale, services, words
from ladder.scale import Strength
from ladder.services import Entrant, Strengths, forecast, strength_of
from lobby.models import Place, Seek
from matches.clock import Pace
from matches.stakes import texts_of

Payload = dict[str, Any]
PACES = (Pace.LIVE, Pace.CORRESPONDENCE)
SURE = scale.SETTLED / scale.POINTS
"""The deviation of somebody of whom nothing is known but that he suits."""


def strengths(seeks: Iterable[Seek], player: User | None, now: datetime) -> Strengths:
    """The strengths of all who sit or are asked at those of the tables that are rated. One query, and none where nothing is rated."""
    rated = [seek for seek in seeks if seek.rated]
    if not rated or not _counts(player):
        return {}
    people = {person for seek in rated for place in seek.places.all() for person in (place.user_id, place.invited_id)}
    return services.strengths_of(people | {player.pk if player else None}, now)


def of_table(seek: Seek, player: User | None, known: Strengths) -> Payload | None:
    """What the match of an open table would change for `player`, who sits there or could; `None` for others and casual tables."""
    if not seek.rated or not seek.is_open or player is None or not _counts(player):
        return None
    places = list(seek.places.all())
    own = _own(places, player)
    if own is None:
        return None
    mine = strength_of(Entrant(player.pk), seek.game, seek.pace, known)
    others = [_other(place, seek, known) for place in places if place is not own]
    rivals = [other or like(mine) for other in others]
    return texts_of(forecast(mine, rivals)) | {"about": None in others}


def of_quick_matches(player: User | None, now: datetime) -> dict[tuple[str, str], Payload]:
    """Per game and pace what a quick match of two against somebody like `player` would change; nothing for guests. One query."""
    if player is None or not _counts(player):
        return {}
    known = services.strengths_of([player.pk], now)
    pools = [(game.key, str(pace)) for game in registry.all_games() for pace in PACES]
    own = {pool: strength_of(Entrant(player.pk), *pool, known) for pool in pools}
    return {pool: texts_of(forecast(mine, [like(mine)])) | {"about": True} for pool, mine in own.items()}


def of_duels(player: User | None, other: User, now: datetime) -> list[Payload]:
    """Per game and pace what a match of two against `other` would change: `{"name", "stakes": [per pace]}`. One query."""
    if player is None or not _counts(player) or player.pk == other.pk:
        return []
    known = services.strengths_of([player.pk, other.pk], now)

    def stakes(game: str, pace: str) -> Payload:
        mine, theirs = (strength_of(Entrant(person.pk), game, pace, known) for person in (player, other))
        return texts_of(forecast(mine, [theirs]))

    return [{"name": name, "stakes": [stakes(game, pace) for pace in PACES]} for game, name in words.games().items() if _two(game)]


def of_bots(player: User | None, game: Game, known: Strengths) -> list[Payload]:
    """Per level what a match of two against such a bot would change: `{"name", "rating", "stakes": [per pace]}`."""
    if player is None or not _counts(player):
        return []
    rows = []
    for level in game.levels:
        bot = scale.anchor(level.key)
        own = [strength_of(Entrant(player.pk), game.key, pace, known) for pace in PACES]
        stakes = [texts_of(forecast(mine, [bot])) for mine in own]
        rows.append({"name": level.name, "rating": scale.shown(bot.mu), "stakes": stakes})
    return rows


def like(own: Strength) -> Strength:
    """Somebody of the same strength, and settled."""
    return Strength(own.mu, SURE)


def _counts(player: User | None) -> bool:
    return player is not None and not player.is_guest


def _own(places: Sequence[Place], player: User) -> Place | None:
    """The place that is the player's or would be."""
    fitting = [place for place in places if player.pk in (place.user_id, place.invited_id)]
    return next(iter(fitting or [place for place in places if place.free and place.invited_id is None]), None)


def _other(place: Place, seek: Seek, known: Strengths) -> Strength | None:
    entrant = Entrant(place.user_id or place.invited_id, "" if place.user_id or place.invited_id else place.level)
    return None if entrant == Entrant() else strength_of(entrant, seek.game, seek.pace, known)


def _two(game: str) -> bool:
    return any(variant.seats == 2 for variant in registry.get(game).variants)
