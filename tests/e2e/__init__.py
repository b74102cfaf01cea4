"""Tests in a real browser on the whole running site."""
