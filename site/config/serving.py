"""What daphne serves: the ASGI application, with the metronome of the clocks beside it."""

from config.asgi import application
from matches import timekeeping

__all__ = ["application"]

timekeeping.start()
