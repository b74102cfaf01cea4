"""Collections: one's own order and words, shown to whom one chooses, and never more of a match than may be seen."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import ties
from accounts.models import Sanction, Tie
from matches.errors import Muted, NotNow, TooMuch
from shelf import collecting
from shelf.models import Collection, Item
from tests.shelf.conftest import NOW, Cast, Over, imported, thing

pytestmark = pytest.mark.django_db


def shown(cast: Cast, collection: Collection, person=None, **query: str):
    """The page of a collection as somebody sees it."""
    browser = cast.at_browser(person or cast.guest())
    return browser.get(reverse("collection", args=[collection.token]), query)


def order(collection: Collection) -> list[int | None]:
    """The matches in a collection, first to last."""
    return list(collection.items.order_by("position", "pk").values_list("match", flat=True))


@pytest.fixture
def three(cast: Cast, over: Over) -> tuple[Collection, list[int]]:
    """A collection of carol's with three matches, and their numbers."""
    collection = collecting.create(cast.carol, " My  best ", now=NOW)
    matches = [over() for _ in range(3)]
    for match in (*matches, matches[0]):
        collecting.put(collection, thing(match), now=NOW)
    return collection, [match.pk for match in matches]


def test_a_match_is_in_it_once_and_a_new_one_comes_last(three) -> None:
    collection, matches = three
    assert (collection.title, order(collection)) == ("My best", matches)


def test_matches_are_put_into_an_order_of_ones_own(cast: Cast, three) -> None:
    collection, (a, b, c) = three
    browser = cast.at_browser(cast.carol)

    def do(change: str, match: int, **form: object) -> list[int | None]:
        item = Item.objects.get(collection=collection, match=match)
        answer = browser.post(reverse("collection_item", args=[collection.token, item.pk, change]), form)
        assert answer.status_code == 302
        return order(collection)

    assert do("up", c) == [a, c, b]
    assert do("down", a) == [c, a, b]
    assert do("up", c) == [c, a, b]
    assert do("down", b) == [c, a, b]
    assert do("place", c, place=2) == [a, c, b]
    assert do("place", a, place=99) == [c, b, a]
    assert do("place", a, place="x") == [a, c, b]
    assert do("note", c, note=" See\nply 7 ") == [a, c, b]
    assert Item.objects.get(match=c).note == "See ply 7"
    assert do("out", a) == [c, b]
    assert browser.post(reverse("collection_item", args=[collection.token, 1, "burn"])).status_code == 404


def test_nobody_else_changes_it(cast: Cast, three) -> None:
    collection, matches = three
    Collection.objects.update(audience="everybody")
    browser = cast.at_browser(cast.bob)
    item = collection.items.first()
    for name, args in (("collection_edit", []), ("collection_delete", []), ("collection_item", [item.pk, "out"])):
        assert browser.post(reverse(name, args=[collection.token, *args]), {"title": "Mine"}).status_code == 404
    assert order(collection) == matches


@pytest.mark.parametrize(("audience", "others"), [("self", 404), ("link", 200), ("everybody", 200)])
def test_it_is_shown_to_whom_its_owner_chose(cast: Cast, three, audience: str, others: int) -> None:
    collection, _ = three
    form = {"title": "Endings", "words": "Look\n\nhere", "audience": audience}
    cast.at_browser(cast.carol).post(reverse("collection_edit", args=[collection.token]), form)
    collection.refresh_from_db()
    assert (collection.title, collection.words, collection.audience) == ("Endings", "Look\n\nhere", audience)
    assert shown(cast, collection).status_code == shown(cast, collection, cast.bob).status_code == others
    assert shown(cast, collection, cast.carol).status_code == 200
    listed = cast.at_browser(cast.bob).get(reverse("shelf_public")).content.decode()
    assert ("Endings" in listed) == (audience == "everybody")


def test_a_private_match_in_it_is_seen_by_its_people_alone(cast: Cast, over: Over) -> None:
    collection = collecting.create(cast.alice, "Both", now=NOW)
    for private in (True, False):
        collecting.put(collection, thing(over(private=private), cast.alice), now=NOW)
    Collection.objects.update(audience="everybody")
    for person, cards in ((cast.alice, 2), (cast.bob, 2), (cast.carol, 1), (cast.guest(), 1)):
        assert len(shown(cast, collection, person).context["cards"]) == cards


