"""Rates every match of a downloaded history again and compares: python recompute.py history.jsonl

Needs Python 3.11 and `pip install openskill` (the version is in the first line of the file). What the first line calls `rules`
holds all the numbers; nothing else is taken from the site. Who left the site has no number: the strength before is then as given.
"""

import json
import math
import sys
from datetime import datetime, timedelta

from openskill.models import PlackettLuce


def main(path: str) -> int:
    """Print what differs; how much that is."""
    with open(path, encoding="utf-8") as lines:
        rules = json.loads(next(lines))["rules"]
        model, start, digits = PlackettLuce(**rules["model"]), (rules["model"]["mu"], rules["model"]["sigma"]), rules["digits"]
        people: dict[int, tuple[tuple[float, float], datetime]] = {}
        differences = number = 0
        for number, line in enumerate(lines, start=1):
            match = json.loads(line)
            assert match["number"] == number, "A history is recomputed from its first result on: download all of it."
            ended = datetime.fromisoformat(match["ended_at"])
            seats = []
            for rank, seat in zip(match["ranks"], match["seats"], strict=True):
                before = tuple(map(float, seat["before"])) if seat["before"] else None
                if seat["person"] is not None and before:
                    strength, last = people.get(seat["person"], (start, ended))
                    days = (ended - last) / timedelta(days=1)
                    if days > 0 and strength[1] < start[1]:  # time without a match makes less sure
                        wider = min(start[1], math.sqrt(strength[1] ** 2 + rules["drift"] * days))
                        strength = (round(strength[0], digits), round(wider, digits))
                    differences += differs(f"result {number}, before", strength, before)
                    before = strength
                if before:
                    seats.append((rank, before, seat))
            if len(seats) < 2:
                continue
            seats.sort(key=lambda seat: seat[:2])  # a sum of floats depends on its order
            teams = model.rate([[model.rating(*before)] for _, before, _ in seats], ranks=[float(rank) for rank, *_ in seats])
            results = [(round(team[0].mu, digits), round(team[0].sigma, digits)) for team in teams]
            rated = {place[:2]: result for place, result in zip(seats, results, strict=True)}
            for rank, before, seat in seats:
                after = before if seat["level"] else rated[rank, before]
                differences += differs(f"result {number}, after", after, tuple(map(float, seat["after"])))
                if seat["person"] is not None:
                    people[seat["person"]] = (after, ended)
    print(f"{number} results, {len(people)} people, {differences} differences.")
    return differences


def differs(what: str, computed: tuple[float, float], given: tuple[float, float]) -> bool:
    if computed != given:
        print(f"{what}: computed {computed}, given {given}")
    return computed != given


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1]) else 0)
