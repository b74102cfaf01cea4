"""Rated matches: what counts, what was said beforehand, what is said afterwards, and that the numbers are those of the matches."""

from __future__ import annotations

import logging
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.browsers import note
from ladder import formula, scale
from ladder.explain import chances
from ladder.models import RatedMatch, Rating, RatingChange
from ladder.scale import Strength
from ladder.services import apply_next, standing_of
from matches import audit, followups, offers, payloads, stakes, tasks
from matches.clock import TimeControl
from matches.errors import NotNow
from matches.models import FollowUp, Match
from matches.services import abort, flag, play_move, resign
from notices import wording
from notices.models import Notice
from notices.tasks import tell
from tests.platform.conftest import NOW, legal, now_at, play_on
from tests.threads import at_once

pytestmark = pytest.mark.long

BLITZ = TimeControl.parse("3m+2s")
POOL = ("cards", "live")


def rate():
    while apply_next(*POOL, NOW):
        pass


def play_out(match):
    """Let everybody move to the end, bots too."""
    match = now_at(match)
    while match.running:
        automatic = match.seats.all()[match.to_move].automatic
        play_move(match.pk, match.to_move, legal(match), ply=match.ply, now=NOW, automatic=automatic)
        match = now_at(match)
    return match


@pytest.fixture
def duel(cast, table):
    return table("cards-2", cast.alice, cast.bob, control=BLITZ, rated=True)


# --- Bots


def test_a_rated_match_against_a_bot_moves_the_person_and_never_the_bot(cast, table):
    match = play_out(table("cards-2", cast.alice, "low", control=BLITZ, rated=True))
    rate()
    assert RatedMatch.objects.get().match_id == match.pk
    person, bot = RatingChange.objects.order_by("seat")
    assert person.before != person.after
    assert bot.before == bot.after == scale.anchor("low")
    assert Rating.objects.get().user == cast.alice


def test_a_seat_whose_person_left_is_played_on_by_a_bot_and_counts_for_the_person_as_last(cast, table):
    match = play_on(table("cards-3", cast.alice, cast.bob, cast.carol, control=BLITZ, rated=True), 6)
    resign(match.pk, 1, now=NOW)
    match = play_out(match)
    assert match.ranks[1] == 3
    rate()
    change = RatingChange.objects.get(seat=1)
    assert (change.user, change.level) == (cast.bob, "")
    assert change.after.mu < change.before.mu


def test_against_bots_alone_nobody_stops_the_clock_or_calls_off_what_goes_badly(cast, table):
    match = table("cards-2", cast.alice, "low", control=BLITZ, rated=True)
    abort(match.pk, 0, now=NOW)
    match = play_on(table("cards-2", cast.alice, "low", control=BLITZ, rated=True), 1)
    for kind in ("abort", "pause"):
        with pytest.raises(NotNow, match="against bots"):
            offers.offer(match.pk, 0, kind, now=NOW)
    may = payloads.for_seat(now_at(match), 0)["may"]
    assert (may["pause"], may["offer_abort"]) == (False, False)
    offers.offer(play_on(table("cards-2", cast.alice, "low", control=BLITZ), 1).pk, 0, "pause", now=NOW)


def won(own: Strength, bot: Strength) -> Strength:
    return formula.rate([own, bot], [1, 2])[0]


@pytest.mark.parametrize("level", ["beginner", "strong"])
def test_who_always_beats_a_bot_gains_less_and_less_until_it_is_refused(level):
    bot = scale.anchor(level)
    own, gains = Strength(bot.mu, 2.0), []
    while scale.shown(own.mu) <= scale.shown(bot.mu) + scale.AHEAD:
        gains.append(won(own, bot).mu - own.mu)
        own = won(own, bot)
    assert gains == sorted(gains, reverse=True)
    assert scale.POINTS * gains[-1] < 2 < scale.POINTS * gains[0]
    assert scale.shown(own.mu) <= scale.shown(bot.mu) + scale.AHEAD + 2


def test_far_ahead_of_all_bots_one_plays_them_without_rating(cast, table):
    rating = Rating.objects.create(user=cast.alice, game="blokus", pace="live", mu=35.1, sigma=2.0, matches=9, updated_at=NOW)
    for seats, refused in ((["beginner"], True), (["casual"], True), (["skilled"], False), ([cast.bob], False)):
        if refused:
            with pytest.raises(NotNow, match="400 points ahead"):
                table("duo-2", cast.alice, *seats, control=BLITZ, rated=True)
        else:
            table("duo-2", cast.alice, *seats, control=BLITZ, rated=True)
    table("classic-3", cast.alice, cast.bob, "beginner", control=BLITZ, rated=True)
    Rating.objects.filter(pk=rating.pk).update(mu=30.0)
    table("duo-2", cast.alice, "beginner", control=BLITZ)


