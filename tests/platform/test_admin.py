"""The staff's pages: all of them in two worlds that differ only in what is hidden while a match runs, and what nobody reads there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle
from typing import Any
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts import browsers
from accounts.models import Sanction, User
from care import reporting
from care.models import Finding
from lobby.models import Seek
from lobby.services import Wish, post_seek
from matches import chat
from matches.models import Match, Move, Secret
from matches.services import Person, play_move, start_match
from tests.games.fake_cards import CARDS
from tests.platform.conftest import NOW, now_at, play_on
from tests.platform.worlds import two_worlds

pytestmark = pytest.mark.django_db

PLAYED = 4
"""Plies that are played in each world; the match goes on."""
SECRETS = (b"\xc3" * 32, b"\x3c" * 32)


class RolledBack(Exception):
    """Ends a world, so that the next one begins like it."""


@pytest.fixture
def chief(cast: Any) -> User:
    return User.objects.create_superuser("Chief", password="olive-tile-7")


@pytest.fixture
def staff(chief: User) -> Client:
    client = Client()
    client.force_login(chief)
    return client


# --- Two worlds


def world(cast: Any, number: int, chief: User) -> Match:
    """A running match of one of two worlds that a spectator cannot tell apart, with a chat, a report and a sanction around it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(quote_ident(table_name), 'id'), 700000, false) FROM information_schema.columns "
            "WHERE table_schema = 'public' AND column_name = 'id' AND is_identity = 'YES'"
        )
    worlds = two_worlds(CARDS, "cards-2", None, "staff")
    assert worlds.differ
    plies = [str(ply) for ply in worlds.plies[number]]
    draws = iter([ply for ply in worlds.plies[number] if str(ply).startswith("=")])
    seats = [Person(cast.alice), Person(cast.bob)]
    match = start_match("cards", "cards-2", seats=seats, now=NOW, secret=SECRETS[number], draw=lambda *_: next(draws))
    while now_at(match).ply < PLAYED:
        at = now_at(match)
        play_move(match.pk, at.to_move, plies[at.ply], ply=at.ply, client_id=None, now=NOW, draw=lambda *_: next(draws))
    match = now_at(match)
    line, _ = chat.say(match.pk, cast.alice, room=chat.PLAYERS, text="psst", client_id=uuid4(), now=NOW)
    reporting.report(cast.bob, cast.alice, "chat", match=match, line=line, now=NOW)
    Sanction.objects.create(user=cast.alice, kind="warning", reason="hush", made_at=NOW, made_by=chief)
    assert match.running
    return match


def addresses() -> Iterator[str]:
    """Every page of the staff: lists, searched, and ordered and filtered by whatever there is, rows, histories, forms."""
    yield from ("/staff/", "/staff/jsi18n/")
    for model, page in admin.site._registry.items():
        opts = model._meta
        base = f"admin:{opts.app_label}_{opts.model_name}"
        index = reverse(f"{base}_changelist")
        yield from (index, f"{index}?q=7", f"{index}?q=alice", reverse(f"{base}_add"))
        if (row := model._default_manager.first()) is not None:
            yield reverse(f"{base}_change", args=[row.pk])
        if any(field.related_model is Match for field in opts.get_fields()) or model is Match:
            yield from (f"{index}?o={sign}{column}" for column, sign in zip(range(1, len(page.list_display) + 1), cycle(("", "-"))))
            yield from (f"{index}?{field.name}__startswith=1" for field in opts.get_fields())
            yield f"/staff/autocomplete/?app_label={opts.app_label}&model_name={opts.model_name}&field_name=match&term=7"
            if row is not None:
                yield from (reverse(f"{base}_{view}", args=[row.pk]) for view in ("history", "delete"))
                yield f"{reverse(f'{base}_change', args=[row.pk])}?_to_field=chain"
    yield from hidden_columns()


