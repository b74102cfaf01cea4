"""Measurements: `python -m tests.bench` for speed, `python -m tests.bench.duel` for the strength of bots."""
