"""A person who has done everything at the site: a row for each way in which a table can refer to people."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.db.models import Model

from accounts.models import Browser, FormerName, PrivateNote, Sanction, Tie, User
from accounts.names import hashed, skeleton
from accounts.ties import tie
from archive.models import FiledSeat
from care.models import Check, Finding, Report
from care.services import log
from ladder.models import Placing, RatedMatch, Rating, RatingChange, Season, SeasonPlace, Unlisted
from lobby.models import Place, SatDown, Seek
from matches import chat
from matches.models import FollowUp, Match, Vacation
from notices.models import Notice, NoticeSettings, PushSubscription
from rungs.models import Challenge, Rung, Step
from shelf.models import Collection, Comment, Favourite, Item, Tag, Tagged
from studies.models import Imported, Review, Study
from tests.platform.conftest import NOW

ABOUT = "I collect porcelain owls"
SAID = "what a lucky draw that was"
FORMER = "Wanderer"
KEPT = "A quiet endgame"
ADDRESS = "zelda@example.org"


def relations() -> Iterator[str]:
    """Every relation of a stored table to people, as `app.Model.field`."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():
            if field.is_relation and not field.auto_created and field.related_model is User:
                yield f"{model._meta.label}.{field.name}"


def full_life(person: User, other: User, match: Match) -> dict[str, Model]:
    """A row per relation, all of them the person's; `match` is a finished one of both. Nothing of it is open or running."""
    person.about, person.country, person.first_name, person.email = ABOUT, "NL", "Zelda Fitz", ADDRESS
    person.save()
    return {
        **_account(person), **_people(person, other), **_play(person, other, match), **_care(person, other, match),
        **_shelf(person, other, match), **_studies(person, match),
    }  # fmt: skip


