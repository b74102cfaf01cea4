"""Comments to a ply: who writes, who reads, what is kept of the words, and how moderators come in."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from accounts import ties
from accounts.models import Sanction, Tie, User
from care.models import Report
from matches.errors import Muted, NotNow, TooMuch
from matches.models import Match
from shelf import comments, services
from shelf.models import Comment
from tests.shelf.conftest import NOW, Cast, Over, imported, thing, write

pytestmark = pytest.mark.django_db


def texts(match: Match, player: User | None) -> list[str]:
    """What somebody reads at a match, in order."""
    return [comment["text"] for comment in services.of(match, player)["comments"]]


@pytest.fixture
def moderator(cast: Cast) -> User:
    """Somebody on the staff who handles reports."""
    judge = cast.judge
    judge.is_staff = True
    judge.save()
    judge.user_permissions.add(Permission.objects.get(codename="change_report"))
    return User.objects.get(pk=judge.pk)


def test_own_words_are_for_oneself_until_they_are_for_everybody(cast: Cast, over: Over) -> None:
    match = over()
    kept = write(thing(match), cast.carol, "Mine alone", ply=3)
    write(thing(match), cast.carol, "For all", ply=1, public=True)
    assert texts(match, cast.carol) == ["For all", "Mine alone"]
    assert texts(match, cast.alice) == texts(match, None) == ["For all"]
    comments.edit(kept, thing(match), text="For all, too", public=True, now=NOW)
    assert texts(match, None) == ["For all", "For all, too"]
    assert [comment["edited"] for comment in services.of(match, None)["comments"]] == [False, True]


def test_nobody_writes_to_a_match_that_is_still_played(cast: Cast, table) -> None:
    running = thing(table("duo-2", cast.alice, cast.bob))
    for public in (False, True):
        with pytest.raises(NotNow):
            write(running, cast.alice, ply=0, public=public)
    assert services.of(running, cast.alice)["may"] == {"comment": False, "publish": False}


@pytest.mark.parametrize("what", ["private", "called off", "imported"])
def test_words_for_everybody_need_a_match_that_everybody_may_see_to_its_end(cast: Cast, over: Over, what: str) -> None:
    match = over(private=what == "private")
    if what == "called off":
        Match.objects.filter(pk=match.pk).update(status="aborted")
    subject = thing(imported(cast.alice, match) if what == "imported" else match, cast.alice)
    with pytest.raises(NotNow):
        write(subject, cast.alice, public=True)
    write(subject, cast.alice, "For me")
    assert [one["text"] for one in services.of(subject, cast.alice)["comments"]] == ["For me"]
    assert services.of(subject, cast.bob)["comments"] == []


def test_guests_write_for_themselves_and_the_muted_too(cast: Cast, over: Over) -> None:
    subject, guest = thing(over()), cast.guest()
    Sanction.objects.create(user=cast.bob, kind="mute", reason="Too loud", made_at=NOW)
    for person, reason in ((guest, NotNow), (cast.bob, Muted)):
        with pytest.raises(reason):
            write(subject, person, public=True)
        own = write(subject, person)
        with pytest.raises(reason):
            comments.edit(own, subject, text="Now for all", public=True, now=NOW)
    assert not Comment.objects.filter(public=True).exists()


@pytest.mark.parametrize("by", ["reader", "writer"])
def test_neither_side_of_a_block_reads_the_other(cast: Cast, over: Over, by: str) -> None:
    match = over()
    written = write(thing(match), cast.bob, public=True)
    first, second = (cast.carol, cast.bob) if by == "reader" else (cast.bob, cast.carol)
    ties.tie(first, second, Tie.Kind.BLOCK, now=NOW)
    assert texts(match, cast.carol) == []
    assert comments.seen_by(written.pk, cast.carol) is None
    assert texts(match, cast.bob) == texts(match, cast.dora) == ["Why not the corner?"]


def test_words_are_plain_and_of_bearable_length(cast: Cast, over: Over) -> None:
    subject = thing(over())
    assert write(subject, cast.bob, " a\t b\r\n\r\n\r\n\r\n\u202ec \u200b\n").text == "a b\n\nc"
    for text in ("", " \n\u200b", "x" * (comments.LONGEST + 1)):
        with pytest.raises(NotNow):
            write(subject, cast.bob, text)
    for ply in (-1, subject.plies + 1):
        with pytest.raises(NotNow):
            write(subject, cast.bob, ply=ply)
    assert {write(subject, cast.bob, ply=ply).ply for ply in (0, subject.plies)} == {0, subject.plies}


def test_a_repeat_writes_nothing_again_and_whoever_writes_fast_is_asked_to_wait(cast: Cast, over: Over) -> None:
    subject, intent = thing(over()), uuid4()
    assert write(subject, cast.bob, client_id=intent) == write(subject, cast.bob, client_id=intent)
    for _ in range(4):
        write(subject, cast.bob)
    with pytest.raises(TooMuch):
        write(subject, cast.bob)
    write(subject, cast.bob, now=NOW + timedelta(seconds=11))
    write(subject, cast.carol)
    assert Comment.objects.count() == 7


def test_only_its_author_changes_or_deletes_a_comment(cast: Cast, over: Over) -> None:
    written = write(thing(over()), cast.bob, public=True)
    address = reverse("shelf_comment", args=[written.pk])
    for browser in (cast.at_browser(cast.carol), cast.at_browser(cast.guest())):
        assert browser.post(address, {"change": "delete"}).status_code == 404
    assert cast.at_browser(cast.carol).post(address, {"change": "remove"}, follow=True).status_code == 400
    written.refresh_from_db()
    assert written.removed_at is None
    cast.at_browser(cast.bob).post(address, {"change": "edit", "text": "Better so", "public": "yes"})
    written.refresh_from_db()
    assert (written.text, written.public, written.edited_at is not None) == ("Better so", True, True)
    cast.at_browser(cast.bob).post(address, {"change": "delete"})
    assert not Comment.objects.exists()


def test_a_moderator_takes_a_comment_away_for_all_but_its_author_and_puts_it_back(cast: Cast, over: Over, moderator: User) -> None:
    match = over()
    written = write(thing(match), cast.bob, public=True)
    page = cast.at_browser(moderator).get(reverse("shelf_one", args=["match", match.pk])).content.decode()
    assert "Take away as a moderator" in page
    cast.at_browser(moderator).post(reverse("shelf_comment", args=[written.pk]), {"change": "remove"})
    assert texts(match, cast.carol) == texts(match, None) == []
    assert [one["removed"] for one in services.of(match, cast.bob)["comments"]] == [True]
    written.refresh_from_db()
    with pytest.raises(NotNow):
        comments.edit(written, thing(match), text="Again", public=True, now=NOW)
    staff = reverse("admin:shelf_comment_changelist")
    cast.at_browser(moderator).post(staff, {"action": "restore", "_selected_action": [written.pk]})
    assert texts(match, None) == ["Why not the corner?"]
    assert list(LogEntry.objects.filter(user=moderator).values_list("change_message", flat=True)) == ["Put back", "Taken away"]


def test_the_staffs_list_has_no_words_that_somebody_wrote_for_oneself(cast: Cast, over: Over, moderator: User) -> None:
    write(thing(over()), cast.bob, "a secret plan")
    shown = cast.at_browser(moderator).get(reverse("admin:shelf_comment_changelist"))
    assert shown.status_code == 200
    assert "a secret plan" not in shown.content.decode()


def test_a_report_carries_the_words_to_the_moderators(cast: Cast, over: Over) -> None:
    match = over()
    written = write(thing(match), cast.bob, "You play like a brick\n" + "x" * 400, public=True, now=timezone.now())
    address = reverse("report_comment", args=[written.pk])
    page = cast.at_browser(cast.carol).get(address).content.decode()
    assert "You play like a brick" in page
    cast.at_browser(cast.carol).post(address, {"about": cast.bob.pk, "kind": "chat", "text": ""})
    report = Report.objects.get()
    assert (report.about, report.reporter, report.match) == (cast.bob, cast.carol, match)
    assert report.quote.startswith("You play like a brick xxx")
    assert len(report.quote) == 300
    own = write(thing(match), cast.carol, "Only for me")
    for person, which in ((cast.bob, written.pk), (cast.bob, own.pk), (cast.carol, own.pk)):
        assert cast.at_browser(person).get(reverse("report_comment", args=[which])).status_code == 404
