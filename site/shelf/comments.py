"""Comments to a ply: who may write and read them, and how they change and go.

A comment is for its author alone, or for everybody: the latter only at a public match that was finished, by somebody with an account
whom no moderator has muted. Neither side of a block sees what the other wrote. Texts are plain; nothing in them is markup.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from accounts import ties
from accounts.models import User
from games.kit.protocol import N_
from matches import chat
from matches.errors import MatchError, NotNow, TooMuch
from shelf.models import Comment
from shelf.subject import Subject
from shelf.writing import one_at_a_time, plain_lines

Payload = dict[str, Any]
LONGEST = 1000
"""Characters."""
LIMITS = ((timedelta(seconds=10), 5), (timedelta(minutes=10), 60))
"""How many comments one person may write within how long."""
MOST = 300
"""Comments of one person to one match."""
MODERATES = "care.change_report"
"""Who moderates has this right."""


class NoSuchComment(MatchError):
    code = "no_such_comment"
    sentence = N_("This comment is gone.")


def may(subject: Subject, player: User | None) -> dict[str, bool]:
    """Whether comments can be written here at all, and whether by this person for everybody."""
    return {"comment": subject.over, "publish": subject.public and player is not None and not player.is_guest}


def write(subject: Subject, user: User, *, ply: int, text: str, public: bool, client_id: UUID, now: datetime) -> Comment:
    """Write to a ply. The comment, also when the same `client_id` wrote it before. Raises `NotNow`, `Muted`, `TooMuch`."""
    _check(subject, user, public, now)
    if not 0 <= ply <= subject.plies:
        raise NotNow(N_("This match has no ply {ply}. Its last one is {last}."), ply=ply, last=subject.plies)
    words = _own_words(text)
    with transaction.atomic():
        one_at_a_time(user)
        if known := Comment.objects.filter(user=user, client_id=client_id).first():
            return known
        _hold_back(subject, user, now)
        return Comment.objects.create(user=user, **subject.fields, ply=ply, text=words, public=public, client_id=client_id, at=now)


def edit(comment: Comment, subject: Subject, *, text: str, public: bool, now: datetime) -> None:
    """Change the words, or for whom they are. Raises `NotNow`, `Muted`."""
    if comment.removed_at is not None:
        raise NotNow(N_("A moderator took this comment away, so it stays as it is. You can delete it."))
    _check(subject, comment.user, public, now)
    words = _own_words(text)
    if (words, public) != (comment.text, comment.public):
        comment.text, comment.public, comment.edited_at = words, public, now
        comment.save(update_fields=["text", "public", "edited_at"])


def own(comment_id: int, user: User | None) -> Comment:
    """A comment that this person wrote. Raises `NoSuchComment`."""
    found = None if user is None else Comment.objects.select_related("user", "imported").filter(pk=comment_id, user=user).first()
    if found is None:
        raise NoSuchComment
    return found


def seen_by(comment_id: int, player: User | None) -> Comment | None:
    """A comment for everybody that `player` may read, with its match."""
    found = _readable(Comment.objects.filter(match__private=False), player).filter(pk=comment_id, public=True)
    return found.select_related("user", "match").first()


def listed(subject: Subject, player: User | None) -> list[Payload]:
    """The comments to a match as `player` may read them, in the order of their plies."""
    rows = _readable(Comment.objects.filter(**subject.fields), player)
    if not subject.public:  # it became private, or was called off
        rows = rows.filter(user=player)
    moderates = player is not None and player.is_staff and player.has_perm(MODERATES)
    return [_payload(row, player, moderates) for row in rows.select_related("user").order_by("ply", "pk")]


def written_by(user: User) -> QuerySet[Comment]:
    """All that a person wrote, the newest first."""
    return Comment.objects.filter(user=user).select_related("match", "imported").order_by("-at", "-pk")


def remove(moderator: User, comment: Comment, *, now: datetime) -> bool:
    """Take somebody's comment away from everybody but its author; whether it still stood there. Raises `NotNow`."""
    if not moderator.has_perm(MODERATES):
        raise NotNow(N_("Only moderators can take away what others wrote. You can report it."))
    with transaction.atomic():
        done = Comment.objects.filter(pk=comment.pk, removed_at=None).update(removed_at=now, removed_by=moderator) == 1
        if done:
            LogEntry.objects.log_actions(moderator.pk, [comment], CHANGE, "Taken away", single_object=True)
    return done


def restore(moderator: User, comment: Comment) -> bool:
    """Take that back; whether it had been taken away. The staff's pages let nobody else come here."""
    with transaction.atomic():
        done = Comment.objects.filter(pk=comment.pk, removed_at__isnull=False).update(removed_at=None, removed_by=None) == 1
        if done:
            LogEntry.objects.log_actions(moderator.pk, [comment], CHANGE, "Put back", single_object=True)
    return done


def _readable(rows: QuerySet[Comment], player: User | None) -> QuerySet[Comment]:
    """One's own, and those for everybody by people with whom nobody is blocked."""
    open_to_all = Q(public=True, removed_at=None) & ~Q(user__in=ties.blocked_with(player))
    return rows.filter(open_to_all if player is None else open_to_all | Q(user=player))


def _check(subject: Subject, user: User, public: bool, now: datetime) -> None:
    """Raise the reason why somebody may not write here, for everybody if `public`."""
    if not subject.over:
        raise NotNow(N_("This match is still being played. Comments open when it is over."))
    if not public:
        return
    if not subject.public:
        raise NotNow(N_("Not everybody may see this match, so comments to it are for you alone."))
    if user.is_guest:
        raise NotNow(N_("Sign in to write for everybody. As a guest you can write for yourself."))
    chat.check_voice(user, now)


def _own_words(text: str) -> str:
    """The text as it is kept: lines cleaned, never two empty ones together. Raises `NotNow` for none, or too many."""
    words = plain_lines(text)
    if not words:
        raise NotNow(N_("There is nothing to keep yet. Write something first."))
    if len(words) > LONGEST:
        raise NotNow(N_("A comment has at most {limit} characters. Shorten it, or write two."), limit=LONGEST)
    return words


def _hold_back(subject: Subject, user: User, now: datetime) -> None:
    """Raise `TooMuch` when somebody wrote a lot."""
    for span, most in LIMITS:
        if Comment.objects.filter(user=user, at__gt=now - span).count() >= most:
            raise TooMuch(N_("You are writing very fast. Wait a little and send it again."))
    if Comment.objects.filter(user=user, **subject.fields).count() >= MOST:
        raise TooMuch(N_("You have written {limit} comments here, which is the most there can be. Delete one first."), limit=MOST)


def _payload(row: Comment, reader: User | None, moderates: bool) -> Payload:
    mine = reader is not None and row.user_id == reader.pk
    named = row.user.is_active and not row.user.is_guest
    return {
        "id": row.pk,
        "ply": row.ply,
        "who": row.user.display_name if row.user.is_active else gettext("Deleted player"),
        "page": reverse("person", args=[row.user.username]) if named else None,
        "text": row.text,
        "at": row.at,
        "edited": row.edited_at is not None,
        "mine": mine,
        "public": row.public,
        "removed": row.removed_at is not None,
        "removable": moderates and not mine,
    }
