"""What the people of a challenge are told, each sentence of it once."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse

from accounts.models import User
from games import registry
from games.kit.protocol import N_, Label
from notices.models import Kind
from notices.news import Value, tell
from rungs.models import Challenge, Rung
from rungs.statutes import SINKS_EVERY


def challenged(challenge: Challenge, now: datetime) -> None:
    """To who was challenged."""
    _to(
        challenge.challenged, challenge, "open", now,
        N_("{name} challenges you for your rung"),
        N_("{game}: rung {low} against rung {high}. Accept by {when}, or the rung is lost."),
        name=challenge.challenger, low=challenge.from_position, high=challenge.to_position, when=challenge.answer_by,
    )  # fmt: skip


def accepted(challenge: Challenge, now: datetime) -> None:
    """To who challenged: the match has begun."""
    assert challenge.match is not None
    _to(
        challenge.challenger, challenge, "accepted", now,
        N_("{name} accepts your challenge"),
        N_("{game}: you play for rung {high}."),
        name=challenge.challenged, high=challenge.to_position, path=reverse("match", args=[challenge.match.pk]),
    )  # fmt: skip


def withdrawn(challenge: Challenge, now: datetime) -> None:
    """To who was challenged."""
    _to(
        challenge.challenged, challenge, "withdrawn", now,
        N_("{name} withdrew the challenge"),
        N_("{game}: nothing changes on the ladder."),
        name=challenge.challenger,
    )  # fmt: skip


def void(challenge: Challenge, now: datetime, besides: User | None = None) -> None:
    """To both, but for who brought it about."""
    for person, other in ((challenge.challenger, challenge.challenged), (challenge.challenged, challenge.challenger)):
        if person is not None and (besides is None or person.pk != besides.pk):
            title = N_("The challenge between you and {name} came to nothing") if other else N_("A challenge came to nothing")
            _to(person, challenge, "void", now, title, N_("{game}: nothing changes on the ladder."), name=other)


def forfeited(challenge: Challenge, rungs: dict[int, Rung], now: datetime) -> None:
    """To both: the rung changed hands without a match."""
    declined = challenge.why == Challenge.Why.DECLINED
    _to(
        challenge.challenger, challenge, "forfeited", now,
        N_("You win your challenge against {name} without a match"),
        N_("{game}: you stand on rung {rung} now."),
        name=challenge.challenged, rung=_position(rungs, challenge.challenger),
    )  # fmt: skip
    if challenge.why == Challenge.Why.LEFT:
        return  # who has left knows
    _to(
        challenge.challenged, challenge, "forfeited", now,
        N_("You gave your rung to {name}") if declined else N_("{name} wins a challenge that you did not play"),
        N_("{game}: you stand on rung {rung} now."),
        name=challenge.challenger, rung=_position(rungs, challenge.challenged),
    )  # fmt: skip


def decided(challenge: Challenge, rungs: dict[int, Rung], now: datetime) -> None:
    """To both: how the match ended for the ladder."""
    state = challenge.state
    for person, other, won in (
        (challenge.challenger, challenge.challenged, state == Challenge.State.WON),
        (challenge.challenged, challenge.challenger, state == Challenge.State.LOST),
    ):
        title = N_("You win your ladder match against {name}") if won else N_("{name} wins your ladder match")
        if state == Challenge.State.DRAWN:
            title = N_("Your ladder match against {name} is drawn")
        _to(
            person, challenge, "result", now, title, N_("{game}: you stand on rung {rung} now."), name=other, rung=_position(rungs, person)
        )  # fmt: skip


def idle(rung: Rung, sinks_at: datetime, now: datetime) -> None:
    """That the rung will be lost by and by."""
    _about(
        rung, f"idle:{now:%Y%m%d}", now,
        N_("Your rung waits for a match"),
        N_("{game}: play for a rung by {when}, or yours sinks by one every {days} days."),
        when=sinks_at, days=SINKS_EVERY.days,
    )  # fmt: skip


def last_call(rung: Rung, gone_at: datetime, now: datetime) -> None:
    """That the place in the ladder will be lost."""
    _about(
        rung, f"last:{now:%Y%m%d}", now,
        N_("You are about to leave the challenge ladder"),
        N_("{game}: without a ladder match you are taken off it at {when}. You may come back at its bottom whenever you like."),
        when=gone_at,
    )  # fmt: skip


def gone(rung: Rung, now: datetime) -> None:
    """That the place is lost."""
    _about(
        rung, f"gone:{now:%Y%m%d}", now,
        N_("You are no longer on the challenge ladder"),
        N_("{game}: you had not played for a rung for long. Join again whenever you like."),
    )  # fmt: skip


def _position(rungs: dict[int, Rung], person: User | None) -> int:
    return rungs[person.pk].position if person is not None and person.pk in rungs else 0


def _to(
    person: User | None, challenge: Challenge, event: str, now: datetime, title: str, body: str, *, path: str = "", **values: Value | None
) -> None:
    if person is None:
        return
    known = {name: value for name, value in values.items() if value is not None} | {"game": _game(challenge.game)}
    path = path or reverse("rung_challenge", args=[challenge.pk])
    tell(person, key=f"rungs:{challenge.pk}:{event}", title=title, body=body, values=known, path=path, kind=Kind.RUNGS, now=now)


def _about(rung: Rung, event: str, now: datetime, title: str, body: str, **values: Value) -> None:
    path = reverse("rungs_game", args=[rung.game])
    tell(
        rung.user, key=f"rungs:{rung.game}:{event}", title=title, body=body, values=values | {"game": _game(rung.game)}, path=path,
        kind=Kind.RUNGS, now=now,
    )  # fmt: skip


def _game(key: str) -> Label:
    return Label(registry.get(key).name)
