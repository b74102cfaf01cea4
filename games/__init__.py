"""The rules of every game: pure Python, no clock, no database, no global randomness."""

KEYS = ("azul", "blockers", "blokus", "nibble")
"""The games, in alphabetical order. A new game is one folder beside this file and one word here."""
