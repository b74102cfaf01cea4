"""Ratings: who plays how well, in which order results count, and what each match changed. Knows users and game keys, but no match."""
