"""Why the match service refuses something; each refusal has a stable code and a sentence for people."""

from __future__ import annotations


class MatchError(Exception):
    """A refusal. `code` is for programs, the text for people."""

    code = "refused"
    sentence = "That is not possible."

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or self.sentence)


class NoSuchMatch(MatchError):
    code = "no_such_match"
    sentence = "There is no such match."


class NotSeated(MatchError):
    code = "not_seated"
    sentence = "You have no seat in this match."


class NotYourTurn(MatchError):
    code = "not_your_turn"
    sentence = "It is not your turn."


class StalePly(MatchError):
    """The mover saw an older position; a turn check is not enough where a seat can move twice running."""

    code = "stale"
    sentence = "The position has changed since you chose this move."


class MatchOver(MatchError):
    code = "match_over"
    sentence = "This match is over."


class TooLateToAbort(MatchError):
    code = "too_late"
    sentence = "Everybody has moved, so this match can no longer be called off."
