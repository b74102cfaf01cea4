"""The verbs of the moderators: warn, mute, shut out, lift, dismiss, take a name away, put a finding aside.

Each checks who does it to whom, writes, logs it in the staff's log and asks for what must follow, in one transaction. What
follows (`care.enforcement`) is a durable row and looks only at what holds at that moment, so it may be done twice.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.db import transaction

from accounts.models import FormerName, Sanction, User
from accounts.names import hashed
from care import enforcement, letters
from care.errors import BadSanction, NotForYou
from care.models import Finding, Report
from care.reporting import report
from games.kit.protocol import N_
from matches import announce, followups

__all__ = ["Kind", "confirm", "dismiss", "impose", "lift", "put_aside", "rename", "report"]

Kind = Sanction.Kind
LONGEST_REASON = 500
SPANS = {"1": timedelta(days=1), "7": timedelta(days=7), "30": timedelta(days=30)}
"""How long a sanction usually lasts, by the key of the form."""
FRESH_NAME = "player-{number}"


def impose(
    moderator: User,
    user: User,
    kind: str,
    reason: str,
    *,
    ends_at: datetime | None = None,
    reports: Collection[Report] = (),
    now: datetime,
) -> Sanction:
    """Warn, mute or shut somebody out, for a reason that this person reads. Without `ends_at` until it is lifted; a warning has no end.

    `reports` are settled by it, and those who made them told so. Raises `NotForYou`, `BadSanction`.
    """
    check_may_handle(moderator, user, reports)
    reason = " ".join(reason.split())
    if kind not in Kind.values:
        raise BadSanction
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise BadSanction(N_("Give a reason of at most {limit} characters: the person reads it."), limit=LONGEST_REASON)
    if kind == Kind.WARNING:
        ends_at = None
    elif ends_at is not None and ends_at <= now:
        raise BadSanction(N_("This end is over already. Choose one to come."))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        sanction = Sanction.objects.create(user=user, kind=kind, reason=reason, made_at=now, made_by=moderator, ends_at=ends_at)
        _settle(moderator, reports, Report.State.ACTED, now, sanction)
        letters.tell_of(sanction, now)
        if kind == Kind.SUSPENSION:
            enforcement.end_sessions(user)
            _ask_to_enforce(sanction, "begin", now)
            if ends_at is not None:
                _ask_to_enforce(sanction, "end", now, due_at=ends_at)
        log(moderator, user, CHANGE, f"{sanction.get_kind_display()} until {ends_at or 'lifted'}: {reason}")
        log(moderator, sanction, ADDITION, reason)
        announce.persons([user.pk])
    return sanction


def lift(moderator: User, sanction: Sanction, *, now: datetime) -> Sanction:
    """End a sanction now. Lifting it again changes nothing. Raises `NotForYou`."""
    check_may_handle(moderator, sanction.user)
    with transaction.atomic():
        sanction = Sanction.objects.select_for_update(no_key=True, of=("self",)).select_related("user").get(pk=sanction.pk)
        if sanction.lifted_at is None:
            sanction.lifted_at = now
            sanction.save(update_fields=["lifted_at"])
            letters.tell_lifted(sanction, now)
            if sanction.kind == Kind.SUSPENSION:
                _ask_to_enforce(sanction, "lift", now)
            log(moderator, sanction, CHANGE, "Lifted")
            announce.persons([sanction.user_id])
    return sanction


def dismiss(moderator: User, reports: Collection[Report], *, now: datetime) -> int:
    """Find nothing to act on in these reports; how many were still open. Raises `NotForYou`."""
    for one in reports:
        check_may_handle(moderator, one.about, [one], lenient=True)
    with transaction.atomic():
        return _settle(moderator, reports, Report.State.DISMISSED, now)


def rename(moderator: User, user: User, *, now: datetime) -> str:
    """Take somebody's name away for good; what stands there until the person chooses another. Raises `NotForYou`, `BadSanction`."""
    check_may_handle(moderator, user)
    if user.is_guest:
        raise BadSanction(N_("A guest has no name of its own."))
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        old, key = user.username, user.name_key or ""
        # Nobody's, and without the words: neither does a link with it lead on, nor can anybody have it again, this person included.
        FormerName.objects.update_or_create(key_hash=hashed(key), defaults={"user": None, "name": "", "left_at": now})
        user.username, user.named_at = _free_name(user), None
        user.save(update_fields=["username", "named_at"])
        letters.tell_renamed(user, now)
        log(moderator, user, CHANGE, f"Took the name “{old}” away")
        announce.persons([user.pk])
    return user.username


def confirm(user: User, sanction_id: int, *, now: datetime) -> bool:
    """Note that the person has read a warning; whether there was such a one. Confirming it again changes nothing."""
    return Sanction.objects.filter(pk=sanction_id, user=user, kind=Kind.WARNING, read_at=None).update(read_at=now) == 1


def put_aside(moderator: User, findings: Collection[Finding], *, now: datetime) -> int:
    """Note that these findings were looked at and need nothing now; how many were new to it."""
    with transaction.atomic():
        fresh = list(Finding.objects.select_for_update(no_key=True).filter(pk__in=[one.pk for one in findings], seen_at=None))
        for one in fresh:
            one.seen_at, one.seen_by = now, moderator
            one.data["aside"] = one.data.get("count", 0)  # it comes back when there is much more of it
            one.save(update_fields=["seen_at", "seen_by", "data"])
            log(moderator, one, CHANGE, "Put aside")
    return len(fresh)


def check_may_handle(moderator: User, user: User, reports: Collection[Report] = (), *, lenient: bool = False) -> None:
    """Whether a moderator may act on somebody, on these reports: on no equal, and where it has no part itself. Raises `NotForYou`.

    `lenient` is for what does nobody any harm.
    """
    if user.pk == moderator.pk:
        raise NotForYou(N_("Nobody judges oneself. Leave this to another moderator."))
    if any(one.reporter_id == moderator.pk for one in reports):
        raise NotForYou(N_("This report is your own. Leave it to another moderator."))
    if not lenient and user.is_superuser:
        raise NotForYou(N_("The owners of the site are beyond this page."))
    if not lenient and user.is_staff and not moderator.is_superuser:
        raise NotForYou(N_("This is a moderator. Leave it to the owners of the site."))


def log(moderator: User, about: Any, flag: int, message: str) -> None:
    """Write down in the staff's log who did what."""
    LogEntry.objects.log_actions(moderator.pk, [about], flag, message, single_object=True)


def _settle(moderator: User, reports: Collection[Report], state: str, now: datetime, sanction: Sanction | None = None) -> int:
    found = Report.objects.select_for_update(no_key=True, of=("self",)).select_related("reporter")
    open_ones = list(found.filter(pk__in=[one.pk for one in reports], state=Report.State.OPEN))
    for one in open_ones:
        one.state, one.handled_at, one.handled_by, one.sanction = state, now, moderator, sanction
        one.save(update_fields=["state", "handled_at", "handled_by", "sanction"])
        log(moderator, one, CHANGE, f"{one.get_state_display()}")
        letters.tell_handled(one, now)
    return len(open_ones)


def _free_name(user: User) -> str:
    name = FRESH_NAME.format(number=user.pk)
    return name if not User.looks_taken(name, besides=user.pk) else f"{name}-{User.objects.count()}"


def _ask_to_enforce(sanction: Sanction, step: str, now: datetime, due_at: datetime | None = None) -> None:
    key = f"{followups.CARE}:{sanction.pk}:{step}"
    followups.ask(followups.CARE, key=key, person=sanction.user, now=now, due_at=due_at)
