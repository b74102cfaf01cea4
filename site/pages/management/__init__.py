"""Commands for people: `record` and `seed`."""
