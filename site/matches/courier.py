"""Sends what may be lost: hints to sockets and wake-ups to workers. Beats and the sweep make good what was."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

REST_SECONDS = 5


class Courier:
    """Never fails and hardly ever waits: after a failure it rests, so that a broker that hangs holds up one sender, not all."""

    def __init__(self) -> None:
        self._rests_until = 0.0

    def send(self, what: object, act: Callable[[], object]) -> None:
        """Do `act`, unless resting. `what` names it in the log; nothing of its content does."""
        if time.monotonic() < self._rests_until:
            return
        try:
            act()
        except Exception as trouble:  # whatever a client library raises: the move is stored, and must be answered
            self._rests_until = time.monotonic() + REST_SECONDS
            log.warning("%s not sent (%s); no more for %s s", what, type(trouble).__name__, REST_SECONDS)
