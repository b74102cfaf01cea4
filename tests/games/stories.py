"""What games tell, as plain sentences, for tests."""

from __future__ import annotations

from games.kit.protocol import Game, Remark, State

Told = tuple[str, int | None, str]


def told(remark: Remark) -> Told:
    return remark.kind, remark.seat, remark.text.format(**dict(remark.names))


def events(game: Game, before: State, text: str) -> list[Told]:
    """What the game tells of the ply `text`, made in that position."""
    move = game.parse_move(text)
    return [told(remark) for remark in game.events(before, move, before.play(move))]


def why(game: Game, state: State, better: str, played: str) -> Told | None:
    """Why the one move is better than the other, the other way round included, which must not be told in the same words."""
    moves = game.parse_move(better), game.parse_move(played)
    assert set(moves) <= set(state.legal_moves())
    given, turned = game.reason(state, *moves), game.reason(state, *reversed(moves))
    assert given is None or given != turned
    return None if given is None else told(given)


def reason(game: Game, state: State, better: str, played: str) -> str | None:
    """The sentence of `why`, which is about the seat to move."""
    given = why(game, state, better, played)
    assert given is None or given[1] == state.to_move
    return None if given is None else given[2]
