"""How far away a browser is, measured by the server alone: it sends marks, and sees how long their echoes take."""

from __future__ import annotations

from collections import OrderedDict, deque
from statistics import median

KEPT = 8
"""Round trips of which the median counts."""
OPEN = 4
"""Marks that may be under way at once; older ones are forgotten."""
LATE_SECONDS = 5.0
"""An echo that takes longer than a beat tells of a sleeping page, not of the way."""


class Lag:
    """The one-way lag of one socket. Times are monotonic seconds.

    A page can hold echoes back and so seem further away, but cannot claim more than it waited, nor echo a mark twice or
    one that was not sent. What a seat is given back is bounded by its quota whatever is measured here.
    """

    def __init__(self) -> None:
        self._last = 0
        self._sent: OrderedDict[int, float] = OrderedDict()
        self._trips: deque[float] = deque(maxlen=KEPT)

    def mark(self, now: float) -> int:
        """A new mark, sent now."""
        self._last += 1
        self._sent[self._last] = now
        while len(self._sent) > OPEN:
            self._sent.popitem(last=False)
        return self._last

    def echoed(self, mark: int, now: float) -> None:
        """Take in an echo; one that is late or was not asked for says nothing."""
        sent = self._sent.pop(mark, None)
        if sent is not None and now - sent <= LATE_SECONDS:
            self._trips.append(now - sent)

    @property
    def ms(self) -> int:
        """Whole milliseconds one way, at least 1 once anything is known; 0 while nothing is."""
        return max(1, round(median(self._trips) * 500)) if self._trips else 0
