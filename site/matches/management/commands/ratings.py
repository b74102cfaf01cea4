"""The command `ratings recompute`: rates every match again from the history, and compares with or repairs what is stored."""

from __future__ import annotations

from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from ladder.models import RatedMatch
from matches import audit

NAMED = 50
"""How many differences of a pool are named one by one."""


class Command(BaseCommand):
    """With `--check` it writes nothing. It ends with an error when anything differed that it did not put right."""

    help = "Rate all matches again from the history, and compare with or repair what is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        recompute = verbs.add_parser("recompute", help="rate all again from the history")
        recompute.add_argument("--check", action="store_true", help="only compare, and name what differs")
        recompute.add_argument("--game", help="only this game")
        recompute.add_argument("--pace", choices=["live", "correspondence"], help="only this pace")

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        for game, pace in audit.pools():
            if options["game"] in (None, game) and options["pace"] in (None, pace):
                wrong += self._pool(game, pace, repair=not options["check"])
        if wrong:
            raise CommandError("Something stored is not what the history leads to." if options["check"] else f"{wrong} remain.")

    def _pool(self, game: str, pace: str, *, repair: bool) -> int:
        """Compare one pool, or put it right and compare again; how much differs then."""
        if repair:
            fixed = audit.put_right(game, pace, timezone.now())
            self._name(fixed)
            self.stdout.write(f"{game}, {pace}: {len(fixed)} differences found, and what follows from the history put right.")
        found = audit.differences(game, pace)
        named = list(islice(found, NAMED))
        self._name(named)
        total = len(named) + sum(1 for _ in found)
        results = RatedMatch.objects.filter(game=game, pace=pace).count()
        self.stdout.write(f"{game}, {pace}: {results} results, {total} differences.")
        return total

    def _name(self, found: list[Any]) -> None:
        for difference in found[:NAMED]:
            self.stderr.write(f"  {difference}")
