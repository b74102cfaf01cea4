"""The pages: what they hold, and that the plain forms use the same door as the socket."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import registry
from games.kit.record import Record, check
from matches import packing, payloads
from matches.models import Match
from matches.services import abort, resign
from tests.platform.conftest import NOW, legal, now_at, play_on

pytestmark = pytest.mark.django_db

CHOICE = {"game": "blokus", "variant": "classic-4", "level": "casual", "seat": "first"}


@pytest.fixture
def duel(cast, table):
    match = table("duo-2", cast.alice, cast.bob)
    match.alice, match.bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    return match


def post_move(client: Client, match: Match, played: str, **more: Any) -> Any:
    body = {"id": str(uuid4()), "ply": match.ply, "text": played} | more
    return client.post(reverse("match_move", args=[match.pk]), json.dumps(body), content_type="application/json")


# --- Home and play


def test_one_click_makes_a_guest_and_starts_a_match_against_bots(client):
    response = client.post(reverse("play"), CHOICE)
    match = Match.objects.get()
    assert response.url == reverse("match", args=[match.pk])
    guest = User.objects.get()
    assert (guest.is_guest, guest.has_usable_password()) == (True, False)
    assert [(seat.user, seat.level) for seat in match.seats.all()] == [(guest, ""), *[(None, "casual")] * 3]
    page = client.get(response.url).context["page"]
    assert (page["position"]["seat"], page["position"]["to_move"]) == (0, 0)
    assert page["position"]["offer"]


def test_the_same_guest_plays_on_and_the_choice_is_remembered(client):
    chosen = CHOICE | {"variant": "duo-2", "level": "strong", "option": ["free-corners"], "seat": "random"}
    client.post(reverse("play"), chosen)
    client.post(reverse("play"), chosen)
    assert User.objects.count() == 1
    home = client.get(reverse("home")).context
    kept = {"game": "blokus", "variant": "duo-2", "level": "strong", "options": ["free-corners"], "seat": "random"}
    assert home["choice"] == kept | {"clock": "none", "open_seats": False, "rated": False}
    assert [card["variant_name"] for card in home["yours"]] == ["Duo", "Duo"]
    assert Match.objects.first().options == ["free-corners"]


def test_lots_are_drawn_for_the_first_seat_when_asked(client):
    seats = set()
    for _ in range(24):
        client.post(reverse("play"), CHOICE | {"variant": "duo-2", "seat": "random"})
        seats.add(Match.objects.latest("pk").seats.exclude(user=None).get().number)
    assert seats == {0, 1}


@pytest.mark.parametrize("bad", [{"game": "chess"}, {"variant": "x"}, {"level": "x"}, {"option": ["x"]}, {"game": "../x"}, {"game": ""}])
def test_a_choice_that_does_not_exist_starts_nothing_and_says_so(client, bad):
    response = client.post(reverse("play"), CHOICE | bad, follow=True)
    assert response.redirect_chain == [(reverse("home"), 302)]
    assert [str(message) for message in response.context["messages"]]
    assert not Match.objects.exists()


def test_a_newcomer_is_offered_the_first_variant_against_the_second_level(client):
    choice = client.get(reverse("home")).context["choice"]
    first = registry.all_games()[0]
    offered = {"game": first.key, "variant": first.variants[0].key, "level": first.levels[1].key}
    assert choice == offered | {"options": [], "seat": "first", "clock": "none", "open_seats": False, "rated": False}
    assert not User.objects.exists()


def test_a_remembered_choice_that_no_longer_exists_gives_way(client, cast):
    alice = cast.alice
    alice.preferences = {"choice": {"game": "gone", "variant": "gone", "level": "gone", "options": ["gone"], "seat": 3}}
    alice.save()
    choice = cast.at_browser(alice).get(reverse("home")).context["choice"]
    first = registry.all_games()[0]
    assert (choice["game"], choice["variant"], choice["options"]) == (first.key, first.variants[0].key, [])


def test_the_home_page_lists_what_is_yours_what_is_over_and_what_can_be_watched(cast, table, duel):
    over = play_on(table("duo-2", cast.carol, cast.dave))
    called_off = table("duo-2", cast.alice, cast.carol)
    abort(called_off.pk, 0, now=NOW)
    others = table("duo-2", cast.carol, "casual")
    Match.objects.filter(pk=others.pk).update(moved_at=timezone.now())  # one without a clock that rests is nothing to watch
    left = table("classic-3", cast.alice, cast.carol, cast.dave)
    resign(left.pk, 0, now=NOW)
    home = duel.alice.get(reverse("home")).context
    assert [card["id"] for card in home["yours"]] == [duel.pk]
    assert home["yours"][0]["your_turn"]
    assert [card["id"] for card in home["recent"]] == [over.pk]
    assert "won" in home["recent"][0]["result_text"] or "share" in home["recent"][0]["result_text"]
    assert [card["id"] for card in home["watch"]] == [others.pk]
    assert not duel.bob.get(reverse("home")).context["yours"][0]["your_turn"]


def test_the_home_page_needs_the_same_queries_for_few_and_many_matches(cast, table, duel, django_assert_max_num_queries):
    for _ in range(5):
        play_on(table("cards-2", cast.alice, cast.bob))
        table("cards-2", cast.alice, cast.bob)
        table("cards-2", cast.carol, "low")
    duel.alice.get(reverse("home"))  # the first visit of the day notes the browser
    with django_assert_max_num_queries(13):
        duel.alice.get(reverse("home"))


# --- The match


def test_the_page_starts_from_the_same_position_that_the_socket_sends(duel):
    for client, seat in ((duel.alice, 0), (duel.bob, 1), (Client(), None)):
        response = client.get(reverse("match", args=[duel.pk]))
        page = response.context["page"]
        assert page["position"] == payloads.for_seat(now_at(duel), seat)
        assert (page["match"], page["socket"], page["move_url"]) == (duel.pk, f"/ws/match/{duel.pk}/", f"/match/{duel.pk}/move/")
        assert page["data"] == duel.rules.board_data("duo-2")
        assert "no-store" in response["Cache-Control"]


def test_the_board_offers_exactly_the_legal_moves_to_who_is_to_move(duel):
    position = payloads.for_seat(duel, 0)
    assert sum(len(cells) for cells in position["offer"].values()) == len(duel.rules.start("duo-2").legal_moves())
    assert payloads.for_seat(duel, 1)["offer"] is None
    assert payloads.for_seat(duel, None)["offer"] is None
    assert payloads.for_seat(play_on(duel), 0)["offer"] is None


def test_seats_say_who_sits_there(cast, table):
    guest, gone = cast.guest(), cast.carol
    match = table("classic-4", cast.alice, guest, "casual", gone)
    gone.delete()
    seats = payloads.for_seat(now_at(match), 0)["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats] == [
        ("person", "alice"), ("guest", f"Guest {guest.pk}"), ("bot", "Casual bot"), ("gone", "Deleted player"),
    ]  # fmt: skip
    assert [seat["you"] for seat in seats] == [True, False, False, False]
    assert [seat["colours"] for seat in seats] == [["blue"], ["yellow"], ["red"], ["green"]]
    bots = payloads.for_seat(table("classic-3", "casual", cast.alice, "casual"), None)["seats"]
    assert [seat["name"] for seat in bots] == ["Casual bot 1", "alice", "Casual bot 2"]


def test_what_a_viewer_may_do_follows_the_match(duel):
    def may(match: Match, seat: int | None) -> set[str]:
        granted = payloads.for_seat(match, seat)["may"]
        return {wish for wish in ("resign", "abort", "offer_abort", "takeback", "pause", "resume", "rematch") if granted[wish]}

    assert may(duel, 0) == {"resign", "abort"}
    assert may(duel, None) == set()
    assert may(play_on(duel, 2), 1) == {"resign", "offer_abort", "takeback"}
    assert may(play_on(duel), 0) == {"rematch"}
    assert may(duel, None) == set()


def test_a_move_can_be_posted_and_posted_again(duel):
    text, intent = legal(duel), str(uuid4())
    first = post_move(duel.alice, duel, text, id=intent)
    assert (first.status_code, first.json()["type"], first.json()["ply"]) == (200, "ack", 1)
    again = post_move(duel.alice, duel, text, id=intent)
    assert again.json() == first.json() | {"repeated": True}


def test_a_posted_move_is_refused_with_a_reason(duel):
    text = legal(duel)
    for client, more, status, code in (
        (duel.bob, {}, 409, "not_your_turn"),
        (Client(), {}, 409, "not_seated"),
        (duel.alice, {"ply": 7}, 409, "stale"),
        (duel.alice, {"text": "a1"}, 409, "not_start"),
        (duel.alice, {"extra": 1}, 400, "bad_frame"),
        (duel.alice, {"id": "1"}, 400, "bad_frame"),
        (duel.alice, {"text": "x" * 20_000}, 400, "bad_frame"),
    ):
        response = post_move(client, duel, text, **more)
        assert (response.status_code, response.json()["code"]) == (status, code)
        assert response.json()["message"]
    form = duel.alice.post(reverse("match_move", args=[duel.pk]), {"id": str(uuid4()), "ply": 0, "text": text})
    assert form.status_code == 400
    assert now_at(duel).ply == 0


def test_unsafe_requests_need_their_token_and_their_method(duel):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = duel.alice.cookies
    for name in ("match_move", "match_resign", "match_abort"):
        url = reverse(name, args=[duel.pk])
        assert strict.post(url).status_code == 403
        assert duel.alice.get(url).status_code == 405
    assert strict.post(reverse("play"), CHOICE).status_code == 403
    assert strict.post(reverse("open_record"), {"pasted": "{}"}).status_code == 403


def test_resigning_and_calling_off_by_form_lead_back_to_the_match(duel, cast, table):
    url = reverse("match", args=[duel.pk])
    assert duel.alice.post(reverse("match_resign", args=[duel.pk])).url == url
    assert now_at(duel).termination == "resigned"
    refused = duel.bob.post(reverse("match_abort", args=[duel.pk]), follow=True)
    assert [str(message) for message in refused.context["messages"]] == ["This match is over."]
    other = table("duo-2", cast.alice, cast.bob)
    duel.bob.post(reverse("match_abort", args=[other.pk]))
    assert now_at(other).status == "aborted"


def test_what_does_not_exist_is_a_404(client):
    for name in ("match", "replay", "record"):
        assert client.get(reverse(name, args=[10**9])).status_code == 404
    assert client.get("/match/99999999999999999999999/").status_code == 404
    for name in ("match_move", "match_resign", "match_abort"):
        body = json.dumps({"id": str(uuid4()), "ply": 0, "text": "a1"})
        assert client.post(reverse(name, args=[10**9]), body, content_type="application/json").status_code == 404
    assert client.get(reverse("game", args=["chess"])).status_code == 404


# --- Replay and records


def spread(replay: dict[str, Any]) -> dict[str, Any]:
    """A replay as a browser has it: its positions unpacked, each with its ply."""
    lasts = [None, *({key: ply[key] for key in ("ply", "seat", "text")} for ply in replay["plies"])]
    positions = packing.unpack(replay["positions"])
    return replay | {"positions": [one | {"ply": n, "last": lasts[n], "offer": None} for n, one in enumerate(positions)]}


def test_the_replay_holds_the_position_after_every_ply(duel):
    match = play_on(duel, 5)
    replay = spread(duel.alice.get(reverse("replay_data", args=[match.pk])).json())
    assert [ply["ply"] for ply in replay["plies"]] == [1, 2, 3, 4, 5]
    state = match.rules.start("duo-2")
    for number, position in enumerate(replay["positions"]):
        assert position["ply"] == number
        assert (position["view"], position["scores"], position["to_move"]) == (state.view(0), list(state.scores()), state.to_move)
        if number < 5:
            state = state.play(match.rules.parse_move(replay["plies"][number]["text"]))
    live = payloads.for_seat(match, 0)
    assert replay["positions"][-1]["view"] == live["view"]
    assert replay["positions"][-1]["last"] == live["last"]
    shown = duel.alice.get(reverse("match", args=[match.pk])).context["page"]["plies"]
    assert [{key: ply[key] for key in ("ply", "seat", "text", "at")} for ply in replay["plies"]] == shown


@pytest.mark.parametrize(
    ("asked", "start"), [("3", 3), ("0", 0), ("99", 5), ("-4", 0), ("", 5), ("x", 5), ("1e3", 5), ("9" * 5000, 5), ("٣", 3), (None, 5)]
)
def test_a_link_opens_the_replay_at_its_ply_and_nonsense_does_no_harm(duel, client, asked, start):
    match = play_on(duel, 5)
    response = client.get(reverse("replay", args=[match.pk]), {} if asked is None else {"ply": asked})
    assert (response.status_code, response.context["page"]["start"]) == (200, start)


def test_a_finished_match_opens_at_its_start(duel, client):
    match = play_on(duel)
    assert client.get(reverse("replay", args=[match.pk])).context["page"]["start"] == 0


def test_the_record_downloads_under_a_name_of_its_own_and_checks_out(duel, client):
    match = play_on(duel)
    response = client.get(reverse("record", args=[match.pk]))
    assert response["Content-Disposition"] == f'attachment; filename="tessera-blokus-duo-2-{match.pk}.json"'
    record = Record.from_json(response.json())
    assert check(record) == []
    assert (record.seats, record.result.reason) == (("alice", "bob"), "complete")


def test_records_of_resigned_and_called_off_matches_check_out_too(duel, cast, table):
    resign(play_on(duel, 3).pk, 0, now=NOW)
    record = payloads.record_of(now_at(duel), None)
    assert (record.result.reason, record.result.left, check(record)) == ("resigned", ((0, 3),), [])
    other = table("duo-2", cast.alice, cast.bob)
    abort(other.pk, 0, now=NOW)
    record = payloads.record_of(now_at(other), None)
    assert (record.result, check(record)) == (None, [])
    assert record.secret is not None


# --- The rest


def test_the_game_page_and_the_components_are_there(client):
    assert client.get(reverse("game", args=["blokus"])).context["game"].key == "blokus"
    assert client.get(reverse("components")).status_code == 200


def test_healthz_answers(client):
    response = client.get(reverse("healthz"))
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_the_web_process_never_loads_a_bot():
    code = (
        "import django, sys; django.setup(); import config.asgi, pages.urls; from games import registry; "
        "[registry.get(key) for key in registry.KEYS]; print([name for name in sys.modules if name.endswith('.bots') or 'search' in name "
        "and name.startswith('games')])"
    )
    env = {"DJANGO_SETTINGS_MODULE": "config.settings_test", "PYTHONPATH": f"{settings.BASE_DIR / 'site'}:{settings.BASE_DIR}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
