"""The pages of the challenge ladders: what they show to whom, and that all works by forms alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from matches.models import Match
from rungs import listing, services
from rungs.ladder import join
from rungs.models import Challenge, Rung
from rungs.settling import sweep
from rungs.statutes import ANSWER_WITHIN
from tests.rungs.conftest import NOW, ladder, lose

GAME = "blokus"
DAYS = ("1d", "3d")


@pytest.fixture
def people(cast):
    """ann to dan on the ladder of a game of ours."""
    return ladder(cast, "ann", "bob", "cid", "dan", game=GAME)


def dared(challenger, challenged):
    """A challenge just made."""
    return services.challenge(challenger, challenged, GAME, DAYS, now=timezone.now())


def page(client, path):
    """What a page shows; it must come."""
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_all_ladders_are_listed_with_their_leaders_and_ones_own_rung(cast, people):
    text = page(cast.at_browser(cast.cid), "/rungs/")
    assert "4 people on the ladder" in text
    assert "you on rung 3" in text
    assert 'href="/people/ann/"' in text
    assert 'href="/people/dan/"' not in text
    assert "Nobody yet" in text


def test_a_stranger_sees_the_ladder_and_how_to_join_it(people):
    text = page(Client(), f"/rungs/{GAME}/")
    assert [name in text for name in ("ann", "bob", "cid", "dan")] == [True] * 4
    assert "/account/signup/" in text
    assert "/challenge/" not in text


def test_joining_and_leaving_are_buttons(cast, people):
    client = cast.at_browser(cast.eve)
    assert "Join the ladder" in page(client, f"/rungs/{GAME}/")
    done = client.post(f"/rungs/{GAME}/join/", follow=True).content.decode()
    assert "You are on the ladder" in done
    assert 'aria-current="true" value="5"' in done
    assert "You left the ladder" in client.post(f"/rungs/{GAME}/leave/", follow=True).content.decode()
    assert not Rung.objects.filter(user=cast.eve).exists()


def test_a_guest_is_told_that_an_account_is_needed(cast, people):
    done = cast.at_browser(cast.guest()).post(f"/rungs/{GAME}/join/", follow=True).content.decode()
    assert "needs an account" in done
    assert Rung.objects.count() == 4


def test_who_can_be_challenged_has_a_button_and_who_cannot_a_reason(cast, people):
    dared(cast.dan, cast.ann)
    text = page(cast.at_browser(cast.cid), f"/rungs/{GAME}/")
    assert f'href="/rungs/{GAME}/challenge/bob/"' in text
    assert f'href="/rungs/{GAME}/challenge/ann/"' not in text
    assert "Challenged by dan" in text
    services.withdraw(Challenge.objects.get().pk, cast.dan, now=timezone.now())
    assert "less than 7 days ago" in page(cast.at_browser(cast.dan), f"/rungs/{GAME}/")


def test_a_challenge_goes_from_the_form_to_the_match_by_forms_alone(cast, people):
    dan, ann = cast.at_browser(cast.dan), cast.at_browser(cast.ann)
    assert page(dan, f"/rungs/{GAME}/challenge/ann/").count(" checked") == 4
    made = dan.post(f"/rungs/{GAME}/challenge/ann/", {"control": ["1d", "3d"]}, follow=True)
    assert "ann is challenged, and told so." in made.content.decode()
    path = made.redirect_chain[-1][0]
    assert "Withdraw the challenge" in made.content.decode()
    assert path in page(ann, "/rungs/")
    assert "Accept and play" in page(ann, path)
    done = ann.post(f"{path}accept/", {"control": "3d"})
    match = Match.objects.get()
    assert done["Location"] == f"/match/{match.pk}/"
    assert (match.variant, match.time_control) == ("classic-2", "3d")
    assert f'href="/match/{match.pk}/"' in page(Client(), path)


def test_declining_and_withdrawing_are_buttons_and_only_for_whom_they_concern(cast, people):
    made = dared(cast.dan, cast.ann)
    path = f"/rungs/challenges/{made.pk}/"
    for client in (cast.at_browser(cast.bob), Client()):
        text = page(client, path)
        assert "accept/" not in text
        assert "withdraw/" not in text
    refused = cast.at_browser(cast.bob).post(f"{path}decline/", follow=True).content.decode()
    assert "This challenge is between others." in refused
    done = cast.at_browser(cast.ann).post(f"{path}decline/", follow=True).content.decode()
    assert "ann gave rung 1 to dan without a match." in done
    assert cast.at_browser(cast.dan).post(f"{path}withdraw/", follow=True).content.decode().count("not open any more") == 1


def test_nobody_in_particular_is_sent_to_sign_in(people, cast):
    made = dared(cast.dan, cast.ann)
    assert Client().post(f"/rungs/challenges/{made.pk}/accept/")["Location"] == "/account/login/"


@pytest.mark.parametrize("control", ["", "7d", "5m+10s", "nonsense"])
def test_an_answer_that_was_not_offered_is_refused_with_a_sentence(cast, people, control):
    made = dared(cast.dan, cast.ann)
    done = cast.at_browser(cast.ann).post(f"/rungs/challenges/{made.pk}/accept/", {"control": control}, follow=True)
    assert "Choose one of the time controls that are offered." in done.content.decode()
    assert not Match.objects.exists()


def test_a_challenge_without_days_is_refused_on_the_form(cast, people):
    done = cast.at_browser(cast.dan).post(f"/rungs/{GAME}/challenge/ann/", {"control": "5m+10s"}, follow=True)
    assert "Offer at least one time control of days" in done.content.decode()
    assert not Challenge.objects.exists()


def test_results_and_moves_of_the_week_are_shown(cast, people):
    now = timezone.now()
    made = services.accept(dared(cast.dan, cast.bob).pk, cast.bob, "1d", now=now)
    lose(made.match, cast.bob, now=now)
    sweep(now)
    text = page(Client(), f"/rungs/{GAME}/")
    assert "dan beat bob and took rung 2." in text
    assert 'class="rung-up"' in text
    assert 'class="rung-down"' in text
    later = listing.page_of(GAME, None, None, None, now + timedelta(days=8))
    assert {row.moved for stretch in later.stretches for row in stretch.rows} == {0}


def test_a_long_ladder_shows_the_top_and_ones_own_neighbours_and_can_be_walked(cast):
    everybody = User.objects.bulk_create(User(username=f"p{number:03}", name_key=f"p{number:03}") for number in range(1, 201))
    Rung.objects.bulk_create(
        Rung(game=GAME, user=user, position=n, best=n, joined_at=NOW, active_at=NOW) for n, user in enumerate(everybody, start=1)
    )
    own = Rung.objects.get(position=150)
    first = listing.page_of(GAME, own.user, own, None, NOW)
    shown = [row.rung.position for stretch in first.stretches for row in stretch.rows]
    assert shown[:3] == [1, 2, 3]
    assert {*range(145, 156)} <= {*shown}
    assert len(shown) <= listing.WINDOW + listing.TOP
    assert [row.rung.position for stretch in first.stretches for row in stretch.rows if row.challenge] == [*range(145, 150)]
    walked, start = [], 1
    while start is not None:
        part = listing.page_of(GAME, None, None, start, NOW)
        walked += [row.rung.position for stretch in part.stretches for row in stretch.rows]
        start = part.lower
    assert walked == [*range(1, 201)]
    text = page(Client(), f"/rungs/{GAME}/?from=81")
    assert "p081" in text
    assert "p080" not in text


def test_a_page_of_a_ladder_needs_the_same_queries_however_many_stand_on_it(cast, people, django_assert_max_num_queries):
    own = Rung.objects.get(user=cast.dan)
    with django_assert_max_num_queries(16):
        listing.page_of(GAME, cast.dan, own, None, timezone.now())


def test_the_rules_say_the_numbers_that_hold(people):
    text = page(Client(), f"/rungs/{GAME}/rules/")
    assert f"within {ANSWER_WITHIN.days} days" in text
    assert "up to 5 rungs above you" in text
    assert "After 30 days" in text


@pytest.mark.parametrize("path", ["/rungs/chess/", "/rungs/chess/rules/", "/rungs/challenges/99999/", "/rungs/blokus/challenge/nobody/"])
def test_what_there_is_not_is_a_page_that_says_so(db, path):
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize("start", ["0", "-3", "x", "99999999", "999999999999"])
def test_any_start_gives_a_page(people, start):
    assert Client().get(f"/rungs/{GAME}/", {"from": start}).status_code == 200


def test_deleted_people_are_named_as_such(cast, people):
    made = dared(cast.dan, cast.ann)
    cast.dan.delete()
    sweep(timezone.now())
    text = page(Client(), f"/rungs/challenges/{made.pk}/")
    assert "Deleted player" in text
    assert join(cast.eve, GAME, now=NOW).position == 4
