"""Trees of tried moves: what is kept of them, what is refused, and how they read as text."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry
from games.kit.chance import KeyedSource
from games.kit.protocol import CHANCE
from studies import trees
from studies.positions import Line
from studies.trees import BadTree, Unplayable


def line(*plies: str, game: str = "blokus", variant: str = "duo-2") -> Line:
    rules = registry.get(game)
    return Line(rules, rules.variant(variant), plies=plies)


FIRST, SECOND = "e10", "j5"
DUO = (FIRST, SECOND)
"""Each starts on its own square."""


def node(number: int, parent: int, text: str, note: str = "") -> dict[str, Any]:
    return {"id": number, "parent": parent, "text": text, "note": note}


def test_each_branch_is_played_and_kept_in_the_canonical_spelling():
    tree = [node(7, 0, "f10,e10", " two are more "), node(9, 7, "j6,j5"), node(3, -2, "g11,f11"), node(4, 3, "k4,l4")]
    assert trees.check(line(*DUO), tree) == [
        node(1, 0, "e10,f10", "two are more"),
        node(2, 1, "j5,j6"),
        node(3, -2, "f11,g11"),
        node(4, 3, "k4,l4"),
    ]


def test_what_is_kept_is_kept_again_as_it_is():
    once = trees.check(line(*DUO), [node(7, 0, "f10,e10"), node(9, 7, "j5,j6"), node(12, -1, "j5", "as played")])
    assert trees.check(line(*DUO), once) == once


@pytest.mark.parametrize(
    ("tree", "number", "text", "code"),
    [
        ([node(1, 0, "a1")], 1, "a1", None),
        ([node(1, 0, "nonsense")], 1, "nonsense", None),
        ([node(1, -2, "f11,g11"), node(2, 1, "k4,l4"), node(3, 2, "h12,h13,h14"), node(4, 3, "a1")], 4, "a1", None),
        ([node(1, 0, "=5")], 1, "=5", "no_draw_due"),
    ],
)
def test_a_move_that_the_rules_refuse_is_named_with_its_node(tree, number, text, code):
    with pytest.raises(Unplayable) as refused:
        trees.check(line(*DUO), tree)
    assert (refused.value.node, refused.value.text) == (number, text)
    assert refused.value.cause.code == (code or refused.value.cause.code)


def test_a_draw_that_is_due_stands_in_the_tree_and_may_be_another_one():
    cards = line("=1.2/3.4", "1", game="cards", variant="cards-2")
    tree = [node(1, -2, "=7"), node(2, -2, "=8"), node(3, 2, "3")]
    assert trees.check(cards, tree) == tree
    with pytest.raises(Unplayable) as refused:
        trees.check(cards, [node(1, -2, "3")])
    assert refused.value.cause.code == "draw_due"


@pytest.mark.parametrize(
    "tree",
    [
        None,
        {},
        "e10",
        [None],
        [{"id": 1, "parent": 0, "text": "e10"}],
        [node(1, 0, "e10") | {"more": 1}],
        [node(0, 0, "e10")],
        [node(True, 0, "e10,f10")],  # type: ignore[arg-type]
        [node(1, 0, "")],
        [node(1, 0, "e" * 5000)],
        [node(1, 0, "e10,f10"), node(1, 0, "e10,e11")],
        [node(1, 2, "e10,f10"), node(2, 0, "e10,e11")],
        [node(1, 1, "e10,f10")],
        [node(1, -3, "e10,f10")],
        [node(1, 0, "e10,f10", "\0")],
        [node(1, 0, "e10,f10", "long" * 300)],
        [node(1, 0, "e10,f10"), node(2, 0, "f10,e10")],
        [node(1, 0.0, "e10,f10")],  # type: ignore[arg-type]
    ],
)
def test_what_is_no_tree_is_refused(tree):
    with pytest.raises(BadTree):
        trees.check(line(*DUO), tree)


def test_a_tree_has_a_limit():
    wide = [node(number, 0, "e10,f10") for number in range(1, trees.MOST_NODES + 2)]
    with pytest.raises(BadTree) as refused:
        trees.check(line(*DUO), wide)
    assert str(trees.MOST_NODES) in str(refused.value)


def test_a_node_that_repeats_the_line_carries_its_note_and_nothing_follows_it():
    noted = [node(1, 0, FIRST, "the usual start")]
    assert trees.check(line(*DUO), noted) == noted
    with pytest.raises(BadTree):
        trees.check(line(*DUO), [*noted, node(2, 1, "j5,j6")])


def test_who_made_a_ply_is_known_of_the_line_and_of_the_tree():
    cards = line("=1.2/3.4", "1", "=5", game="cards", variant="cards-2")
    assert trees.seats(cards, [node(1, -1, "2"), node(2, 1, "=9"), node(3, 2, "3")]) == ([None, 0, None], {1: 0, 2: None, 3: 1})


def test_a_tree_reads_as_the_line_and_the_branches_that_leave_it_in_turn():
    tree = trees.check(
        line(*DUO),
        [
            node(1, 0, "e10,f10"), node(2, 1, "j5,j6"), node(3, 1, "j5,k5"), node(4, 0, "e10,e11"),
            node(5, -1, SECOND, "as played"), node(6, -2, "f11,g11"), node(7, 6, "k4,l4"), node(8, -2, "f9,g9"),
        ],
    )  # fmt: skip
    told = [(strand.depth, strand.ply, [ply["text"] for ply in strand.plies]) for strand in trees.strands(line(*DUO), tree)]
    assert told == [
        (0, 1, [FIRST, SECOND, "f11,g11", "k4,l4"]),
        (1, 1, ["e10,f10", "j5,j6"]),
        (2, 2, ["j5,k5"]),
        (1, 1, ["e10,e11"]),
        (1, 3, ["f9,g9"]),
    ]
    line_plies = trees.strands(line(*DUO), tree)[0].plies
    assert [(ply["ply"], ply["note"], ply["seat"], ply["line"]) for ply in line_plies] == [
        (1, "", 0, True), (2, "as played", 1, True), (3, "", 0, False), (4, "", 1, False),
    ]  # fmt: skip


def test_a_record_in_another_spelling_grows_the_same_tree():
    assert trees.spelt(line("f10,e10", "j5")).plies == ("e10,f10", "j5")


def test_a_branch_of_hundreds_of_plies_reads_without_end_of_the_stack():
    texts: list[str] = []
    state = registry.get("blockers").start("basic-2")
    while state.to_move is not None and len(texts) < 80:
        move = state.draw(KeyedSource(b"tree", str(len(texts)))) if state.to_move is CHANCE else state.legal_moves()[0]
        texts.append(str(move))
        state = state.play(move)
    tree = [node(number, number - 1, text) for number, text in enumerate(texts, start=1)]
    blank = line(game="blockers", variant="basic-2")
    assert trees.check(blank, tree) == tree
    (strand,) = trees.strands(blank, tree)
    assert [ply["text"] for ply in strand.plies] == texts
