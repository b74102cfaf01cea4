"""The panel and the lists, with and without the page's script."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from shelf import collecting, services
from shelf.models import Collection, Comment, Favourite
from tests.shelf.conftest import NOW, Cast, Over, imported, thing, write

pytestmark = pytest.mark.django_db


def act(browser: Client, match: Any, name: str, *, script: bool = False, **form: str) -> Any:
    """Press a button of the panel; `script` as the page's script does."""
    address = reverse("shelf_act", args=["match", match.pk, name])
    return browser.post(address, form, headers={"Accept": "application/json"} if script else {})


def test_a_star_comes_by_a_plain_form_and_stands_on_the_page(cast: Cast, over: Over) -> None:
    match, browser = over(), cast.at_browser(cast.carol)
    answer = act(browser, match, "favourite", on="yes", back="/shelf/match/1/", ply="3")
    assert answer.headers["Location"] == "/shelf/match/1/?ply=3#shelf"
    assert 'aria-pressed="true"' in browser.get(reverse("replay", args=[match.pk])).content.decode()
    assert len(browser.get(reverse("shelf")).context["cards"]) == 1
    assert act(browser, match, "favourite", on="no").headers["Location"].startswith(reverse("replay", args=[match.pk]))
    assert not Favourite.objects.exists()


def test_nobody_is_led_to_another_site(cast: Cast, over: Over) -> None:
    answer = act(cast.at_browser(cast.carol), over(), "favourite", on="yes", back="https://elsewhere.example/")
    assert answer.headers["Location"].startswith("/match/")


def test_somebody_new_becomes_a_guest_by_the_first_star_and_keeps_it(over: Over, client: Client) -> None:
    match = over()
    act(client, match, "favourite", on="yes")
    assert Favourite.objects.get().user.is_guest
    assert len(client.get(reverse("shelf")).context["cards"]) == 1


def test_only_somebody_with_an_account_is_offered_to_write_for_everybody(cast: Cast, over: Over, client: Client) -> None:
    match = over()
    address = reverse("shelf_one", args=["match", match.pk])
    for browser, offered in ((cast.at_browser(cast.carol), True), (cast.at_browser(cast.guest()), False), (client, False)):
        page = browser.get(address, {"ply": "3"}).content.decode()
        assert ("Everybody may read it" in page) == offered
        assert ("Sign in to write for everybody" in page) != offered
        assert 'name="ply" min="0" max="4" value="3"' in page


def test_the_script_gets_the_panel_anew_and_a_mark_for_each_ply_with_comments(cast: Cast, over: Over) -> None:
    match, browser = over(), cast.at_browser(cast.carol)
    answer = act(browser, match, "comment", script=True, text="What a <b>corner</b>", ply="3", public="yes").json()
    assert (answer["refused"], answer["message"]) == (False, "Kept.")
    assert "What a &lt;b&gt;corner" in answer["html"]
    assert answer["marks"] == [{"ply": 3, "kind": "comment", "text": "You: What a <b>corner</b>"}]
    refused = act(browser, match, "comment", script=True, text=" ", ply="3").json()
    assert refused["refused"] and "nothing to keep" in refused["message"]


def test_a_refusal_without_scripts_keeps_what_was_written(cast: Cast, over: Over) -> None:
    match, guest = over(), cast.guest()
    answer = act(cast.at_browser(guest), match, "comment", text="A long thought of mine", ply="4", public="yes")
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "A long thought of mine" in page and "Sign in to write for everybody" in page
    assert not Comment.objects.exists()