def test_on_average_nobody_gains_by_choosing_a_weak_bot():
    bot = scale.anchor("beginner")
    for mu in (5.0, 12.0, 18.0):
        own = Strength(mu, 2.0)
        wins = chances([own, bot])[0]
        gain = won(own, bot).mu - mu
        loss = formula.rate([own, bot], [2, 1])[0].mu - mu
        assert wins * gain + (1 - wins) * loss == pytest.approx(0, abs=1e-4)


# --- What counts


@pytest.mark.parametrize(("plies", "counts"), [(2, False), (3, False), (4, True)])
def test_a_match_that_is_left_before_every_seat_has_moved_twice_does_not_count(duel, client, plies, counts):
    match = now_at(duel)
    resign(play_on(match, plies).pk, 1, now=NOW)
    match = now_at(match)
    assert (match.status, match.uncounted) == ("finished", "" if counts else "short")
    assert RatedMatch.objects.exists() is counts
    assert FollowUp.objects.filter(kind=followups.RATE).exists() is counts
    told = payloads.for_seat(match, None)["rating"]
    assert told["counted"] is counts
    for page in ("match", "match_history"):
        assert ("moved twice" in client.get(reverse(page, args=[match.pk])).content.decode()) is not counts


def test_a_match_that_is_played_to_its_end_counts_however_short_it_is(duel, monkeypatch):
    monkeypatch.setattr("matches.counting.ENOUGH", 99)
    assert play_on(duel).uncounted == ""
    assert RatedMatch.objects.exists()


def test_the_moves_of_a_stand_in_count_for_the_seat(cast, table):
    match = table("cards-3", cast.alice, cast.bob, cast.carol, control=BLITZ, rated=True)
    match = play_on(match, 3)
    resign(match.pk, 0, now=NOW)
    match = now_at(match)
    for _ in range(3):
        automatic = match.seats.all()[match.to_move].automatic
        play_move(match.pk, match.to_move, legal(match), ply=match.ply, now=NOW, automatic=automatic)
        match = now_at(match)
    resign(match.pk, 1, now=NOW)
    assert (now_at(match).status, now_at(match).uncounted) == ("finished", "")


def test_a_match_of_two_accounts_of_one_browser_does_not_count_and_only_the_table_reads_why(cast, duel):
    for person in (cast.alice, cast.bob):
        note(person, "x" * 43, NOW - timedelta(days=1))
    match = play_on(duel)
    assert match.uncounted == "linked"
    assert not RatedMatch.objects.exists()
    for seat in (0, 1):
        assert "one browser" in payloads.for_seat(match, seat)["rating"]["reason"]
    outside = payloads.for_seat(match, None)["rating"]["reason"]
    assert outside == "It does not count for the ratings."


def test_a_casual_match_says_nothing_of_ratings(cast, table):
    match = table("cards-2", cast.alice, cast.bob, control=BLITZ)
    assert stakes.before(match, 0, NOW) is None
    assert payloads.for_seat(play_on(match), 0)["rating"] is None


# --- Before and after


@pytest.mark.parametrize(("variant", "others"), [("cards-2", ["low"]), ("cards-2", ["bob"]), ("cards-3", ["bob", "low"])])
def test_what_was_at_stake_is_what_then_happens(cast, table, variant, others):
    for _ in range(3):
        play_on(table("cards-2", cast.alice, cast.carol, control=BLITZ, rated=True))
    rate()
    seats = [name if name == "low" else getattr(cast, name) for name in others]
    match = table(variant, cast.alice, *seats, control=BLITZ, rated=True)
    promised = stakes.before(match, 0, NOW)
    before = standing_of(cast.alice, *POOL).rating
    match = play_out(match)
    rate()
    told = payloads.for_seat(match, 0)["rating"]
    if len(set(match.ranks)) == len(match.ranks) and len(others) == 1:
        assert told["changes"][0]["change"] == promised["ranks"][match.ranks[0] - 1]
    assert scale.signed(standing_of(cast.alice, *POOL).rating - before) == told["changes"][0]["change"]
    assert told["sentence"].startswith(told["changes"][0]["change"] + ": you ")


