"""Makes the demo people and their matches: seeds/people.json and seeds/<game>.jsonl.

Run `python tools/seeds.py` after a change of the rules or of the people below; it takes about half an hour. Every match is played
by bots, each person by the level of bot that this person is like, now and then by the one beside it. The result is committed,
so that `manage.py seed` only has to play the records again. Equal inputs give equal files.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from games import KEYS, registry  # noqa: E402
from games.kit.checks import play_match  # noqa: E402
from games.kit.protocol import Game, Variant  # noqa: E402
from games.kit.ranking import rank, with_leavers  # noqa: E402
from games.kit.record import Record, Result, replay  # noqa: E402

MATCHES = 200
"""Per game."""
RESIGNED = 0.12
"""The share of matches for two in which somebody who is behind gives up."""
UNHURRIED = 0.5
"""The share of matches in which the strongest do without their best bot, which thinks long."""
OFF_DAY = 0.15
"""The share of seats in which a person plays like the level beside the usual one."""
QUICK = ("coloured-2", "basic-2", "duo-2", "square-9")
"""The usual variant for two of each game, in which the strongest bot takes only seconds a match; elsewhere the one below plays for it."""


class Person(NamedTuple):
    """Somebody invented: the level counts from the weakest, the games from the one played most."""

    name: str
    country: str
    languages: str
    level: int
    games: str
    about: str = ""


# Games by their first two letters. Every game has people of every level who like it best.
PEOPLE = (
    Person("Anouk", "NL", "nl en", 2, "bk az", "Corner to corner. Speelt het liefst 's avonds."),
    Person("Tobias", "DE", "de en", 2, "bk ni", "Blokus seit 2003, Brett inzwischen ohne Deckel."),
    Person("Mirela", "HR", "hr en it", 3, "az bk", "I like walls with full columns."),
    Person("rowan", "GB", "en", 1, "bk bl"),
    Person("Ines", "PT", "pt es en", 1, "bl az", "Devagar se vai ao longe."),
    Person("Bram", "BE", "nl fr", 2, "ni bk", "Altijd in voor een revanche."),
    Person("Oskar", "SE", "sv en", 0, "bk az"),
    Person("kiyo", "JP", "ja en", 3, "ni az", "よろしくお願いします"),
    Person("Petra", "CZ", "cs de", 1, "az ni", "Tiles on the kitchen table first, here second."),
    Person("Jonas_K", "DK", "da en", 2, "bl bk"),
    Person("Yusuf", "TR", "tr de", 1, "az bk", "Bir el daha?"),
    Person("Lindqvist", "FI", "sv fi en", 2, "az bl", "Slow but stubborn."),
    Person("Chiara", "IT", "it en", 2, "az ni", "Mai rompere una riga da cinque."),
    Person("Wei-Ting", "TW", "zh en", 3, "bk ni", "角對角，慢慢來。"),
    Person("Hsu.Ya", "TW", "zh", 1, "az bl", "喜歡磁磚的顏色"),
    Person("Mathilde", "FR", "fr en", 1, "az bk", "Toujours partante pour une partie à quatre."),
    Person("Gaspard", "FR", "fr", 3, "bl ni", "Les blocs, c'est toute une vie."),
    Person("Noor", "NL", "nl ar en", 0, "az ni", "Net begonnen, wees lief."),
    Person("Sander82", "NL", "nl", 1, "ni bl"),
    Person("Giulio", "IT", "it", 0, "bk az", "Gioco con mia figlia, non prendetevela."),
    Person("Federica", "IT", "it fr", 2, "bl az"),
    Person("Aoife", "IE", "en ga", 2, "bk bl", "Will block you and apologise."),
    Person("Callum", "GB", "en", 3, "az bl", "Counting your tiles too."),
    Person("Priya", "IN", "hi en", 3, "bk az", "Maths teacher. The corners are mine."),
    Person("Arjun", "IN", "hi en", 1, "ni az"),
    Person("Mei", "SG", "zh en", 2, "az bk", "Tea, tiles, repeat."),
    Person("Lukas_W", "AT", "de", 1, "bl bk", "Immer mit Plan B."),
    Person("Saskia", "DE", "de nl", 0, "az bl"),
    Person("Henrik", "NO", "no en", 3, "ni bk", "Five of nine is enough."),
    Person("Ewa", "PL", "pl en", 2, "ni az", "Gram po kawie."),
    Person("Marek", "PL", "pl", 0, "bl ni"),
    Person("Dalia", "LT", "lt ru en", 1, "bk ni"),
    Person("Ilse", "BE", "nl", 0, "ni bk", "Oma van drie, leerling van vier spellen."),
    Person("Tomas", "ES", "es en", 2, "az bk", "Sin prisa, pero sin pausa."),
    Person("Lucia", "ES", "es ca", 1, "bl az", "Me gusta perder bonito."),
    Person("Rafael", "BR", "pt en", 3, "az ni", "Azulejos de Lisboa a São Paulo."),
    Person("Bia", "BR", "pt", 0, "ni az"),
    Person("Sofia-M", "AR", "es", 2, "bl bk"),
    Person("Diego", "MX", "es en", 1, "bk bl", "A cuatro, siempre a cuatro."),
    Person("Harper", "US", "en", 2, "az ni", "Here for the grey side."),
    Person("Quill", "US", "en", 3, "bl az", "Racks full of grudges."),
    Person("Juniper", "US", "en es", 0, "bk bl", "Learning with my nine-year-old."),
    Person("Desmond", "CA", "en fr", 1, "ni bk"),
    Person("Élodie", "CA", "fr en", 2, "bk az", "Jamais deux sans trois."),
    Person("Tui", "NZ", "en mi", 1, "az bl"),
    Person("Banksia", "AU", "en", 2, "ni bl", "Correspondence only, the kids are small."),
    Person("Jarrah", "AU", "en", 0, "bl az"),
    Person("Haru", "JP", "ja", 2, "az ni", "のんびり指します"),
    Person("Sora", "JP", "ja en", 1, "bk ni"),
    Person("Min-jun", "KR", "ko en", 3, "bk bl", "복기 환영합니다"),
    Person("Ji-woo", "KR", "ko", 1, "ni az"),
    Person("Amara", "NG", "en", 2, "bl ni", "I remember every colour you took."),
    Person("Thabo", "ZA", "en zu", 0, "ni bk"),
    Person("Leila", "MA", "ar fr", 1, "az bk", "Zellige, pas azulejo !"),
    Person("Nadia", "EG", "ar en", 0, "az ni"),
    Person("Eitan", "IL", "he en", 2, "ni bl"),
    Person("Ioana", "RO", "ro fr", 3, "bl bk", "Ask me about the double set."),
    Person("Stelios", "GR", "el en", 1, "bk az", "Σιγά σιγά."),
    Person("Anselm", "CH", "de fr it", 3, "ni az", "Drei Blöcke voraus."),
    Person("Zsofi", "HU", "hu en", 0, "bl bk", "Kezdő vagyok, de lelkes."),
)
GAMES = {"az": "azul", "bl": "blockers", "bk": "blokus", "ni": "nibble"}


@dataclass
class Table:
    """A match to be: the variant, who sits where, and the level that each plays like this time."""

    variant: Variant
    people: Sequence[Person]
    levels: Sequence[int]


def tables(game: Game, chance: random.Random) -> Iterator[Table]:
    """Tables without end, of people who like the game and are about equally strong."""
    # Some play so often that they are ranked, others now and then.
    fans = {person: 8 if liked(person)[0] == game.key else 1 for person in PEOPLE if game.key in liked(person)}
    weights = [(24 if variant.key in QUICK else 12) / variant.seats**2 for variant in game.variants]
    top = len(game.levels) - 1
    while True:
        host = chance.choices(list(fans), weights=list(fans.values()))[0]
        variant = chance.choices(game.variants, weights=weights)[0]
        near = {other: weight / 4 ** abs(other.level - host.level) for other, weight in fans.items() if other is not host}
        people = [host]
        while len(people) < variant.seats:
            guest = chance.choices(list(near), weights=list(near.values()))[0]
            people.append(guest)
            del near[guest]
        chance.shuffle(people)
        levels = [like(person, top, chance) for person in people]
        if variant.key not in QUICK or chance.random() < UNHURRIED:
            levels = [min(level, top - 1) for level in levels]
        yield Table(variant, people, levels)


def liked(person: Person) -> list[str]:
    return [GAMES[word] for word in person.games.split()]


def like(person: Person, top: int, chance: random.Random) -> int:
    """The level that a person plays like in one match."""
    step = chance.choice((-1, 1)) if chance.random() < OFF_DAY else 0
    return max(0, min(top, person.level + step))


def record(game: Game, table: Table, number: int, chance: random.Random) -> Record:
    """The match of a table, with the people's names in the seats."""
    secret = sha256(f"{game.key} {number}".encode()).digest()
    bots = [game.bot(game.levels[level].key) for level in table.levels]
    played = play_match(game, table.variant.key, bots, secret)
    if table.variant.seats == 2 and chance.random() < RESIGNED:
        played = given_up(played, chance)
    return replace(played, seats=tuple(person.name for person in table.people))


