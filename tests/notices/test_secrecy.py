"""What is hidden in a match is in no mail and no push: in two worlds that a seat cannot tell apart it is sent the same."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone

from games.kit.protocol import is_chance
from matches.clock import TimeControl
from matches.models import FollowUp
from matches.services import Person, play_move, start_match
from notices.models import Notice
from tests.notices.conftest import reachable, work
from tests.platform.conftest import now_at
from tests.platform.test_two_worlds import PEOPLE, SECRETS, WITH_CHANCE, hides
from tests.platform.worlds import Worlds, two_worlds

pytestmark = pytest.mark.django_db(transaction=True)

HIDING = [game for game in WITH_CHANCE if hides(game)]
VIEWER = 1
MOST_PLIES = 40


@pytest.mark.long
@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in HIDING])
def test_no_mail_tells_two_worlds_apart(game, cast):
    worlds = two_worlds(game, game.variants[0].key, VIEWER)
    assert worlds.differ > 0
    told = []
    for number in (0, 1):
        mail.outbox.clear()
        match = _play(worlds, number, cast)
        told.append([_plain(letter, match) for letter in mail.outbox if letter.to == [f"{PEOPLE[VIEWER]}@example.org"]])
        match.delete()
    assert told[0] == told[1]
    assert len(told[0]) > 3
    assert any("Played since your last move" in text for text in told[0])


def _play(worlds: Worlds, number: int, cast: Any) -> Any:
    """Play one world's match over days; whoever is to move is mailed every time."""
    plies = [str(ply) for ply in worlds.plies[number]]
    chance = iter(ply for ply in worlds.plies[number] if is_chance(str(ply)))
    people = [reachable(getattr(cast, name)) for name in PEOPLE[: worlds.game.variant(worlds.variant).seats]]
    with connection.cursor() as cursor:  # numbers of one length
        cursor.execute("SELECT setval(pg_get_serial_sequence('matches_match', 'id'), %s, false)", [700_001 + number])
    match = start_match(
        worlds.game.key, worlds.variant, seats=[Person(user) for user in people], control=TimeControl.parse("14d"),
        now=timezone.now(), secret=SECRETS[number], draw=lambda *_: next(chance),
    )  # fmt: skip
    for index, text in enumerate(plies[:MOST_PLIES]):
        if is_chance(text):
            continue
        work("tell", "mail")
        match = now_at(match)
        assert match.ply == index
        play_move(match.pk, match.to_move, text, ply=index, now=timezone.now(), draw=lambda *_: next(chance))
    work("tell", "mail")
    Notice.objects.all().delete()
    FollowUp.objects.exclude(match=match).delete()
    return match


def _plain(letter: Any, match: Any) -> str:
    """A mail without what differs from any match to another, and without times."""
    pictures = [attached.get_payload() for attached in letter.attachments]
    assert pictures
    whole = f"{letter.subject} {letter.body} {letter.alternatives[0].content} {sorted(letter.extra_headers.items())} {pictures}"
    whole = whole.replace(str(match.pk), "MATCH")
    whole = re.sub(r"/notices/off/[\w:-]+/", "OFF", whole)
    return re.sub(r"Please move by [^.]*\.", "", whole)
