"""Template tags of the studies."""
