"""The command `seed`: demo people and finished matches (`pages.demo`), so that a new site has something to look at."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from matches.models import Match
from pages import demo

SMALL = 29
"""The small set is every so manieth match."""
TOLD = 20
"""A line is printed after so many matches."""


class Command(BaseCommand):
    """Doing it twice changes nothing."""

    help = "Load the demo people and matches of seeds/."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="do nothing when there is any match already")
        parser.add_argument("--small", action="store_true", help="a few of the matches only; the whole set takes the place of them later")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with demo.alone():
                self._load(if_empty=options["if_empty"], small=options["small"])
        except demo.DemoError as trouble:
            raise CommandError(str(trouble)) from None

    def _load(self, *, if_empty: bool, small: bool) -> None:
        if if_empty and Match.objects.exists():
            return
        folder, now = Path(settings.BASE_DIR) / "seeds", timezone.now()
        everything = demo.planned(folder, now)
        wanted = everything[SMALL - 1 :: SMALL] if small else everything
        there = Match.objects.filter(commitment__in=[plan.record.commitment for plan in wanted]).count()
        if there < len(wanted):
            people = demo.people(folder, now)
            demo.clear(everything)
            demo.load(wanted, people, lambda done: self._tell(done, len(wanted)))
            demo.climb(people, now)
        self.stdout.write(f"{len(wanted) if there < len(wanted) else 0} demo matches loaded.")

    def _tell(self, done: int, wanted: int) -> None:
        if done % TOLD == 0 and done < wanted:
            self.stdout.write(f"{done} of {wanted} demo matches")
            self.stdout.flush()