def hidden_columns() -> Iterator[str]:
    """Questions whose answers would spell out what nobody may know."""
    index = reverse("admin:matches_match_changelist")
    for start in "05af":
        yield f"{index}?chain__startswith={start}"
    for ask in ("moves__text__startswith==", "moves__text==1", "plans__tree__isnull=0", "secret__value__isnull=0", "offers__contains=x"):
        yield f"{index}?{ask}"
    for other in ("care_report", "matches_followup", "notices_notice"):
        yield from (f"{reverse(f'admin:{other}_changelist')}?match__chain__startswith={start}" for start in "05af")


def read(client: Client, match: Match) -> dict[str, str]:
    """What each page says, without what differs from any request to another."""
    said = {}
    for address in addresses():
        answer = client.get(address)
        text = f"{answer.status_code} {answer.get('Location', '')} {answer.content.decode()}"
        text = text.replace(match.commitment, "COMMITMENT")
        text = re.sub(r'(csrfmiddlewaretoken" value="|data-csrf=")\w+', "", text)
        said[address] = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID", text)
    return said


@pytest.mark.long
def test_no_page_of_the_staff_tells_two_worlds_of_a_running_match_apart(cast, chief, staff):
    said, hidden = [], []
    assert cast.alice != cast.bob  # both worlds know them
    for number in (0, 1):
        try:
            with transaction.atomic():
                match = world(cast, number, chief)
                said.append(read(staff, match))
                hidden.append((match.chain, list(Move.objects.filter(match=match).values_list("text", flat=True)), Secret.of(match).hex()))
                raise RolledBack
        except RolledBack:
            continue
    assert all(one != other for one, other in zip(*hidden, strict=True))
    assert said[0].keys() == said[1].keys()
    assert len(said[0]) > 200
    for address, text in said[0].items():
        assert text == said[1][address], address
    for texts, (chain, _, secret) in zip(said, hidden, strict=True):
        for address, text in texts.items():
            assert chain not in text, address
            assert secret not in text, address


@pytest.mark.parametrize(
    "address", ["chain__startswith=0", "chain__regex=.", "offers__contains=x", "secret__value__isnull=0", "clock__has_key=left"]
)
def test_a_column_that_a_page_does_not_filter_by_cannot_be_asked_for(cast, table, staff, address):
    table("cards-2", cast.alice, cast.bob)
    answer = staff.get(f"{reverse('admin:matches_match_changelist')}?{address}")
    assert answer.status_code == 400


@pytest.mark.parametrize("address", ["status__exact=running", "game=cards", "rated__exact=0", "termination__isnull=True"])
def test_its_own_filters_work(cast, table, staff, address):
    table("cards-2", cast.alice, cast.bob)
    assert staff.get(f"{reverse('admin:matches_match_changelist')}?{address}").status_code == 200


def test_matches_are_found_by_number_and_by_name(cast, table, staff):
    match = table("cards-2", cast.alice, cast.bob)
    other = table("cards-2", cast.carol, cast.dave)
    for word, found in ((str(match.pk), {match}), ("alice", {match}), ("nobody", set()), ("", {match, other})):
        page = staff.get(reverse("admin:matches_match_changelist"), {"q": word})
        assert set(page.context["cl"].result_list) == found, word


def test_plans_stay_with_their_seat(cast, table, staff):
    match = table("cards-2", cast.alice, cast.bob)
    assert not [model for model in admin.site._registry if model._meta.model_name in ("plan", "secret", "move", "takenback", "chatline")]
    page = staff.get(reverse("admin:matches_match_change", args=[match.pk])).content.decode()
    assert match.commitment in page
    assert match.chain not in page


# --- What nobody reads


@pytest.mark.long
def test_nobody_reads_passwords_second_factors_session_keys_or_tokens(cast, staff, chief):
    secret = "JBSWY3DPEHPK3PXP"
    Authenticator.objects.create(user=cast.alice, type="totp", data={"secret": secret})
    session = UserSession.objects.create(user=cast.alice, ip="203.0.113.9", session_key="k" * 32)
    seek = post_seek(cast.alice, Wish("blokus", "duo-2"), kind=Seek.Kind.LINK, now=NOW)
    chief.refresh_from_db()
    never = [secret, session.session_key, seek.token, chief.password, chief.password.split("$")[-1], Session.objects.first().session_key]
    looked = 0
    for address in addresses():
        answer = staff.get(address)
        looked += 1
        assert not [word for word in never if word in answer.content.decode()], address
    for model, field in (("usersessions_usersession", "session_key"), ("accounts_user", "password"), ("lobby_seek", "token")):
        assert staff.get(f"{reverse(f'admin:{model}_changelist')}?{field}__startswith=k").status_code in (302, 400)
    assert looked > 200


