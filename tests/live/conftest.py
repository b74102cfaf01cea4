"""The chance of a run, and the matches on the running site."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tests.conftest import LiveSite


@pytest.fixture
def chance() -> random.Random:
    """`CHAOS_SEED` repeats a run; a failed test prints the seed it had."""
    seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(2**32))
    print(f"CHAOS_SEED={seed}")
    return random.Random(seed)


@pytest.fixture
def site(live_site: LiveSite) -> LiveSite:
    """The running site, each of its processes alive before and after the test."""
    for name, process in live_site.processes.items():
        if process.poll() is not None:
            live_site.start(name)
    yield live_site
    for name, process in live_site.processes.items():
        if process.poll() is not None:
            live_site.start(name)


@pytest.fixture
def hints(site: Any, settings: Any) -> Any:
    """The test's own Valkey, alive again after the test."""
    from stack.valkey import Valkey

    (valkey,) = (service for service in settings.SERVICES if isinstance(service, Valkey))
    yield valkey
    valkey.revive()
