"""How often something can be done in a second of CPU time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

ROUNDS = 5
SECONDS = 0.4


def rate(action: Callable[[], object]) -> float:
    """How often a second `action` can be done, in one round."""
    done = 0
    start = time.process_time()
    while (passed := time.process_time() - start) < SECONDS:
        action()
        done += 1
    return done / passed


def rates(*actions: Callable[[], object]) -> list[float]:
    """The median rate of each action over alternating rounds."""
    rounds = [[rate(action) for action in actions] for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]