def dump() -> str:
    """All rows of all tables, as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        text = []
        for table in tables:
            cursor.execute(f'SELECT row_to_json(rows)::text FROM "{table}" AS rows')
            text += [row[0] for row in cursor.fetchall()]
    return "\n".join(text)


def _account(person: User) -> dict[str, Model]:
    session = SessionStore()
    session["_auth_user_id"] = str(person.pk)
    session.save()
    group = Group.objects.create(name="helpers")
    person.groups.add(group)
    person.user_permissions.add(Permission.objects.first())
    staff_log = {"content_type": ContentType.objects.get_for_model(User), "object_id": str(person.pk), "object_repr": str(person)}
    return {
        "account.EmailAddress.user": EmailAddress.objects.create(user=person, email=ADDRESS, verified=True, primary=True),
        "mfa.Authenticator.user": Authenticator.objects.create(user=person, type="totp", data={"secret": "MFASECRET"}),
        "socialaccount.SocialAccount.user": SocialAccount.objects.create(
            user=person, provider="github", uid="gh-4711", extra_data={"login": "zelda-at-work"}
        ),
        "usersessions.UserSession.user": UserSession.objects.create(
            user=person, ip="192.0.2.7", user_agent="Firefox", session_key=session.session_key
        ),
        "accounts.Browser.user": Browser.objects.create(user=person, token_hash="cafe" * 16, first_at=NOW, last_at=NOW),
        "accounts.FormerName.user": FormerName.objects.create(user=person, name=FORMER, key_hash=hashed(skeleton(FORMER)), left_at=NOW),
        "accounts.User_groups.user": User.groups.through.objects.get(user=person),
        "accounts.User_user_permissions.user": User.user_permissions.through.objects.get(user=person),
        "admin.LogEntry.user": LogEntry.objects.create(user=person, action_flag=2, change_message="[]", **staff_log),
        "notices.NoticeSettings.user": NoticeSettings.objects.create(user=person, digest_hour=7),
        "notices.PushSubscription.user": PushSubscription.objects.create(
            user=person, endpoint="https://push.example.org/PUSHSECRET", p256dh="PUSHKEY", auth="PUSHAUTH", name="Firefox", made_at=NOW
        ),
    }


def _people(person: User, other: User) -> dict[str, Model]:
    tie(person, other, Tie.Kind.FRIEND, now=NOW)
    tie(other, person, Tie.Kind.BLOCK, now=NOW)
    return {
        "accounts.Tie.user": Tie.objects.get(user=person),
        "accounts.Tie.other": Tie.objects.get(other=person),
        "accounts.PrivateNote.user": PrivateNote.objects.create(user=person, other=other, text="plays fast", updated_at=NOW),
        "accounts.PrivateNote.other": PrivateNote.objects.create(user=other, other=person, text=f"{person} is slow", updated_at=NOW),
    }


def _play(person: User, other: User, match: Match) -> dict[str, Model]:
    rated = RatedMatch.objects.create(
        match_id=match.pk, game="azul", pace="live", number=1, ended_at=NOW, ranks=[1, 2], applied_at=NOW
    )
    season = Season.objects.create(game="azul", pace="live", key="2026-Q1")
    pool = {"user": person, "game": "azul", "pace": "live", "mu": 26.0, "sigma": 3.0, "matches": 1, "updated_at": NOW}
    line, _ = chat.say(match.pk, person, room=chat.PLAYERS, text="", phrase="thanks", client_id=uuid4(), now=NOW)
    chat.say(match.pk, person, room=chat.PLAYERS, text=SAID, phrase="", client_id=uuid4(), now=NOW)
    closed = {"game": "blokus", "variant": "duo-2", "status": Seek.Status.STARTED, "created_at": NOW, "expires_at": NOW, "closed_at": NOW}
    hosted = Seek.objects.create(kind=Seek.Kind.OPEN, host=person, message=f"{person} waits", **closed)
    joined = Seek.objects.create(kind=Seek.Kind.CHALLENGE, host=other, **closed)
    asked = {"game": "blokus", "from_position": 2, "to_position": 1, "made_at": NOW, "answer_by": NOW, "state": "won", "settled_at": NOW}
    return {
        "matches.Seat.user": match.seats.get(user=person),
        "profiles.Played.user": person.played.get(match=match),
        "archive.FiledSeat.user": FiledSeat.objects.get(user=person, filed=match.pk),
        "matches.ChatLine.user": line,
        "matches.Vacation.user": Vacation.objects.create(user=person, starts=NOW, ends=NOW.replace(year=2027)),
        "matches.FollowUp.person": FollowUp.objects.create(key=f"mail:{person.pk}:x", kind="mail", person=person, due_at=NOW, done_at=NOW),
        "lobby.Seek.host": hosted,
        "lobby.Place.user": Place.objects.create(seek=joined, number=1, user=person, joined_at=NOW),
        "lobby.Place.invited": Place.objects.create(seek=joined, number=2, invited=person),
        "lobby.SatDown.user": SatDown.objects.create(user=person, since=NOW, times=2),
        "notices.Notice.user": Notice.objects.create(key=f"end:{match.pk}:{person.pk}", user=person, kind="end", match=match, at=NOW),
        "ladder.Rating.user": Rating.objects.create(**pool),
        "ladder.Placing.user": Placing.objects.create(**pool, country="NL", listed=True),
        "ladder.Unlisted.user": Unlisted.objects.create(user=person),
        "ladder.RatingChange.user": RatingChange.objects.create(
            rated=rated, seat=0, user=person, mu_before=25.0, sigma_before=8.0, mu_after=26.0, sigma_after=3.0
        ),
        "ladder.SeasonPlace.user": SeasonPlace.objects.create(season=season, user=person, division=1, points=3, matches=1),
        "rungs.Rung.user": Rung.objects.create(game="blokus", user=person, position=1, joined_at=NOW, active_at=NOW, best=1),
        "rungs.Step.user": Step.objects.create(game="blokus", user=person, before=2, after=1, why="won", at=NOW),
        "rungs.Challenge.challenger": Challenge.objects.create(challenger=person, challenged=other, **asked),
        "rungs.Challenge.challenged": Challenge.objects.create(challenger=other, challenged=person, **asked),
    }


def _care(person: User, other: User, match: Match) -> dict[str, Model]:
    found = {"kind": "pair", "score": 0.5, "found_at": NOW}
    warning = Sanction.objects.create(user=person, kind="warning", reason=f"Be kind, {person}.", made_at=NOW)
    log(other, warning, 1, warning.reason)
    log(other, person, 2, f"Took the name “{FORMER}” away")
    return {
        "accounts.Sanction.user": warning,
        "accounts.Sanction.made_by": Sanction.objects.create(user=other, kind="mute", reason="Too loud.", made_at=NOW, made_by=person),
        "care.Report.reporter": Report.objects.create(
            reporter=person, about=other, kind="chat", text=f"This is {person}: help", quote="rude words", match=match, made_at=NOW
        ),
        "care.Report.about": Report.objects.create(
            reporter=other, about=person, kind="chat", text="They are loud", quote=SAID, match=match, made_at=NOW
        ),
        "care.Report.handled_by": Report.objects.create(reporter=other, about=other, kind="other", made_at=NOW, handled_by=person),
        "care.Finding.user": Finding.objects.create(key="pair:1", user=person, other=other, **found),
        "care.Finding.other": Finding.objects.create(key="pair:2", user=other, other=person, **found),
        "care.Finding.seen_by": Finding.objects.create(key="pair:3", user=other, seen_by=person, **found),
        "care.Check.user": Check.objects.create(match=match, seat=0, user=person, plies=10, same=9, done_at=NOW),
    }


def _shelf(person: User, other: User, match: Match) -> dict[str, Model]:
    kept = {"match": match, "at": NOW}
    tag = Tag.objects.create(user=person, name=KEPT, key=KEPT.casefold())
    Tagged.objects.create(tag=tag, **kept)
    collection = Collection.objects.create(owner=person, title=KEPT, audience="everybody", made_at=NOW, changed_at=NOW)
    Item.objects.create(collection=collection, position=0, note=KEPT, **kept)
    said = {"ply": 1, "public": True, **kept}
    return {
        "shelf.Favourite.user": Favourite.objects.create(user=person, **kept),
        "shelf.Tag.user": tag,
        "shelf.Collection.owner": collection,
        "shelf.Comment.user": Comment.objects.create(user=person, text=KEPT, client_id=uuid4(), **said),
        "shelf.Comment.removed_by": Comment.objects.create(
            user=other, text="clumsy", client_id=uuid4(), removed_at=NOW, removed_by=person, **said
        ),
    }


def _studies(person: User, match: Match) -> dict[str, Model]:
    of = {"game": match.game, "variant": match.variant}
    return {
        "studies.Imported.owner": Imported.objects.create(
            owner=person, record={"seats": [person.username]}, plies=4, digest="d" * 64, made_at=NOW, **of
        ),
        "studies.Study.owner": Study.objects.create(
            owner=person, title=KEPT, names=[person.username], match=match, made_at=NOW, changed_at=NOW, **of
        ),
        "studies.Review.asked_by": Review.objects.create(match=match, total=4, asked_by=person, asked_at=NOW),
    }
