"""The pages of profiles."""
