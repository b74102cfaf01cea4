"""What looks odd in finished matches, for moderators to look at. Nothing here ever acts on anybody."""
