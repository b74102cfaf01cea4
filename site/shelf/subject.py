"""What can stand on the shelf: a match of this site or a record from elsewhere, as somebody who has its address may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.urls import reverse

from accounts.models import User
from games import registry
from games.kit.protocol import Game, Variant
from matches.errors import NoSuchMatch
from matches.models import Match
from shelf.models import Favourite

MATCH, IMPORTED = "match", "imported"
MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Subject:
    """One of the two, never both."""

    match: Match | None = None
    """Loaded with its seats."""
    imported: Any = None

    @property
    def kind(self) -> str:
        """`match` or `imported`, as addresses call it."""
        return MATCH if self.match is not None else IMPORTED

    @property
    def key(self) -> str:
        """What it is called in addresses: the number of a match, the token of a record."""
        return str(self.match.pk) if self.match is not None else str(self.imported.token)

    @property
    def fields(self) -> dict[str, Any]:
        """The columns by which a row refers to it."""
        return {"match": self.match, "imported": self.imported}

    @property
    def rules(self) -> tuple[Game, Variant]:
        """The game and the variant."""
        thing = self.match or self.imported
        game = registry.get(thing.game)
        return game, game.variant(thing.variant)

    @property
    def plies(self) -> int:
        """How many plies it has."""
        return int(self.match.ply if self.match is not None else self.imported.plies)

    @property
    def over(self) -> bool:
        """Whether it is over, so that comments are no help to anybody."""
        return self.match is None or not self.match.running

    @property
    def public(self) -> bool:
        """Whether what is written to it may be for everybody: at a match that was finished and that everybody may see."""
        return self.match is not None and self.match.status == Match.Status.FINISHED and not self.match.private

    @property
    def url(self) -> str:
        """Where it is stepped through."""
        return reverse("replay", args=[self.match.pk]) if self.match is not None else reverse("imported", args=[self.key])

    def act_url(self, act: str) -> str:
        """Where something is done about it."""
        return reverse("shelf_act", args=[self.kind, self.key, act])


def find(kind: str, key: str, player: User | None) -> Subject:
    """The match of that number or the record with that token. Raises `NoSuchMatch`, also for what `player` may not know of."""
    if kind == IMPORTED:
        imported = imported_model()._default_manager.filter(token=key).first()
        if imported is None:
            raise NoSuchMatch
        return Subject(imported=imported)
    number = int(key) if kind == MATCH and key.isascii() and key.isdigit() and len(key) <= MOST_DIGITS else 0
    match = Match.objects.with_seats().filter(pk=number).first()
    if match is None or not match.visible_to(player):
        raise NoSuchMatch
    return Subject(match=match)


def subject_of(row: Any) -> Subject:
    """What a row of the shelf refers to."""
    return Subject(match=row.match, imported=row.imported)


def imported_model() -> type[Model]:
    """The table of imported records, which belongs to an app that this one does not know."""
    model = Favourite._meta.get_field("imported").related_model
    assert isinstance(model, type)
    return model
