"""Studies: lines tried out from a position, what a bot thinks of positions and of whole matches, and imported records."""
