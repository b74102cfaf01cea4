"""Several things done at the same moment, each on a thread and a database connection of its own."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

from games.kit.protocol import RuleError
from matches.errors import MatchError


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Call all at the same moment, each on its own connection; what each returned or raised."""
    gate = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        gate.wait(10)
        try:
            return act()
        except (MatchError, RuleError) as reason:
            return reason
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def kinds(results: list[Any]) -> Counter[str]:
    """How many of the results are of each class, by its name."""
    return Counter(type(result).__name__ for result in results)
