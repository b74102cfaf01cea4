"""Files of Pentobi: read, played by our rules, and written so that Pentobi reads them again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games import registry
from games.blokus import GAME, blksgf
from games.blokus.pieces import ALL_SQUARES
from games.kit.checks import random_record
from games.kit.reading import Branch, Reading, format_of, readings, suffixes
from games.kit.record import Fault, Record, RecordError, Result, check
from tests.games.sources import DATA, lines, source

SCORES = {"classic-4": (53, 65, 69, 77), "classic-3": (82, 69, 77), "classic-2": 1, "duo-2": 7}
"""What Pentobi counts at the end of the matches in the data: points, or the lead of the first of two."""

ONE = "e8,e9,f9,d10,e10"
TWO = "i4,h5,i5,j5,i6"
TWO_B = "j5,j6,j7,k7,i5"
THREE = "g6,f7,g7,h7,g8"
FOUR = "j7,j8,j9,k9,j10"


def canonical(*texts: str) -> tuple[str, ...]:
    return tuple(str(GAME.parse_move(text)) for text in texts)


def read(text: str) -> Reading:
    (found,) = blksgf.read(text)
    assert isinstance(found, Reading), str(found)
    assert check(found.record) == []
    return found


def fault(text: str) -> Fault:
    (found,) = blksgf.read(text)
    assert isinstance(found, Fault)
    return found


def again(record: Record) -> Record:
    """What is read of what is written of it."""
    return read(blksgf.write(record)).record


# --- Matches


@pytest.mark.parametrize("variant", SCORES)
def test_a_match_that_pentobi_saved_is_read_to_its_end_and_written_as_it_was(variant: str) -> None:
    text = (DATA / f"pentobi-{variant}.blksgf").read_text()
    record = read(text).record
    assert (record.variant, record.seats, record.options) == (variant, None, ())
    assert record.result is not None
    scores = record.result.scores
    if len(scores) == 2:
        assert scores[0] - scores[1] == SCORES[variant]
    else:
        assert tuple(score + ALL_SQUARES for score in scores) == SCORES[variant]
    assert again(record) == record
    assert blksgf.write(record).splitlines()[2:] == text.splitlines()[2:]


@pytest.mark.parametrize("match", lines("blokus_pentobi.jsonl")[::9], ids=lambda match: match["variant"])
def test_any_match_comes_back_with_all_that_the_format_can_say(match: dict[str, Any]) -> None:
    seats = int(match["variant"][-1])
    record = Record(
        "blokus", match["variant"], tuple(match["plies"]), seats=tuple(f"Ann [{seat}] \\" for seat in range(seats)),
        date="2026-11-30", event="The cup; round ]3[", notes=((0, "Begin\n(well)"), (2, "é]")),
    )  # fmt: skip
    assert replace(again(record), result=None) == record


def test_a_match_by_free_corners_comes_back_as_one() -> None:
    record = random_record(GAME, "classic-4", source("corners"), options=("free-corners",))
    assert again(record) == replace(record, commitment=None, secret=None)


@pytest.mark.parametrize(("reason", "letter"), [("resigned", "R"), ("timeout", "T"), ("abandoned", "F")])
def test_who_gave_up_a_match_of_two_is_written_and_read(reason: str, letter: str) -> None:
    played = read(f"(;GM[Blokus Duo];B[{ONE}];W[{TWO}])").record
    assert played.result is None
    record = replace(played, result=Result((-84, -84), (1, 2), reason, ((1, 2),)))
    assert f"RE[B+{letter}]" in blksgf.write(record)
    assert again(record) == record
    assert read(f"(;GM[Blokus Duo]RE[W+{letter}esign];B[{ONE}])").record.result == Result((-84, -89), (2, 1), reason, ((0, 1),))


def test_a_match_that_cannot_be_played_is_not_written() -> None:
    with pytest.raises(RecordError, match="Ply 2"):
        blksgf.write(Record("blokus", "duo-2", ("e10", "a1")))


# --- Spellings


@pytest.mark.parametrize(
    "text",
    [
        f"(;GM[Blokus Duo];B[{ONE}];W[{TWO}])",
        f"(\n;GM [Blokus Duo]\n; B [ {ONE.upper()} ]\n;W[{TWO.replace(',', ' , ')}]\n)\n",
        f"(;GM[Blokus Duo];B[{ONE.replace(',', '][')}];W[{TWO.replace(',', '][')}])",
        f"(;GM[Blokus Duo];BLUE[{ONE.replace(',', '][')}];GREEN[{TWO.replace(',', '][')}])",
        f"(;GM[Blokus Duo];1[{ONE}];2[{TWO}])",
        f"(;GM[blokus  duo];C[no move here];B[{ONE}];W[];W[{TWO}])",
        f"(;GM[Blokus Duo]B[{ONE}];W[{TWO}])",
        f"Mail of a friend: (;GM[Blokus Duo];B[{ONE}];W[{TWO}]) yours",
    ],
)
def test_every_spelling_that_pentobi_ever_wrote_is_the_same_match(text: str) -> None:
    assert read(text).record.plies == canonical(ONE, TWO)


def test_the_first_versions_named_four_colours() -> None:
    text = (
        "(;GM[Blokus Two-Player];BLUE[a16][a17][a18][a19][a20];YELLOW[s17][t17][t18][t19][t20];RED[t1][t2][t3][t4][t5]"
        ";GREEN[a1][b1][c1][d1][d2])"
    )
    assert read(text).record.plies == canonical("a16,a17,a18,a19,a20", "s17,t17,t18,t19,t20", "t1,t2,t3,t4,t5", "a1,b1,c1,d1,d2")


@pytest.mark.parametrize(
    ("name", "heading", "seats"),
    [
        ("Blokus", "P1[Ann]P2[]P4[Ben]", ("Ann", "Player 2", "Player 3", "Ben")),
        ("Blokus Three-Player", "P1[a]P2[b]P3[c]P4[d]", ("a", "b", "c")),
        ("Blokus Two-Player", "PB[\x07 a\n b]PW[" + "x" * 200 + "]", ("a b", "x" * 149 + "…")),
        ("Blokus Duo", "P1[a]P2[b]", None),
    ],
)
def test_players_are_named_as_the_number_of_seats_asks(name: str, heading: str, seats: tuple[str, ...] | None) -> None:
    assert read(f"(;GM[{name}]{heading})").record.seats == seats


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2016-04-19", "2016-04-19"), ("2016-04-19,20", "2016-04-19"), ("2016-04", "2016-04"), ("in 2016", "2016"),
        ("2016-99-99", "2016"), ("?", None),
    ],
)
def test_a_date_is_taken_as_far_as_it_is_one(value: str, date: str | None) -> None:
    assert read(f"(;GM[Blokus]DT[{value}]EV[Cup]RO[2])").record.date == date


def test_comments_and_marks_become_notes_of_their_plies() -> None:
    record = read(f"(;GM[Blokus Duo]C[Hello\nyou];B[{ONE}]TE[2]C[Good];W[{TWO}]BM[1];C[Later])").record
    assert record.notes == ((0, "Hello\nyou"), (1, "!!\nGood"), (2, "?"), (2, "Later"))
    assert again(record).notes == ((0, "Hello\nyou"), (1, "!!\nGood"), (2, "?\nLater"))


# --- Other lines


def test_other_lines_become_branches_beside_the_match() -> None:
    found = read(
        f"(;GM[Blokus Duo](;B[{ONE}](;W[{TWO}];B[{THREE}])(;W[j5]C[or];B[{THREE}]))"
        f"(;B[e10];W[{TWO}](;B[f11,g11])(;B[f9,g9]TE[1]))(;B[{ONE}](;W[{TWO}];B[d7])(;W[{TWO_B}])))"
    )
    assert found.record.plies == canonical(ONE, TWO, THREE)
    assert found.cut == ()
    assert [branch.text for branch in found.branches] == [
        *canonical("e10", TWO, "f11,g11", "f9,g9", "d7", TWO_B, "j5", THREE)
    ]
    assert [branch.parent for branch in found.branches] == [0, 1, 2, 2, -2, -1, -1, 7]
    assert [branch.note for branch in found.branches] == ["", "", "", "!", "", "", "or", ""]


def test_another_line_is_kept_as_far_as_it_can_be_played() -> None:
    found = read(f"(;GM[Blokus Duo];B[{ONE}](;W[{TWO}])(;W[j5];B[a1];W[k6])(;W[i5,j5];AB[a1]))")
    assert found.branches == (Branch(-1, "j5"), Branch(-1, "i5,j5"))
    assert [(cut.ply, cut.cause and cut.cause.code) for cut in found.cut] == [(3, "no_corner_contact"), (3, "set_up_aside")]


def test_a_tree_without_end_is_cut_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blksgf, "MOST_BRANCHES", 2)
    found = read("(;GM[Blokus Duo](;B[e10])(;B[e10,e11])(;B[d10,e10])(;B[e9,e10]))")
    assert len(found.branches) == 2
    assert "more than 2 moves" in str(found.cut[0])


# --- Positions that were set up


def test_a_position_that_was_set_up_is_reached_in_turns() -> None:
    record = read(f"(;GM[Blokus Duo]AB[{THREE}][{ONE}]AW[{TWO}][{FOUR}]PL[B]C[Go on];B[d7])").record
    assert record.plies == canonical(ONE, TWO, THREE, FOUR, "d7")
    assert record.notes == ((4, "Go on"),)


def test_pieces_that_are_added_or_taken_later_make_another_way_to_the_position() -> None:
    added = read(f"(;GM[Blokus Duo];B[{ONE}];AB[{THREE}]AW[{TWO}];W[{FOUR}])")
    assert added.record.plies == canonical(ONE, TWO, THREE, FOUR)
    taken = read(f"(;GM[Blokus Duo](;B[{ONE}];W[{TWO}](;B[{THREE}];W[{FOUR}];AE[{FOUR}][{THREE}];B[d7])(;B[d11]))(;B[e10]))")
    assert taken.record.plies == canonical(ONE, TWO, "d7")
    assert taken.branches == ()
    assert "other lines before it are left out" in str(taken.cut[0])


@pytest.mark.parametrize(
    "setup",
    [
        f"AB[{ONE}][{THREE}][d7]",
        f"AB[{ONE}]AW[{TWO}]PL[W]",
        f"AB[{ONE}]AW[a1]",
        f"AB[{ONE}][{ONE}]AW[{TWO}]",
        "AB" + "".join(f"[a{row}]" for row in range(1, 15)) + f"AW[{TWO}]",
    ],
)
def test_a_position_that_no_turns_lead_to_is_refused(setup: str) -> None:
    found = fault(f"(;GM[Blokus Duo]{setup})")
    assert (found.ply, found.cause and found.cause.code) == (1, "unreachable")


# --- What is wrong


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Blokus Trigon Two-Player", "Blokus Trigon Two-Player"),
        ("Blokus Junior", "Blokus Junior"),
        ("Nexos", "Nexos"),
        ("Callisto Three-Player", "Callisto Three-Player"),
        ("GembloQ", "GembloQ"),
        ("1", "no match of Blokus"),
        ("x" * 500, "no match of Blokus"),
    ],
)
def test_what_is_not_played_here_is_refused_by_name(name: str, said: str) -> None:
    found = fault(f"(;GM[{name}];1[a1])")
    assert said in str(found)
    assert found.ply is None


@pytest.mark.parametrize(
    ("moves", "ply", "code"),
    [
        (f";B[{ONE}];B[{THREE}]", 2, "wrong_colour"),
        (";W[j5]", 1, "wrong_colour"),
        (";B[a1]", 1, "not_start"),
        (f";B[{ONE}];W[{TWO}];B[a99999]", 3, "no_square"),
        (f";B[{ONE}];W[{TWO}];B[z1]", 3, "no_square"),
        (";B[a1,c1]", 1, "no_piece"),
        (f";B[{ONE}];W[{TWO}];B[g11]", 3, "no_corner_contact"),
        (f";B[{ONE}]W[{TWO}]", 1, "two_moves"),
        (";B[p20]", 1, "off_board"),
    ],
)
def test_a_fault_names_the_ply_and_the_reason(moves: str, ply: int, code: str) -> None:
    found = fault(f"(;GM[Blokus Duo]{moves})")
    assert (found.ply, found.cause and found.cause.code) == (ply, code)


def test_a_piece_that_is_played_twice_is_refused() -> None:
    found = fault("(;GM[Blokus];1[a20];2[t20];3[t1];4[a1];1[b19])")
    assert (found.ply, found.cause and found.cause.code) == (5, "piece_used")


def test_good_games_of_a_file_count_though_others_are_bad() -> None:
    text = f"(;GM[Nexos])(;GM[Blokus Duo];B[{ONE}])(;)(;GM[Blokus];1[a20])"
    assert [isinstance(found, Reading) for found in blksgf.read(text)] == [False, True, False, True]


def test_a_text_without_a_game_is_refused_as_a_whole() -> None:
    for text in ("(", "(;GM[Blokus Duo];B[e10]", "(;GM)"):
        with pytest.raises(RecordError):
            blksgf.read(text)


# --- Among the other formats


def test_a_text_is_read_in_the_format_that_it_begins_like() -> None:
    (ours,) = readings('\ufeff\n{"format": "tessera/1", "game": "azul", "variant": "standard-2", "plies": []}')
    (theirs,) = readings(f" \n(;GM[Blokus Duo];B[{ONE}])")
    assert isinstance(ours, Reading) and isinstance(theirs, Reading)
    assert (ours.format, ours.record.game, theirs.format, theirs.record.game) == ("", "azul", "blksgf", "blokus")
    assert ".blksgf" in suffixes()


def test_every_format_says_what_it_can_express() -> None:
    for game in registry.all_games():
        for form in game.formats:
            assert {form.key, form.suffix.removeprefix(".")} == {form.key}
            assert format_of(game.key, form.key) is form
            assert set(form.variants) <= {variant.key for variant in game.variants}
            for variant in form.variants:
                record = random_record(game, variant, source(variant))
                (back,) = form.read(form.write(record))
                assert isinstance(back, Reading)
                assert (back.record.plies, back.record.variant, back.format) == (record.plies, variant, form.key)
    assert format_of("blokus", "pgn") is None
