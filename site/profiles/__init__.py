"""People's own pages: what others see of them, what they change, take with them, or delete."""
