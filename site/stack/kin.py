"""Ties a process to the one that started it."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None  # loaded here: after a fork it would be too late


def die_with_parent() -> None:
    """Ask Linux to end this process when its parent dies, even by `kill -9`. Elsewhere nothing happens."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
