"""A person's page, and what one can do about the person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import names_had
from accounts.models import FormerName, PrivateNote, Sanction, Tie, User
from accounts.names import hashed, skeleton
from ladder import periods, scale
from ladder.models import RatedMatch, Rating, RatingChange, Season, SeasonPlace
from matches.clock import TimeControl
from matches.services import Person, start_match
from tests.profiles.conftest import NOW, Cast, finished

pytestmark = pytest.mark.django_db


def page(client: Client, name: str = "bob", **asked: str) -> str:
    answer = client.get(reverse("person", args=[name]), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def rate(person: User, game: str, number: int) -> None:
    """A rated match of two as it is stored, after which the person stands at a mean of `25 + number`."""
    at = NOW + timedelta(days=number)
    match = RatedMatch.objects.count() + 1
    rated = RatedMatch.objects.create(match_id=match, game=game, pace="live", number=number, ended_at=at, ranks=[1, 2], applied_at=at)
    RatingChange.objects.create(rated=rated, seat=0, user=person, mu_before=25, sigma_before=8, mu_after=25 + number, sigma_after=2)


def said(answer) -> str:
    return " ".join(str(message) for message in get_messages(answer.wsgi_request))


def test_a_page_tells_what_the_person_told_and_nothing_in_it_is_a_link_or_markup(cast: Cast, client: Client) -> None:
    bob = cast.bob
    bob.country, bob.languages, bob.favourites = "IT", ["it", "lij"], ["nibble"]
    bob.about, bob.avatar = "I like <b>tiles</b>.\nhttps://example.org/", "p2-3-00f"
    bob.save()
    html = page(client)
    for part in ("Italy", "Italian, Ligurian", "/avatar/p2-3-00f.svg", "&lt;b&gt;tiles&lt;/b&gt;.<br>https://example.org/", "Nibble"):
        assert part in html
    assert 'href="https://example.org' not in html


def test_somebody_who_is_here_is_shown_to_be_unless_that_is_hidden(cast: Cast, client: Client) -> None:
    bob = cast.bob
    assert "Here now" not in page(client)
    User.objects.filter(pk=bob.pk).update(seen_at=timezone.now())
    assert "Here now" in page(client)
    User.objects.filter(pk=bob.pk).update(preferences={"hidden": True})
    assert "Here now" not in page(client)


def test_names_lead_to_their_page_however_they_are_written_and_so_do_names_of_old(cast: Cast, client: Client) -> None:
    assert cast.bob.username == "bob"
    assert client.get("/people/BoB/").url == reverse("person", args=["bob"])
    names_had.change(cast.bob, "robert", NOW)
    assert client.get("/people/bob/").url == reverse("person", args=["robert"])
    assert client.get("/people/bob/matches/?game=azul").url == reverse("person_matches", args=["robert"]) + "?game=azul"


def test_guests_and_nobody_have_no_page(cast: Cast, client: Client) -> None:
    for name in (cast.guest().username, "nobody", "x" * 60):
        assert client.get(reverse("person", args=[name])).status_code == 404


def test_a_closed_account_has_a_page_that_says_so_and_nothing_else(cast: Cast, client: Client) -> None:
    bob = cast.bob
    User.objects.filter(pk=bob.pk).update(about="my secret", is_active=False)
    FormerName.objects.create(user=None, key_hash=hashed(skeleton("deleted")), left_at=NOW)
    for name in ("bob", "deleted"):
        for address in (reverse("person", args=[name]), reverse("person_matches", args=[name])):
            answer = client.get(address)
            assert answer.status_code == 410
            assert "This account is closed" in answer.content.decode() and "my secret" not in answer.content.decode()
        assert client.post(reverse("person_tie", args=[name]), {"change": "friend"}).status_code == 410
    assert not Tie.objects.exists()


def test_who_is_shut_out_has_no_page_until_that_ends(cast: Cast, client: Client) -> None:
    now = timezone.now()
    Sanction.objects.create(
        user=cast.bob, kind=Sanction.Kind.SUSPENSION, reason="no", made_at=now - timedelta(days=2), ends_at=now + timedelta(days=1)
    )
    assert "shut this account out" in client.get("/people/bob/").content.decode()
    Sanction.objects.update(ends_at=now - timedelta(days=1))
    assert page(client)


def test_private_matches_are_shown_and_counted_for_those_alone_who_sat_there(cast: Cast, client: Client) -> None:
    hidden = finished([cast.bob, cast.carol], [1, 2], private=True, game="azul", variant="grey-2")
    open_ = finished([cast.bob, cast.alice], [1, 2], game="nibble", variant="square-9")
    running = start_match("blokus", "duo-2", seats=[Person(cast.bob), Person(cast.carol)], now=timezone.now(), private=True)
    own, carol, alice = cast.at_browser(cast.bob), cast.at_browser(cast.carol), cast.at_browser(cast.alice)
    for browser, seen in ((own, True), (carol, True), (alice, False), (client, False)):
        shown = browser.get("/people/bob/")
        listed = {card["id"] for card in shown.context["recent"]}
        assert listed == ({hidden.pk, open_.pk} if seen else {open_.pk})
        assert {card["id"] for card in shown.context["running"]} == ({running.pk} if seen else set())
        assert shown.context["total"].matches == (2 if browser is own else 1)
        assert ("azul" in dict(shown.context["games"])) == (browser is own)
        assert {card["id"] for card in browser.get("/people/bob/matches/").context["cards"]} == listed


def test_the_page_compares_the_person_with_the_viewer_and_leads_to_the_matches_of_both(cast: Cast) -> None:
    both = [finished([cast.alice, cast.bob], [1, 2]), finished([cast.bob, cast.alice], [1, 2], private=True)]
    finished([cast.bob, cast.carol], [1, 2])
    browser = cast.at_browser(cast.alice)
    assert [(duel.ahead, duel.behind) for duel in browser.get("/people/bob/").context["duels"]] == [(1, 1)]
    listed = browser.get("/people/bob/matches/", {"with": "me", "game": "blokus"})
    assert {card["id"] for card in listed.context["cards"]} == {match.pk for match in both}
    assert not browser.get("/people/bob/matches/", {"with": "me", "game": "azul"}).context["cards"]


def test_matches_are_paged_without_losing_or_repeating_one(cast: Cast, client: Client) -> None:
    made = [finished([cast.bob, "casual"], [1, 2], at=NOW + timedelta(minutes=number // 2)) for number in range(53)]
    seen: list[int] = []
    address = "/people/bob/matches/"
    while address:
        context = client.get(address).context
        seen += [card["id"] for card in context["cards"]]
        address = "/people/bob/matches/" + context["older"] if context["older"] else ""
    assert seen == [match.pk for match in sorted(made, key=lambda match: (match.finished_at, match.pk), reverse=True)]


def test_when_a_private_match_ended_cannot_be_found_out_by_paging_from_it(cast: Cast, client: Client) -> None:
    finished([cast.bob, "casual"], [1, 2], at=NOW)
    hidden = finished([cast.carol, "casual"], [1, 2], at=NOW - timedelta(days=1), private=True)
    assert len(client.get("/people/bob/matches/", {"before": hidden.pk}).context["cards"]) == 1
    for nonsense in ("x", "9" * 30, "-1", "²"):
        assert len(client.get("/people/bob/matches/", {"before": nonsense}).context["cards"]) == 1


def test_ratings_are_shown_with_the_course_of_one(cast: Cast, client: Client) -> None:
    for game, matches in (("azul", 3), ("blokus", 9)):
        Rating.objects.create(user=cast.bob, game=game, pace="live", mu=30.0, sigma=2.0, matches=matches, updated_at=timezone.now())
        for number in range(1, matches + 1):
            rate(cast.bob, game, number)
    shown = client.get("/people/bob/").context
    assert [pool.key for pool in shown["pools"]] == ["blokus:live", "azul:live"]
    means, low, high = (list(series.y) for series in shown["chart"].series)
    assert means == [scale.shown(25 + number) for number in range(1, 10)]
    assert [mean - 120 for mean in means] == low and [mean + 120 for mean in means] == high
    assert len(client.get("/people/bob/", {"graph": "azul:live"}).context["chart"].x) == 3
    assert client.get("/people/bob/", {"graph": "no:such"}).context["pool"].key == "blokus:live"


def test_a_place_in_a_season_that_is_over_is_a_badge_and_one_in_a_running_season_is_none(cast: Cast, client: Client) -> None:
    for key, closed in (("2026-Q1", NOW), ("2026-Q2", None)):
        season = Season.objects.create(game="azul", pace="live", key=key, closed_at=closed)
        SeasonPlace.objects.create(season=season, user=cast.bob, division=2, points=9, matches=9, place=1)
    badges = client.get("/people/bob/").context["badges"]
    assert [(badge.division, badge.place, badge.url) for badge in badges] == [(2, 1, "/seasons/azul/live/2026-Q1/")]
    assert periods.is_season("2026-Q1") and badges[0].season in page(client)


def test_people_are_followed_made_friends_and_blocked_by_plain_forms_and_that_is_taken_back(cast: Cast) -> None:
    alice = cast.at_browser(cast.alice)
    address = reverse("person_tie", args=[cast.bob.username])
    for change, kinds in (("follow", ["follow"]), ("friend", ["friend"]), ("block", ["block"]), ("forget", [])):
        alice.post(address, {"change": change})
        assert list(Tie.objects.filter(user=cast.alice).values_list("kind", flat=True)) == kinds
    assert "One can follow" in said(alice.post(address, {"change": "eat"}, follow=True))
    assert "That is you." in said(alice.post(reverse("person_tie", args=["alice"]), {"change": "friend"}, follow=True))
    assert not Tie.objects.exists()


def test_a_note_is_for_its_author_alone_and_an_empty_one_is_none(cast: Cast, client: Client) -> None:
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    address = reverse("person_note", args=["bob"])
    assert cast.carol.pk
    alice.post(address, {"text": "plays the ends first\u202e"})
    assert PrivateNote.objects.get().text == "plays the ends first"
    assert "plays the ends first" in page(alice)
    for other in (bob, client, cast.at_browser(cast.carol)):
        assert "plays the ends first" not in page(other)
    assert "at most" in said(alice.post(address, {"text": "x" * 1001}, follow=True))
    assert PrivateNote.objects.get().text == "plays the ends first"
    alice.post(address, {"text": "  "})
    assert not PrivateNote.objects.exists()
    assert "That is you." in said(bob.post(address, {"text": "me"}, follow=True))


def test_the_match_page_marks_those_about_whom_one_noted_something_for_oneself_alone(cast: Cast) -> None:
    match = start_match("blokus", "duo-2", seats=[Person(cast.alice), Person(cast.bob)], now=timezone.now())
    PrivateNote.objects.create(user=cast.alice, other=cast.bob, text="careful", updated_at=NOW)
    address = reverse("match", args=[match.pk])
    assert cast.at_browser(cast.alice).get(address).context["page"]["noted"] == ["/people/bob/"]
    for viewer in (cast.bob, cast.carol):
        assert cast.at_browser(viewer).get(address).context["page"]["noted"] == []


def test_running_public_matches_of_people_one_follows_stand_on_the_page_for_watching(cast: Cast) -> None:
    control = TimeControl.parse("2d")
    now = timezone.now()
    open_ = start_match("blokus", "duo-2", seats=[Person(cast.bob), Person(cast.carol)], now=now, control=control)
    start_match("blokus", "duo-2", seats=[Person(cast.bob), Person(cast.carol)], now=now, control=control, private=True)
    start_match("blokus", "duo-2", seats=[Person(cast.bob), Person(cast.alice)], now=now, control=control)
    start_match("blokus", "duo-2", seats=[Person(cast.carol), Person(cast.dora)], now=now, control=control)
    alice = cast.at_browser(cast.alice)
    assert alice.get("/watch/").context["followed"] == []
    for kind in ("follow", "friend"):
        alice.post(reverse("person_tie", args=["bob"]), {"change": kind})
        assert [card["id"] for card in alice.get("/watch/").context["followed"]] == [open_.pk]
    alice.post(reverse("person_tie", args=["bob"]), {"change": "block"})
    assert alice.get("/watch/").context["followed"] == []


def test_only_posts_change_anything(client: Client, cast: Cast) -> None:
    assert cast.bob.pk
    for name in ("person_tie", "person_note"):
        assert client.get(reverse(name, args=["bob"])).status_code == 405
    assert client.get(reverse("people_forget", args=[1])).status_code == 405
