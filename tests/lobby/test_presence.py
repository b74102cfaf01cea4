"""Who is here: leases that pages renew, seldom written, and not shown of those who hide."""

from __future__ import annotations

import pytest

from accounts.models import User
from accounts.presence import online, touch
from tests.lobby.conftest import NOW, later

pytestmark = pytest.mark.django_db


def names(now) -> list[str]:
    return sorted(online(now).values_list("username", flat=True))


def test_a_sign_of_life_counts_for_a_minute(cast):
    assert names(NOW) == []
    touch(cast.alice, NOW)
    assert names(later(seconds=59)) == ["alice"]
    assert names(later(seconds=61)) == []


def test_a_lease_is_written_every_fifteen_seconds_at_most(cast, django_assert_num_queries):
    alice = cast.alice
    touch(alice, NOW)
    with django_assert_num_queries(0):
        touch(alice, later(seconds=14))
    stale = User.objects.get(pk=alice.pk)
    touch(alice, later(seconds=15))
    assert User.objects.get(pk=alice.pk).seen_at == later(seconds=15)
    touch(stale, later(seconds=16))
    assert User.objects.get(pk=alice.pk).seen_at == later(seconds=15)


def test_who_hides_is_not_shown_and_nobody_else_is_lost(cast):
    chosen = {cast.alice: True, cast.bob: False, cast.carol: None, cast.dave: "?"}
    for person, hidden in chosen.items():
        person.preferences = {} if hidden == "?" else {"hidden": hidden}
        person.save()
        touch(person, NOW)
    assert names(later(seconds=1)) == ["bob", "carol", "dave"]
    assert User.objects.get(username="alice").seen_at == NOW