def test_a_person_is_shown_with_sanctions_former_names_and_browsers(cast, staff, chief):
    browsers.note(cast.alice, "one", NOW)
    Sanction.objects.create(user=cast.alice, kind="mute", reason="Hush, please", made_at=NOW, made_by=chief)
    cast.alice.former_names.create(name="Alicia", key_hash="x", left_at=NOW)
    page = staff.get(reverse("admin:accounts_user_change", args=[cast.alice.pk])).content.decode()
    for words in ("Hush, please", "Alicia", reverse("admin:care_person", args=[cast.alice.pk])):
        assert words in page
    assert re.search(r"(?s)rowsers in which.{0,200}>1<", page)


# --- Rights


def helper(*rights: str) -> Client:
    """One of the staff with some rights, at a browser."""
    user = User.objects.create_user("Helper", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client = Client()
    client.force_login(user)
    return client


def test_staff_without_the_right_see_no_case_and_decide_nothing(cast):
    client = helper("view_user")
    person = reverse("admin:care_person", args=[cast.bob.pk])
    assert client.get(person).status_code == 403
    assert client.post(person, {"act": "impose", "kind": "mute", "reason": "x", "span": "1"}).status_code == 403
    assert client.get(reverse("admin:care_report_changelist")).status_code == 403
    assert not Sanction.objects.exists()


def test_nobody_gives_oneself_rights_or_takes_over_an_owner(cast, chief):
    client = helper("change_user", "view_user")
    own = User.objects.get(username="Helper")
    page = reverse("admin:accounts_user_change", args=[own.pk])
    client.post(page, {"username": "Helper", "is_superuser": "on", "is_staff": "on"})
    client.post(reverse("admin:accounts_user_change", args=[chief.pk]), {"username": "Chief", "email": "mine@example.org"})
    assert client.get(reverse("admin:auth_user_password_change", args=[chief.pk])).status_code == 403
    own.refresh_from_db()
    chief.refresh_from_db()
    assert (own.is_superuser, chief.email) == (False, "")


def test_everything_but_people_and_groups_is_to_look_at_only(cast, table, staff):
    play_on(table("cards-2", cast.alice, cast.bob))
    for model in admin.site._registry:
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        if model._meta.model_name in ("user", "group"):
            continue
        try:
            add = reverse(f"{base}_add")
        except NoReverseMatch:
            continue
        assert staff.get(add).status_code == 403, base
        row = model._default_manager.first()
        if row is not None and model._meta.model_name != "report":
            assert staff.post(reverse(f"{base}_change", args=[row.pk]), {"x": "y"}).status_code == 403, base


# --- The queue


def impose_form(**more: str) -> dict[str, str]:
    return {"act": "impose", "kind": "mute", "reason": "No insults", "span": "7", "all_open": "on"} | more


@pytest.fixture
def report(cast: Any, table: Any) -> Any:
    match = table("cards-2", cast.alice, cast.bob)
    lines = [
        chat.say(match.pk, user, room=chat.PLAYERS, text=text, client_id=uuid4(), now=NOW)[0]
        for user, text in ((cast.alice, "hello there"), (cast.bob, "you fool"), (cast.alice, "be nice"))
    ]
    return reporting.report(cast.alice, cast.bob, "chat", match=match, line=lines[1], now=NOW)[0]


def test_the_queue_shows_what_waits_and_a_case_shows_all_that_belongs_to_it(cast, staff, report):
    queue = staff.get(reverse("admin:care_report_changelist"))
    assert list(queue.context["cl"].result_list) == [report]
    page = staff.get(reverse("admin:care_report_change", args=[report.pk])).content.decode()
    for words in ("hello there", "you fool", "be nice", f"/match/{report.match_id}/", "It still runs.", "alice", "bob"):
        assert words in page
    assert page.index("hello there") < page.index('class="is-reported"') < page.index("be nice")


def test_a_decision_in_the_case_settles_it_and_empties_the_queue(cast, staff, report, chief):
    done = staff.post(reverse("admin:care_report_change", args=[report.pk]), impose_form(), follow=True)
    assert "The person is told" in done.content.decode()
    sanction = Sanction.objects.get()
    assert (sanction.user, sanction.kind, sanction.reason, sanction.made_by) == (cast.bob, "mute", "No insults", chief)
    report.refresh_from_db()
    assert (report.state, report.sanction) == ("acted", sanction)
    assert list(done.context["cl"].result_list) == []
    assert list(staff.get(reverse("admin:care_report_changelist"), {"state": "settled"}).context["cl"].result_list) == [report]
    lifted = staff.post(reverse("admin:care_lift", args=[sanction.pk]), follow=True)
    assert "Lifted" in lifted.content.decode()
    sanction.refresh_from_db()
    assert sanction.lifted_at is not None


def test_a_decision_that_lacks_something_says_what_and_changes_nothing(staff, report, cast):
    address = reverse("admin:care_report_change", args=[report.pk])
    for wrong, words in (
        ({"reason": ""}, "This field is required"),
        ({"span": "date"}, "Choose the last day"),
        ({"kind": "x"}, "valid choice"),
    ):
        page = staff.post(address, impose_form(**wrong))
        assert words in page.content.decode(), wrong
    past = staff.post(address, impose_form(span="date", day="2020-01-01"))
    assert "This end is over already" in past.content.decode()
    assert not Sanction.objects.exists()


def test_a_report_is_dismissed_and_a_name_taken_away(staff, report, cast):
    staff.post(reverse("admin:care_report_change", args=[report.pk]), {"act": "dismiss"})
    report.refresh_from_db()
    assert report.state == "dismissed"
    staff.post(reverse("admin:care_person", args=[cast.bob.pk]), {"act": "rename"})
    assert User.objects.get(pk=report.about_id).username.startswith("player-")


def test_a_moderator_who_plays_reads_nothing_said_to_others_in_a_running_match(cast, table, staff, chief):
    match = table("cards-2", chief, cast.bob)
    line, _ = chat.say(match.pk, cast.carol, room=chat.SPECTATORS, text="chief holds the ace", client_id=uuid4(), now=NOW)
    report, _ = reporting.report(cast.dave, cast.carol, "other", text="tells", match=match, line=line, now=NOW)
    queue, own = reverse("admin:care_report_changelist"), reverse("admin:care_report_change", args=[report.pk])
    person = reverse("admin:care_person", args=[cast.carol.pk])
    for address in (queue, f"{queue}?q=ace", f"{queue}?state=all", own, person):
        assert "holds the ace" not in staff.get(address, follow=True).content.decode(), address
    assert "wait for the end" in staff.get(person).content.decode()
    assert staff.post(own, impose_form()).status_code == 404
    play_on(match)
    assert "chief holds the ace" in staff.get(own).content.decode()


def test_findings_are_listed_with_their_reason_and_put_aside(cast, staff):
    finding = Finding.objects.create(
        key="pair:1:2", kind="pair", user=cast.alice, other=cast.bob, score=0.9, found_at=NOW,
        data={"count": 9, "share": 80, "won": 9, "matches": [1, 2]},
    )  # fmt: skip
    index = reverse("admin:care_finding_changelist")
    assert "9 rated matches against each other" in staff.get(index).content.decode()
    assert "/match/2/" in staff.get(reverse("admin:care_finding_change", args=[finding.pk])).content.decode()
    staff.post(index, {"action": "put_aside", "_selected_action": [finding.pk]})
    finding.refresh_from_db()
    assert finding.seen_at is not None
    assert list(staff.get(index).context["cl"].result_list) == []


@pytest.mark.parametrize("language", ["en", "zh-hant", "it", "fr", "nl"])
def test_the_pages_come_in_our_languages(staff, report, language):
    staff.cookies["language"] = language
    page = staff.get(reverse("admin:care_report_change", args=[report.pk]))
    assert f'lang="{language}"' in page.content.decode()
