"""No help where one is playing: what the bot and the board refuse while a match runs, and that refusals tell nothing hidden."""

from __future__ import annotations

import pytest

from matches.models import Match
from matches.services import resign
from studies import analysis, guard, reviews
from studies.models import Evaluation
from studies.positions import line_of, of_match, spectacle, way_to
from tests.studies.conftest import NOW, asked, now_at, play_on, waiting, worked

SECRET = bytes(range(32))


@pytest.fixture
def twins(cast, table) -> tuple[Match, Match]:
    """A match of carol and dan that is over, and one of alice and bob with the same draws, which has come to its third ply."""
    over = play_on(table("cards-2", cast.carol, cast.dan, secret=SECRET))
    running = play_on(table("cards-2", cast.alice, cast.bob, secret=SECRET), 1)
    assert (running.ply, running.running) == (3, True)
    return over, running


def answers(cast, match: Match, name: str, path: str, ply: int) -> str:
    """`ok`, or the code of the refusal."""
    told = asked(cast.at_browser(getattr(cast, name)), path, {"match": match.pk}, ply).json()
    return told.get("code", "ok")


def test_no_bot_looks_at_a_position_that_ones_own_running_match_has_come_through(cast, twins):
    over, _ = twins
    assert [answers(cast, over, "alice", "evaluate", ply) for ply in (1, 3)] == ["played_now", "played_now"]
    assert answers(cast, over, "alice", "evaluate", 5) == "ok"
    assert answers(cast, over, "erin", "evaluate", 1) == "ok"


def test_what_is_known_already_is_kept_back_too(cast, twins):
    over, _ = twins
    key = asked(cast.at_browser(cast.erin), "evaluate", {"match": over.pk}, 1).json()["key"]
    worked()
    assert Evaluation.objects.filter(key=key).exists()
    assert answers(cast, over, "erin", "evaluate", 1) == "ok"
    assert answers(cast, over, "alice", "evaluate", 1) == "played_now"


def test_the_opening_is_free_to_be_tried_on_the_board(cast, twins):
    over, _ = twins
    assert [answers(cast, over, "alice", "look", ply) for ply in range(over.ply + 1)] == ["ok"] * (over.ply + 1)


def test_beyond_the_opening_neither_bot_nor_board_goes_on_from_where_ones_match_stands(cast, twins):
    over, running = twins
    running = play_on(running, 3)
    assert running.running
    boards = [answers(cast, over, "alice", "look", ply) for ply in range(running.ply - 1, over.ply + 1)]
    assert boards == ["ok", *["played_now"] * (over.ply + 1 - running.ply)]
    assert answers(cast, over, "alice", "evaluate", running.ply) == "played_now"
    assert answers(cast, over, "erin", "look", running.ply) == "ok"


def test_a_line_typed_in_by_hand_is_no_way_around_it(cast, twins):
    over, running = twins
    running = play_on(running, 3)
    moves = list(over.moves.values_list("text", flat=True))[: running.ply + 1]
    by_hand = {"game": "cards", "variant": "cards-2"}
    for source, ply, tried in ((by_hand, 0, moves), ({"match": over.pk}, running.ply, moves[running.ply :])):
        assert asked(cast.at_browser(cast.alice), "look", source, ply, tried).json()["code"] == "played_now"


def test_once_the_match_is_over_or_left_all_is_free(cast, twins):
    over, running = twins
    resign(running.pk, 0, now=NOW)
    assert answers(cast, over, "alice", "evaluate", 1) == "ok"


def test_it_is_asked_again_when_the_work_begins(cast, twins):
    over, running = twins
    asked(cast.at_browser(cast.alice), "evaluate", {"match": over.pk}, 5)
    (row,) = waiting()
    play_on(running, 1)
    worked()
    assert not Evaluation.objects.exists()
    assert not waiting()
    with pytest.raises(guard.PlayedNow):
        analysis.answer_to(cast.alice, row.data["key"])
    resign(running.pk, 0, now=NOW)
    assert answers(cast, over, "alice", "evaluate", 5) == "ok"
    worked()
    assert analysis.answer_to(cast.alice, row.data["key"]) is not None


def test_a_refusal_tells_nothing_of_what_others_hold(cast, twins):
    """Positions that differ only in hidden cards are refused alike, so that nobody can ask which of them is real."""
    over, _ = twins
    alice = cast.at_browser(cast.alice)
    real = over.moves.first().text
    mine, theirs = real[1:].split("/")
    other = [card for card in range(1, 13) if str(card) not in mine.split(".") + theirs.split(".")]
    guess = f"={mine}/{other[0]}.{other[1]}"
    source = {"game": "cards", "variant": "cards-2"}
    told = [asked(alice, "evaluate", source, 0, (deal,)).json() for deal in (real, guess)]
    assert told[0] == told[1]
    assert told[0]["code"] == "played_now"
    states = [way_to(line_of(source, None), 0, [deal]).end.state for deal in (real, guess)]
    assert spectacle(states[0]) == spectacle(states[1])


def test_house_rules_make_no_other_position_of_it(cast, twins):
    source = {"game": "cards", "variant": "cards-2", "options": ["low-wins"]}
    told = asked(cast.at_browser(cast.alice), "evaluate", source, 0, (twins[0].moves.first().text,)).json()
    assert told["code"] == "played_now"


def test_of_a_review_one_does_not_read_what_ones_own_match_has_come_through(cast, twins):
    over, running = twins
    reviews.ask(over, cast.erin, NOW)
    worked(2)
    whole, cut = reviews.brief(over, cast.erin), reviews.brief(over, cast.alice)
    assert whole is not None
    assert cut is not None
    assert [one["ply"] for one in whole["plies"]] == [2, 4, 6, 7, 8, 9]
    assert [one["ply"] for one in cut["plies"]] == [6, 7, 8, 9]
    assert cut["values"] == [None, None, None, None, *whole["values"][4:]]
    play_on(running, 3)
    beyond = reviews.brief(over, cast.alice)
    assert beyond is not None
    assert beyond["plies"] == []
    assert set(map(str, beyond["values"])) == {"None"}


def test_what_was_seen_of_a_match_is_known_anew_after_each_move(cast, twins):
    over, running = twins
    line = of_match(over)
    assert guard.kept_from(cast.alice, line) == {0, 1, 2, 3}
    play_on(now_at(running), 1)
    assert guard.kept_from(cast.alice, line) == {0, 1, 2, 3, 4, 5}
    assert guard.kept_from(cast.erin, line) == set()
    assert guard.kept_from(None, line) == set()
