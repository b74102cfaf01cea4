"""What one can look for in the archive: read from an address, checked, and written back into one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date

from django.utils.http import urlencode
from django.utils.translation import gettext

from accounts import names_had
from accounts.models import User
from archive.first_moves import LONGEST
from archive.models import FiledSeat
from games import registry
from matches.clock import Pace
from matches.models import Match

NEWEST, LONGEST_FIRST, HIGHEST = "newest", "longest", "highest"
SORTS = (NEWEST, LONGEST_FIRST, HIGHEST)
BANDS: dict[str, tuple[int, int | None]] = {"0": (0, 1200), "1200": (1200, 1500), "1500": (1500, 1800), "1800": (1800, None)}
"""From which mean rating of the table to below which; the same as in the statistics."""
MOST_PLIES = 100_000
MOST_WITH = 4
"""How many opponents one may name."""


class BadSearch(ValueError):
    """Something that cannot be looked for; the text is a sentence for people, `field` says where it belongs."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class Filters:
    """A search as people put it; empty values let everything through."""

    game: str = ""
    variant: str = ""
    mine: str = ""
    """`1`: only matches of the one who looks, instead of those of `player`."""
    player: str = ""
    opponents: str = ""
    """Names with commas between: who else sat there."""
    result: str = ""
    """What the named player got out of it, as `FiledSeat.Result`."""
    left: str = ""
    """How the named player left before the end."""
    level: str = ""
    """A bot of this level sat there."""
    pace: str = ""
    rated: str = ""
    """`rated`, `casual`, or empty."""
    ended: str = ""
    """How the match ended, as `Match.Termination`."""
    band: str = ""
    since: str = ""
    until: str = ""
    """Days, as `2026-03-31`; both belong to the time looked for, in UTC."""
    least: str = ""
    most: str = ""
    """How many plies."""
    first: str = ""
    """The number of a kind of first move."""
    line: str = ""
    """The first moves of a match of one variant, each with a bar behind it."""
    favourite: str = ""
    """`1`: only favourites of the one who looks."""
    tag: str = ""
    collection: str = ""
    sort: str = NEWEST

    @classmethod
    def read(cls, data: Mapping[str, str]) -> Filters:
        """From an address. What can only come of a mistake in the address is as if not asked for; see `check` for the rest."""
        game = _known(data.get("game"), {game.key for game in registry.all_games()})
        variants = {variant.key for variant in registry.get(game).variants} if game else set()
        levels = {level.key for game_ in registry.all_games() for level in game_.levels}
        variant = _known(data.get("variant"), variants)
        named = bool(data.get("mine") == "1" or _text(data, "player"))
        return cls(
            game=game,
            variant=variant,
            mine=_known(data.get("mine"), {"1"}),
            player="" if data.get("mine") == "1" else _text(data, "player"),
            opponents=_text(data, "opponents", 200),
            result=_known(data.get("result"), set(FiledSeat.Result.values)) if named else "",
            left=_known(data.get("left"), set(Match.Termination.values) - {Match.Termination.COMPLETE}) if named else "",
            level=_known(data.get("level"), levels),
            pace=_known(data.get("pace"), set(Pace.values)),
            rated=_known(data.get("rated"), {"rated", "casual"}),
            ended=_known(data.get("ended"), set(Match.Termination.values)),
            band=_known(data.get("band"), set(BANDS)),
            since=_text(data, "since"),
            until=_text(data, "until"),
            least=_text(data, "least"),
            most=_text(data, "most"),
            first=_number(data.get("first")) if game else "",
            line=_text(data, "line", LONGEST) if variant else "",
            favourite=_known(data.get("favourite"), {"1"}),
            tag=_text(data, "tag"),
            collection=_text(data, "collection"),
            sort=_known(data.get("sort"), set(SORTS)) or NEWEST,
        )

    @property
    def chosen(self) -> bool:
        """Whether anything is looked for but a game and an order."""
        return replace(self, game="", sort=NEWEST) != Filters()

    @property
    def named(self) -> bool:
        """Whether it is about the matches of somebody."""
        return bool(self.mine or self.player)

    @property
    def query(self) -> str:
        """As the end of an address, without a question mark; nothing where everything is let through."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return urlencode({name: value for name, value in given.items() if value and (name, value) != ("sort", NEWEST)})


@dataclass(frozen=True, slots=True)
class Wanted:
    """The same once it is checked: days as days, people as people."""

    filters: Filters
    viewer: User | None
    person: User | None
    """Whose matches."""
    others: tuple[User, ...]
    since: date | None
    until: date | None
    least: int | None
    most: int | None


def check(filters: Filters, viewer: User | None) -> Wanted:
    """What the search means for somebody. Raises `BadSearch` with a sentence that says what to put otherwise."""
    if (filters.mine or filters.favourite or filters.tag) and viewer is None:
        raise BadSearch("mine", gettext("Sign in to find your own matches, favourites and tags."))
    since, until = _day("since", filters.since), _day("until", filters.until)
    if since and until and since > until:
        raise BadSearch("until", gettext("The last day lies before the first one."))
    least, most = _plies("least", filters.least), _plies("most", filters.most)
    if least is not None and most is not None and least > most:
        raise BadSearch("most", gettext("The greatest length is less than the least one."))
    person = viewer if filters.mine else _person("player", filters.player) if filters.player else None
    names = [name for name in (name.strip() for name in filters.opponents.split(",")) if name]
    if len(names) > MOST_WITH:
        raise BadSearch("opponents", gettext("Name at most {n} opponents.").format(n=MOST_WITH))
    others = tuple({user.pk: user for user in (_person("opponents", name) for name in names)}.values())
    if person is None and others:  # matches of the first with the others
        person, others = others[0], others[1:]
    return Wanted(filters, viewer, person, tuple(user for user in others if user != person), since, until, least, most)


def _person(field: str, name: str) -> User:
    found = names_had.find(name)
    if found is None:
        raise BadSearch(field, gettext("Nobody here is called “{name}”.").format(name=name))
    return found


def _day(field: str, text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadSearch(field, gettext("Write days as year, month and day, like 2026-03-31.")) from None


def _plies(field: str, text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text) <= MOST_PLIES):
        raise BadSearch(field, gettext("Write the length as a number of moves, like 40."))
    return int(text)


def _known(value: str | None, values: set[str]) -> str:
    return value if value is not None and value in values else ""


def _text(data: Mapping[str, str], name: str, longest: int = 64) -> str:
    return data.get(name, "").strip().replace("\0", "")[:longest]


def _number(value: str | None) -> str:
    return value if value is not None and value.isascii() and value.isdigit() and len(value) < 10 else ""
