"""News from the apps above: told once, in the reader's words and by the reader's choice."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core import mail
from django.db import transaction
from django.utils import timezone
from django.utils.translation import override

from games.kit.protocol import N_, Label
from notices import letters, news
from notices.mine import mine
from notices.models import Kind, Notice, NoticeSettings, PushSubscription
from notices.sending import _payload
from tests.notices.conftest import prefers, reachable, rows, told, work

CHALLENGED = {
    "title": N_("{name} challenges you"),
    "body": N_("Please move by {when}."),
    "path": "/rungs/cards/",
    "kind": Kind.RUNGS,
}


def tell(person, key="rungs:7:open", **more):
    values = {"name": more.pop("by", "Ann"), "when": datetime(2026, 3, 2, 13, 30, tzinfo=UTC)}
    with transaction.atomic():
        news.tell(person, key=key, values=values, now=timezone.now(), **(CHALLENGED | more))


def test_news_reaches_open_pages_the_mail_and_the_page_of_notices(cast):
    prefers(reachable(cast.alice), timezone="Europe/Rome")
    cast.alice.refresh_from_db()
    tell(cast.alice, by=cast.bob)
    told()
    (shown,) = mine(cast.alice, timezone.now())["notices"]
    said = "Please move by Monday 2 March, 14:30 (Europe/Rome)."
    assert (shown["title"], shown["body"], shown["url"]) == ("bob challenges you", said, "/rungs/cards/")
    (letter,) = mail.outbox
    assert letter.subject == "bob challenges you"
    assert said in letter.body
    assert "http://localhost:8000/rungs/cards/" in letter.body
    page = cast.at_browser(cast.alice).get("/notices/").content.decode()
    assert '<a href="/rungs/cards/">bob challenges you</a>' in page


def test_news_is_put_into_the_language_and_the_names_of_when_it_is_read(cast):
    bob = cast.bob
    tell(cast.alice, by=bob)
    work("tell")
    bob.username = "robert"
    bob.save()
    notice = Notice.objects.get()
    with override("de"):
        assert news.title_of(notice, cast.alice) == "robert challenges you"
    with override("fr"):
        assert news.title_of(notice, cast.alice) == "robert te défie"
    bob.delete()
    assert news.title_of(notice, cast.alice) == "Deleted player challenges you"


def test_words_of_a_game_are_translated_too(cast):
    with transaction.atomic():
        words = {"title": N_("Your turn in {game}"), "values": {"game": Label("Blue")}}
        news.tell(cast.alice, key="k", path="/", kind=Kind.RUNGS, now=timezone.now(), **words)
    work("tell")
    with override("it"):
        assert news.title_of(Notice.objects.get(), cast.alice).endswith("Blu")


def test_the_same_key_is_told_once_to_each_person(cast):
    for person in (cast.alice, cast.alice, cast.bob):
        tell(person)
        work("tell")
    assert sorted(Notice.objects.values_list("user", flat=True)) == [cast.alice.pk, cast.bob.pk]


def test_nothing_is_told_when_the_transaction_came_to_nothing(cast):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        tell(cast.alice)
        raise ZeroDivisionError
    assert rows("tell") == []


def test_who_wants_no_mail_about_challenges_gets_none_and_a_click_in_one_ends_them(cast):
    reachable(cast.alice)
    tell(cast.alice)
    told()
    assert "/notices/off/" in mail.outbox[0].body
    cast.at_browser(cast.alice).post(f"/notices/off/{letters.off_token(cast.alice, Kind.RUNGS)}/")
    tell(cast.alice, key="rungs:8:open")
    told()
    assert len(mail.outbox) == 1


def test_word_from_the_moderators_is_mailed_whatever_was_chosen_and_offers_no_way_to_end_it(cast):
    reachable(cast.alice, mail={"care": "off"})
    tell(cast.alice, kind=Kind.CARE, path="/notices/")
    told()
    (letter,) = mail.outbox
    assert "/notices/off/" not in letter.body
    assert "List-Unsubscribe" not in letter.extra_headers
    client = cast.at_browser(cast.alice)
    assert client.post(f"/notices/off/{letters.off_token(cast.alice, Kind.CARE)}/").status_code == 404
    assert 'name="mail_care"' not in client.get("/notices/").content.decode()
    assert b"Nothing was kept" in client.post("/notices/", {"digest_hour": "8", "mail_care": "off"}).content


def test_a_push_says_the_same_and_goes_only_to_who_wants_it(cast):
    browser = {"endpoint": "https://push.example.org/1", "p256dh": "p", "auth": "a", "made_at": timezone.now()}
    PushSubscription.objects.create(user=cast.alice, **browser)
    tell(cast.alice)
    work("tell")
    (row,) = rows("push")
    payload = _payload(row)
    assert (payload.kind, payload.match, payload.title) == ("rungs", None, "Ann challenges you")
    NoticeSettings.objects.create(user=cast.alice, push={"rungs": False})
    assert _payload(row) is None


@pytest.mark.parametrize("bad", [{"path": "https://elsewhere.example/"}, {"path": "//elsewhere.example/"}, {"key": "k" * 61}])
def test_a_path_that_leads_elsewhere_or_a_key_that_is_too_long_is_a_mistake_of_ours(cast, bad):
    with pytest.raises(ValueError, match=r"path|key"):
        tell(cast.alice, **bad)
