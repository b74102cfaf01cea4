"""Sends what is due: mails and pushes, each from a claimed row, under a lease that outlasts the sending.

The message goes out first and is marked done then, so a crash between the two repeats that one message at most, with the
same Message-ID or the same tag.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from matches import followups
from matches.models import FollowUp, Seat
from notices import digests, letters, push, rows, wording
from notices.models import Kind, Mail, Notice, NoticeSettings, PushSubscription
from notices.people import address_of, language_of, settings_of


def send_mail(row: FollowUp, now: datetime) -> None:
    """Send the mail of a row, unless it has become pointless."""
    letter = _letter(row, now)
    if letter is None:
        _done_mail(row, now, sent=False)
        return
    message = letters.message_of(letter, row.key)
    if not rows.hold(row, timezone.now()):
        return
    try:
        message.send()
    except Exception:
        _note(letter.user, mail_failed_at=timezone.now())
        raise
    _done_mail(row, now, sent=True)


def _letter(row: FollowUp, now: datetime) -> letters.Letter | None:
    """The letter of a `mail` row, in the person's language; `None` when it has become pointless or unwanted."""
    person = row.person
    if person is None or address_of(person) is None:
        return None
    with override(language_of(person)):
        if row.data.get("kind") == letters.DIGEST:
            return digests.letter(person, now)
        if row.data.get("kind") == letters.TEST:
            return letters.test(person)
        notice = notice_of(row)
        if notice is None or settings_of(person).mail_for(notice.kind) != Mail.NOW or letters.outdated(notice):
            return None
        return letters.about(notice, person)


def notice_of(row: FollowUp) -> Notice | None:
    """The notice that a row is to carry, with the seats of its match."""
    seats = Prefetch("match__seats", Seat.objects.select_related("user"))
    return Notice.objects.select_related("match", "user").prefetch_related(seats).filter(pk=row.data["notice"]).first()


def _done_mail(row: FollowUp, now: datetime, *, sent: bool) -> None:
    with transaction.atomic():
        if row.person is not None and row.data.get("kind") == letters.DIGEST:
            digests.settle(row.person, now)
        if row.person is not None and sent:
            _note(row.person, mailed_at=timezone.now())
        followups.done(row, timezone.now())


def _note(user: User, **fields: datetime) -> None:
    NoticeSettings.objects.update_or_create(user=user, defaults=fields)


def send_push(row: FollowUp, now: datetime) -> None:
    """Send the push of a row to its one browser, unless it has become pointless. A browser that is gone is forgotten."""
    browser = PushSubscription.objects.filter(pk=row.data["to"], user=row.person).first()
    payload = _payload(row) if browser is not None else None
    if browser is None or payload is None:
        followups.done(row, now)
        return
    if not rows.hold(row, timezone.now()):
        return
    try:
        push.send(browser, payload)
    except push.Gone:
        browser.delete()
    except Exception:
        PushSubscription.objects.filter(pk=browser.pk).update(failures=browser.failures + 1)
        raise
    with transaction.atomic():
        PushSubscription.objects.filter(pk=browser.pk).update(last_ok_at=timezone.now(), failures=0)
        followups.done(row, timezone.now())


def _payload(row: FollowUp) -> push.Payload | None:
    assert row.person is not None
    with override(language_of(row.person)):
        if row.data.get("kind") == letters.TEST:
            return push.test()
        notice = notice_of(row)
        if notice is None or not settings_of(row.person).push_for(notice.kind) or _looked(notice):
            return None
        said = wording.say(notice, row.person)
        return push.Payload(notice.kind, notice.match_id, said.title, said.body)


def _looked(notice: Notice) -> bool:
    # The one push that nobody must wait for: whoever was looking for somebody to play with.
    return notice.kind != Kind.START and letters.outdated(notice)
