"""What a mail says: plain text and simple HTML, in the person's language, with one click that ends mails of its kind.

A letter is written when it is due, from what is true then.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.mime.image import MIMEImage
from email.utils import parseaddr
from typing import Any

import resvg_py
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts.models import User
from lobby.models import Seek
from matches.gallery import picture_of
from matches.models import Connection, Match, Move, Seat
from notices import wording
from notices.models import ALWAYS_MAILED, Kind, Mail, Notice
from notices.people import address_of, language_of, moment, settings_of

OFF_SALT = "notices.off"
"""Signs the links that end mails, and nothing else."""
DIGEST = "digest"
"""Stands where a mail's kind would, for the daily mail."""
TEST = "test"
"""And this for a mail that somebody sends to oneself."""
PICTURE, PICTURE_WIDTH = "board", 480
"""By what name the page of a mail shows the board that goes with it; pixels."""
MOST_PLIES = 40
"""A mail lists so many at most, the newest ones."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a mail that leads somewhere; `path` on our site."""

    title: str
    body: str
    path: str


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail before it is put into words and bytes. `thread` names what mails hang together."""

    user: User
    kind: str
    subject: str
    lines: tuple[str, ...] = ()
    plies: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    path: str = "/"
    button: str = ""
    thread: str = ""
    match: Match | None = None
    """Whose board is shown, as a spectator sees it: a mail passes through many hands."""


def outdated(notice: Notice) -> bool:
    """Whether there is no point in telling it any more: the turn is over, the person has seen it, or a newer notice says more."""
    match = notice.match
    if notice.declined or notice.news:
        return False
    if match is None:
        return not Seek.objects.open(timezone.now()).filter(pk=notice.data["seek"], places__invited=notice.user, places__user=None).exists()
    seat = match.seats.filter(user=notice.user).first()
    if seat is None:
        return True
    if notice.kind in (Kind.TURN, Kind.DEADLINE):
        over = not match.running or match.paused_at is not None or match.to_move != seat.number or match.ply != notice.ply
        return over or (notice.kind == Kind.TURN and (_seen(notice, match, seat) or _begun_with(notice)))
    if notice.kind == Kind.OFFER:
        return notice.data["offer"] not in match.offers and notice.data["offer"] != "rematch"
    if notice.kind == Kind.START:
        return not match.running or _seen(notice, match, seat) or _moved(notice, match, seat)
    return _seen(notice, match, seat) and Connection.objects.filter(match=match, seat=seat.number, seen_at__gte=notice.at).exists()


def _seen(notice: Notice, match: Match, seat: Seat) -> bool:
    """Whether the person was shown the ply. Before the first ply, having had the match open counts."""
    if notice.ply:
        return seat.seen_ply >= notice.ply
    return Connection.objects.filter(match=match, seat=seat.number, seen_at__gte=notice.at).exists()


def _moved(notice: Notice, match: Match, seat: Seat) -> bool:
    return Move.objects.filter(match=match, seat=seat.number, ply__gt=notice.ply).exists()


def _begun_with(notice: Notice) -> bool:
    """Whether the notice that the match has begun, which names who is to move, says the same."""
    start = f"{notice.user_id}:{Kind.START}:{notice.match_id}:{notice.version}"
    return Notice.objects.filter(key=start, digest=False).exists() and settings_of(notice.user).mail_for(Kind.START) == Mail.NOW


def about(notice: Notice, user: User) -> Letter:
    """The mail of one notice; the language is active."""
    words = wording.say(notice, user)
    match = notice.match
    if match is None:
        return Letter(user, notice.kind, words.title, (words.body,), path=words.path, button=gettext("Have a look"), thread=notice.key)
    lines = [words.body[:1].upper() + words.body[1:]]
    turn = notice.kind in (Kind.TURN, Kind.DEADLINE)
    if match.deadline is not None and match.to_move is not None and match.seat_held_by(user) == match.to_move:
        lines.append(gettext("Please move by {when}.").format(when=moment(match.deadline, user)))
    plies = wording.since_own_move(match, user)[-MOST_PLIES:] if turn else []
    subject = words.title if notice.kind != Kind.OFFER else f"{words.title}: {words.body}"
    button = gettext("Go to the board")
    thread = f"match.{match.pk}.{user.pk}"
    return Letter(user, notice.kind, subject, tuple(lines), tuple(plies), path=words.path, button=button, thread=thread, match=match)


def test(user: User) -> Letter:
    """The mail that somebody sends to oneself to see whether any come."""
    line = gettext("This is the test that you asked for. Mails from Tessera reach you.")
    return Letter(user, TEST, gettext("A test from Tessera"), (line,), path=reverse("notices"), button=gettext("Your notices"))


def message_of(letter: Letter, key: str) -> EmailMultiAlternatives:
    """The mail, ready to be sent. Its id comes from the row's key, so that a repeat is known as one."""
    with override(language_of(letter.user)):
        off = "" if letter.kind in (TEST, *ALWAYS_MAILED) else absolute(reverse("notices_off", args=[off_token(letter.user, letter.kind)]))
        picture = _picture(letter.match)
        context: dict[str, Any] = {
            "picture": PICTURE if picture else "",
            "letter": letter,
            "name": letter.user.display_name,
            "url": absolute(letter.path),
            "items": [(item, absolute(item.path)) for item in letter.items],
            "off_url": off,
            "settings_url": absolute(reverse("notices")),
            "language": language_of(letter.user),
        }
        text = render_to_string("notices/mail/letter.txt", context)
        page = render_to_string("notices/mail/letter.html", context)
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    headers = {"Message-ID": f"<{key.replace(':', '.')}@{host}>", "Auto-Submitted": "auto-generated"}
    if letter.thread:
        headers["References"] = headers["In-Reply-To"] = f"<{letter.thread}@{host}>"
    if off:
        headers |= {"List-Unsubscribe": f"<{off}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    mail = EmailMultiAlternatives(letter.subject, text, to=[address_of(letter.user) or ""], headers=headers)
    mail.attach_alternative(page, "text/html")
    if picture:
        mail.mixed_subtype = "related"  # type: ignore[attr-defined]  # Django has it, its types do not
        mail.attach(picture)
    return mail


def _picture(match: Match | None) -> MIMEImage | None:
    drawn = picture_of(match, None) if match is not None else ""
    if not drawn:
        return None
    image = MIMEImage(bytes(resvg_py.svg_to_bytes(svg_string=str(drawn), width=PICTURE_WIDTH, skip_system_fonts=True)), "png")
    image.add_header("Content-ID", f"<{PICTURE}>")
    image.add_header("Content-Disposition", "inline", filename="board.png")
    return image


def absolute(path: str) -> str:
    """A page of ours as a mail links to it."""
    return f"{settings.SITE_URL}{path}"


def off_token(user: User, kind: str) -> str:
    """What a link that ends mails of this kind carries. It holds for ever: mails are kept for long."""
    return signing.Signer(salt=OFF_SALT).sign_object([user.pk, kind])


def read_off_token(token: str) -> tuple[int, str] | None:
    """Whose mails of which kind a link ends; `None` when it is not one of ours."""
    try:
        user_id, kind = signing.Signer(salt=OFF_SALT).unsign_object(token)
    except (signing.BadSignature, ValueError):
        return None
    return user_id, kind