def given_up(played: Record, chance: random.Random) -> Record:
    """The match broken off in its last third by who is behind then; as it was when nobody is."""
    plies = len(played.plies) - 1 - chance.randrange(1, len(played.plies) // 3)
    cut = replace(played, plies=played.plies[:plies], result=None)
    *_, end = replay(cut)
    scores = end.scores()
    if not isinstance(end.to_move, int) or len(set(scores)) == 1:
        return played
    left = {scores.index(min(scores)): plies}
    result = Result(scores, with_leavers(rank(scores), left), "resigned", tuple(left.items()))
    return replace(cut, result=result)


def main() -> None:
    """Write all files anew."""
    people = [
        {"name": one.name, "country": one.country, "languages": one.languages.split(), "about": one.about, "favourites": liked(one)}
        for one in PEOPLE
    ]
    text = ",\n".join(json.dumps(person, ensure_ascii=False) for person in people)
    (ROOT / "seeds" / "people.json").write_text(f"[\n{text}\n]\n", "utf-8")
    for key in sys.argv[1:] or KEYS:
        game, chance = registry.get(key), random.Random(key)  # noqa: S311 (demo data)
        lines = []
        for number, table in enumerate(islice(tables(game, chance), MATCHES)):
            lines.append(json.dumps(record(game, table, number, chance).to_json(), ensure_ascii=False))
            print(key, number, table.variant.key, [person.name for person in table.people], table.levels, flush=True)
        (ROOT / "seeds" / f"{key}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
