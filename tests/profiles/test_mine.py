"""What people change about themselves, and the list of their people."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts import mosaic
from accounts.models import Tie, User
from accounts.ties import tie
from ladder.models import Placing
from tests.profiles.conftest import NOW, Cast

pytestmark = [pytest.mark.django_db, pytest.mark.long]
TOLD = {
    "avatar": "p4-2-0aa", "country": "NL", "language_0": "nl", "language_1": "en", "language_2": "nl", "language_3": "",
    "about": "Hello.", "favourites": ["azul", "nibble"], "hidden": "on",
}  # fmt: skip


def told_by(row: User) -> tuple[object, ...]:
    return row.avatar, row.country, row.languages, row.about, row.favourites, row.preferences["hidden"]


def test_what_is_told_is_kept_and_shown_in_the_form_again(cast: Cast) -> None:
    alice = cast.at_browser(cast.alice)
    answer = alice.post(reverse("profile_edit"), TOLD)
    assert answer.url == reverse("person", args=["alice"])
    assert told_by(cast.alice) == ("p4-2-0aa", "NL", ["nl", "en"], "Hello.", ["azul", "nibble"], True)
    form = alice.get(reverse("profile_edit")).content.decode()
    for part in ('value="p4-2-0aa" checked', 'value="NL" selected', 'value="nl" selected', ">\nHello.</textarea>"):
        assert part in form
    alice.post(reverse("profile_edit"), {"avatar": "", "about": ""})
    assert told_by(cast.alice) == ("", "", [], "", [], False)


def test_other_preferences_stay(cast: Cast) -> None:
    User.objects.filter(pk=cast.alice.pk).update(preferences={"chat": "off", "language": "it"})
    cast.at_browser(cast.alice).post(reverse("profile_edit"), TOLD)
    assert cast.alice.preferences == {"chat": "off", "language": "it", "hidden": True}


def test_the_ladders_follow_to_another_country(cast: Cast) -> None:
    Placing.objects.create(user=cast.alice, game="azul", pace="live", mu=25, sigma=2, matches=20, listed=True, updated_at=NOW)
    cast.at_browser(cast.alice).post(reverse("profile_edit"), TOLD)
    assert Placing.objects.get().country == "NL"


@pytest.mark.parametrize(
    "wrong",
    [
        {"avatar": "p0-0-000"}, {"avatar": "<svg>"}, {"country": "EU"}, {"country": "nl"}, {"language_1": "klingon"},
        {"about": "x" * 601}, {"favourites": ["chess"]},
    ],
)  # fmt: skip
def test_what_does_not_exist_or_is_too_long_is_refused_and_nothing_is_kept(cast: Cast, wrong: dict[str, object]) -> None:
    answer = cast.at_browser(cast.alice).post(reverse("profile_edit"), TOLD | wrong)
    assert answer.status_code == 200
    assert "Nothing was kept yet." in answer.content.decode()
    assert answer.context["form"].errors.keys() == wrong.keys()
    assert cast.alice.country == ""


def test_marks_that_cannot_be_seen_are_taken_out_of_words(cast: Cast) -> None:
    told = "  one\u202e two\u200b\x07\r\n\r\n\r\n\r\nthree 👩\u200d🎨  "
    cast.at_browser(cast.alice).post(reverse("profile_edit"), TOLD | {"about": told})
    assert cast.alice.about == "one two\n\nthree 👩\u200d🎨"


def test_asking_for_other_pictures_shows_others_and_keeps_what_was_typed_but_stores_nothing(cast: Cast) -> None:
    alice = cast.at_browser(cast.alice)
    first = alice.get(reverse("profile_edit")).context["offered"]
    assert 30 <= len(first) <= 36
    answer = alice.post(reverse("profile_edit"), TOLD | {"about": "half a sen", "more": "1", "others": "0"})
    assert answer.context["page"] == 1
    assert not set(answer.context["offered"]) & set(first)
    assert "half a sen</textarea>" in answer.content.decode()
    assert 'value="p4-2-0aa" checked' in answer.content.decode()
    assert cast.alice.about == cast.alice.avatar == ""
    for nonsense in ("x", "-1", "9" * 40, "²"):
        assert alice.post(reverse("profile_edit"), TOLD | {"more": "1", "others": nonsense}).context["page"] == 1


def test_the_picture_from_the_start_can_always_be_had_again(cast: Cast) -> None:
    page = cast.at_browser(cast.alice).get(reverse("profile_edit"))
    assert f"/avatar/{mosaic.default(cast.alice.pk)}.svg" in page.content.decode()
    assert '<input type="radio" name="avatar" value="" checked>' in page.content.decode()


def test_nobody_and_guests_are_asked_to_sign_in(cast: Cast, client: Client) -> None:
    for browser in (client, cast.at_browser(cast.guest())):
        assert browser.get(reverse("profile_edit")).url.startswith(reverse("account_login"))


def test_one_sees_ones_people_by_kind_and_can_take_each_back(cast: Cast) -> None:
    alice = cast.alice
    for other, kind in ((cast.bob, "friend"), (cast.carol, "follow"), (cast.dora, "block"), (cast.guest(), "block")):
        tie(alice, other, Tie.Kind(kind), now=NOW)
    tie(cast.bob, cast.carol, Tie.Kind.FRIEND, now=NOW)
    browser = cast.at_browser(alice)
    groups = browser.get(reverse("people")).context["groups"]
    assert [[person.display_name for person in people][:1] for _, _, people, _ in groups] == [["bob"], ["carol"], ["dora"]]
    browser.post(reverse("people_forget", args=[cast.bob.pk]))
    assert not Tie.objects.filter(user=alice, other=cast.bob).exists()
    assert Tie.objects.filter(user=cast.bob, other=cast.carol).exists()


def test_the_list_is_empty_for_nobody_and_says_how_to_fill_it(client: Client) -> None:
    assert "You have no friends here yet." in client.get(reverse("people")).content.decode()
