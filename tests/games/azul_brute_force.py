"""The moves of Azul found the slow way, from what a view shows and the words of the rules alone."""

from __future__ import annotations

from typing import Any


def moves(view: dict[str, Any], seat: int, wall: list[str] | None) -> set[str]:
    """The legal moves of `seat`; `wall` is the coloured side's pattern."""
    own = view["boards"][seat]
    if own["choose"] is not None:
        line = own["choose"]["line"]
        return {f"w{line}{column + 1}" for column in columns(own, line - 1, own["lines"][line - 1]["colour"], wall)}
    sources = {"c": view["centre"], **{str(number): tiles for number, tiles in enumerate(view["factories"], 1)}}
    found = set()
    for source, tiles in sources.items():
        for colour in set(tiles):
            found.add(f"{source}{colour}f")
            for line in range(5):
                there = own["lines"][line]
                same = there["colour"] in (None, colour)
                if same and there["count"] < line + 1 and colour not in own["wall"][line]:
                    found.add(f"{source}{colour}{line + 1}")
    return found


def columns(own: dict[str, Any], row: int, colour: str, wall: list[str] | None) -> list[int]:
    """Where a tile of `colour` may go in a row, counted from 0."""
    if wall is not None:
        return [wall[row].index(colour)]
    rows = own["wall"]
    return [at for at in range(5) if rows[row][at] == "." and all(cells[at] != colour for cells in rows)]


def end_of_round(own: dict[str, Any], wall: list[str]) -> tuple[int, list[str]]:
    """A coloured board's score and wall when its round ends, counted tile by tile."""
    rows = [list(row) for row in own["wall"]]
    score = own["score"]
    for number, line in enumerate(own["lines"]):
        if line["count"] == number + 1:
            column = wall[number].index(line["colour"])
            rows[number][column] = line["colour"]
            across = run(rows[number], column)
            down = run([row[column] for row in rows], number)
            score += 1 if across == down == 1 else (across if across > 1 else 0) + (down if down > 1 else 0)
    for cost, _ in zip((1, 1, 2, 2, 2, 3, 3), own["floor"], strict=False):
        score -= cost
    return max(score, 0), ["".join(row) for row in rows]


def run(cells: list[str], at: int) -> int:
    """How many tiles hang together with the one at `at`."""
    length = 1
    for step in (-1, 1):
        place = at + step
        while 0 <= place < 5 and cells[place] != ".":
            length += 1
            place += step
    return length
