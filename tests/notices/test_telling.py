"""From an event to what each person is told of it: whom it concerns, by which way, and exactly once."""

from __future__ import annotations

import pytest
from django.utils import timezone

from lobby.services import Wish, cancel_seek, challenge, decline_challenge
from lobby.upkeep import sweep
from matches import followups, offers
from matches.clock import TimeControl
from matches.models import FollowUp, Match
from matches.services import BotSeat, Person, play_move, resign, start_match
from notices import digests, tasks, telling
from notices.mine import mine
from notices.models import Notice, NoticeSettings, PushSubscription
from tests.notices.conftest import later, move, reachable, rows, work
from tests.platform.conftest import legal, now_at
from tests.threads import at_once


def browser(user, number=1):
    """A browser that takes pushes for the person."""
    return PushSubscription.objects.create(
        user=user, endpoint=f"https://push.example.org/{user.pk}/{number}", p256dh="p", auth="a", made_at=timezone.now()
    )


def kinds_of(user):
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def duel(cast, days):
    """alice, to move, against bob; both can be mailed, and their start is told."""
    match = days(reachable(cast.alice), reachable(cast.bob))
    work("tell")
    Notice.objects.all().delete()
    FollowUp.objects.filter(kind__in=("mail", "push")).delete()
    return match


def test_a_start_is_told_to_everybody_and_the_turn_to_whose_it_is(cast, days):
    days(cast.alice, cast.bob)
    work("tell")
    assert sorted(kinds_of(cast.alice)) == ["start", "turn"]
    assert kinds_of(cast.bob) == ["start"]


def test_a_turn_asks_for_a_mail_in_two_minutes_and_a_push_to_each_browser(cast, duel):
    for number in (1, 2):
        browser(cast.bob, number)
    match = move(duel)
    work("tell")
    (mail,) = rows("mail")
    assert mail.key == f"mail:{cast.bob.pk}:turn:{match.pk}:{match.version}"
    assert 110 < (mail.due_at - timezone.now()).total_seconds() <= 120
    assert {push.key.rsplit(":", 1)[0] for push in rows("push")} == {f"push:{cast.bob.pk}:turn:{match.pk}:{match.version}"}
    assert len(rows("push")) == 2


