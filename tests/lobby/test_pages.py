"""The lobby's pages, all of them without scripts: what they show to whom, and that every form works."""

from __future__ import annotations

import re
import struct

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Tie, User
from accounts.ties import tie
from lobby import payloads
from lobby.filters import Filters
from lobby.models import Seek
from lobby.services import challenge, join_seek
from matches.models import Match
from matches.services import BotSeat, Person, start_match
from tests.lobby.conftest import DAYS, LIVE, NOW, rate, stored, wish

pytestmark = pytest.mark.django_db

FORM = {"table": "blokus:duo-2", "control": "3d", "rated": "casual", "who": "open"}


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    """The pages read the clock themselves; tables of these tests are opened at `NOW`."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def said(response) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def listed(client: Client) -> list[int]:
    return [row["id"] for row in client.get(reverse("lobby")).context["seeks"]]


# --- The lobby


def test_a_stranger_sees_open_tables_and_becomes_nobody_by_looking(client, post, cast):
    seek = post(cast.alice, "classic-4", message="Coffee first")
    page = client.get(reverse("lobby"))
    assert [row["id"] for row in page.context["seeks"]] == [seek.pk]
    body = page.content.decode()
    assert "Coffee first" in body
    assert "1 of 4 places taken" in body
    assert User.objects.count() == 1


def test_a_stranger_sits_down_by_a_plain_form_and_is_at_the_match(client, post, cast):
    seek = post(cast.alice)
    response = client.post(reverse("table_join", args=[seek.token]), {"from": "lobby"})
    match = Match.objects.get()
    assert response.url == reverse("match", args=[match.pk])
    assert match.seats.filter(user__is_guest=True).count() == 1


def test_a_table_is_opened_by_a_plain_form(cast):
    alice = cast.at_browser(cast.alice)
    response = alice.post(
        reverse("lobby_post"),
        FORM | {"table": "blokus:classic-4", "bots": "1", "level": "casual", "option": ["free-corners"], "language": "nl",
                "nights": "1", "rating_low": "1200", "message": " Slow  evenings "},
        follow=True,
    )  # fmt: skip
    seek = Seek.objects.get()
    assert response.redirect_chain == [(reverse("lobby") + "#mine", 302)]
    assert (seek.variant, seek.time_control, seek.options, seek.language) == ("classic-4", "3d nights", ["free-corners"], "nl")
    assert (seek.rating_low, seek.message) == (1200, "Slow evenings")
    assert [place.level for place in seek.places.all()] == ["", "", "", "casual"]
    assert [row["id"] for row in response.context["mine"]["tables"]] == [seek.pk]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"table": "chess:x"}, "chess"),
        ({"table": "blokus:huge-9"}, "no variant"),
        ({"table": ""}, "game"),
        ({"control": "1s"}, "time control"),
        ({"who": "nobody"}, "for whom"),
        ({"bots": "9"}, "1 bots at most"),
        ({"bots": "many"}, "many"),
        ({"rating_low": "-3"}, "not a number"),
        ({"who": "people", "names": ""}, "Name whom"),
        ({"who": "people", "names": "nobody-here"}, "nobody-here"),
        ({"who": "people", "names": "a,b,c,d,e"}, "at most 4"),
        ({"rated": "rated"}, "account"),
        ({"seating": "chosen", "seat": "9"}, "2 places"),
        ({"level": "godlike", "bots": "1"}, "no bot"),
        ({"message": "x" * 141}, "140"),
    ],
)
def test_a_form_that_asks_for_the_impossible_gets_a_sentence(client, bad, says):
    response = client.post(reverse("lobby_post"), FORM | bad, follow=True)
    assert response.status_code == 200
    assert says in said(response)
    assert not Seek.objects.exists()


def test_filters_stay_for_people_and_for_strangers(client, cast, post):
    blokus, four = post(cast.alice), post(cast.bob, "classic-4", control=DAYS)
    alone = post(cast.carol, rating_low=1900)
    assert set(listed(client)) == {blokus.pk, four.pk, alone.pk}
    dave = cast.at_browser(cast.dave)
    for browser in (client, dave):
        browser.get(reverse("lobby"), {"filter": "1", "pace": "correspondence"})
        assert listed(browser) == [four.pk]
        browser.get(reverse("lobby"), {"filter": "1", "seats": "2", "fits": "1"})
        assert listed(browser) == [blokus.pk]
        browser.get(reverse("lobby"), {"filter": "1", "game": "azul", "rated": "nonsense", "seats": "x"})
        assert listed(browser) == []
    assert User.objects.get(username="dave").preferences["lobby"]["game"] == "azul"


def test_the_filter_by_language_keeps_tables_that_take_any(client, cast, post):
    dutch, french, any_language = post(cast.alice, language="nl"), post(cast.bob, language="fr"), post(cast.carol)
    client.get(reverse("lobby"), {"filter": "1", "language": "nl"})
    assert set(listed(client)) == {dutch.pk, any_language.pk}
    assert french.pk not in listed(client)


def test_blocked_people_never_see_each_others_tables(cast, post):
    seek = post(cast.alice)
    tie(cast.alice, cast.bob, Tie.Kind.BLOCK, now=NOW)
    other = post(cast.bob, control=DAYS)
    assert listed(cast.at_browser(cast.bob)) == []
    assert listed(cast.at_browser(cast.alice)) == []
    assert set(listed(cast.at_browser(cast.carol))) == {seek.pk, other.pk}


def test_challenges_and_tables_by_link_are_seen_by_those_concerned_only(client, cast, post):
    dare = challenge(cast.alice, [cast.bob], wish(), now=NOW)
    link = post(cast.alice, kind="link")
    for browser in (client, cast.at_browser(cast.carol)):
        page = browser.get(reverse("lobby"))
        assert listed(browser) == []
        assert dare.token not in page.content.decode()
        assert link.token not in page.content.decode()
    bob = cast.at_browser(cast.bob).get(reverse("lobby")).context
    assert [row["id"] for row in bob["mine"]["to_me"]] == [dare.pk]
    alice = cast.at_browser(cast.alice).get(reverse("lobby")).context["mine"]
    assert ([row["id"] for row in alice["from_me"]], [row["id"] for row in alice["tables"]]) == ([dare.pk], [link.pk])


def test_a_payload_for_somebody_else_has_no_token_of_a_private_table_nor_an_email(cast, post):
    cast.alice.email = "alice@example.org"
    cast.alice.save()
    link = Seek.objects.with_places().get(pk=post(cast.alice, kind="link").pk)
    shown = payloads.table(link, cast.bob, {}, NOW)
    assert (shown["token"], shown["url"]) == (None, None)
    assert link.token not in str(shown)
    assert "example.org" not in str(payloads.lobby(cast.bob, Filters(), NOW)) + str(payloads.table(link, cast.alice, {}, NOW))


def test_a_challenge_is_accepted_or_declined_by_plain_forms(cast):
    bob = cast.at_browser(cast.bob)
    alice = cast.at_browser(cast.alice)
    alice.post(reverse("lobby_post"), FORM | {"who": "people", "names": "BOB"})
    first = Seek.objects.get()
    assert bob.post(reverse("table_decline", args=[first.token]), {"from": "lobby"}).status_code == 302
    assert stored(first).status == "declined"
    alice.post(reverse("lobby_post"), FORM | {"who": "people", "names": "bob"})
    second = Seek.objects.exclude(pk=first.pk).get()
    response = bob.post(reverse("table_join", args=[second.token]))
    assert response.url == reverse("match", args=[stored(second).match_id])


def test_quick_match_by_plain_forms_pairs_two(cast):
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    waiting = alice.post(reverse("lobby_quick"), {"choice": "nibble:live", "seats": "2"}, follow=True)
    assert waiting.context["mine"]["quick"]["game"] == "nibble"
    assert "within 100 points" in waiting.content.decode()
    response = bob.post(reverse("lobby_quick"), {"choice": "nibble:live", "seats": "2"})
    assert response.url == reverse("match", args=[Match.objects.get().pk])
    assert [row["match_url"] for row in alice.get(reverse("lobby")).context["mine"]["started"]] == [response.url]


@pytest.mark.parametrize(
    "bad",
    [{"choice": "chess:live"}, {"choice": "azul:never"}, {"choice": ""}, {"choice": "nibble:live", "seats": "4"}, {"seats": "x"}],
)
def test_a_quick_match_that_there_is_not_says_so(client, bad):
    response = client.post(reverse("lobby_quick"), {"choice": "azul:live", "seats": "2"} | bad, follow=True)
    assert said(response)
    assert not Seek.objects.exists()


def test_the_script_gets_json_with_the_same_answers(client, cast, post):
    seek = post(cast.alice)
    bob = cast.at_browser(cast.bob)
    refused = bob.post(reverse("table_cancel", args=[seek.token]), headers={"Accept": "application/json"}).json()
    assert refused == {"go": None, "message": "Only the host of a table can do that.", "refused": True}
    joined = bob.post(reverse("table_join", args=[seek.token]), headers={"Accept": "application/json"}).json()
    assert joined == {"go": reverse("match", args=[Match.objects.get().pk]), "message": "", "refused": False}
    assert client.post(reverse("table_leave", args=[seek.token]), headers={"Accept": "application/json"}).json()["refused"]
    assert not User.objects.filter(is_guest=True).exists()


def test_running_matches_are_listed_the_best_rated_first_and_private_ones_not_at_all(client, cast):
    rate(cast.ann, 1900)
    rate(cast.ben, 1850)
    plain = start_match("blokus", "duo-2", seats=[Person(cast.alice), Person(cast.bob)], control=LIVE, now=NOW)
    best = start_match("blokus", "duo-2", seats=[Person(cast.ann), Person(cast.ben)], control=LIVE, now=NOW)
    start_match("blokus", "duo-2", seats=[Person(cast.carol), Person(cast.dave)], private=True, now=NOW)
    assert [card["id"] for card in client.get(reverse("lobby")).context["watch"]] == [best.pk, plain.pk]


def test_a_seat_of_a_bot_is_taken_over_from_the_lobby(cast):
    seats = [Person(cast.alice), BotSeat("casual"), BotSeat("casual"), BotSeat("casual")]
    match = start_match("blokus", "classic-4", seats=seats, open_seats=True, now=NOW)
    bob = cast.at_browser(cast.bob)
    (card,) = bob.get(reverse("lobby")).context["late"]
    assert card["free"] == [1, 2, 3]
    assert bob.post(card["take_url"]).url == reverse("match", args=[match.pk])
    assert match.seats.get(number=1).user == cast.bob
    assert bob.get(reverse("lobby")).context["late"] == []


def test_the_lobby_needs_the_same_queries_for_few_and_many(cast, post, django_assert_num_queries):
    def fill(names: str) -> None:
        for name in names:
            host = rate(getattr(cast, f"host-{name}"), 1500)
            join_seek(post(host, "classic-4", control=DAYS).pk, getattr(cast, f"other-{name}"), now=NOW)
            challenge(host, [cast.viewer], wish(control=DAYS), now=NOW)
            seats = [Person(host), BotSeat("casual")]
            start_match("blokus", "duo-2", seats=seats, open_seats=True, control=DAYS, now=NOW)

    fill("a")
    post(cast.viewer, "classic-4", control=DAYS)
    payloads.lobby(cast.viewer, Filters(), NOW)
    with django_assert_num_queries(16) as few:
        payloads.lobby(cast.viewer, Filters(), NOW)
    fill("bcdef")
    with django_assert_num_queries(len(few)):
        shown = payloads.lobby(cast.viewer, Filters(), NOW)
    assert (len(shown["seeks"]), len(shown["mine"]["to_me"]), len(shown["late"])) == (6, 6, 6)


# --- A table by its link


def test_a_link_shows_the_game_to_a_stranger_and_lets_a_guest_sit_down(client, cast, post):
    seek = post(cast.alice, "classic-4", kind="link", message="For the four of us")
    page = client.get(reverse("table", args=[seek.token]))
    body = page.content.decode()
    assert page.status_code == 200
    assert "<svg" in body
    assert "For the four of us" in body
    assert 'name="robots" content="noindex"' in body
    client.post(reverse("table_join", args=[seek.token]))
    assert stored(seek).places.filter(user__is_guest=True).count() == 1


def test_the_preview_of_a_link_names_host_game_and_clock_and_shows_a_picture(client, cast, post, settings):
    seek = post(cast.alice, "classic-4", kind="link")
    body = client.get(reverse("table", args=[seek.token])).content.decode()
    tags = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)"', body))
    assert tags["og:title"] == "alice invites you to Blokus"
    assert tags["og:description"] == "Blokus, Classic, four players · 5 min + 10 s · casual · 1 of 4 places taken"
    assert tags["og:url"] == settings.SITE_URL + reverse("table", args=[seek.token])
    picture = client.get(tags["og:image"].removeprefix(settings.SITE_URL))
    assert (picture["Content-Type"], picture.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)
    join_seek(seek.pk, cast.bob, now=NOW)
    assert client.get(reverse("table_preview", args=[seek.token])).content != picture.content


@pytest.mark.parametrize("table", ["azul:coloured-2", "azul:grey-4", "blockers:basic-5", "blokus:classic-3", "nibble:hex-13"])
def test_every_game_has_a_picture_for_its_preview(client, cast, post, table):
    game, variant = table.split(":")
    seek = post(cast.alice, variant, game=game, kind="link")
    assert client.get(reverse("table_preview", args=[seek.token])).content[:4] == b"\x89PNG"


def test_expired_full_and_closed_links_say_so_and_offer_another_table(client, cast, post):
    expired, full, closed = (post(cast.alice, kind="link", control=DAYS) for _ in range(3))
    Seek.objects.filter(pk=expired.pk).update(status="expired")
    join_seek(full.pk, cast.bob, now=NOW)
    Seek.objects.filter(pk=closed.pk).update(status="cancelled")
    for seek, says in ((expired, "expired"), (full, "full"), (closed, "closed")):
        page = client.get(reverse("table", args=[seek.token])).content.decode()
        assert says in page
        assert "Open a table like this" in page
        assert said(client.post(reverse("table_join", args=[seek.token]), follow=True))
    assert client.get(reverse("table", args=["no-such-token"])).status_code == 404


def test_the_host_gives_places_to_bots_and_closes_the_table_by_plain_forms(cast, post):
    alice = cast.at_browser(cast.alice)
    seek = post(cast.alice, "classic-3")
    alice.post(reverse("table_bot", args=[seek.token, 1]), {"level": "casual"})
    assert [place.level for place in stored(seek).places.all()] == ["", "casual", ""]
    alice.post(reverse("table_bot", args=[seek.token, 1]), {"level": ""})
    assert [place.level for place in stored(seek).places.all()] == ["", "", ""]
    alice.post(reverse("table_cancel", args=[seek.token]))
    assert stored(seek).status == "cancelled"


# --- People


def test_a_page_of_a_person_shows_ratings_and_lets_one_challenge(cast):
    rate(cast.bob, 1720)
    alice = cast.at_browser(cast.alice)
    body = alice.get(reverse("person", args=["bob"])).content.decode()
    assert "1720" in body
    asked = {"person": "bob", "names": "bob", "who": "people", "control": "2d"}
    response = alice.post(reverse("lobby_post"), asked | {"table": "azul:grey-2"})
    assert response.status_code == 302
    assert Seek.objects.get().places.get(number=1).invited == cast.bob
    refused = alice.post(reverse("lobby_post"), asked | {"table": "azul:grey-4"}, follow=True)
    assert refused.redirect_chain == [(reverse("person", args=["bob"]), 302)]
    assert "you named 1" in said(refused)


def test_friends_are_offered_by_name(cast):
    tie(cast.alice, cast.bob, Tie.Kind.FRIEND, now=NOW)
    assert '<option value="bob">' in cast.at_browser(cast.alice).get(reverse("lobby")).content.decode()


def test_only_posts_change_anything(client, cast, post):
    seek = post(cast.alice)
    for name in ("table_join", "table_leave", "table_cancel", "table_decline"):
        assert client.get(reverse(name, args=[seek.token])).status_code == 405
    for name in ("lobby_post", "lobby_quick"):
        assert client.get(reverse(name)).status_code == 405


def points(text):
    return int(text.replace("\u2212", "-").replace("±", ""))


def test_the_page_of_a_rated_table_says_what_is_at_stake_for_who_takes_the_last_place(cast, post):
    seek = post(rate(cast.alice, 1500), rated=True)
    rate(cast.bob, 1700)
    address = reverse("table", args=[seek.token])
    stakes = cast.at_browser(cast.bob).get(address).context["stakes"]
    assert 0 < points(stakes["win"]) < -points(stakes["lose"])
    assert not stakes["about"]
    own = cast.at_browser(cast.alice).get(address).context["stakes"]
    assert own["about"], "for the host somebody of the same rating is supposed"
    assert points(own["win"]) == -points(own["lose"]) > 0
    assert Client().get(address).context["stakes"] is None
    assert cast.at_browser(cast.guest()).get(address).context["stakes"] is None


def test_the_lobby_says_at_every_rated_table_what_is_at_stake_in_queries_that_do_not_grow(cast, post, django_assert_max_num_queries):
    rate(cast.alice, 1500)
    browser = cast.at_browser(rate(cast.bob, 1700))
    browser.get(reverse("lobby"))
    counts = []
    for _ in range(2):
        post(cast.alice, rated=True)
        with django_assert_max_num_queries(100) as captured:
            rows = browser.get(reverse("lobby")).context["seeks"]
        counts.append(len(captured))
    assert all(0 < points(row["stakes"]["win"]) < -points(row["stakes"]["lose"]) for row in rows)
    assert (len(rows), counts[0]) == (2, counts[1])
    post(cast.alice)
    assert browser.get(reverse("lobby")).context["seeks"][0]["stakes"] is None


def test_the_last_place_at_a_rated_table_of_three_shows_what_each_rank_brings(cast, post):
    seek = post(cast.alice, "classic-3", rated=True, bots={2: "strong"})
    stakes = cast.at_browser(cast.bob).get(reverse("table", args=[seek.token])).context["stakes"]
    assert len(stakes["ranks"]) == 3
    assert not stakes["about"]
    assert [points(text) for text in stakes["ranks"]] == sorted(map(points, stakes["ranks"]), reverse=True)


def test_who_looks_for_a_quick_match_or_asks_somebody_reads_what_is_at_stake(cast):
    rate(cast.bob, 1700)
    quick = cast.at_browser(cast.bob).get(reverse("lobby")).context["quick"]
    assert all(points(pace["stakes"]["win"]) > 0 > points(pace["stakes"]["lose"]) for offer in quick for pace in offer["paces"])
    assert not any(pace["stakes"] for offer in Client().get(reverse("lobby")).context["quick"] for pace in offer["paces"])
    duels = cast.at_browser(cast.alice).get(reverse("person", args=["bob"])).context["form"]["duels"]
    assert len(duels) == 4
    assert all(points(stakes["win"]) > 0 > points(stakes["lose"]) for duel in duels for stakes in duel["stakes"])