def test_nothing_is_at_stake_for_who_only_watches_or_whose_others_are_all_gone(cast, duel):
    assert stakes.before(duel, None, NOW) is None
    assert stakes.before(duel, 1, NOW) is not None
    cast.alice.delete()
    assert stakes.before(now_at(duel), 1, NOW) is None


def test_pages_with_and_without_scripts_tell_before_what_is_at_stake_and_after_what_it_changed(cast, duel):
    browser = cast.at_browser(cast.alice)
    page = browser.get(reverse("match", args=[duel.pk]))
    at_stake = page.context["page"]["stakes"]
    assert page.content.decode().count(f"win {at_stake['win']}, lose {at_stake['lose']}") == 2
    assert "1500? ± 250" in page.content.decode()
    play_on(duel)
    assert "The new ratings come in a moment." in browser.get(reverse("match", args=[duel.pk])).content.decode()
    rate()
    page = browser.get(reverse("match", args=[duel.pk]))
    sentence = page.context["page"]["position"]["rating"]["sentence"]
    assert "bob (1500? ± 250)" in sentence
    assert f"<p>{sentence}</p>" in page.content.decode()


def test_each_reads_the_sentence_from_its_own_seat_and_who_watches_reads_none(duel):
    play_on(duel)
    rate()
    match = now_at(duel)
    first, second, outside = (payloads.for_seat(match, seat)["rating"] for seat in (0, 1, None))
    assert "bob" in first["sentence"]
    assert "alice" in second["sentence"]
    assert outside["sentence"] == ""
    assert first["changes"] == second["changes"] == outside["changes"]
    assert all("? ± " in change["rating"] for change in first["changes"])


def test_when_a_match_has_been_rated_its_pages_hear_of_it(duel):
    match = play_on(duel)
    tasks.rate(FollowUp.objects.get(kind=followups.RATE).pk)
    assert now_at(match).version == match.version + 1
    assert payloads.for_seat(now_at(match), 0)["rating"]["changes"]


def test_word_of_the_end_tells_what_it_changed_whoever_comes_first(duel):
    play_on(duel)
    row = FollowUp.objects.get(kind=followups.TELL, key__endswith=":end")
    tell(row.pk)
    notice = Notice.objects.get(kind="end", user__username="alice")
    body = wording.say(notice, notice.user).body
    assert "you " in body
    assert "bob (1500? ± 250)" in body


def test_a_form_starts_a_rated_match_against_a_bot_for_who_has_an_account_and_a_clock(cast, client):
    form = {"game": "blokus", "variant": "duo-2", "level": "casual", "clock": "5m+5s", "rated": "rated"}
    browser = cast.at_browser(cast.alice)
    page = browser.get(reverse("home")).content.decode()
    assert page.count('name="rated" value="rated"') == 4
    assert "What is at stake" in page
    browser.post(reverse("play"), form)
    match = Match.objects.get()
    assert match.rated
    assert [seat.rating for seat in match.seats.all()] == [1500, 1200]
    refused = browser.post(reverse("play"), form | {"clock": "none"}, follow=True).content.decode()
    assert "A rated match needs a clock" in refused
    refused = client.post(reverse("play"), form, follow=True).content.decode()
    assert "A rated match needs an account" in refused
    assert 'name="rated"' not in client.get(reverse("home")).content.decode()
    assert Match.objects.count() == 1


# --- Exactly once


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_last_move_a_resignation_and_a_flag_at_once_rate_each_player_once(cast, table):
    late = NOW + timedelta(hours=1)
    for _ in range(12):
        match = play_on(table("cards-2", cast.alice, cast.bob, control=BLITZ, rated=True), 5)
        text = legal(match)
        at_once(
            lambda match=match, text=text: play_move(match.pk, match.to_move, text, ply=match.ply, now=NOW),
            lambda match=match: resign(match.pk, 0, now=NOW),
            lambda match=match: resign(match.pk, 1, now=NOW),
            lambda match=match: flag(match.pk, late),
        )
        row = FollowUp.objects.get(match=match, kind=followups.RATE)
        at_once(*[lambda row=row: tasks.rate(row.pk)] * 2, rate)
    assert RatedMatch.objects.count() == 12
    assert RatingChange.objects.count() == 24
    assert set(Rating.objects.values_list("matches", flat=True)) == {12}
    assert list(audit.differences(*POOL)) == []


