"""Looking ahead in any game: a tree search that a game's own guide steers."""

from games.kit.search.tree import Guide, best_move

__all__ = ["Guide", "best_move"]
