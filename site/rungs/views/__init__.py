"""The pages of rungs."""
