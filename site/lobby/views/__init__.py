"""The lobby's pages, by what they show."""
