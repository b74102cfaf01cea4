"""The small pictures of positions: safe to put on any page, whole in themselves, and true to the view they are made of."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
import resvg_py

from games.blockers.glyphs import PICTOGRAMS
from games.kit.checks import play_out
from games.kit.protocol import Game, State, laid_open
from games.kit.svg import GLAZES, element, svg
from tests.games.sources import source
from tests.games.test_contract import every_variant

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {SVG + name for name in ("svg", "g", "rect", "circle", "ellipse", "path", "polygon", "polyline", "line")}
FORBIDDEN = {"id", "class", "style", "href", "src"}
MOST_BYTES = 60_000
WIDTH = 200


def three_positions(game: Game, variant: str) -> list[State]:
    """The start of a random match, its middle, and its end."""
    start = game.start(variant)
    states = [start, *(state for _, state in play_out(start, source(f"{game.key} {variant}")))]
    return [states[0], states[len(states) // 2], states[-1]]


def pictures(game: Game, variant: str) -> list[str]:
    """What a spectator sees of them."""
    return [game.picture(variant, state.view(None)) for state in three_positions(game, variant)]


def pixels(picture: str) -> tuple[int, set[bytes]]:
    """The width in pixels of the picture as PNG, and the different rows of it, as PNG filters them."""
    png = bytes(resvg_py.svg_to_bytes(svg_string=picture, width=WIDTH))
    width = int.from_bytes(png[16:20], "big")
    height = int.from_bytes(png[20:24], "big")
    data, at = b"", 8
    while at < len(png):
        size, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        data += png[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    lines = zlib.decompress(data)
    row = len(lines) // height
    return width, {lines[start : start + row] for start in range(0, len(lines), row)}


@every_variant
def test_a_picture_is_well_formed_and_safe_on_any_page(game: Game, variant: str) -> None:
    for picture in pictures(game, variant):
        root = ElementTree.fromstring(picture)
        box = [float(number) for number in root.attrib["viewBox"].split()]
        assert box[:2] == [0, 0] and box[2] > 0 and box[3] > 0
        for node in root.iter():
            assert node.tag in ELEMENTS
            names = {name.rpartition("}")[2] for name in node.attrib}
            assert not names & FORBIDDEN
            assert not any(name.startswith("on") for name in names)
            assert not any("url(" in value or "var(" in value for value in node.attrib.values())
            assert not (node.text or "").strip()


@every_variant
def test_a_picture_is_small(game: Game, variant: str) -> None:
    assert max(len(picture.encode()) for picture in pictures(game, variant)) < MOST_BYTES


@every_variant
def test_equal_views_give_equal_pictures_and_stay_as_they_are(game: Game, variant: str) -> None:
    for state in three_positions(game, variant):
        view = state.view(0)
        kept = json.loads(json.dumps(view))
        assert game.picture(variant, view) == game.picture(variant, kept)
        assert json.loads(json.dumps(view)) == kept


@every_variant
def test_a_picture_changes_as_a_match_goes_on(game: Game, variant: str) -> None:
    assert len(set(pictures(game, variant))) == 3


@every_variant
def test_a_picture_becomes_a_png_with_something_on_it(game: Game, variant: str) -> None:
    start, middle, _ = (pixels(picture) for picture in pictures(game, variant))
    assert start[0] == middle[0] == WIDTH
    assert len(middle[1]) > 5
    assert start[1] != middle[1]


@every_variant
def test_every_viewer_gets_a_picture_also_of_what_is_laid_open(game: Game, variant: str) -> None:
    for state in three_positions(game, variant):
        views = [state.view(seat) for seat in range(game.variant(variant).seats)]
        for view in [*views, laid_open(state).view(None)]:
            assert ElementTree.fromstring(game.picture(variant, view)).tag == f"{SVG}svg"


def test_the_glazes_are_those_of_the_stylesheet() -> None:
    tokens = dict(re.findall(r"--tile-([a-z-]+): (#[0-9a-f]{6});", (ROOT / "static/css/tokens.css").read_text()))
    told: dict[str, str] = {}
    for name, glaze in GLAZES.items():
        told |= {name: glaze.face, f"{name}-edge": glaze.edge, f"{name}-ink": glaze.ink}
    assert told == tokens


def test_the_pictograms_are_those_of_the_board() -> None:
    board = (ROOT / "games/blockers/static/blockers/symbols.js").read_text()
    drawn = [shape for glyph in PICTOGRAMS.values() for shape in glyph if shape]
    assert [shape for shape in drawn if shape not in board] == []
    assert len(drawn) >= len(PICTOGRAMS) == 10


@pytest.mark.parametrize("attribute", ["id", "style", "href", "class"])
def test_a_picture_refuses_what_a_page_forbids(attribute: str) -> None:
    with pytest.raises(ValueError, match=attribute):
        element("rect", **{attribute: "x"})


def test_what_stands_in_an_attribute_is_escaped_and_numbers_are_short() -> None:
    picture = svg(10, 20.5, element("path", d='<"&', stroke_width=1 / 3))
    node = ElementTree.fromstring(picture)[0]
    assert node.attrib == {"d": '<"&', "stroke-width": "0.33"}
    assert 'viewBox="0 0 10 20.5"' in picture
