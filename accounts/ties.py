"""Friends, people one follows, and blocks: one person's own choice about another, which the other is not told."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import Tie, User


def tie(user: User, other: User, kind: Tie.Kind, *, now: datetime) -> None:
    """Have `user` follow or block `other`, or make it a friend; the newer choice replaces the older. Raises `ValueError` for oneself."""
    if user.pk == other.pk:
        raise ValueError("a tie to oneself")
    Tie.objects.update_or_create(user=user, other=other, defaults={"kind": kind, "made_at": now})


def untie(user: User, other: User) -> None:
    """Take the choice back."""
    forget(user, other.pk)


def forget(user: User, other_id: int) -> None:
    """The same by the other's id."""
    Tie.objects.filter(user=user, other_id=other_id).delete()


def friends_of(user: User) -> list[User]:
    """Whom `user` made a friend, by name."""
    return list(User.objects.filter(tied_by__user=user, tied_by__kind=Tie.Kind.FRIEND, is_active=True).order_by("username"))


def followed_by(user: User) -> QuerySet[User]:
    """Whom `user` follows; friends are followed, too. To be used within another query."""
    return User.objects.filter(tied_by__user=user, tied_by__kind__in=[Tie.Kind.FOLLOW, Tie.Kind.FRIEND], is_active=True)


def all_of(user: User) -> list[Tie]:
    """Every choice that `user` made, with the person it is about, by name."""
    return list(Tie.objects.filter(user=user).select_related("other").order_by("other__username"))


def blocked_with(user: User | None) -> frozenset[int]:
    """The ids of all whom `user` blocked or who blocked `user`."""
    if user is None:
        return frozenset()
    pairs = Tie.objects.filter(Q(user=user) | Q(other=user), kind=Tie.Kind.BLOCK).values_list("user", "other")
    return frozenset({person for pair in pairs for person in pair} - {user.pk})


def any_blocked(people: Iterable[User]) -> bool:
    """Whether one of these people blocked another of them."""
    ids = [person.pk for person in people]
    return Tie.objects.filter(user__in=ids, other__in=ids, kind=Tie.Kind.BLOCK).exists()
