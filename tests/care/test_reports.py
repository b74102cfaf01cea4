"""Reports: who may make which, once each, at a bearable rate, and what the forms say."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from care import reporting, services
from care.errors import BadReport, NotAboutYourself
from care.models import Report
from matches import chat
from matches.errors import NoSuchMatch, TooMuch
from matches.models import ChatLine, FollowUp
from notices import tasks as notice_tasks
from notices.models import Notice
from tests.threads import at_once, kinds

pytestmark = pytest.mark.django_db


def say(match: Any, user: User, text: str = "", **more: Any) -> ChatLine:
    intent = {"client_id": uuid4(), "now": timezone.now(), "room": chat.PLAYERS} | more
    return chat.say(match.pk, user, text=text, **intent)[0]


def tell(reporter: User, about: User, kind: str = "name", **more: Any) -> tuple[Report, bool]:
    return reporting.report(reporter, about, kind, **({"now": timezone.now()} | more))


def send(client: Client, name: str, *args: Any, **form: Any) -> Any:
    return client.post(reverse(name, args=args), form, follow=True)


# --- The service


def test_the_same_report_again_adds_nothing_until_the_first_was_handled(cast, chief, duel):
    first, again = tell(cast.alice, cast.bob, "cheating", text="bot moves", match=duel)
    assert not again
    assert tell(cast.alice, cast.bob, "cheating", text="more", match=duel) == (first, True)
    assert Report.objects.get().text == "bot moves"
    for other in ({"kind": "stalling"}, {"match": None}):
        assert not tell(cast.alice, cast.bob, **({"kind": "cheating", "text": "x", "match": duel} | other))[1]
    services.dismiss(chief, [first], now=timezone.now())
    assert not tell(cast.alice, cast.bob, "cheating", text="again", match=duel)[1]


def test_nobody_reports_oneself_or_without_saying_why(cast, duel):
    line = say(duel, cast.bob, "silly")
    for refused, reason in (
        ({"about": cast.alice}, NotAboutYourself),
        ({"kind": "weather"}, BadReport),
        ({"kind": "cheating"}, BadReport),
        ({"kind": "cheating", "text": " \u200b "}, BadReport),
        ({"text": "x" * 1001}, BadReport),
        ({"line": line, "match": None}, NoSuchMatch),
        ({"line": line, "match": duel, "about": cast.carol}, NoSuchMatch),
    ):
        with pytest.raises(reason):
            tell(cast.alice, **({"about": cast.bob, "kind": "name"} | refused))
    assert not Report.objects.exists()


def test_a_private_match_is_reported_by_the_people_at_the_table_only(cast, table):
    match = table("cards-2", cast.alice, cast.bob, private=True)
    with pytest.raises(NoSuchMatch):
        tell(cast.carol, cast.bob, match=match)
    assert tell(cast.alice, cast.bob, match=match)[0].match == match


def test_somebody_who_reports_a_lot_is_asked_to_wait(cast):
    for number in range(5):
        tell(cast.alice, User.objects.create(username=f"target{number}"))
    with pytest.raises(TooMuch):
        tell(cast.alice, cast.bob)
    assert tell(cast.alice, cast.bob, now=timezone.now() + timedelta(minutes=11))[0].pk
    assert tell(cast.carol, cast.bob)[0].pk


@pytest.mark.django_db(transaction=True)
def test_a_double_click_on_four_threads_is_one_report(cast):
    alice, bob = cast.alice, cast.bob
    results = at_once(*[lambda: tell(alice, bob)[0]] * 4)
    assert kinds(results) == {"Report": 4}
    assert Report.objects.count() == 1


def test_the_words_are_kept_as_they_were_said(cast, duel):
    own, phrase = say(duel, cast.bob, "you  <b>fool</b>"), say(duel, cast.bob, phrase="bye")
    assert tell(cast.alice, cast.bob, "chat", match=duel, line=own)[0].quote == "you <b>fool</b>"
    assert reporting.quote_of(phrase) == "I have to go. Bye!"
    own.delete()
    assert Report.objects.get().quote == "you <b>fool</b>"


def test_who_reported_is_told_that_it_was_handled_and_not_how(cast, chief):
    report, _ = tell(cast.alice, cast.bob)
    services.impose(chief, cast.bob, "mute", "No insults", reports=[report], now=timezone.now())
    for row in FollowUp.objects.filter(kind="tell"):
        notice_tasks.tell(row.pk)
    told = Notice.objects.get(user=cast.alice)
    assert told.kind == "care"
    text = str(told.data)
    assert "Thank you for your report" in text
    assert not [word for word in ("bob", "mute", "No insults", str(cast.bob.pk)) if word in text.split("values")[0]]
    assert told.data["values"] == {}


# --- The forms


def test_a_person_is_reported_from_the_profile_without_scripts(cast):
    alice = cast.at_browser(cast.alice)
    page = alice.get(reverse("report_person", args=[cast.bob.username]))
    assert page.status_code == 200
    assert "Report bob" in page.content.decode()
    done = send(alice, "report_person", "bob", about=cast.bob.pk, kind="name", text="rude")
    assert "Your report has arrived" in done.content.decode()
    report = Report.objects.get()
    assert (report.reporter, report.about, report.kind, report.text, report.match) == (cast.alice, cast.bob, "name", "rude", None)
    assert 'value="block"' in done.content.decode()


def test_somebody_new_reports_as_a_guest(cast):
    done = send(Client(), "report_person", "bob", about=cast.bob.pk, kind="name")
    assert done.redirect_chain
    assert Report.objects.get().reporter.is_guest


def test_the_form_of_a_match_names_the_others_at_the_table_and_nobody_else(cast, table):
    match = table("cards-3", cast.alice, cast.bob, cast.guest())
    alice = cast.at_browser(cast.alice)
    page = alice.get(reverse("report_match", args=[match.pk])).content.decode()
    assert "bob" in page
    assert f'value="{cast.alice.pk}"' not in page
    refused = send(alice, "report_match", match.pk, about=cast.carol.pk, kind="stalling", text="x")
    assert refused.status_code == 400
    send(alice, "report_match", match.pk, about=cast.bob.pk, kind="stalling", text="left")
    assert Report.objects.get().match == match


def test_a_match_against_bots_alone_has_nobody_to_report(cast, table):
    match = table("cards-2", cast.alice, "low")
    assert cast.at_browser(cast.alice).get(reverse("report_match", args=[match.pk])).status_code == 404


def test_a_line_is_reported_by_who_can_read_it(cast, duel):
    line = say(duel, cast.bob, "you fool")
    url = reverse("report_line", args=[duel.pk, line.pk])
    alice = cast.at_browser(cast.alice)
    assert "you fool" in alice.get(url).content.decode()
    for stranger in (cast.at_browser(cast.carol), Client(), cast.at_browser(cast.bob)):
        assert stranger.get(url).status_code == 404
    alice.post(url, {"about": cast.bob.pk, "kind": "chat"})
    report = Report.objects.get()
    assert (report.line, report.quote, report.match) == (line, "you fool", duel)


@pytest.mark.parametrize("page", ["match"])
def test_the_page_of_a_match_leads_to_the_reports_with_and_without_scripts(cast, duel, page):
    line = say(duel, cast.bob, "psst")
    text = cast.at_browser(cast.alice).get(reverse(page, args=[duel.pk])).content.decode()
    assert text.count(reverse("report_match", args=[duel.pk])) == 2
    assert reverse("report_line", args=[duel.pk, line.pk]) in text
    own = cast.at_browser(cast.bob).get(reverse(page, args=[duel.pk])).content.decode()
    assert reverse("report_line", args=[duel.pk, line.pk]) not in own


def test_a_form_that_lacks_something_says_what(cast):
    alice = cast.at_browser(cast.alice)
    for form, words in (({}, "Choose what it is about."), ({"kind": "cheating"}, "say in a few words")):
        page = send(alice, "report_person", "bob", about=cast.bob.pk, **form)
        assert page.status_code == 400
        assert words in page.content.decode()


def test_one_address_cannot_flood_the_queue_with_new_guests(cast):
    for number in range(31):
        User.objects.create(username=f"target{number}")
    codes = []
    for number in range(31):
        about = User.objects.get(username=f"target{number}")
        codes.append(send(Client(), "report_person", about.username, about=about.pk, kind="name").status_code)
    assert codes == [200] * 30 + [400]


def test_a_name_that_nobody_has_is_a_page_not_a_trace(cast):
    assert Client().get("/people/nobody-here/report/").status_code == 404
    assert Client().get(reverse("report_match", args=[999_999])).status_code == 404
