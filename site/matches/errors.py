"""Why the match service refuses something; each refusal has a stable code and a sentence for people."""

from __future__ import annotations

from games.kit.protocol import N_


class MatchError(Exception):
    """A refusal. `code` is for programs; `text` is an English sentence with `{placeholders}`, which `names` fills."""

    code = "refused"
    sentence = N_("That is not possible.")

    def __init__(self, text: str | None = None, **names: object) -> None:
        self.text = text or self.sentence
        self.names = names
        super().__init__(self.text.format(**names))


class NoSuchMatch(MatchError):
    code = "no_such_match"
    sentence = N_("There is no such match.")


class NotSeated(MatchError):
    code = "not_seated"
    sentence = N_("You have no seat in this match.")


class NotYourTurn(MatchError):
    code = "not_your_turn"
    sentence = N_("It is not your turn.")


class StalePly(MatchError):
    """The mover saw an older position; a turn check is not enough where a seat can move twice running."""

    code = "stale"
    sentence = N_("The position has changed since you chose this move.")


class MatchOver(MatchError):
    code = "match_over"
    sentence = N_("This match is over.")


class TooLateToAbort(MatchError):
    code = "too_late"
    sentence = N_("Everybody has moved, so this match can no longer be called off.")
