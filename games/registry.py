"""Finds a game by its key; the only way the platform reaches a rule set."""

from importlib import import_module

from games import KEYS
from games.kit.protocol import Game

_games: dict[str, Game] = {}


class UnknownGame(LookupError):
    """No game has this key; the text lists those that exist."""


def register(game: Game) -> None:
    """Add a game that lives outside this package, such as the small one the platform's tests play."""
    _games[game.key] = game


def get(key: str) -> Game:
    """The game called `key`. Raises `UnknownGame`."""
    if key not in _games:
        if key not in KEYS:
            raise UnknownGame(f"There is no game “{key}”; the games are {', '.join(KEYS)}.")
        register(import_module(f"games.{key}").GAME)
    return _games[key]


def all_games() -> tuple[Game, ...]:
    """Every game of this package, in the order of `KEYS`."""
    return tuple(get(key) for key in KEYS)
