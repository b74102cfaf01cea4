"""Template tags of the shelf."""
