"""The analysis of whole matches: asked for once, made in slices, and what it says of moves and seats."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from matches import payloads
from matches.errors import NotNow, TooMuch
from matches.models import FollowUp, Match
from matches.services import abort, resign
from studies import analysis, reviews, tasks
from studies.models import Evaluation, Imported, Review
from tests.studies.conftest import NOW, now_at, play_on, waiting, worked

JSON = {"Accept": "application/json"}


@pytest.fixture
def reviewed(over, cast) -> Match:
    """The match that is over, analysed."""
    reviews.ask(over, cast.carol, timezone.now())
    worked()
    return over


# --- Asking


def test_a_match_is_analysed_once_for_everybody(over, cast):
    for player in (cast.alice, cast.carol):
        reviews.ask(over, player, timezone.now())
    assert len(waiting()) == 1
    assert Review.objects.get().asked_by == cast.alice
    worked()
    assert reviews.ask(over, cast.bob, timezone.now()).status == Review.Status.DONE
    assert not waiting()


def test_it_is_asked_for_by_a_script_or_a_form(over, cast):
    url = f"/match/{over.pk}/review/"
    alice = cast.at_browser(cast.alice)
    assert alice.get(url).json() == {"review": None}
    told = alice.post(url, headers=JSON).json()["review"]
    assert (told["status"], told["done"], told["total"], told["accuracy"]) == ("waiting", 0, over.ply, None)
    answer = alice.post(url)
    assert (answer.status_code, answer.url) == (302, f"/match/{over.pk}/replay/#review")
    worked()
    assert Client().get(url).json()["review"]["status"] == "done"


def test_who_is_nobody_is_told_to_sign_in(over):
    answer = Client().post(f"/match/{over.pk}/review/", headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, "nobody")


def test_running_and_called_off_matches_are_not_analysed(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 1)
    answer = cast.at_browser(cast.alice).post(f"/match/{match.pk}/review/", headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "running")
    assert cast.at_browser(cast.alice).get(f"/match/{match.pk}/review/").json() == {"review": None}
    abort(match.pk, 0, now=NOW)
    assert not now_at(match).running
    with pytest.raises(NotNow, match="called off"):
        reviews.ask(now_at(match), cast.alice, timezone.now())


def test_a_private_match_is_reviewed_by_and_for_its_people(cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob, private=True))
    url = f"/match/{match.pk}/review/"
    assert cast.at_browser(cast.carol).post(url).status_code == 404
    assert cast.at_browser(cast.bob).post(url, headers=JSON).status_code == 200
    worked()
    assert Client().get(url).status_code == 404
    key = reviews.key_of(Review.objects.get())
    assert reviews.followed(cast.bob, key) is not None
    assert reviews.followed(cast.carol, key) is reviews.followed(None, key) is None


def test_one_person_has_so_many_matches_a_day_analysed(over, cast, table, monkeypatch):
    other = play_on(table("cards-2", cast.alice, cast.bob))
    monkeypatch.setattr(reviews, "PER_DAY", 1)
    reviews.ask(over, cast.alice, timezone.now())
    answer = cast.at_browser(cast.alice).post(f"/match/{other.pk}/review/", headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_much")
    assert reviews.ask(other, cast.alice, timezone.now() + timedelta(days=1, seconds=1))


def test_when_many_matches_wait_new_ones_are_put_off(over, cast, table, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_WAITING", 1)
    reviews.ask(over, cast.alice, timezone.now())
    with pytest.raises(TooMuch):
        reviews.ask(play_on(table("cards-2", cast.alice, cast.bob)), cast.bob, timezone.now())


# --- Working


def test_it_is_made_in_slices_so_that_what_waits_comes_in_between(over, cast, monkeypatch):
    monkeypatch.setattr(reviews, "SLICE_SECONDS", 0.0)
    reviews.ask(over, cast.alice, timezone.now())
    (row,) = waiting()
    for go in range(over.ply):
        row.refresh_from_db()
        assert (row.done_at, row.attempts, row.lease_until, Review.objects.get().done) == (None, 0, None, go)
        tasks.go_on(row.pk)
    row.refresh_from_db()
    assert row.done_at is not None
    assert Review.objects.get().status == "done"


def test_a_position_that_somebody_looks_at_goes_before_the_next_slice(over, cast, monkeypatch):
    monkeypatch.setattr(reviews, "SLICE_SECONDS", 0.0)
    reviews.ask(over, cast.alice, timezone.now())
    (row,) = waiting()
    analysis.ask(cast.bob, {"match": over.pk}, 7, [], timezone.now())
    tasks.go_on(row.pk)
    assert [left.pk for left in waiting()] == [row.pk]
    assert Evaluation.objects.get().playouts == analysis.PLAYOUTS
    assert Review.objects.get().done == 1


def test_a_worker_that_was_killed_costs_one_slice(over, cast, monkeypatch):
    reviews.ask(over, cast.alice, timezone.now())
    (row,) = waiting()
    ply = reviews._ply

    def killed_after_three(line, index):
        if index == 3:
            raise SystemExit
        return ply(line, index)

    with monkeypatch.context() as dying:
        dying.setattr(reviews, "_ply", killed_after_three)
        with pytest.raises(SystemExit):
            tasks.go_on(row.pk)
    looked_at = Evaluation.objects.count()
    assert looked_at
    FollowUp.objects.filter(pk=row.pk).update(lease_until=timezone.now())
    tasks.go_on(row.pk)
    review = Review.objects.get()
    assert (review.status, review.done, len(review.plies)) == ("done", over.ply, over.ply)


def test_two_workers_at_the_same_review_do_not_write_over_each_other(over, cast):
    reviews.ask(over, cast.alice, timezone.now())
    (row,) = waiting()
    Review.objects.update(done=5, plies=[{"seat": None, "values": None}] * 5)
    stale = Review.objects.get()
    stale.done = 2
    reviews._store(row, stale, reviews.line_for(over), [{"seat": None, "values": None}] * 3)
    assert Review.objects.get().done == 5


def test_what_fails_for_good_can_be_asked_for_again_and_goes_on(over, cast, monkeypatch):
    reviews.ask(over, cast.alice, timezone.now())
    (row,) = waiting()

    def fail(*args: object) -> None:
        raise ArithmeticError

    with monkeypatch.context() as broken:
        broken.setattr(reviews, "_ply", fail)
        FollowUp.objects.filter(pk=row.pk).update(attempts=7)
        tasks.go_on(row.pk)
    assert Review.objects.get().status == "failed"
    FollowUp.objects.filter(pk=row.pk).update(dead_at=timezone.now())
    reviews.ask(over, cast.bob, timezone.now())
    worked()
    assert Review.objects.get().status == "done"


def test_what_the_bot_found_is_there_for_the_analysis_page(reviewed):
    assert Evaluation.objects.count() == 6
    assert {row.playouts for row in Evaluation.objects.all()} == {reviews.PLAYOUTS}


# --- What it says


def test_of_each_move_it_says_what_it_lost_and_what_was_better(reviewed, cast):
    told = reviews.brief(reviewed, cast.alice)
    assert told is not None
    first = told["plies"][0]
    # Everybody plays their lower card, and the bot would play the higher one.
    assert (first["ply"], first["seat"], first["best"], first["line"]) == (2, 0, "12", ["12"])
    assert (first["kind"], first["reason"]) == ("blunder", "Card 12 is more than 5.")
    assert first["loss"] == pytest.approx(7 / 12, abs=1e-3)
    assert (first["values"][0], first["after"][0]) == (1.0, pytest.approx(5 / 12, abs=1e-4))
    assert told["counts"] == [{"blunder": 1, "mistake": 1, "inaccuracy": 0}, {"blunder": 2, "mistake": 0, "inaccuracy": 0}]


def test_moves_without_a_choice_are_neither_good_nor_bad(reviewed, cast):
    told = reviews.brief(reviewed, cast.alice)
    assert told is not None
    last = told["plies"][-1]
    assert (last["kind"], last["loss"]) == ("forced", 0)
    assert "best" not in last


def test_the_values_run_from_the_start_to_the_result(reviewed, cast):
    told = reviews.brief(reviewed, cast.alice)
    assert told is not None
    values = told["values"]
    assert len(values) == reviewed.ply + 1
    assert values[0] is values[2] is None
    assert values[-1] == [1.0 if rank == 1 else 0.0 for rank in reviewed.ranks]


def test_kinds_are_told_apart_by_the_part_of_a_rank_that_was_lost():
    assert [reviews._kind(lost) for lost in (0.0, 0.079, 0.08, 0.16, 0.31, 0.32, 3.0)] == [
        "", "", "inaccuracy", "mistake", "mistake", "blunder", "blunder",
    ]  # fmt: skip


def test_accuracy_falls_from_a_hundred_by_the_curve_of_lichess():
    assert reviews.accuracy_of(0.0) == pytest.approx(100.0, abs=0.01)
    assert reviews.accuracy_of(0.1) == pytest.approx(63.58, abs=0.01)
    assert reviews.accuracy_of(1.0) == 0.0


def test_one_blunder_among_good_moves_shows_in_the_accuracy(over):
    line = reviews.line_for(over)
    good, bad = ({"seat": 0, "kind": kind, "loss": loss} for kind, loss in (("best", 0.0), ("blunder", 0.9)))
    alone, spoilt = (reviews.accuracies(line, found)[0] for found in ([good] * 4, [good] * 4 + [bad]))
    assert (alone, reviews.accuracies(line, [good])[1]) == (100.0, None)
    assert spoilt is not None
    assert spoilt < 50


def test_moves_that_the_site_made_for_who_had_left_do_not_count(cast, table):
    match = table("cards-3", cast.alice, cast.bob, cast.carol)
    match = play_on(match, 1)
    resign(match.pk, 1, now=NOW)
    line = reviews.line_for(Match.objects.with_seats().get(pk=match.pk)) if not now_at(match).running else None
    assert line is None  # a bot plays on for bob
    match = now_at(match)
    left = match.seats.all()[1].left_at_ply
    Match.objects.filter(pk=match.pk).update(status="finished", ranks=[1, 3, 2], scores=[0, 0, 0])
    entries = [{"seat": 1, "kind": "blunder", "loss": 1.5}] * (left + 3)
    line = reviews.line_for(now_at(match))
    assert reviews.accuracies(line, entries[:left]) != [None, None, None]
    assert reviews.accuracies(line, [{"seat": None}] * left + entries[left:]) == [None, None, None]


def test_reasons_are_said_in_the_readers_language(reviewed, cast, monkeypatch):
    remark = {"kind": "card", "text": "Seat {number}", "names": {"number": "1"}, "seat": 0}
    Review.objects.update(plies=[{"seat": 0, "values": [1, 0], "kind": "mistake", "loss": 0.2, "best": "1", "line": [], "reason": remark}])
    said = []
    for language in ("en", "it"):
        with translation.override(language):
            told = reviews.brief(reviewed, cast.alice)
            assert told is not None
            said.append(told["plies"][0]["reason"])
    assert said == ["Seat 1", "Posto 1"]


def test_an_imported_record_is_analysed_like_a_match(over, cast):
    record = payloads.record_of(over, None).to_json()
    imported = Imported.objects.create(
        owner=cast.alice, game="cards", variant="cards-2", record=record, plies=over.ply, digest="d", made_at=NOW
    )
    url = f"/imported/{imported.token}/review/"
    assert cast.at_browser(cast.bob).post(url, headers=JSON).status_code == 200
    worked()
    told = Client().get(url).json()["review"]
    assert (told["status"], len(told["accuracy"]), told["values"][-1]) == ("done", 2, [1.0 if rank == 1 else 0.0 for rank in over.ranks])


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "variant"), [("azul", "coloured-3"), ("blockers", "basic-2"), ("blokus", "duo-2"), ("nibble", "square-9")]
)
def test_a_match_of_every_game_is_reviewed_from_start_to_end(cast, game, variant, monkeypatch):
    from games import registry
    from games.kit.chance import KeyedSource
    from games.kit.protocol import CHANCE
    from games.kit.record import Record

    monkeypatch.setattr(reviews, "PLAYOUTS", 24)
    rules, source = registry.get(game), KeyedSource(bytes(32), "match")
    state, plies = rules.start(variant), []
    while state.to_move is not None:
        if state.to_move is CHANCE:
            move = state.draw(source)
        else:
            move = rules.bot("beginner").choose(state.determinize(state.to_move, source), source)
        plies.append(str(move))
        state = state.play(move)
    record = Record(game, variant, tuple(plies)).to_json()
    imported = Imported.objects.create(
        owner=cast.alice, game=game, variant=variant, record=record, plies=len(plies), digest="d", made_at=NOW
    )
    reviews.ask(imported, cast.alice, timezone.now())
    while waiting():
        worked()
    told = reviews.brief(imported, cast.alice)
    assert told is not None
    assert told["status"] == "done"
    assert all(accuracy is not None and 0 < accuracy <= 100 for accuracy in told["accuracy"])
    outcome = state.outcome()
    assert outcome is not None
    assert [value for value in told["values"] if value is not None][-1][outcome.ranks.index(1)] > 0.5
    assert all(len(entry["values"]) == len(told["accuracy"]) for entry in told["plies"])
    assert analysis.rank(1.0, 3) == 1
