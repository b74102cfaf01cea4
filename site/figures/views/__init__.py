"""The pages of figures."""
