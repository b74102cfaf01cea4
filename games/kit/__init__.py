"""What all games share: the protocol, chance, ranking, records, search and checks."""
