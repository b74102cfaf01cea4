"""Avatars: codes, pictures, and the tag that shows them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.template import Context, Template
from django.test import Client

from accounts import mosaic
from accounts.models import User


def test_a_code_is_always_the_same_picture() -> None:
    first = mosaic.svg("p3-2-17f")
    mosaic.svg.cache_clear()
    assert mosaic.svg("p3-2-17f") == first
    assert mosaic.svg("p3-2-17e") != first


def test_every_pattern_in_every_palette_is_a_small_whole_document_of_its_own() -> None:
    pictures = {mosaic.svg(mosaic.code_of(pattern, palette, 77)) for pattern in range(9) for palette in range(9)}
    assert len(pictures) == 81
    for picture in pictures:
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert len(picture) < 3000


@pytest.mark.parametrize("text", ["", "p0-1-000", "p1-1-00", "p1-1-00g", "p1-1-000\n", "P1-1-000", "../etc"])
def test_what_is_no_code_is_no_picture(text: str) -> None:
    assert not mosaic.is_code(text)
    with pytest.raises(ValueError, match="is not the code"):
        mosaic.svg(text)


def test_people_start_with_pictures_of_their_own() -> None:
    codes = [mosaic.default(person) for person in range(1, 301)]
    assert len(set(codes)) > 290
    assert all(mosaic.is_code(code) for code in codes)
    assert codes == [mosaic.default(person) for person in range(1, 301)]


def test_a_page_of_choices_shows_all_patterns_and_palettes_and_the_next_page_others() -> None:
    page, after = mosaic.choices(7, 0, 36), mosaic.choices(7, 1, 36)
    assert len(set(page)) == 36
    assert not set(page) & set(after)
    assert {code[1] for code in page} == {code[3] for code in page} == set("123456789")


def test_a_chosen_picture_is_drawn_and_a_broken_choice_falls_back_to_ones_own() -> None:
    assert mosaic.of("p1-1-000", 5) == "p1-1-000"
    assert mosaic.of("", 5) == mosaic.of("nonsense", 5) == mosaic.default(5)


def test_the_picture_may_be_kept_for_ever_and_a_wrong_code_is_not_found(client: Client) -> None:
    answer = client.get("/avatar/p3-2-17f.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert {"public", "immutable", "max-age=31536000"} <= set(answer.headers["Cache-Control"].split(", "))
    assert answer.content.decode() == mosaic.svg("p3-2-17f")
    assert not answer.cookies


@pytest.mark.django_db
def test_there_is_no_picture_of_a_wrong_code(client: Client) -> None:
    assert client.get("/avatar/p3-2-17fff.svg").status_code == 404


def test_the_tag_shows_somebodys_picture_without_words_and_nothing_for_nobody() -> None:
    shown = Template("{% load people %}{% avatar person 32 %}")
    html = shown.render(Context({"person": User(pk=5, avatar="p1-2-003")}))
    assert 'src="/avatar/p1-2-003.svg"' in html and 'alt=""' in html and 'width="32"' in html
    assert f"/avatar/{mosaic.default(5)}.svg" in shown.render(Context({"person": User(pk=5)}))
    assert shown.render(Context({"person": None})) == ""
