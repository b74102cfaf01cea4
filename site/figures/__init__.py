"""Statistics of the games, counted now and then from finished matches and shown as charts."""
