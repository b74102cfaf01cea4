"""Looking ahead in any game: a tree search that a game's own guide steers, and what it thinks of a position."""

from games.kit.search.analysis import Ranks, TreeAnalyst, analyse
from games.kit.search.tree import Guide, best_move
from games.kit.standing import likely, placed

__all__ = ["Guide", "Ranks", "TreeAnalyst", "analyse", "best_move", "likely", "placed"]
