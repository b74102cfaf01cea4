"""The Smart Game Format as a tree, whatever stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kit import sgf
from games.kit.sgf import Node


def same(one: Node, other: Node) -> bool:
    return one.properties == other.properties and all(map(same, one.children, other.children)) and len(one.children) == len(other.children)


NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=4)
VALUES = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=20)
PROPERTIES = st.dictionaries(NAMES, st.lists(VALUES, min_size=1, max_size=3), max_size=3)
NODES = st.recursive(st.builds(Node, PROPERTIES), lambda nodes: st.builds(Node, PROPERTIES, st.lists(nodes, max_size=2)), max_leaves=6)


@settings(max_examples=60)
@given(st.lists(NODES, min_size=1, max_size=2))
def test_what_is_written_is_read_again(roots: list[Node]) -> None:
    again = sgf.read(sgf.write(roots))
    assert len(again) == len(roots)
    assert all(map(same, roots, again))


def test_a_node_has_its_properties_and_lines_part_in_the_order_of_the_text() -> None:
    (root,) = sgf.read("(;GM[x] AB [1]\n[2](;B[a];W[b])(;B[c](;W[d])(;W[e])))")
    assert root.properties == {"GM": ["x"], "AB": ["1", "2"]}
    assert [child.value("B") for child in root.children] == ["a", "c"]
    assert [node.value("B") or node.value("W") for node in root.line()] == [None, "a", "b"]
    assert [child.value("W") for child in root.children[1].children] == ["d", "e"]
    assert root.value("W") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [("a\\]b", "a]b"), ("a\\\\", "a\\"), ("a\\\nb", "ab"), ("a\\\r\nb", "ab"), ("1\r\n2\r3", "1\n2\n3"), ("(;)", "(;)"), ("", "")],
)
def test_a_backslash_keeps_a_character_and_joins_lines(value: str, text: str) -> None:
    assert sgf.read(f"(;C[{value}])")[0].value("C") == text


def test_what_stands_around_the_games_is_skipped() -> None:
    assert [root.value("C") for root in sgf.read("\ufeffFrom: (me)\n(;C[1])\n-- \n( ;C[2]) bye (")] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no “(;”"),
        ("hello", "no “(;”"),
        ("(;", "ends in the middle"),
        ("(;B[a]", "ends in the middle"),
        ("(;B[a](;W[b])", "ends in the middle"),
        ("(;\nB)", "line 2, column 1 a property"),
        ("(;é[a])", "line 1, column 3 a property"),
        ("(;[a])", "a property"),
        ("(;B[a", "line 1, column 4 has no end"),
        ("(;B[a\\]", "no end"),
        ("(;(B[a])", "“B” in line 1, column 4"),
        ("(" * 100_000, "no “(;”"),
        ("(;" + "(" * 100_000, "ends in the middle"),
        ("(" + ";" * (sgf.MOST_NODES + 1) + ")", "at most 10000 nodes"),
    ],
)
def test_what_is_no_tree_gets_a_sentence_that_says_where(text: str, reason: str) -> None:
    with pytest.raises(sgf.SgfFault, match=r"^[A-Z“].*\.$") as caught:
        sgf.read(text)
    assert reason in str(caught.value)


@settings(max_examples=150)
@given(st.text("(;)[]\\AB \n", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        assert sgf.read(text)
    except sgf.SgfFault as fault:
        assert fault.code.startswith("sgf_")
