"""Deleting an account. The person goes; matches, results and everybody else's pages stay, with a seat that is nobody's.

First the person leaves everything through the same doors as anybody, each in a transaction of its own: running matches, open
tables, ladders of challenges, results that wait to be rated. Then one transaction locks the person's row, looks that nothing
has begun again, and takes away what is left; whoever writes something about the person waits for it, and finds nobody. Pressing
twice is harmless, and whoever is stopped half-way has left some matches and presses again.

The name stays taken, as a hash: nobody else shall pass for somebody whom the others remember.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.mail import EmailMessage
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, override

from accounts.models import FormerName, Sanction, User
from accounts.names import hashed, skeleton
from care import enforcement
from care.models import Report
from ladder import services as ladder
from ladder.models import RatingChange
from lobby.models import Place, Seek
from matches import announce, offers, renaming
from matches.errors import MatchError
from matches.models import ChatLine, Match, Seat
from matches.services import resign
from notices.people import address_of, language_of
from rungs import leaving as rungs

log = logging.getLogger(__name__)

TRIES = 5


class StillBusy(Exception):
    """Something of the person's kept changing, or was held by somebody else. To be tried again."""


def delete(person: User, now: datetime) -> bool:
    """Delete the account or guest, and say so by mail where an address was confirmed. Whether it was still there.

    Raises `StillBusy` when that did not succeed in `TRIES` goes.
    """
    address, language = address_of(person), language_of(person)
    for _ in range(TRIES):
        try:
            leave_everything(person, now)
            if not _remove(person.pk, now):
                return False
            break
        except (StillBusy, OperationalError) as trouble:  # it began something meanwhile; a lock was not to be had
            log.info("user %s is not deleted yet (%s)", person.pk, type(trouble).__name__)
    else:
        raise StillBusy
    if address:
        _confirm(address, language)
    return True


def leave_everything(person: User, now: datetime) -> None:
    """Leave all that others wait for the person in."""
    for match_id, seat in _running(person).values_list("match", "number"):
        with suppress(MatchError):  # it ended meanwhile
            resign(match_id, seat, now=now)
    asked = Seat.objects.filter(user=person).exclude(match__status=Match.Status.RUNNING).exclude(match__offers={})
    for match_id, seat, kinds in asked.values_list("match", "number", "match__offers"):
        for kind in kinds:
            with suppress(MatchError):
                offers.decline(match_id, seat, kind, now=now)
    enforcement.leave_tables(person, now)
    rungs.leave_all(person, now)
    for game, pace in _waiting(person).values_list("rated__game", "rated__pace").distinct():
        while ladder.apply_next(game, pace, now):
            pass


def _remove(person_id: int, now: datetime) -> bool:
    """Take the person's row away, and all that hangs on it. Whether there was one. Raises `StillBusy`."""
    with transaction.atomic():
        person = User.objects.select_for_update().filter(pk=person_id).first()
        if person is None:
            return False
        # Nothing that refers to the person can be written from here on.
        if _running(person).exists() or _open_tables(person).exists() or _waiting(person).exists():
            raise StillBusy
        seen_in = list(Match.objects.filter(status=Match.Status.RUNNING, seats__user=person).values_list("pk", flat=True))
        _keep_name(person, now)
        _take_words_away(person)
        enforcement.end_sessions(person)
        person.delete()
        announce.persons([person_id])
    for match_id in seen_in:  # only now: a match that ends holds its row while it asks for its people
        with suppress(OperationalError):  # the account is gone all the same, and the next move shows it
            renaming.show_anew(match_id)
    return True


def _running(person: User) -> QuerySet[Seat]:
    """The seats in which the person still plays."""
    return Seat.objects.filter(user=person, left_at_ply=None, match__status=Match.Status.RUNNING).order_by("match")


def _open_tables(person: User) -> QuerySet[Seek]:
    """The open tables of the person, at which it sits, or to which it is asked."""
    own = Place.objects.filter(Q(user=person) | Q(invited=person)).values("seek")
    return Seek.objects.filter(Q(host=person) | Q(pk__in=own), status=Seek.Status.OPEN).order_by("pk")


def _waiting(person: User) -> QuerySet[RatingChange]:
    """The person's results that have not been rated: the others shall get what they won."""
    return RatingChange.objects.filter(user=person, rated__applied_at=None).order_by()


def _keep_name(person: User, now: datetime) -> None:
    """Let nobody else have the person's names, without keeping what they were."""
    person.former_names.update(name="")
    if not person.is_guest:
        FormerName.objects.get_or_create(key_hash=hashed(skeleton(person.username)), defaults={"name": "", "left_at": now})


def _take_words_away(person: User) -> None:
    """What the person wrote, where the row itself stays; and its name, where the staff's log has it."""
    ChatLine.objects.filter(user=person).exclude(text="").delete()
    Report.objects.filter(reporter=person).update(text="")
    Place.objects.filter(user=person).update(user=None)
    Place.objects.filter(invited=person).update(invited=None)
    named = Q(object_id=str(person.pk), content_type=ContentType.objects.get_for_model(User))
    about = (
        FormerName.objects.filter(user=person), EmailAddress.objects.filter(user=person),
        Sanction.objects.filter(user=person), Report.objects.filter(about=person),
    )  # fmt: skip
    for rows in about:
        keys = [str(key) for key in rows.values_list("pk", flat=True)]
        named |= Q(object_id__in=keys, content_type=ContentType.objects.get_for_model(rows.model))
    LogEntry.objects.filter(named).update(object_repr="", change_message="")


def _confirm(address: str, language: str) -> None:
    """Say by mail that it is done. The address is not kept, so this is tried once."""
    with override(language):
        subject = gettext("Your account is deleted")
        body = gettext(
            "You have left Tessera. Your account, your address and what you wrote are deleted; your matches stay for those you played "
            "with, without your name.\n\nIf this was not you, write to us soon: we cannot bring the account back, but we can look into it."
        )
    try:
        EmailMessage(f"Tessera: {subject}", body, to=[address]).send()
    except Exception as trouble:  # whatever the mail server answers: the account is gone all the same
        log.warning("the mail that confirms a deletion was not sent (%s)", type(trouble).__name__)
