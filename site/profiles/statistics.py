"""How somebody's matches ended, counted: by game, variant, number of seats, pace and strength of the others; and against one other person.

Public matches are counted for everybody. One's own private ones are counted, too, for oneself alone, so that no number tells
anybody else that there are any. Ratings are another matter: the ladder is public, and so are the number of rated matches in it and
the course of a rating, those that nobody watched included.

Everything comes from one query whose rows are groups, however many matches there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection
from django.utils.translation import gettext

from accounts.models import User
from games import registry
from ladder import scale
from matches import words

LOWEST, WIDTH, HIGHEST = 1100, 200, 1900
"""Bands of strength: below the lowest, then each so wide, and from the highest on."""




class Group(NamedTuple):
    """Finished matches that are alike in all that the tables tell apart."""

    game: str
    variant: str
    pace: str
    others: int
    band: int | None
    """0 is the one below `LOWEST`; `None` where nothing is known of the others."""
    matches: int
    won: int
    """First places, shared ones included."""
    ranks: int
    """The sum of the ranks."""


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    name: str
    matches: int
    won: int
    ranks: int

    @property
    def share(self) -> int:
        """Of the matches that were won, in percent."""
        return round(100 * self.won / self.matches)

    @property
    def rank(self) -> float:
        """The mean rank; 1 is best."""
        return self.ranks / self.matches


@dataclass(frozen=True)
class Table:
    title: str
    head: str
    rows: list[Row]


class Duel(NamedTuple):
    """What two people made of the matches of one game in which both had a seat."""

    game: str
    game_name: str
    matches: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        return self.matches - self.ahead - self.behind


def groups(person: User, *, private: bool) -> list[Group]:
    """All finished matches of a person in groups; those that nobody may watch only with `private`. One query."""
    anchors = [(level, scale.shown(strength.mu)) for level, strength in scale.ANCHORS.items()]
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            WITH own AS (
                SELECT game, variant, pace, others, rank, known, knowers, levels
                FROM profiles_played WHERE user_id = %s AND (%s OR NOT private)
            ), bots AS (
                SELECT levels, coalesce(sum(anchor.rating), 0) AS known, count(anchor.rating) AS knowers
                FROM (SELECT DISTINCT levels FROM own) mixed
                LEFT JOIN LATERAL unnest(string_to_array(levels, ' ')) AS one(level) ON true
                LEFT JOIN (VALUES {", ".join(["(%s, %s)"] * len(anchors))}) AS anchor(level, rating) USING (level)
                GROUP BY levels
            )
            SELECT game, variant, pace, others,
                width_bucket((own.known + bots.known)::float / nullif(own.knowers + bots.knowers, 0), %s, %s, %s),
                count(*), count(*) FILTER (WHERE rank = 1), sum(rank)
            FROM own JOIN bots USING (levels) GROUP BY 1, 2, 3, 4, 5
            """,  # noqa: S608 - only placeholders are put in
            [person.pk, private, *(value for anchor in anchors for value in anchor), LOWEST, HIGHEST, (HIGHEST - LOWEST) // WIDTH],
        )
        return [Group(*row) for row in cursor.fetchall()]


def tables(counted: Iterable[Group], game: str = "") -> list[Table]:
    """The tables of these groups: of all games, or of one and then by its variants."""
    kept = [group for group in counted if group.game in game_names() and game in ("", group.game)]
    return [
        Table(gettext("By variant"), gettext("Variant"), _rows(kept, lambda group: group.variant, _variant))
        if game
        else Table(gettext("By game"), gettext("Game"), _rows(kept, lambda group: group.game, lambda group: game_names()[group.game])),
        Table(gettext("By players"), gettext("Players"), _rows(kept, lambda group: group.others, lambda group: str(group.others + 1))),
        Table(gettext("By pace"), gettext("Pace"), _rows(kept, lambda group: list(words.PACES).index(group.pace), _pace)),
        Table(gettext("By strength of the others"), gettext("Mean rating"), _rows(kept, _band_key, _band)),
    ]


def total(counted: Iterable[Group], game: str = "") -> Row | None:
    """All of these groups, or those of one game, in one line; `None` when there is no match among them."""
    rows = _rows([group for group in counted if game in ("", group.game)], lambda group: "", lambda group: "")
    return rows[0] if rows else None


def game_names() -> dict[str, str]:
    """The names of all games by key, in the reader's language."""
    return {game.key: words.say(game.name) for game in registry.all_games()}


def against(person: User, viewer: User) -> list[Duel]:
    """By game how often `viewer` ranked better than `person`, and worse, in finished matches with both. One query."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT own.game, count(*), count(*) FILTER (WHERE own.rank < other.rank), count(*) FILTER (WHERE own.rank > other.rank)
            FROM profiles_played own JOIN profiles_played other USING (match_id)
            WHERE own.user_id = %s AND other.user_id = %s GROUP BY own.game ORDER BY count(*) DESC, own.game
            """,
            [viewer.pk, person.pk],
        )
        names = game_names()
        return [Duel(game, names[game], *counts) for game, *counts in cursor.fetchall() if game in names]


def _rows(counted: list[Group], key: Callable[[Group], Any], name: Callable[[Group], str]) -> list[Row]:
    """The groups with one key added up, in the order of the keys, each named after one of its groups."""
    alike: dict[Any, list[Group]] = {}
    for group in sorted(counted, key=key):
        alike.setdefault(key(group), []).append(group)
    return [
        Row(name(groups[0]), sum(each.matches for each in groups), sum(each.won for each in groups), sum(each.ranks for each in groups))
        for groups in alike.values()
    ]


def _variant(group: Group) -> str:
    variants = {variant.key: variant.name for variant in registry.get(group.game).variants}
    return words.say(variants[group.variant]) if group.variant in variants else group.variant


def _pace(group: Group) -> str:
    return str(words.PACES[group.pace])


def _band_key(group: Group) -> int:
    return -1 if group.band is None else group.band


def _band(group: Group) -> str:
    """The band in words: “below 1100”, “1100 to 1299”, “from 1900”."""
    if group.band is None:
        return gettext("not known")
    if group.band == 0:
        return gettext("below {rating}").format(rating=LOWEST)
    low = LOWEST + WIDTH * (group.band - 1)
    if low >= HIGHEST:
        return gettext("from {rating}").format(rating=low)
    return gettext("{low} to {high}").format(low=low, high=low + WIDTH - 1)
