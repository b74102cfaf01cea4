"""Records: reading whatever comes, replaying, and naming what is wrong with ply and reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import registry
from games.kit.checks import play_match, random_record
from games.kit.record import Fault, Record, RecordError, Result, check, legal_counts, read_each, read_records, replay
from tests.games.fake_cards import CARDS
from tests.games.sources import SECRET, source

DUO = {"format": "tessera/1", "game": "blokus", "variant": "duo-2", "plies": ["e10", "j5"]}


def record(**changes: Any) -> Record:
    return Record.from_json({**DUO, **changes})


def finished(seats: int = 2, game: str = "blokus", variant: str = "duo-2") -> Record:
    return random_record(registry.get(game), variant, source(f"{game} {seats}"))


def reasons(faults: list[Fault]) -> str:
    return "\n".join(map(str, faults))


def test_one_object_an_array_and_json_lines_are_all_read() -> None:
    one, two = json.dumps(DUO), json.dumps({**DUO, "plies": []})
    pretty = json.dumps(DUO, indent=2)
    assert read_records(one) == read_records(f"[{one}]") == read_records(f"\ufeff \r\n{pretty}\n\n") == [record()]
    for text in (f"[{one},{two}]", f"{one}\n{two}\n", f"{one}\r\n\r\n{two}", f"{pretty}\n{two}"):
        assert read_records(text) == [record(), record(plies=[])]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no record"),
        ("  \n", "no record"),
        ("[]", "no record"),
        ("{", "line 1, column 2"),
        ('{"format": "tessera/1",\n "game": }', "line 2, column 10"),
        ("hello", "not JSON"),
        ("\x00", "not JSON"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("9" * 10_000, "too long"),
        ('{"format": NaN}', "NaN"),
        ('{"format": -Infinity}', "Infinity"),
        ('{"game": "a", "game": "b"}', "'game' stands twice"),
        ("null", "must be a JSON object"),
        ("17", "must be a JSON object"),
        ('"text"', "must be a JSON object"),
        ("[[1]]", "must be a JSON object"),
        ("{}", "format"),
        ('{"format": "tessera/2"}', "tessera/1"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        read_records(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": 5}, "game"),
        ({"game": None}, "game"),
        ({"game": "x" * 1000}, "longer"),
        ({"variant": ["duo-2"]}, "variant"),
        ({"plies": None}, "plies"),
        ({"plies": "e10"}, "plies"),
        ({"plies": {"0": "e10"}}, "plies"),
        ({"plies": ["e10", 7]}, "^Ply 2: "),
        ({"plies": ["e10", None]}, "^Ply 2: "),
        ({"plies": [["e10"]]}, "^Ply 1: "),
        ({"plies": ["e10", "x" * 5000]}, "^Ply 2: .*longer"),
        ({"plies": ["\ud800"]}, "^Ply 1: .*cannot be shown"),
        ({"plies": ["e10\x00"]}, "^Ply 1: .*cannot be shown"),
        ({"options": "free-corners"}, "options"),
        ({"options": [1]}, "Item 1 of “options”"),
        ({"seats": [None, "ben"]}, "Item 1 of “seats”"),
        ({"seats": 2}, "seats"),
        ({"result": []}, "result"),
        ({"result": {}}, "reason"),
        ({"result": {"scores": [1, 2], "ranks": [1, 2], "reason": "won"}}, "won"),
        ({"result": {"scores": [1, True], "ranks": [1, 2], "reason": "complete"}}, "scores.*whole number"),
        ({"result": {"scores": [1, 2.0], "ranks": [1, 2], "reason": "complete"}}, "scores.*whole number"),
        ({"result": {"scores": [1, 10**30], "ranks": [1, 2], "reason": "complete"}}, "out of range"),
        ({"result": {"scores": [1, 2], "ranks": [0, 1], "reason": "complete"}}, "ranks.*out of range"),
        ({"result": {"scores": [1, 2], "ranks": [1, 2], "reason": "timeout", "left": [3]}}, "left"),
        ({"result": {"scores": [1, 2], "ranks": [1, 2], "reason": "timeout", "left": [[0]]}}, "pairs"),
        ({"result": {"scores": [1, 2], "ranks": [1, 2], "reason": "timeout", "left": [[-1, 2]]}}, "out of range"),
        ({"secret": "abc"}, "secret"),
        ({"secret": "G" * 64}, "secret"),
        ({"commitment": 5}, "commitment"),
    ],
)
def test_a_field_of_a_wrong_type_is_named(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        record(**changes)
    assert str(caught.value).isprintable()


def test_a_fault_among_several_records_says_in_which() -> None:
    with pytest.raises(RecordError, match="Record 2 of 3"):
        read_records(json.dumps([DUO, {**DUO, "plies": 5}, DUO]))


def test_a_record_that_cannot_be_read_does_not_hide_the_others() -> None:
    good, wrong = json.dumps(DUO), json.dumps({**DUO, "plies": 5})
    fault = Fault(None, "“plies” must be a list, not 5.")
    assert read_each(f"[{good},{wrong},{good}]") == [record(), fault, record()]
    first, second, third = read_each(f"{good}\n{good[:-1]}\n{good}\n")
    assert (first, third) == (record(), record())
    assert isinstance(second, Fault)
    assert "not JSON" in second.reason
    for text in ("", "{", "[1,", good[:-1]):
        with pytest.raises(RecordError):
            read_each(text)


@pytest.mark.parametrize("field", ["seats", "options", "scores", "ranks", "left"])
def test_a_list_far_longer_than_any_match_has_seats_is_refused(field: str) -> None:
    result = {"scores": [1, 2], "ranks": [1, 2], "reason": "timeout", "left": []}
    long: list[Any] = ["x" if field in ("seats", "options") else 1] * 100_000
    changes = {field: long} if field in ("seats", "options") else {"result": {**result, field: long}}
    with pytest.raises(RecordError, match="more than 20 items"):
        record(**changes)


def test_a_date_an_event_and_notes_are_kept() -> None:
    kept = record(date="2026-11", event="club night", notes=[[0, "Off we\ngo"], [2, "Well"]])
    assert (kept.date, kept.event, kept.notes) == ("2026-11", "club night", ((0, "Off we\ngo"), (2, "Well")))
    assert Record.from_json(kept.to_json()) == kept
    assert check(kept) == []


def test_fields_of_others_are_let_be() -> None:
    assert record(weather="club night", legal_moves=[1]) == record()
    assert record(date="last night", event={"name": "club"}, notes=["good"]) == record()
    assert record(notes=[[0, "a", "b"]]) == record(notes=[[-1, "a"]]) == record(notes=[[0, "\x00"]]) == record(notes=7) == record()


def test_what_is_missing_is_not_checked() -> None:
    assert check(record()) == []
    assert "seats" not in record().to_json() and "options" not in record().to_json()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"game": "chess"}, "There is no game “chess”"),
        ({"variant": "duo-3"}, "no variant “duo-3”; it has classic-4"),
        ({"options": ["no-corners"]}, "no house rule “no-corners”"),
        ({"options": ["free-corners", "free-corners"]}, "A house rule is named twice"),
        ({"seats": ["ann"]}, "2 seats, but 1"),
        ({"plies": ["e10", "j5", "j5"]}, "Ply 3: "),
        ({"plies": ["e10", "a1"]}, "Ply 2: The first piece of Green must cover j5."),
        ({"plies": ["E10"]}, "Ply 1: “E10” is not a square"),
        ({"plies": [""]}, "Ply 1: "),
        ({"plies": ["=e10"]}, "Ply 1: No draw is due here; seat 0 is to move."),
    ],
)
def test_a_fault_names_the_ply_and_the_reason(changes: dict[str, Any], fault: str) -> None:
    faults = check(record(**changes))
    assert len(faults) == 1
    assert fault in str(faults[0])


def test_a_ply_may_list_its_cells_in_any_order() -> None:
    assert check(record(plies=["f10,e10"])) == []


def test_all_faults_outside_the_plies_are_listed_at_once() -> None:
    faults = check(record(seats=["ann"], secret="00" * 32, commitment="11" * 32, plies=["e10", "e10"]))
    assert [fault.ply for fault in faults] == [None, None, 2]


def test_a_ply_behind_the_end_is_a_fault() -> None:
    over = finished()
    longer = replace(over, plies=(*over.plies, "a1"))
    assert check(longer) == [Fault(len(over.plies) + 1, "The match was over before this ply.")]


def test_a_wrong_result_names_what_was_expected() -> None:
    over = finished()
    assert over.result is not None
    scores, ranks = list(over.result.scores), list(over.result.ranks)
    wrong = replace(over, result=Result((0, 0), (1, 1), "complete"))
    assert reasons(check(wrong)) == f"The scores are {scores}, not [0, 0].\nThe ranks are {ranks}, not [1, 1]."
    short = replace(over, result=Result((0,), (1,), "complete"))
    assert "2 seats, but 1 ranks" in reasons(check(short))


def test_complete_is_false_while_somebody_is_to_move() -> None:
    claim = {"scores": [-88, -88], "ranks": [1, 1], "reason": "complete"}
    assert "seat 0 is to move" in reasons(check(record(result=claim)))


def left(ranks: list[int], *pairs: list[int], reason: str = "resigned") -> dict[str, Any]:
    return {"scores": [-88, -88], "ranks": ranks, "reason": reason, "left": list(pairs)}


def test_in_a_match_that_broke_off_who_left_is_last() -> None:
    assert check(record(result=left([2, 1], [0, 2]))) == []
    assert check(record(result=left([1, 2], [1, 2], reason="timeout"))) == []
    assert "The ranks are [2, 1], not [1, 2]" in reasons(check(record(result=left([1, 2], [0, 2]))))
    assert "The ranks are [2, 1], not [1, 1]" in reasons(check(record(result=left([1, 1], [0, 2]))))


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([[2, 1]], "Seat 2 is said to have left, but there is no such seat"),
        ([[0, 1], [0, 2]], "Seat 0 is said to have left twice"),
        ([[0, 3]], "Seat 0 is said to have left after 3 plies"),
    ],
)
def test_leaving_that_cannot_have_happened_is_a_fault(pairs: list[list[int]], reason: str) -> None:
    assert reason in reasons(check(record(result=left([2, 1], *pairs))))


def test_in_a_match_played_out_leavers_rank_behind_all_others() -> None:
    over = finished(4, variant="classic-4")
    assert over.result is not None
    best = over.result.ranks.index(1)
    ranks = tuple(4 if seat == best else place - 1 for seat, place in enumerate(over.result.ranks))
    told = Result(over.result.scores, ranks, "complete", ((best, 12),))
    assert check(replace(over, result=told)) == []
    assert check(replace(over, result=replace(told, ranks=over.result.ranks))) != []


def cards(**changes: Any) -> Record:
    return replace(play_match(CARDS, "cards-3", [CARDS.bot("any")] * 3, SECRET), **changes)


def test_draws_are_checked_against_the_secret() -> None:
    assert check(cards()) == []
    faults = check(cards(secret=bytes(32)))
    assert "belongs to the commitment" in str(faults[0])
    assert faults[1].ply == 1
    assert "The secret gives “=" in str(faults[1])
    assert check(cards(secret=None)) == []


def test_a_draw_that_is_not_due_or_missing_is_a_fault() -> None:
    plies = cards().plies
    assert "Ply 1: A draw is due here (draw 0)." in reasons(check(cards(plies=plies[1:])))
    assert "Ply 2: No draw is due here" in reasons(check(cards(plies=(plies[0], *plies))))
    assert "Ply 1: " in reasons(check(cards(plies=("=?", *plies[1:]))))


def test_replay_gives_a_position_more_than_plies_and_stops_at_a_bad_one() -> None:
    assert len(list(replay(record()))) == 3
    states: Iterator[object] = replay(record(plies=["e10", "e10"]))
    assert [next(states), next(states)]
    with pytest.raises(RecordError, match=r"^Ply 2: "):
        next(states)


def test_legal_counts_have_nothing_to_count_at_a_draw() -> None:
    assert legal_counts(record()) == [414, 414]
    assert legal_counts(cards())[:3] == [None, 2, None]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
fields = st.sampled_from(["format", "game", "variant", "options", "seats", "plies", "result", "commitment", "secret"])
records = st.dictionaries(fields, json_values, max_size=4).map(lambda changes: {**DUO, **changes})
results = st.fixed_dictionaries(
    {},
    optional={
        "scores": st.lists(st.integers(-100, 100), max_size=3) | json_values,
        "ranks": st.lists(st.integers(0, 4), max_size=3) | json_values,
        "reason": st.sampled_from(["complete", "resigned", "timeout", "abandoned"]) | json_values,
        "left": st.lists(st.lists(st.integers(-1, 3), max_size=3), max_size=3) | json_values,
    },
).map(lambda result: {**DUO, "result": result})


@settings(max_examples=200, deadline=None, derandomize=True)
@given(records | results | json_values)
def test_no_json_makes_the_check_stumble(value: Any) -> None:
    try:
        found = read_records(json.dumps(value))
    except RecordError as error:
        assert str(error)
        return
    for each in found:
        assert all(isinstance(fault, Fault) and fault.reason for fault in check(each))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(alphabet='{}[]",:truefalsn0123e- \n', max_size=60))
def test_no_text_makes_the_reader_stumble(text: str) -> None:
    with pytest.raises(RecordError):
        read_records(text)