def test_telling_twice_tells_once(cast, duel):
    move(duel)
    (row,) = rows("tell")
    for _ in range(2):
        tasks.tell(row.pk)
        FollowUp.objects.filter(pk=row.pk).update(done_at=None)
    assert (len(rows("mail")), Notice.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_tell_once(cast, days):
    match = days(reachable(cast.alice), reachable(cast.bob))
    for row in rows("tell", key__endswith=":start"):
        at_once(*[lambda row=row: tasks.tell(row.pk)] * 4)
    assert sorted(row.person_id for row in rows("mail")) == sorted([cast.alice.pk, cast.bob.pk])
    assert Notice.objects.filter(match=match).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_both_hold_a_row_tell_once(cast, days):
    """One was so slow that its lease ran out while it worked."""
    match = days(reachable(cast.alice), reachable(cast.bob))
    (row,) = rows("tell", key__endswith=":start")
    results = at_once(*[lambda: telling.tell(row, timezone.now())] * 4)
    assert results == [None] * 4
    assert (len(rows("mail")), Notice.objects.filter(match=match).count()) == (2, 2)


def test_each_kind_is_told_as_the_person_chose(cast, days):
    reachable(cast.alice, mail={"turn": "off", "start": "digest"}, push={"start": False})
    browser(cast.alice)
    days(cast.alice, cast.bob)
    work("tell")
    assert rows("mail") == []
    assert [row.key.split(":")[2] for row in rows("push")] == ["turn"]
    assert dict(Notice.objects.filter(user=cast.alice).values_list("kind", "digest")) == {"start": True, "turn": False}


def test_nobody_is_mailed_without_a_confirmed_address(cast, days):
    cast.alice.emailaddress_set.create(email="somebody.else@example.org", verified=False, primary=True)
    days(cast.alice, cast.bob)
    work("tell")
    assert rows("mail") == []
    assert not Notice.objects.filter(digest=True).exists()


def test_no_mail_comes_of_a_live_match(cast, days):
    reachable(cast.alice)
    browser(cast.alice)
    match = days(cast.alice, cast.bob, control="5m+8s")
    resign(match.pk, 1, now=timezone.now())
    work("tell")
    assert rows("mail") == []
    assert [row.key.split(":")[2] for row in rows("push")] == ["start", "end"]


def test_a_match_against_bots_alone_is_nobodys_news(cast):
    start_match("cards", "cards-2", seats=[Person(reachable(cast.alice)), BotSeat("low")], now=timezone.now())
    assert rows("tell") == []


def test_a_turn_that_is_over_when_it_is_told_is_no_news(cast, duel):
    move(move(duel))
    work("tell")
    assert kinds_of(cast.bob) == []
    assert kinds_of(cast.alice) == ["turn"]


def test_who_goes_on_after_a_move_of_its_own_is_not_told_that_it_may(cast, duel):
    match = move(duel)
    Match.objects.filter(pk=match.pk).update(to_move=0)
    FollowUp.objects.filter(key=f"tell:{match.pk}:{match.version}:turn").update(data={"event": "turn", "seat": 0})
    work("tell")
    assert kinds_of(cast.alice) == []


def test_an_offer_is_told_to_the_others(cast, duel):
    match = move(duel)
    work("tell")
    offers.offer(match.pk, 0, "pause", now=timezone.now())
    work("tell")
    assert kinds_of(cast.alice) == []
    assert kinds_of(cast.bob) == ["turn", "offer"]


def test_an_end_is_told_to_who_stayed(cast, duel):
    resign(duel.pk, 0, now=timezone.now())
    work("tell")
    assert (kinds_of(cast.alice), kinds_of(cast.bob)) == ([], ["end"])


def test_a_challenge_is_told_at_once(cast):
    reachable(cast.bob)
    wish = Wish("blokus", "duo-2", control=TimeControl.parse("3d"))
    seek = challenge(cast.alice, [cast.bob], wish, now=timezone.now())
    work("tell")
    (mail,) = rows("mail")
    assert mail.key == f"mail:{cast.bob.pk}:challenge:{seek.pk}:{cast.bob.pk}"
    assert mail.due_at <= timezone.now()


def asked(cast, *people, variant="duo-2"):
    """A challenge of alice's that has been told, and the page of alice before it is answered."""
    seek = challenge(cast.alice, people, Wish("blokus", variant, control=TimeControl.parse("3d")), now=timezone.now())
    work("tell")
    assert mine(cast.alice, timezone.now())["notices"] == []
    return seek


def titles(user, now=None):
    return [notice["title"] for notice in mine(user, now or timezone.now())["notices"]]


def test_who_challenged_is_told_on_the_page_that_it_was_declined_and_by_whom(cast):
    reachable(cast.alice)
    browser(cast.alice)
    seek = asked(cast, cast.bob, cast.carol, variant="classic-3")
    decline_challenge(seek.pk, cast.carol, now=timezone.now())
    decline_challenge(seek.pk, cast.carol, now=timezone.now())
    work("tell")
    (notice,) = mine(cast.alice, timezone.now())["notices"]
    assert (notice["title"], notice["url"]) == ("carol declined your challenge", "/lobby/")
    assert notice["body"].startswith("Blokus, ")
    assert (titles(cast.bob), titles(cast.carol)) == ([], [])
    assert rows("mail", person=cast.alice) == rows("push", person=cast.alice) == []
    assert titles(cast.alice, later(days=2)) == ["carol declined your challenge"]
    assert titles(cast.alice, later(days=4)) == []


def test_who_challenged_is_told_that_it_ran_out_and_who_did_not_answer(cast):
    asked(cast, cast.bob, cast.carol, variant="classic-3")
    sweep(later(days=8))
    work("tell")
    assert titles(cast.alice) == ["Your challenge to bob and carol ran out"]


def test_a_challenge_that_was_withdrawn_is_no_news_to_who_withdrew_it(cast):
    cancel_seek(asked(cast, cast.bob).pk, cast.alice, now=timezone.now())
    work("tell")
    assert titles(cast.alice) == []


def test_that_a_challenge_was_declined_is_in_the_daily_mail_of_who_reads_challenges_there(cast):
    reachable(cast.alice, mail={"challenge": "digest"})
    reachable(cast.bob)
    decline_challenge(asked(cast, cast.bob).pk, cast.bob, now=timezone.now())
    work("tell")
    letter = digests.letter(cast.alice, later(days=1))
    assert [item.title for item in letter.items] == ["bob declined your challenge"]


def test_the_row_of_a_worker_that_died_is_told_by_the_next_one_after_its_lease(cast, days):
    days(reachable(cast.alice), reachable(cast.bob))
    (row,) = rows("tell", key__endswith=":start")
    assert followups.claim(row.pk, timezone.now()) is not None
    tasks.tell(row.pk)
    assert rows("mail") == []
    FollowUp.objects.filter(pk=row.pk).update(lease_until=timezone.now())
    tasks.tell(row.pk)
    assert len(rows("mail")) == 2


def test_settings_without_a_row_are_the_usual_ones(cast):
    usual = NoticeSettings(user=cast.alice)
    assert {kind: usual.mail_for(kind) for kind in ("turn", "deadline", "challenge", "start", "offer", "end")} == {
        "turn": "now", "deadline": "now", "challenge": "now", "start": "now", "offer": "digest", "end": "digest",
    }  # fmt: skip
    assert usual.push_for("turn") is True


def test_every_kind_of_follow_up_of_notices_has_its_task(cast):
    for kind in (followups.TELL, followups.MAIL, followups.PUSH, followups.REMIND):
        module, _, name = followups.TASKS[kind][0].rpartition(".")
        assert (module, hasattr(tasks, name)) == ("notices.tasks", True)


def test_a_late_wake_up_for_a_turn_that_was_played_does_nothing(cast, duel):
    match = move(duel)
    work("tell")
    play_move(match.pk, 1, legal(now_at(match)), ply=match.ply, now=timezone.now())
    (mail,) = rows("mail")
    tasks.mail(mail.pk)
    assert FollowUp.objects.get(pk=mail.pk).done_at is not None