@pytest.mark.django_db(transaction=True)
def test_a_task_that_was_killed_in_the_middle_is_done_again_and_changes_nothing_twice(duel, monkeypatch):
    play_on(duel)
    row = FollowUp.objects.get(kind=followups.RATE)
    with monkeypatch.context() as patch:
        patch.setattr("matches.tasks.followups.done", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            tasks.rate(row.pk)
    once = list(RatingChange.objects.order_by("pk").values_list("mu_after", "sigma_after"))
    FollowUp.objects.filter(pk=row.pk).update(lease_until=None)
    tasks.rate(row.pk)
    row.refresh_from_db()
    assert row.done_at is not None
    assert list(RatingChange.objects.order_by("pk").values_list("mu_after", "sigma_after")) == once
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}


# --- The numbers are those of the matches


@pytest.fixture
def played(cast, table):
    """Matches that count and that do not, of people and bots."""
    for _ in range(2):
        play_out(table("cards-3", cast.alice, cast.bob, "low", control=BLITZ, rated=True))
        play_out(table("cards-2", cast.bob, cast.alice, control=BLITZ))
        resign(play_on(table("cards-2", cast.alice, cast.carol, control=BLITZ, rated=True), 2).pk, 1, now=NOW)
        abort(table("cards-2", cast.alice, cast.carol, control=BLITZ, rated=True).pk, 1, now=NOW)
        play_out(table("cards-2", cast.carol, cast.alice, control=BLITZ, rated=True))
    rate()


def named():
    return [str(difference) for difference in audit.differences(*POOL)]


def test_the_results_are_those_of_the_matches_that_count(played, cast):
    assert audit.pools() == [POOL]
    assert RatedMatch.objects.count() == 4
    assert named() == []
    cast.carol.delete()
    assert named() == []


SPOILT = {
    "not entered": lambda: Match.objects.filter(uncounted="short").update(uncounted=""),
    "does not count": lambda: Match.objects.filter(pk=RatedMatch.objects.first().match_id).update(uncounted="linked"),
    "ranks of result": lambda: Match.objects.filter(pk=RatedMatch.objects.last().match_id).update(ranks=[7, 7]),
    "seats of result": lambda: RatingChange.objects.filter(level="low").update(level="lowest"),
    "the time of result": lambda: Match.objects.filter(pk=RatedMatch.objects.last().match_id).update(finished_at=NOW + timedelta(days=1)),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_result_that_is_not_that_of_its_match_is_found(played, what):
    assert SPOILT[what]()
    assert any(what in text for text in named()), named()


def test_results_that_change_places_are_found(played):
    first = RatedMatch.objects.get(number=1)
    Match.objects.filter(pk=first.match_id).update(finished_at=NOW + timedelta(seconds=9))
    RatedMatch.objects.filter(pk=first.pk).update(ended_at=NOW + timedelta(seconds=9))
    assert any("the time of result 2" in text for text in named())


def run(*arguments):
    out, err = StringIO(), StringIO()
    try:
        call_command("ratings", "recompute", *arguments, stdout=out, stderr=err)
    except CommandError as trouble:
        return str(trouble), out.getvalue(), err.getvalue()
    return "", out.getvalue(), err.getvalue()


def test_the_command_names_what_differs_and_fails_and_without_check_puts_it_right(played):
    assert run("--check") == ("", "cards, live: 4 results, 0 differences.\n", "")
    Rating.objects.update(mu=1.0)
    trouble, out, err = run("--check")
    assert "not what the history leads to" in trouble
    assert "3 differences" in out
    assert err.count("rating of person") == 3
    assert "mu: stored 1.0, computed " in err
    trouble, out, _ = run()
    assert trouble == ""
    assert "3 differences found" in out
    assert run("--check")[0] == ""
    assert run("--check", "--game", "blokus") == ("", "", "")


def test_every_night_the_log_hears_of_what_differs(played, caplog):
    with caplog.at_level(logging.INFO, logger="matches.tasks"):
        tasks.audit_ratings()
        assert [record.levelname for record in caplog.records] == ["INFO"]
        Rating.objects.update(sigma=2.0)
        tasks.audit_ratings()
    assert [record.levelname for record in caplog.records] == ["INFO", *["ERROR"] * 4]
    assert "3 differences from the history" in caplog.records[-1].getMessage()
