"""Play that goes wrong on purpose: real processes, real sockets, and a ledger of what every client was told."""
