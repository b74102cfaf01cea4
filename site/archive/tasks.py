"""What workers do for the archive."""

from __future__ import annotations

from celery import shared_task

from archive import first_moves

AT_ONCE = 500
ROUNDS = 20


@shared_task
def read_first_moves() -> int:
    """Read the first moves of matches that ended meanwhile, and of older ones bit by bit; how many were read."""
    read = 0
    for _ in range(ROUNDS):
        found = first_moves.read(AT_ONCE)
        read += found
        if found < AT_ONCE:
            break
    return read
