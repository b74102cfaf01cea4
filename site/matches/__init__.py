"""Playing a match: the one door moves come in by, the one exit positions go out by, and what must follow a move."""