def test_tags_and_collections_come_by_plain_forms(cast: Cast, over: Over) -> None:
    match, browser = over(), cast.at_browser(cast.carol)
    act(browser, match, "tag", tag="endgame, corner")
    act(browser, match, "collect", title="Best of all")
    token = Collection.objects.get().token
    assert services.of(match, cast.carol) | {"comments": []} == {
        "favourite": False,
        "tags": ["corner", "endgame"],
        "collections": [{"token": token, "title": "Best of all", "inside": True}],
        "comments": [],
        "may": {"comment": True, "publish": True},
    }
    act(browser, match, "untag", tag="corner")
    act(browser, match, "collect", collection=token, on="no")
    kept = services.of(match, cast.carol)
    assert (kept["tags"], kept["collections"][0]["inside"]) == (["endgame"], False)
    page = browser.get(reverse("shelf_tags"), {"tag": "ENDGAME"})
    assert len(page.context["cards"]) == 1
    browser.post(reverse("shelf_tag_rename"), {"tag": "endgame", "name": "Endings"})
    assert services.of(match, cast.carol)["tags"] == ["Endings"]
    assert act(cast.at_browser(cast.bob), match, "collect", collection=token).status_code == 400
    assert act(browser, match, "steal").status_code == 404


def test_others_find_nothing_at_a_private_match(cast: Cast, over: Over) -> None:
    match = over(private=True)
    for name in ("favourite", "tag", "comment"):
        assert act(cast.at_browser(cast.carol), match, name, on="yes", tag="x", text="x", ply="1").status_code == 404
    assert cast.at_browser(cast.carol).get(reverse("shelf_one", args=["match", match.pk])).status_code == 404
    assert cast.at_browser(cast.alice).get(reverse("shelf_one", args=["match", match.pk])).status_code == 200


def test_the_lists_go_page_by_page_and_miss_nothing(cast: Cast, over: Over, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shelf.views.lists.PAGE", 2)
    matches, browser = [over() for _ in range(5)], cast.at_browser(cast.carol)
    for match in matches:
        services.set_favourite(thing(match), cast.carol, True, NOW)
    seen, address = [], reverse("shelf")
    while address:
        page = browser.get(address)
        seen += [card["id"] for card in page.context["cards"]]
        address = reverse("shelf") + page.context["older"] if page.context["older"] else ""
    assert seen == [match.pk for match in reversed(matches)]


def test_ones_comments_are_listed_with_the_way_to_their_plies(cast: Cast, over: Over) -> None:
    match = over()
    write(thing(match), cast.carol, "Here it turned", ply=3)
    write(thing(imported(cast.carol, match)), cast.carol, "And here", ply=1)
    page = cast.at_browser(cast.carol).get(reverse("shelf_comments")).content.decode()
    assert f"/match/{match.pk}/replay/?ply=3#comment-" in page
    assert "Here it turned" in page and "And here" in page
    assert "Here it turned" not in cast.at_browser(cast.bob).get(reverse("shelf_comments")).content.decode()


@pytest.mark.parametrize("name", ["shelf", "shelf_tags", "shelf_comments", "shelf_collections", "shelf_public"])
def test_the_empty_shelf_says_how_to_fill_it(client: Client, db: None, name: str) -> None:
    page = client.get(reverse(name))
    assert page.status_code == 200
    assert 'class="empty"' in page.content.decode()


def test_a_page_of_cards_costs_no_more_for_more_of_them(
    cast: Cast, over: Over, django_assert_max_num_queries: Any
) -> None:
    collection = collecting.create(cast.carol, "Many", now=NOW)
    for _ in range(6):
        collecting.put(collection, thing(over()), now=NOW)
    browser = cast.at_browser(cast.carol)
    with django_assert_max_num_queries(20):
        assert len(browser.get(reverse("collection", args=[collection.token])).context["cards"]) == 6


def test_what_is_kept_of_a_match_is_json(cast: Cast, over: Over) -> None:
    match = over()
    write(thing(match), cast.bob, public=True)
    told = json.loads(json.dumps(services.of(match, cast.carol)))["comments"]
    assert [(one["ply"], one["who"], one["mine"], one["page"]) for one in told] == [(2, "bob", False, "/people/bob/")]
