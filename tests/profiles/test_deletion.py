"""Deleting an account: the person goes, and nobody else's matches and pages suffer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.exceptions import ValidationError
from django.db.models import Sum
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import FormerName, User
from ladder import recompute
from ladder.models import Placing, RatedMatch, Rating, RatingChange, Tally
from ladder.services import apply_next
from lobby.models import Seek
from lobby.services import challenge, join_seek, post_seek
from matches import commands, offers, payloads
from matches.clock import TimeControl
from matches.models import FollowUp, Match
from matches.services import resign
from matches.tasks import think
from pages.data import deletion
from pages.data.relations import RELATIONS
from rungs.models import Challenge, Rung
from tests.lobby.conftest import wish
from tests.platform.conftest import NOW, Cast, now_at, play_on
from tests.profiles.life import ABOUT, ADDRESS, FORMER, KEPT, SAID, dump, full_life
from tests.threads import at_once, kinds

pytestmark = pytest.mark.long

LIVE, DAYS = TimeControl.parse("5m+10s"), TimeControl.parse("3d")
PASSWORD = "a rather long one 7"


def gone(person: User) -> bool:
    """Delete somebody; whether there was somebody to delete."""
    return deletion.delete(person, timezone.now())


# --- What goes and what stays


def test_each_row_goes_or_stays_as_was_decided(cast: Cast, over: Match) -> None:
    rows = full_life(cast.Zelda, cast.Bob, over)
    zelda = User.objects.get(username="Zelda")
    assert gone(zelda)
    assert not User.objects.filter(pk=zelda.pk).exists()
    stayed = {name for name, row in rows.items() if type(row)._base_manager.filter(pk=row.pk).exists()}
    assert stayed == {name for name, relation in RELATIONS.items() if relation.stays}
    for name in stayed:
        rows[name].refresh_from_db()
        assert getattr(rows[name], name.rpartition(".")[2]) is None, name


def test_no_table_holds_a_word_of_the_person_afterwards(cast: Cast, over: Match) -> None:
    full_life(cast.Zelda, cast.Bob, over)
    words = ["Zelda", ABOUT, SAID, KEPT, FORMER, ADDRESS, "zelda-at-work", "192.0.2.7", "MFASECRET", "PUSHSECRET", "plays fast"]
    assert all(word in dump() for word in words)
    assert gone(User.objects.get(username="Zelda"))
    text = dump().casefold()
    assert [word for word in words if word.casefold() in text] == []
    assert "rude words" in text  # what somebody else said, which was reported, is still there to be judged


def test_nobody_can_take_the_name_nor_one_like_it_nor_a_former_one(cast: Cast, over: Match) -> None:
    full_life(cast.Zelda, cast.Bob, over)
    gone(User.objects.get(username="Zelda"))
    assert set(FormerName.objects.values_list("name", "user")) == {("", None)}
    for name in ("Zelda", "zeIda", "ZELDA", FORMER.lower()):
        with pytest.raises(ValidationError):
            User(username=name).clean()
    answer = Client().post(reverse("account_signup"), {"username": "zelda", "password1": PASSWORD, "password2": PASSWORD})
    assert "looks the same" in answer.content.decode()
    assert not User.objects.filter(username__iexact="zelda").exists()


def test_deleting_twice_is_harmless(cast: Cast) -> None:
    zelda = cast.Zelda
    assert [gone(zelda), gone(zelda)] == [True, False]
    assert FormerName.objects.count() == 1


def test_who_came_back_to_a_former_name_can_go_as_well(cast: Cast) -> None:
    from accounts.names import hashed, skeleton

    FormerName.objects.create(user=cast.Zelda, name="Zelda", key_hash=hashed(skeleton("Zelda")), left_at=NOW)
    assert gone(cast.Zelda)
    assert FormerName.objects.get().name == ""


# --- Matches


def test_a_match_of_two_ends_for_the_other(cast: Cast, table: Any) -> None:
    match = table("duo-2", cast.Zelda, cast.Bob)
    gone(cast.Zelda)
    match = now_at(match)
    assert (match.status, match.termination, match.ranks) == ("finished", "resigned", [2, 1])
    assert [seat.user_id for seat in match.seats.all()] == [None, cast.Bob.pk]


def test_with_more_seats_a_bot_plays_on_from_the_own_turn(cast: Cast, table: Any) -> None:
    match = table("classic-3", cast.Zelda, cast.Bob, cast.Cid)
    assert match.to_move == 0
    gone(cast.Zelda)
    row = FollowUp.objects.get(match=match, kind="think", done_at=None)
    think(row.pk)
    match = now_at(match)
    assert (match.running, match.ply, match.to_move) == (True, 1, 1)
    match = play_on(match, 2)
    think(FollowUp.objects.get(match=match, kind="think", done_at=None).pk)
    assert now_at(match).ply == 4


def test_no_match_that_runs_waits_for_nobody(cast: Cast, table: Any) -> None:
    """Whoever was to move, and whether the match was paused: what comes next is asked for."""
    first = table("classic-3", cast.Zelda, cast.Bob, cast.Cid)
    other = table("classic-3", cast.Bob, cast.Zelda, cast.Cid)
    paused = table("classic-3", cast.Zelda, cast.Bob, cast.Cid, control=DAYS)
    for seat in range(3):
        offers.offer(paused.pk, seat, "pause", now=NOW)
    play_on(other, 1)
    gone(cast.Zelda)
    for match in map(now_at, (first, other, paused)):
        assert match.running and match.to_move is not None
        assert match.seats.all()[match.to_move].user_id is None
        assert FollowUp.objects.filter(match=match, kind="think", done_at=None, data={}).count() == 1


def test_who_had_left_already_becomes_nobody_and_pages_see_itat_once(cast: Cast, table: Any) -> None:
    match = table("classic-3", cast.Zelda, cast.Bob, cast.Cid)
    resign(match.pk, 0, now=NOW)
    before = now_at(match).version
    gone(cast.Zelda)
    match = now_at(match)
    assert match.running and match.version > before
    assert payloads.for_seat(match, 1)["seats"][0]["name"] == "Deleted player"


def test_an_offer_to_play_again_goes_with_who_made_it(cast: Cast, over: Match) -> None:
    offers.offer(over.pk, 0, "rematch", now=NOW)
    assert now_at(over).offers
    gone(cast.Zelda)
    assert now_at(over).offers == {}


def test_a_match_that_begins_meanwhile_is_left_as_well(cast: Cast, table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Match] = []
    leave = deletion.leave_everything

    def leave_and_begin(person: User, now: Any) -> None:
        leave(person, now)
        if not begun:
            begun.append(table("duo-2", cast.Zelda, cast.Bob))

    monkeypatch.setattr(deletion, "leave_everything", leave_and_begin)
    assert gone(cast.Zelda)
    assert now_at(begun[0]).status == "finished"


def test_who_never_stops_beginning_is_asked_to_try_again(cast: Cast, table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table("duo-2", cast.Zelda, cast.Bob)
    monkeypatch.setattr(deletion, "leave_everything", lambda person, now: None)
    with pytest.raises(deletion.StillBusy):
        gone(cast.Zelda)
    answer = _at_the_form(cast.Zelda).post(reverse("account_delete"), {"sure": "yes", "name": "Zelda"})
    assert answer.status_code == 400 and "Try again in a few seconds" in answer.content.decode()
    assert User.objects.filter(username="Zelda").exists()


# --- The lobby


def test_open_tables_are_closed_left_or_declined(cast: Cast) -> None:
    own = post_seek(cast.Zelda, wish(), now=timezone.now())
    joined = post_seek(cast.Bob, wish("classic-3"), now=timezone.now())
    join_seek(joined.pk, cast.Zelda, now=timezone.now())
    asked = challenge(cast.Bob, [cast.Zelda], wish(), now=timezone.now())
    asking = challenge(cast.Zelda, [cast.Bob], wish(), now=timezone.now())
    gone(cast.Zelda)
    assert not Seek.objects.filter(pk__in=[own.pk, asking.pk]).exists()
    assert Seek.objects.get(pk=asked.pk).status == Seek.Status.DECLINED
    table = Seek.objects.with_places().get(pk=joined.pk)
    assert table.is_open and [place.user_id for place in table.places.all()] == [cast.Bob.pk, None, None]


def test_a_rung_is_given_up_and_those_below_move_up(cast: Cast) -> None:
    for position, person in enumerate((cast.Cid, cast.Zelda, cast.Bob), start=1):
        Rung.objects.create(game="blokus", user=person, position=position, joined_at=NOW, active_at=NOW, best=position)
    dare = {"game": "blokus", "from_position": 3, "to_position": 2, "made_at": NOW, "answer_by": timezone.now() + timedelta(days=2)}
    open_one = Challenge.objects.create(challenger=cast.Zelda, challenged=cast.Cid, **dare)
    gone(cast.Zelda)
    assert list(Rung.objects.order_by("position").values_list("position", "user__username")) == [(1, "Cid"), (2, "Bob")]
    open_one.refresh_from_db()
    assert open_one.state not in Challenge.UNSETTLED and open_one.settled_at is not None


# --- Ratings


def test_the_other_gets_what_the_last_matches_brought(cast: Cast, table: Any) -> None:
    match = table("duo-2", cast.Zelda, cast.Bob, rated=True, control=LIVE)
    play_on(match, 12)
    assert now_at(match).running
    gone(cast.Zelda)
    rated = RatedMatch.objects.get(match_id=match.pk)
    assert rated.applied_at is not None
    mine, theirs = rated.changes.order_by("seat")
    assert mine.user_id is None and mine.before is not None and mine.after is not None
    assert theirs.after is not None and theirs.before is not None and theirs.after.mu > theirs.before.mu
    assert Rating.objects.get(user=cast.Bob, game="blokus", pace="live").mu == theirs.mu_after


def test_a_result_that_comes_after_the_deletion_still_counts_for_those_who_are_there(cast: Cast, table: Any) -> None:
    match = table("classic-3", cast.Zelda, cast.Bob, cast.Cid, rated=True, control=LIVE)
    play_on(match, 12)
    gone(cast.Zelda)
    resign(match.pk, 1, now=timezone.now())
    while apply_next("blokus", "live", timezone.now()):
        pass
    changes = RatingChange.objects.filter(rated__match_id=match.pk).order_by("seat")
    assert [change.user_id for change in changes] == [None, cast.Bob.pk, cast.Cid.pk]
    assert [change.after is not None for change in changes] == [False, True, True]


def test_ratings_computed_anew_from_the_history_are_the_stored_ones(cast: Cast, table: Any) -> None:
    for seats in ((cast.Zelda, cast.Bob), (cast.Bob, cast.Cid), (cast.Cid, cast.Zelda)):
        match = table("duo-2", *seats, rated=True, control=LIVE)
        play_on(match, 12)
        resign(match.pk, 1, now=NOW)
    while apply_next("blokus", "live", timezone.now()):
        pass
    gone(cast.Zelda)
    with recompute.one_moment():
        assert list(recompute.check("blokus", "live")) == []
    assert Rating.objects.filter(game="blokus", pace="live").count() == 2


def test_the_tallies_of_the_ladders_still_count_who_stands_there(cast: Cast, over: Match) -> None:
    full_life(cast.Zelda, cast.Bob, over)
    pool = {"game": "azul", "pace": "live", "sigma": 2.0, "matches": 9, "listed": True, "updated_at": NOW}
    Placing.objects.create(user=cast.Bob, mu=26.01, **pool)
    assert Tally.objects.filter(country="").aggregate(all=Sum("people")) == {"all": 2}
    gone(User.objects.get(username="Zelda"))
    assert Tally.objects.filter(country="").aggregate(all=Sum("people")) == {"all": 1}
    assert Tally.objects.filter(country="NL").aggregate(all=Sum("people")) == {"all": 0}
    assert Placing.objects.count() == Placing.objects.filter(listed=True).count() == 1


# --- Sessions, sockets, mail


def test_every_session_of_the_person_ends(cast: Cast) -> None:
    browsers = [_at_the_form(cast.Zelda, PASSWORD) for _ in range(2)]
    bob = cast.at_browser(cast.Bob)
    keys = [browser.session.session_key for browser in browsers]
    gone(cast.Zelda)
    assert not Session.objects.filter(session_key__in=keys).exists()
    assert all(commands.player_in(key) is None for key in keys)
    assert commands.player_in(bob.session.session_key) == cast.Bob


def test_a_move_from_a_page_that_is_still_open_is_refused(cast: Cast, over: Match, table: Any) -> None:
    match = table("classic-3", cast.Zelda, cast.Bob, cast.Cid)
    browser = cast.at_browser(cast.Zelda)
    gone(cast.Zelda)
    browser.post(reverse("match_play", args=[match.pk]), {"text": "e10", "ply": "0"})
    assert commands.player_in(browser.session.session_key) is None
    assert now_at(match).ply == 0


def test_a_confirmed_address_gets_a_last_mail_and_another_none(cast: Cast, django_capture_on_commit_callbacks: Any) -> None:
    EmailAddress.objects.create(user=cast.Zelda, email=ADDRESS, verified=True, primary=True)
    EmailAddress.objects.create(user=cast.Bob, email="bob@example.org", verified=False, primary=True)
    gone(cast.Zelda)
    gone(cast.Bob)
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [([ADDRESS], "Tessera: Your account is deleted")]


def test_a_mail_server_that_is_out_does_not_bring_the_account_back(cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    EmailAddress.objects.create(user=cast.Zelda, email=ADDRESS, verified=True, primary=True)
    monkeypatch.setattr("django.core.mail.EmailMessage.send", _refuse)
    assert gone(cast.Zelda)
    assert "ConnectionRefusedError" in caplog.text and ADDRESS not in caplog.text


def _refuse(*args: Any, **kwargs: Any) -> None:
    raise ConnectionRefusedError(ADDRESS)


# --- The page


def _at_the_form(person: User, password: str = "") -> Client:
    """A browser in which the person is signed in, by typing the password where there is one."""
    browser = Client()
    if not password:
        browser.force_login(person)
        return browser
    if not person.check_password(password):
        person.set_password(password)
        person.save()
    answer = browser.post(reverse("account_login"), {"login": person.username, "password": password})
    assert answer.status_code == 302
    return browser


def test_with_a_password_the_person_shows_first_who_it_is(cast: Cast) -> None:
    browser = _at_the_form(cast.Zelda, PASSWORD)
    page = browser.get(reverse("account_delete")).content.decode()
    assert "Confirm that it is me" in page and 'name="sure"' not in page
    assert browser.post(reverse("account_delete"), {"sure": "yes"}).status_code == 200
    assert User.objects.filter(username="Zelda").exists()
    proof = reverse("account_reauthenticate") + "?next=" + reverse("account_delete")
    back = browser.post(proof, {"password": PASSWORD})
    assert back.url == reverse("account_delete")
    assert 'name="sure"' in browser.get(back.url).content.decode()
    assert browser.post(back.url, {}).status_code == 400
    done = browser.post(back.url, {"sure": "yes"}, follow=True)
    assert "All of it is deleted." in done.content.decode()
    assert not User.objects.filter(username="Zelda").exists()
    assert not browser.get(reverse("home")).context["player"]


def test_without_a_way_to_sign_in_again_the_name_is_typed(cast: Cast) -> None:
    SocialAccount.objects.create(user=cast.Zelda, provider="github", uid="1")
    browser = _at_the_form(cast.Zelda)
    for name in ("", "Bob"):
        answer = browser.post(reverse("account_delete"), {"sure": "yes", "name": name})
        assert answer.status_code == 400 and "not your name" in answer.content.decode()
    assert browser.post(reverse("account_delete"), {"sure": "yes", "name": "Zelda"}).status_code == 302
    assert not User.objects.filter(username="Zelda").exists()


def test_a_guest_can_go_as_well_and_the_browser_forgets_it(cast: Cast, table: Any) -> None:
    guest = cast.guest()
    match = table("duo-2", guest, cast.Bob)
    browser = cast.at_browser(guest)
    assert "You still play 1 match" in browser.get(reverse("account_delete")).content.decode()
    assert browser.post(reverse("account_delete"), {"sure": "yes"}).url == reverse("account_deleted")
    assert not User.objects.filter(pk=guest.pk).exists()
    assert now_at(match).status == "finished"
    assert not browser.session.get("guest")
    assert FormerName.objects.count() == 0


def test_a_second_press_in_another_tab_leads_to_the_same_farewell(cast: Cast) -> None:
    browser = _at_the_form(cast.Zelda)
    User.objects.filter(pk=cast.Zelda.pk).delete()
    assert browser.post(reverse("account_delete"), {"sure": "yes"}).url == reverse("account_deleted")


def test_a_visitor_is_told_that_there_is_nothing_to_delete(db: None) -> None:
    assert "nothing to delete" in Client().get(reverse("account_delete")).content.decode()


# --- Everybody else's pages


@pytest.fixture
def left_behind(cast: Cast, table: Any) -> dict[str, Match]:
    """What Bob and Cid still look at after Zelda is gone: a finished match and its rematch, and one that runs."""
    ended = table("duo-2", cast.Zelda, cast.Bob, rated=True, control=LIVE)
    play_on(ended, 12)
    resign(ended.pk, 1, now=NOW)
    for seat in (0, 1):
        offers.offer(ended.pk, seat, "rematch", now=NOW)
    again = Match.objects.get(previous=ended)
    running = table("classic-3", cast.Zelda, cast.Bob, cast.Cid, control=LIVE)
    against_bot = table("duo-2", cast.Zelda, "casual")
    resign(against_bot.pk, 0, now=NOW)
    full_life(cast.Zelda, cast.Bob, now_at(against_bot))
    gone(User.objects.get(username="Zelda"))
    return {"ended": ended, "again": again, "running": running}


@pytest.mark.parametrize("which", ["ended", "again", "running"])
def test_the_pages_of_a_match_say_deleted_player(cast: Cast, left_behind: dict[str, Match], which: str) -> None:
    named = {
        "match": True, "replay_data": True, "record": True, "match_history": True, "match_history_file": False, "fairness": False,
        "replay": False,
    }  # fmt: skip
    for browser in (cast.at_browser(cast.Bob), Client()):
        for kind, with_names in named.items():
            answer = browser.get(reverse(kind, args=[left_behind[which].pk]))
            later = which == "running" and "history" in kind  # spectators read it when the match is over
            assert answer.status_code == 200 or (later and answer.status_code in (302, 403, 404)), kind
            text = answer.content.decode()
            assert "Zelda" not in text, kind
            assert not (with_names and answer.status_code == 200) or "Deleted player" in text, kind


def test_lists_and_profiles_do_not_break(cast: Cast, left_behind: dict[str, Match]) -> None:
    User.objects.update(seen_at=timezone.now())
    paths = [
        "/", "/lobby/", "/watch/", "/tv/blokus/", "/next/", "/people/Bob/", "/people/Cid/", "/notices/", "/vacation/",
        "/games/blokus/", "/ladders/", "/ladders/blokus/live/", "/seasons/", "/rungs/", "/rungs/blokus/",
    ]  # fmt: skip
    found = []
    for browser in (cast.at_browser(cast.Bob), Client()):
        for path in paths:
            answer = browser.get(path)
            assert answer.status_code in (200, 302, 404), path
            assert "Zelda" not in answer.content.decode(), path
            found += [path] if answer.status_code == 200 else []
    assert {"/", "/lobby/", "/watch/", "/people/Bob/"} <= set(found)
    for name in ("Zelda", FORMER):
        assert Client().get(f"/people/{name}/").status_code in (404, 410)


def test_the_series_still_counts_both_sides(cast: Cast, left_behind: dict[str, Match]) -> None:
    series = payloads.for_seat(now_at(left_behind["again"]), 0)["series"]
    assert {(row["name"], row["points"]) for row in series} == {("Bob", 1.0), ("Deleted player", 1.0)}


# --- At once


@pytest.mark.django_db(transaction=True)
def test_pressed_twice_at_the_same_moment_it_happens_once(table: Any, cast: Cast) -> None:
    match = table("duo-2", cast.Zelda, cast.Bob)
    zelda = cast.Zelda
    answers = at_once(*[lambda: gone(zelda)] * 4)
    assert sorted(map(str, answers)) == ["False", "False", "False", "True"]
    assert FormerName.objects.count() == 1 and now_at(match).status == "finished"


@pytest.mark.django_db(transaction=True)
def test_a_deletion_in_the_middle_of_play_holds_up_nobody(table: Any, cast: Cast) -> None:
    """Moves, resignations and results of the person's matches go on in other threads; every one of them gets through or a clear answer."""
    matches = [table("duo-2", cast.Bob, cast.Zelda, rated=True, control=LIVE) for _ in range(3)]
    for match in matches:
        play_on(match, 12)
    zelda = cast.Zelda
    acts = [lambda match=match: resign(match.pk, 0, now=timezone.now()) for match in matches]
    answers = at_once(lambda: gone(zelda), *acts, lambda: apply_next("blokus", "live", timezone.now()))
    assert answers[0] is True
    assert set(kinds(answers[1:4])) <= {"Receipt", "MatchOver"}
    while apply_next("blokus", "live", timezone.now()):
        pass
    assert RatedMatch.objects.filter(applied_at=None).count() == 0
    assert RatingChange.objects.filter(rated__match_id__in=[match.pk for match in matches], mu_after=None).count() == 0
    assert Rating.objects.get(user=cast.Bob).matches == 3
