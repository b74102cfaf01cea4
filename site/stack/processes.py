"""The command lines of the site's processes, the same for `up`, for the tests and for any other supervisor."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from stack.places import ROOT

FRAME_BYTES = 16 * 1024
"""The largest socket message that is read; a longer one closes its socket with code 1009. A move needs a few dozen."""


def web(host: str, port: int) -> list[str]:
    """daphne: pages and sockets."""
    return [
        sys.executable, "-m", "stack.web", "-b", host, "-p", str(port), "-v", "0", "--no-server-name",
        "--websocket-max-message-size", str(FRAME_BYTES), "--websocket-max-frame-size", str(FRAME_BYTES), "config.serving:application",
    ]


def bots_worker(name: str = "bots") -> list[str]:
    """The worker that thinks, on every core there is."""
    return [*_worker(name), "-Q", "bots", "-c", str(os.cpu_count() or 1)]


def default_worker(schedule: Path) -> list[str]:
    """The worker for all else, with the clock of the periodic tasks (there must be one only), which remembers in `schedule`."""
    return [*_worker("default"), "-Q", "default,notices", "-c", "2", "-B", "-s", str(schedule)]


def analysis_worker() -> list[str]:
    """The worker that looks through positions and matches, on one core and behind everything else."""
    python, module, *words = _worker("analysis")
    return [python, module, "stack.gently", *words, "-Q", "analysis", "-c", "1"]


def manage(*words: str) -> list[str]:
    """A management command."""
    return [sys.executable, str(ROOT / "manage.py"), *words]


def _worker(name: str) -> list[str]:
    return [sys.executable, "-m", "celery", "-q", "-A", "config", "worker", "-n", f"{name}@%h", "--without-gossip", "--without-mingle"]
