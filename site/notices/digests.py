"""The daily mail: once a day and person, at the chosen hour, with everything that waits; none when nothing does.

That it is once is the unique key of its row, `mail:<person>:digest:<day>`.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Min, Prefetch
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.models import User
from accounts.zones import zone_of
from matches import followups, words
from matches.models import Match, Seat
from notices import letters, wording
from notices.models import Kind, Notice
from notices.people import moment, settings_of

KEPT = timedelta(days=30)
"""How long a notice is kept."""
MOST_ITEMS = 50


def ask_for_all(now: datetime) -> int:
    """Ask for the daily mail of everybody for whom something waited when the hour came; how many there are."""
    waiting = Notice.objects.filter(digest=True, digested_at=None).order_by().values("user").annotate(first=Min("at"))
    first = {row["user"]: row["first"] for row in waiting}
    people = User.objects.filter(pk__in=first, is_active=True)
    asked = 0
    for person in people:
        hour = hour_of(person, now)
        if first[person.pk] < hour <= now:
            key = f"{followups.MAIL}:{person.pk}:{letters.DIGEST}:{hour.date()}"
            followups.ask(followups.MAIL, key=key, person=person, data={"kind": letters.DIGEST}, now=now)
            asked += 1
    return asked


def hour_of(person: User, now: datetime) -> datetime:
    """When the daily mail of the person's present day is due."""
    local = now.astimezone(zone_of(person))
    return local.replace(hour=settings_of(person).digest_hour, minute=0, second=0, microsecond=0)


def letter(person: User, now: datetime) -> letters.Letter | None:
    """The daily mail as it is now; `None` when nothing is left to say. The language is active."""
    matches = Match.objects.with_seats().awaiting(person)[:MOST_ITEMS]
    waiting = tuple(_waiting(match, person) for match in matches)
    notices = pending(person, now)
    news = tuple(_item(notice, person) for notice in notices if notice.kind != Kind.TURN and not letters.outdated(notice))
    if not news and not (waiting and notices):
        return None
    n = len(waiting)
    count = ngettext("{n} match waits for you", "{n} matches wait for you", n).format(n=n)
    subject = count if waiting else gettext("What happened at your tables")
    path = waiting[0].path if waiting else reverse("home")
    button = gettext("Go to the board") if waiting else gettext("Have a look")
    return letters.Letter(person, letters.DIGEST, subject, items=(*waiting, *news), path=path, button=button, thread=f"digest.{person.pk}")


def pending(person: User, now: datetime) -> list[Notice]:
    """What is to go into the next daily mail, oldest first."""
    found = Notice.objects.filter(user=person, digest=True, digested_at=None, at__lte=now).select_related("match", "user")
    return list(found.prefetch_related(Prefetch("match__seats", Seat.objects.select_related("user")))[:MOST_ITEMS])


def settle(person: User, now: datetime) -> None:
    """Note that all that waited until `now` has been said, in the transaction that marks the mail done."""
    Notice.objects.filter(user=person, digest=True, digested_at=None, at__lte=now).update(digested_at=now)


def prune(now: datetime) -> int:
    """Delete old notices; how many."""
    return Notice.objects.filter(at__lt=now - KEPT).delete()[0]


def _waiting(match: Match, person: User) -> letters.Item:
    until = "" if match.deadline is None else gettext("until {when}").format(when=moment(match.deadline, person))
    body = ", ".join(filter(None, [words.say(match.rules_variant.name), wording.against(match, person), until]))
    return letters.Item(wording.turn(match), body, reverse("match", args=[match.pk]))


def _item(notice: Notice, person: User) -> letters.Item:
    said = wording.say(notice, person)
    return letters.Item(said.title, said.body, said.path)
