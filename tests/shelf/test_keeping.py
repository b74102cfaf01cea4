"""Favourites and tags: kept once, found again, handed over, and never more than there may be."""

from __future__ import annotations

import pytest
from django.db import transaction

from matches.errors import MatchError, NoSuchMatch, NotNow, TooMuch
from shelf import collecting, services
from shelf.finding import collections_of, matches_of, tags_of
from shelf.models import Collection, Comment, Favourite, Tag, Tagged
from shelf.subject import find
from tests.shelf.conftest import NOW, Cast, Over, imported, thing, write
from tests.threads import at_once

pytestmark = pytest.mark.django_db


def test_a_star_is_given_once_and_taken_away(cast: Cast, over: Over) -> None:
    match = thing(over())
    for on, stars in ((True, 1), (True, 1), (False, 0), (False, 0)):
        services.set_favourite(match, cast.carol, on, NOW)
        assert (Favourite.objects.count(), services.of(match, cast.carol)["favourite"]) == (stars, bool(stars))
    assert services.of(match, None)["favourite"] is False


def test_an_imported_record_stands_on_the_shelf_like_a_match(cast: Cast, over: Over) -> None:
    record = thing(imported(cast.alice, over()))
    services.set_favourite(record, cast.alice, True, NOW)
    services.add_tags(record, cast.alice, "elsewhere", NOW)
    write(record, cast.alice, ply=4)
    seen = services.of(record, cast.alice)
    assert (seen["favourite"], seen["tags"], len(seen["comments"])) == (True, ["elsewhere"], 1)
    assert services.of(record, cast.bob) == {
        "favourite": False, "tags": [], "collections": [], "comments": [], "may": {"comment": True, "publish": False},
    }  # fmt: skip


def test_a_private_match_and_one_that_is_not_there_look_alike_to_others(cast: Cast, over: Over) -> None:
    private = over(private=True)
    for kind, key in (("match", str(private.pk)), ("match", "0"), ("match", "9" * 30), ("match", "x"), ("imported", "x"), ("people", "1")):
        with pytest.raises(NoSuchMatch):
            find(kind, key, cast.carol)
    assert find("match", str(private.pk), cast.alice).match == private


def test_tags_come_several_at_once_and_in_one_spelling(cast: Cast, over: Over) -> None:
    first, second = thing(over()), thing(over())
    assert services.add_tags(first, cast.carol, " #Corner fight,endgame , ", NOW) == ["Corner fight", "endgame"]
    assert services.add_tags(second, cast.carol, "CORNER  fight", NOW) == ["CORNER fight"]
    assert services.add_tags(second, cast.carol, "Corner Fight", NOW) == []
    assert [(tag.name, tag.count) for tag in tags_of(cast.carol)] == [("Corner fight", 2), ("endgame", 1)]
    assert tags_of(cast.bob) == tags_of(None) == []
    services.drop_tag(first, cast.carol, "ENDGAME")
    assert [tag.name for tag in tags_of(cast.carol)] == ["Corner fight"]
    assert Tag.objects.count() == 1


@pytest.mark.parametrize("text", ["", " , ,", "#", "x" * 33, "\u200b"])
def test_a_tag_that_is_none_is_refused_with_a_sentence(cast: Cast, over: Over, text: str) -> None:
    with pytest.raises(NotNow):
        services.add_tags(thing(over()), cast.carol, text, NOW)
    assert not Tag.objects.exists()


def test_a_match_bears_no_more_tags_than_may_be_and_a_refusal_leaves_none(cast: Cast, over: Over) -> None:
    match = thing(over())
    services.add_tags(match, cast.carol, ",".join(str(number) for number in range(services.MOST_TAGS_EACH)), NOW)
    with pytest.raises(TooMuch), transaction.atomic():
        services.add_tags(match, cast.carol, "one more", NOW)
    assert Tagged.objects.count() == services.MOST_TAGS_EACH


def test_a_tag_is_renamed_and_two_become_one(cast: Cast, over: Over) -> None:
    first, second = thing(over()), thing(over())
    services.add_tags(first, cast.carol, "good, fine", NOW)
    services.add_tags(second, cast.carol, "good", NOW)
    assert services.rename_tag(cast.carol, "GOOD", "Fine") == "fine"
    assert [(tag.name, tag.count) for tag in tags_of(cast.carol)] == [("fine", 2)]
    assert services.rename_tag(cast.carol, "fine", "Beautiful") == "Beautiful"
    for name, new in (("gone", "x"), ("Beautiful", ""), ("Beautiful", "a,b")):
        with pytest.raises(NotNow):
            services.rename_tag(cast.carol, name, new)


def test_matches_are_found_by_all_that_is_kept_of_them_together(cast: Cast, over: Over) -> None:
    first, second, third = (over() for _ in range(3))
    for match in (first, second):
        services.set_favourite(thing(match), cast.carol, True, NOW)
    for match in (second, third):
        services.add_tags(thing(match), cast.carol, "Endgame", NOW)
    services.set_favourite(thing(imported(cast.carol, first)), cast.carol, True, NOW)
    kept = collecting.create(cast.carol, "Best", now=NOW)
    collecting.put(kept, thing(second), now=NOW)
    assert set(matches_of(cast.carol, favourite=True)) == {first.pk, second.pk}
    assert set(matches_of(cast.carol, tag="endGAME")) == {second.pk, third.pk}
    assert set(matches_of(cast.carol, favourite=True, tag="endgame", collection=kept.token)) == {second.pk}
    assert set(matches_of(cast.carol)) == {first.pk, second.pk, third.pk}
    for nothing in (
        matches_of(cast.bob, favourite=True), matches_of(None, favourite=True), matches_of(None, tag="endgame"),
        matches_of(cast.carol, tag="none"), matches_of(cast.bob, collection=kept.token), matches_of(None, collection=kept.token),
    ):  # fmt: skip
        assert not nothing.exists()
    Collection.objects.update(audience="link")
    assert set(matches_of(None, collection=kept.token)) == {second.pk}


def test_what_a_guest_kept_becomes_the_accounts_at_sign_in(cast: Cast, over: Over) -> None:
    guest, match, other = cast.guest(), over(), over()
    for person, tags in ((guest, "corner, mine"), (cast.carol, "CORNER")):
        services.set_favourite(thing(match), person, True, NOW)
        services.add_tags(thing(match), person, tags, NOW)
    services.add_tags(thing(other), guest, "corner", NOW)
    services.set_favourite(thing(other), guest, True, NOW)
    collecting.create(guest, "Mine", now=NOW)
    write(thing(match), guest)
    browser = cast.at_browser(guest)
    carol = cast.carol
    carol.set_password("olive-tile-7")
    carol.save()
    browser.post("/account/login/", {"login": "carol", "password": "olive-tile-7"})
    assert set(matches_of(carol, favourite=True)) == {match.pk, other.pk}
    assert [(tag.name, tag.count) for tag in tags_of(carol)] == [("CORNER", 2), ("mine", 1)]
    assert [one.title for one in collections_of(carol)] == ["Mine"]
    assert Comment.objects.get().user == carol


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_stars_at_the_same_moment_are_one(cast: Cast, over: Over) -> None:
    match, carol = thing(over()), cast.carol
    answers = at_once(*[lambda: services.set_favourite(match, carol, True, NOW)] * 4)
    assert not any(isinstance(answer, MatchError) for answer in answers)
    assert Favourite.objects.count() == 1
