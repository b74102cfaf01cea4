"""Template tags about ladders and seasons."""
