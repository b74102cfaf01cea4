"""What happened to a match beside its plies, in the reader's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext

from games.kit.protocol import N_
from matches.models import Event, Match

_LEFT = {
    Match.Termination.RESIGNED.value: N_("{name} resigned."),
    Match.Termination.TIMEOUT.value: N_("{name} ran out of time."),
    Match.Termination.ABANDONED.value: N_("{name} went away and did not come back."),
}
_CALLED_OFF = {
    "asked": N_("{name} called the match off."),
    "agreed": N_("All agreed to call the match off."),
    "no_show": N_("{name} did not begin, so the match is called off. It counts for nobody."),
}
_DECLINED = {
    "abort": N_("{name} would rather play on."),
    "takeback": N_("{name} lets the move stand."),
    "pause": N_("{name} would rather not pause."),
    "rematch": N_("{name} does not want a rematch now."),
}
_SENTENCES: dict[str, Callable[[Event], str]] = {
    "left": lambda event: _LEFT[event.data["why"]],
    "called_off": lambda event: _CALLED_OFF[event.data["why"]],
    "declined": lambda event: _DECLINED[event.data["offer"]],
    "away": lambda event: N_("{name} is on vacation."),
    "back": lambda event: N_("{name} is back from vacation."),
    "joined": lambda event: N_("{name} sat down."),
    "paused": lambda event: N_("The match is paused: the clocks stand still."),
    "resumed": lambda event: N_("The match goes on.") if event.seat is None else N_("{name} resumed the match."),
    "taken_back": lambda event: N_("Back to move {ply}: what came after was taken back."),
    "credit": lambda event: N_("The site was down for a while. {name} got {seconds} seconds back."),
}


def say(event: Event, names: Sequence[str]) -> str:
    """The event as a sentence; `names` are those of the seats."""
    name = "" if event.seat is None else names[event.seat]
    sentence = gettext(_SENTENCES[event.kind](event))
    return sentence.format(name=name, seconds=event.data.get("seconds"), ply=event.data.get("to"))
