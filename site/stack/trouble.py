"""Trouble: something outside the code is wrong, and the message says what to do about it."""


class Trouble(Exception):
    """Shown to the person at the keyboard as it is, without a traceback; so it names the cause and the cure."""
