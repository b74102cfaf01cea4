"""The command `seed`: demo people and finished matches, so that a new site has something to look at.

The matches are records in `seeds/`, one JSON a line, and are played again through the real services. A record is
known by its secret's commitment, so what is there already stays as it is.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.kit.record import Record, RecordError, read_records, replay
from matches.models import Match
from matches.services import Person, play_move, resign, start_match

BETWEEN_MATCHES = timedelta(hours=5)
BETWEEN_MOVES = timedelta(seconds=20)


class Command(BaseCommand):
    """Doing it twice changes nothing."""

    help = "Load the demo people and matches of seeds/."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="do nothing when there is any match already")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["if_empty"] and Match.objects.exists():
            return
        now = timezone.now()
        loaded = 0
        for number, record in enumerate(_records(Path(settings.BASE_DIR) / "seeds")):
            if not Match.objects.filter(commitment=record.commitment).exists():
                _load(record, now - BETWEEN_MATCHES * (number + 1))
                loaded += 1
        self.stdout.write(f"{loaded} demo matches loaded.")


def _records(folder: Path) -> list[Record]:
    """All records, the files taking turns, so that the latest matches show something of every game."""
    files = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            files.append(read_records(path.read_text("utf-8")))
        except (OSError, RecordError) as trouble:
            raise CommandError(f"{path} cannot be read: {trouble}") from None
    return [record for turn in zip_longest(*files) for record in turn if record is not None]


@transaction.atomic
def _load(record: Record, start: datetime) -> None:
    """Play a record from its start to its end, a person in each seat."""
    people = _people(record.seats or ())
    match = start_match(
        record.game,
        record.variant,
        seats=[Person(person) for person in people],
        options=record.options,
        now=start,
        secret=record.secret,
    )
    left = record.result.left if record.result else ()
    gone: set[int] = set()
    for ply, state in enumerate(replay(record)):
        now = start + BETWEEN_MOVES * ply
        for seat in [seat for seat, plies in left if plies == ply]:
            resign(match.pk, seat, now=now)
            gone.add(seat)
        if ply < len(record.plies) and isinstance(state.to_move, int):
            play_move(match.pk, state.to_move, record.plies[ply], ply=ply, now=now, automatic=state.to_move in gone)


def _people(names: Sequence[str]) -> list[User]:
    """A demo person per name. Nobody can sign in as one, and nobody real is ever taken for one."""
    people = []
    for name in names:
        person = User.objects.filter(username=name).first()
        if person is None:
            person = User(username=name)
            person.set_unusable_password()
            person.save()
        elif person.has_usable_password():
            raise CommandError(f"“{name}” is a real account here, so the demo matches, which use that name, were not loaded.")
        people.append(person)
    return people