def test_it_holds_records_of_ones_own_beside_matches(cast: Cast, over: Over) -> None:
    match = over()
    collection = collecting.create(cast.carol, "Mixed", now=NOW)
    collecting.put(collection, thing(match), now=NOW)
    collecting.put(collection, thing(imported(cast.carol, match)), now=NOW)
    with pytest.raises(NotNow):
        collecting.put(collection, thing(imported(cast.bob, match)), now=NOW)
    page = shown(cast, collection, cast.carol)
    assert [card["imported"] for card in page.context["cards"]] == [False, True]
    assert all("<svg" in card["picture"] for card in page.context["cards"])
    assert "Imported" in page.content.decode()


def test_what_it_says_to_others_is_bound_to_the_rules_of_speaking(cast: Cast, three) -> None:
    collection, _ = three
    for title, words, audience in (("", "", "self"), ("x" * 81, "", "self"), ("x", "y" * 1001, "self"), ("x", "", "world")):
        with pytest.raises(NotNow):
            collecting.change(collection, title=title, words=words, audience=audience, now=NOW)
    Sanction.objects.create(user=cast.carol, kind="mute", reason="Too loud", made_at=NOW)
    with pytest.raises(Muted):
        collecting.change(collection, title="Hear me", words="", audience="link", now=timezone.now())
    collecting.change(collection, title="For me", words="", audience="self", now=timezone.now())
    guests = collecting.create(cast.guest(), "A guest's", now=NOW)
    with pytest.raises(NotNow):
        collecting.change(guests, title="Hello", words="", audience="everybody", now=NOW)
    collecting.change(guests, title="Hello", words="", audience="link", now=NOW)


def test_there_are_not_more_than_may_be(cast: Cast, over: Over, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "MOST", 2)
    monkeypatch.setattr(collecting, "MOST_ITEMS", 1)
    first = collecting.create(cast.carol, "One", now=NOW)
    collecting.create(cast.carol, "Two", now=NOW)
    with pytest.raises(TooMuch):
        collecting.create(cast.carol, "Three", now=NOW)
    collecting.put(first, thing(over()), now=NOW)
    with pytest.raises(TooMuch):
        collecting.put(first, thing(over()), now=NOW)


def test_those_of_people_with_whom_one_is_blocked_are_not_listed(cast: Cast, three) -> None:
    Collection.objects.update(audience="everybody")
    ties.tie(cast.carol, cast.bob, Tie.Kind.BLOCK, now=NOW)
    for person, seen in ((cast.bob, False), (cast.dora, True)):
        assert ("My best" in cast.at_browser(person).get(reverse("shelf_public")).content.decode()) == seen
        assert ("My best" in cast.at_browser(person).get(reverse("shelf_public"), {"by": "carol"}).content.decode()) == seen


def test_a_moderator_closes_one_that_others_should_not_see(cast: Cast, three) -> None:
    collection, _ = three
    chief = cast.chief
    chief.is_staff = chief.is_superuser = True
    chief.save()
    Collection.objects.update(audience="everybody")
    address = reverse("admin:shelf_collection_changelist")
    cast.at_browser(chief).post(address, {"action": "close", "_selected_action": [collection.pk]})
    assert shown(cast, collection, cast.bob).status_code == 404
    assert "My best" not in cast.at_browser(chief).get(address).content.decode()


def test_one_goes_through_it_match_by_match(cast: Cast, over: Over, three) -> None:
    collection, _ = three
    hidden = over(private=True)
    item = Item.objects.create(collection=collection, match=hidden, position=1, at=NOW)
    Collection.objects.update(audience="link")
    browser, seen = cast.at_browser(cast.dora), []
    address = shown(cast, collection, cast.dora).context["cards"][0]["url"]
    while address:
        seen.append(address)
        course = browser.get(address).context["shelf"]["course"]
        assert (course["place"], course["count"]) == (len(seen), 3)
        assert course["before"] == (seen[-2] if len(seen) > 1 else "")
        address = course["after"]
    assert len(seen) == 3 and not any(f"/{hidden.pk}/" in one for one in seen)
    item.delete()
    Collection.objects.update(audience="self")
    assert browser.get(seen[0]).context["shelf"]["course"] is None


def test_deleting_one_leaves_its_matches(cast: Cast, three) -> None:
    collection, matches = three
    cast.at_browser(cast.carol).post(reverse("collection_delete", args=[collection.token]))
    assert not Item.objects.exists()
    assert cast.at_browser(cast.carol).get(reverse("replay", args=[matches[0]])).status_code == 200
