"""The archive: every finished public match, found by what it was like."""
