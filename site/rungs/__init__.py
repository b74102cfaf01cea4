"""The challenge ladder: one row of people per game, in which one climbs by beating somebody above."""
