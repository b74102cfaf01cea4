"""The filters of the list of tables: what they are, how they are kept, and what they let through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from accounts.models import User
from accounts.players import SessionLike
from games import registry
from lobby import standing
from lobby.models import SeekQuerySet
from lobby.standing import Ratings
from matches.clock import Pace

KEY = "lobby"
"""Under which they are kept in a person's preferences, or in the session of somebody new."""
MOST_SEATS = 5


@dataclass(frozen=True, slots=True)
class Filters:
    """What somebody wants to see; empty values let everything through."""

    game: str = ""
    pace: str = ""
    rated: str = ""
    """`rated`, `casual`, or empty."""
    seats: int = 0
    language: str = ""
    fits: bool = False
    """Only tables whose range of ratings one is in."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Filters:
        """From a form or from what was kept; whatever does not exist (any more) is as if not chosen."""
        seats = str(data.get("seats", ""))
        return cls(
            game=_known(data.get("game"), [game.key for game in registry.all_games()]),
            pace=_known(data.get("pace"), Pace.values),
            rated=_known(data.get("rated"), ["rated", "casual"]),
            seats=int(seats) if seats in {str(number) for number in range(2, MOST_SEATS + 1)} else 0,
            language=_known(data.get("language"), dict(settings.LANGUAGES)),
            fits=bool(data.get("fits")),
        )

    @property
    def chosen(self) -> bool:
        """Whether anything is filtered at all."""
        return self != Filters()

    def narrow(self, seeks: SeekQuerySet) -> SeekQuerySet:
        """Those that are let through, but for `fits`."""
        if self.game:
            seeks = seeks.filter(game=self.game)
        if self.pace:
            seeks = seeks.filter(pace=self.pace)
        if self.rated:
            seeks = seeks.filter(rated=self.rated == "rated")
        if self.language:
            seeks = seeks.filter(language__in=["", self.language])
        if self.seats:
            seeks = seeks.annotate(seats=Count("places")).filter(seats=self.seats)
        return seeks

    def narrow_by_rating(self, seeks: SeekQuerySet, player: User | None, ratings: Ratings) -> SeekQuerySet:
        """Those whose range of ratings `player` is in, where that is asked for."""
        if not self.fits:
            return seeks
        within = Q(rating_low=None, rating_high=None)
        for game in registry.all_games():
            for pace in (Pace.LIVE, Pace.CORRESPONDENCE):
                own = standing.own(ratings, player, game.key, pace)
                low, high = Q(rating_low=None) | Q(rating_low__lte=own), Q(rating_high=None) | Q(rating_high__gte=own)
                within |= Q(game=game.key, pace=pace) & low & high
        return seeks.filter(within)


def kept(player: User | None, session: SessionLike) -> Filters:
    """What was chosen last."""
    data = (player.preferences.get(KEY) if player else None) or session.get(KEY) or {}
    return Filters.read(data if isinstance(data, Mapping) else {})


def keep(filters: Filters, player: User | None, session: Any) -> None:
    """Remember the choice: with the person, or for the length of the session."""
    data = asdict(filters)
    if player is None:
        session[KEY] = data
    elif player.preferences.get(KEY) != data:
        player.preferences[KEY] = data
        player.save(update_fields=["preferences"])


def _known(value: Any, values: Any) -> str:
    return value if isinstance(value, str) and value in values else ""
