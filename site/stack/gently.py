"""Runs a module as `python -m` does, once it has stepped back behind all other processes: `python -m stack.gently celery …`."""

from __future__ import annotations

import os
import runpy
import sys

STEP_BACK = 10
"""How much nicer than others: while they want a core, it gets about a tenth of it."""


def run(words: list[str]) -> None:
    """Become the module that the first word names, with the words as its command line."""
    os.nice(STEP_BACK)
    sys.argv = words
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    run(sys.argv[1:])
