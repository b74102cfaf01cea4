"""Lists of JSON values that differ little from one to the next, written as the first and what changed after it.

A change is `[value]`, which takes the place of what was there; or an object of changes by key or index, where `0` stands
for a key that is gone and `#` for the new length of a list; a list that grew has changes for its new places, too.
`static/js/replay/data.js` reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Json = Any
GONE = 0
LENGTH = "#"


def pack(values: Sequence[Json]) -> dict[str, Json]:
    """`{"first", "then"}` for at least one value."""
    return {"first": values[0], "then": [change(before, after) for before, after in pairwise(values)]}


def unpack(packed: dict[str, Json]) -> list[Json]:
    """The values again."""
    values = [packed["first"]]
    for one in packed["then"]:
        values.append(apply(values[-1], one))
    return values


def change(before: Json, after: Json) -> Json:
    """What makes `after` of `before`; an empty object when they are equal."""
    if isinstance(before, dict) and isinstance(after, dict):
        changed = {
            key: change(before[key], value) if key in before else [value] for key, value in after.items() if before.get(key, ...) != value
        }
        return changed | {key: GONE for key in before if key not in after}
    if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)):
        return _of_lists(before, after)
    return {} if before == after else [after]


def _of_lists(before: Sequence[Json], after: Sequence[Json]) -> Json:
    kept = min(len(before), len(after))
    changed = {str(place): change(before[place], after[place]) for place in range(kept) if before[place] != after[place]}
    if 2 * len(changed) > kept and not any(isinstance(value, (dict, list)) for value in after):
        return [after]
    changed |= {str(place): [after[place]] for place in range(kept, len(after))}
    return changed if len(before) == len(after) else changed | {LENGTH: len(after)}


def apply(before: Json, made: Json) -> Json:
    """`before` with a change made; what did not change is shared with it."""
    if isinstance(made, list):
        return made[0]
    if not made:
        return before
    if isinstance(before, dict):
        gone = {key for key, one in made.items() if one == GONE and not isinstance(one, (dict, list))}
        fresh = {key: apply(before.get(key), one) for key, one in made.items() if key not in gone}
        return {key: value for key, value in before.items() if key not in gone} | fresh
    length = made.get(LENGTH, len(before))
    return [apply(before[place] if place < len(before) else None, made.get(str(place), {})) for place in range(length)]
