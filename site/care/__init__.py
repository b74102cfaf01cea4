"""Fair play: reports, what moderators do about them, and lists of what looks odd."""
