"""Trying moves on a board that the server checks, and what the bot says of a position."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.kit.protocol import Analysis
from matches import payloads
from matches.models import FollowUp, Match
from matches.services import resign
from studies import analysis, tasks
from studies.models import Evaluation, Imported, Study
from studies.positions import identity, line_of, way_to
from tests.games.fake_cards import ANALYST
from tests.studies.conftest import NOW, asked, now_at, play_on, waiting, worked


def texts(match: Match) -> list[str]:
    return list(match.moves.values_list("text", flat=True))


@pytest.fixture
def anybody(db: None) -> Client:
    return Client()


# --- Trying moves


def test_from_any_ply_of_a_match_that_is_over_moves_are_tried_laid_open(over, anybody):
    held = texts(over)[0][1:].split("/")[0].split(".")
    told = asked(anybody, "look", {"match": over.pk}, 1, (held[1],)).json()
    assert told["moves"] == [held[1]]
    assert told["due"] == "draw 1"
    position = told["position"]
    assert (position["ply"], position["to_move"], position["offer"]) == (2, None, None)
    assert position["view"]["hands"] == [[int(held[0])], [int(card) for card in texts(over)[0][1:].split("/")[1].split(".")]]
    assert position["view"]["played"] == [[int(held[1])], []]
    assert position["last"] == {"ply": 2, "seat": 0, "text": held[1]}


def test_the_board_offers_the_moves_of_the_seat_to_move(over, anybody):
    position = asked(anybody, "look", {"match": over.pk}, 1).json()["position"]
    assert (position["seat"], position["to_move"], position["status"]) == (0, 0, "running")
    assert position["offer"] == texts(over)[0][1:].split("/")[0].split(".")
    assert [seat["name"] for seat in position["seats"]] == ["alice", "bob"]


def test_at_the_end_nobody_is_to_move_and_the_ranks_stand(over, anybody):
    position = asked(anybody, "look", {"match": over.pk}, over.ply).json()["position"]
    assert (position["status"], position["offer"], position["ranks"]) == ("finished", None, over.ranks)


def test_a_draw_is_made_by_the_server_when_it_is_asked_for(anybody):
    told = asked(anybody, "look", {"game": "cards", "variant": "cards-2", "options": []}, 0, ("=",)).json()
    drawn = told["moves"][0]
    assert drawn != "="
    again = asked(anybody, "look", {"game": "cards", "variant": "cards-2"}, 0, (drawn,)).json()
    assert again["position"]["view"] == told["position"]["view"]


def test_draws_that_somebody_chooses_are_checked_like_any_move(anybody):
    answer = asked(anybody, "look", {"game": "cards", "variant": "cards-2"}, 0, ("=1.2/2.3",))
    assert (answer.status_code, answer.json()["code"]) == (409, "bad_deal")


@pytest.mark.parametrize(
    ("moves", "code", "at"),
    [
        (("=1.2/3.4", "4"), "not_held", 1),
        (("=1.2/3.4", "queen"), "no_card", 1),
        (("=1.2/3.4", "="), "no_draw_due", 1),
        (("=1.2/3.4", "1", "3"), "draw_due", 2),
    ],
)
def test_a_move_that_cannot_be_played_is_refused_by_its_place_and_with_the_reason(anybody, moves, code, at):
    answer = asked(anybody, "look", {"game": "cards", "variant": "cards-2"}, 0, moves)
    told = answer.json()
    assert (answer.status_code, told["code"], told["at"]) == (409, code, at)
    assert told["message"].endswith(".")


def test_house_rules_go_along(anybody):
    moves = ("=1.2/3.4", "1", "=5", "3", "=6", "2", "4", "5", "6")
    usual, low = (
        asked(anybody, "look", {"game": "cards", "variant": "cards-2", "options": options}, 0, moves).json()["position"]["ranks"]
        for options in ([], ["low-wins"])
    )
    assert (usual, low) == ([2, 1], [1, 2])


def test_a_running_match_is_not_analysed_even_by_those_at_the_table(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    for client in (Client(), cast.at_browser(cast.alice)):
        for path in ("look", "evaluate"):
            answer = asked(client, path, {"match": match.pk}, 1)
            assert (answer.status_code, answer.json()["code"]) == (409, "running")


def test_a_private_match_is_there_only_for_its_people(cast, table, anybody):
    match = play_on(table("cards-2", cast.alice, cast.bob, private=True))
    assert asked(anybody, "look", {"match": match.pk}, 1).status_code == 404
    assert asked(cast.at_browser(cast.carol), "evaluate", {"match": match.pk}, 1).status_code == 404
    assert asked(cast.at_browser(cast.bob), "look", {"match": match.pk}, 1).status_code == 200


def test_an_imported_record_is_read_by_who_has_its_address(over, cast, anybody):
    record = payloads.record_of(over, None).to_json()
    imported = Imported.objects.create(
        owner=cast.alice, game="cards", variant="cards-2", record=record, plies=over.ply, digest="d", made_at=NOW
    )
    told = asked(anybody, "look", {"imported": imported.token}, over.ply).json()
    assert told["position"]["ranks"] == over.ranks
    assert [seat["name"] for seat in told["position"]["seats"]] == ["alice", "bob"]
    assert asked(anybody, "look", {"imported": "nonsense"}, 0).status_code == 404


def test_a_study_is_its_owners_until_it_is_shared(cast, anybody):
    study = Study.objects.create(
        owner=cast.alice, title="Mine", game="cards", variant="cards-2", plies=["=1.2/3.4"], names=["one", "two"],
        made_at=NOW, changed_at=NOW,
    )
    source = {"study": study.token}
    assert asked(anybody, "look", source, 1).status_code == 404
    assert asked(cast.at_browser(cast.bob), "look", source, 1).status_code == 404
    assert asked(cast.at_browser(cast.alice), "look", source, 1).json()["position"]["offer"] == ["1", "2"]
    Study.objects.update(shared=True)
    assert asked(anybody, "look", source, 1, ("2",)).json()["due"] == "draw 1"


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{",
        b"[" * 20_000,
        b'{"source": {"match": 1}, "ply": 0}',
        b'{"source": {"match": "1"}, "ply": 0, "moves": []}',
        b'{"source": {"match": true}, "ply": 0, "moves": []}',
        b'{"source": {"match": 1, "study": "x"}, "ply": 0, "moves": []}',
        b'{"source": {"game": "cards", "variant": "cards-2"}, "ply": 1, "moves": []}',
        b'{"source": {"game": "cards", "variant": "cards-2"}, "ply": -1, "moves": []}',
        b'{"source": {"game": "cards", "variant": "cards-2"}, "ply": true, "moves": []}',
        b'{"source": {"game": "cards", "variant": "cards-2"}, "ply": 0, "moves": "1"}',
        b'{"source": {"game": "cards", "variant": "cards-2"}, "ply": 0, "moves": [1]}',
        b'{"source": {"game": "cards", "variant": "cards-2", "options": "low-wins"}, "ply": 0, "moves": []}',
    ],
)
def test_what_is_no_question_is_refused_with_a_sentence(anybody, body):
    answer = anybody.post("/analysis/look/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_question")


@pytest.mark.parametrize(
    "source", [{"match": 10**15}, {"game": "chess", "variant": "x"}, {"game": "cards", "variant": "cards-9"}, {"study": "\0"}]
)
def test_what_does_not_exist_is_not_found(anybody, source):
    assert asked(anybody, "look", source, 0).status_code == 404


# --- What makes a position the same


def cards(*moves: str, options: tuple[str, ...] = ()) -> str:
    line = line_of({"game": "cards", "variant": "cards-2", "options": list(options)}, None)
    return identity(line, way_to(line, 0, list(moves)).end.state)


def test_a_position_is_the_same_however_it_came_about_and_another_where_anything_differs():
    deal = "=1.2/3.4"
    assert cards(deal) == cards("=2.1/4.3")
    others = [cards(), cards("=1.3/2.4"), cards(deal, "1"), cards(deal, "1", "=5"), cards(deal, options=("low-wins",))]
    assert len({cards(deal), *others}) == len(others) + 1


# --- What the bot says


def test_the_bots_word_is_asked_for_worked_out_and_then_there_for_everybody(over, cast, anybody):
    alice = cast.at_browser(cast.alice)
    first = asked(alice, "evaluate", {"match": over.pk}, 1).json()
    assert (first["evaluation"], first["progress"]) == (None, {"done": 0, "total": analysis.PLAYOUTS})
    assert asked(alice, "evaluate", {"match": over.pk}, 1).json() == first
    assert len(waiting()) == 1
    worked()
    told = asked(anybody, "evaluate", {"match": over.pk}, 1).json()
    assert (told["key"], told["progress"], waiting()) == (first["key"], None, [])
    found = told["evaluation"]
    low, high = sorted(map(int, texts(over)[0][1:].split("/")[0].split(".")))
    assert [one["text"] for one in found["candidates"]] == [str(high), str(low)]
    assert (found["seat"], found["values"][0]) == (0, pytest.approx(high / 12, abs=1e-4))
    assert found["ranks"][0] == pytest.approx(2 - high / 12, abs=1e-3)
    assert found["candidates"][1]["loss"] == pytest.approx((high - low) / 12, abs=1e-3)
    assert found["candidates"][0]["line"] == [str(high)]


def test_a_result_is_kept_once_per_position_however_it_was_reached(over, cast):
    alice, bob = cast.at_browser(cast.alice), cast.at_browser(cast.bob)
    moves = texts(over)[:1]
    first = asked(alice, "evaluate", {"match": over.pk}, 1).json()
    second = asked(bob, "evaluate", {"game": "cards", "variant": "cards-2"}, 0, moves).json()
    assert first["key"] == second["key"]
    assert len(waiting()) == 2
    worked()
    assert Evaluation.objects.count() == 1
    assert analysis.answer_to(cast.bob, second["key"]) == analysis.answer_to(cast.alice, first["key"]) != None  # noqa: E711


def test_who_is_nobody_reads_what_is_known_and_asks_for_nothing_new(over, anybody):
    answer = asked(anybody, "evaluate", {"match": over.pk}, 1)
    assert (answer.status_code, answer.json()["code"]) == (403, "nobody")
    assert not waiting()


def test_where_chance_is_to_move_or_nobody_there_is_nothing_to_say(over, cast):
    alice = cast.at_browser(cast.alice)
    for ply in (0, over.ply):
        answer = asked(alice, "evaluate", {"match": over.pk}, ply)
        assert (answer.status_code, answer.json()["code"]) == (409, "not_now")


def test_what_less_work_had_found_is_shown_until_more_is_known(over, cast, anybody):
    alice = cast.at_browser(cast.alice)
    key = asked(alice, "evaluate", {"match": over.pk}, 1).json()["key"]
    worked()
    Evaluation.objects.update(playouts=100)
    told = asked(anybody, "evaluate", {"match": over.pk}, 1).json()
    assert (told["evaluation"]["playouts"], told["progress"]) == (100, None)
    told = asked(alice, "evaluate", {"match": over.pk}, 1).json()
    assert told["evaluation"]["playouts"] == 100
    assert told["progress"] is not None
    worked()
    assert Evaluation.objects.get(key=key).playouts == analysis.PLAYOUTS


def test_less_work_never_takes_the_place_of_more(over, cast):
    line = line_of({"match": over.pk}, None)
    state = way_to(line, 1, []).end.state
    for playouts in (500, 100):
        analysis.keep("k", line.rules, analysis.look(line.rules, state, "k", playouts), playouts)
    assert Evaluation.objects.get().playouts == 500


def test_the_bot_is_handed_what_the_seat_to_move_could_know(over, monkeypatch):
    seen = []

    def analyse(state, source, **more) -> Analysis:
        seen.append(state)
        return type(ANALYST).analyse(ANALYST, state, source, **more)

    monkeypatch.setattr(type(over.rules), "analyst", lambda game: type("Spy", (), {"analyse": staticmethod(analyse)}))
    line = line_of({"match": over.pk}, None)
    real = way_to(line, 1, []).end.state
    for number in range(12):
        analysis.look(line.rules, real, str(number), 10)
    assert {state.hands[0] for state in seen} == {real.hands[0]}
    assert len({state.hands[1] for state in seen}) > 2
    assert not any(state.shown for state in seen)


def test_asked_again_the_bot_says_the_same(over):
    line = line_of({"match": over.pk}, None)
    state = way_to(line, 1, []).end.state
    assert analysis.look(line.rules, state, "key", 10) == analysis.look(line.rules, state, "key", 10)


# --- Limits, and workers that fail


def test_one_person_has_so_many_positions_an_hour(over, cast, monkeypatch):
    monkeypatch.setattr(analysis, "PER_HOUR", 1)
    alice = cast.at_browser(cast.alice)
    assert asked(alice, "evaluate", {"match": over.pk}, 1).status_code == 200
    answer = asked(alice, "evaluate", {"match": over.pk}, 3)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_much")
    FollowUp.objects.filter(kind="study").update(due_at=timezone.now() - timedelta(hours=2))
    assert asked(alice, "evaluate", {"match": over.pk}, 3).status_code == 200


def test_guests_have_fewer(over, cast, monkeypatch):
    monkeypatch.setattr(analysis, "PER_HOUR_GUEST", 0)
    assert asked(cast.at_browser(cast.guest()), "evaluate", {"match": over.pk}, 1).status_code == 429


def test_when_much_waits_new_questions_are_put_off(over, cast, monkeypatch):
    monkeypatch.setattr(analysis, "MOST_WAITING", 1)
    asked(cast.at_browser(cast.alice), "evaluate", {"match": over.pk}, 1)
    answer = asked(cast.at_browser(cast.bob), "evaluate", {"match": over.pk}, 3)
    assert (answer.status_code, answer.json()["code"]) == (429, "busy")


def test_whoever_steps_on_waits_for_the_newest_positions_only(cast):
    alice = cast.at_browser(cast.alice)
    keys = [
        asked(alice, "evaluate", {"game": "cards", "variant": "cards-2"}, 0, (f"=1.{card}/2.3",)).json()["key"] for card in (4, 5, 6, 7, 8)
    ]
    assert [row.data["key"] for row in waiting()] == keys[-analysis.WAITING_EACH :]


def test_a_worker_that_was_killed_loses_nothing(over, cast):
    key = asked(cast.at_browser(cast.alice), "evaluate", {"match": over.pk}, 1).json()["key"]
    (row,) = waiting()
    FollowUp.objects.filter(pk=row.pk).update(attempts=1, lease_until=timezone.now() + timedelta(seconds=60))
    tasks.go_on(row.pk)
    assert not Evaluation.objects.exists()
    FollowUp.objects.filter(pk=row.pk).update(lease_until=timezone.now())
    tasks.go_on(row.pk)
    assert analysis.answer_to(cast.alice, key) is not None


def test_a_machine_that_is_too_slow_for_all_of_it_does_less(over, cast):
    asked(cast.at_browser(cast.alice), "evaluate", {"match": over.pk}, 1)
    FollowUp.objects.filter(kind="study").update(attempts=analysis.PATIENT)
    worked()
    assert Evaluation.objects.get().playouts == analysis.PLAYOUTS // 4


def test_a_failure_is_tried_again_later_and_told_in_the_end(over, cast, monkeypatch, caplog):
    alice = cast.at_browser(cast.alice)
    key = asked(alice, "evaluate", {"match": over.pk}, 1).json()["key"]
    (row,) = waiting()

    def fail(*args: object, **more: object) -> Analysis:
        raise ArithmeticError(f"card {over.ply}")

    with monkeypatch.context() as broken:
        broken.setattr(analysis, "look", fail)
        tasks.go_on(row.pk)
    row.refresh_from_db()
    assert (row.error, row.lease_until, row.done_at) == ("ArithmeticError", None, None)
    assert row.due_at > timezone.now()
    assert f"card {over.ply}" not in caplog.text
    FollowUp.objects.filter(pk=row.pk).update(dead_at=timezone.now())
    with pytest.raises(analysis.NotNow):
        analysis.answer_to(cast.alice, key)
    assert asked(alice, "evaluate", {"match": over.pk}, 1).json()["progress"] is not None
    worked()
    assert analysis.answer_to(cast.alice, key) is not None


def test_only_who_asked_is_answered_over_the_socket(over, cast):
    key = asked(cast.at_browser(cast.alice), "evaluate", {"match": over.pk}, 1).json()["key"]
    worked()
    assert analysis.answer_to(cast.alice, key) is not None
    assert analysis.answer_to(cast.bob, key) is None
    assert analysis.answer_to(None, key) is None


def test_a_match_that_was_resigned_is_analysed_from_where_it_stopped(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 2)
    resign(match.pk, 0, now=NOW)
    match = now_at(match)
    told = asked(cast.at_browser(cast.carol), "look", {"match": match.pk}, match.ply).json()
    assert told["position"]["offer"]
