"""What a seat scores, and who wins (rules: Blockers!, Score). The lowest score is the best."""

from __future__ import annotations

from collections.abc import Sequence

from games.kit.ranking import rank


def score(groups: int, captured: Sequence[int]) -> int:
    """The score of a seat with so many groups; `captured` has the number of tiles it took of each colour."""
    return groups + max(captured)


def ranks(scores: Sequence[int], captured: Sequence[int]) -> tuple[int, ...]:
    """The ranks of the seats; `captured` is how many tiles each took in all, and fewer of them break a tie."""
    return rank([(-points, -tiles) for points, tiles in zip(scores, captured, strict=True)])
