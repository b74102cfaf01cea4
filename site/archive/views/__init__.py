"""The pages of the archive."""
