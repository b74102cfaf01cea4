"""Tells people what waits for them: by mail, by push, and on every page they have open."""
