"""The pages of fair play."""
