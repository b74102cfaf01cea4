"""Deals: drawing tiles for the factories, and telling whether a deal could have been drawn (rules: Azul, Deal ply)."""

from __future__ import annotations

from games.azul.notation import FACTORY_TILES, Deal
from games.azul.tiles import COLOURS, LABELS, NO_TILE, ONE, count, holds, size
from games.kit.chance import Source
from games.kit.protocol import IllegalMove


def draw(bag: int, lid: int, factories: int, source: Source) -> Deal:
    """A deal from the bag, and from the lid poured into it once it is empty."""
    heaps = [NO_TILE] * factories
    tiles = _spread(bag)
    poured = False
    for number in range(factories * FACTORY_TILES):
        if not tiles and not poured:
            tiles, poured = _spread(lid), True
        if not tiles:
            break
        drawn = source.below(len(tiles))
        # The last tile takes the place of the drawn one.
        heaps[number // FACTORY_TILES] += ONE[tiles[drawn]]
        tiles[drawn] = tiles[-1]
        tiles.pop()
    return Deal(tuple(heaps))


def _spread(heap: int) -> list[int]:
    return [colour for colour in COLOURS for _ in range(count(heap, colour))]


def after(bag: int, lid: int, deal: Deal) -> tuple[int, int]:
    """The bag and the lid after a deal that `refusal` found nothing against."""
    dealt = sum(deal.factories)
    return (bag - dealt, lid) if size(dealt) <= size(bag) else (bag + lid - dealt, NO_TILE)


def refusal(bag: int, lid: int, factories: int, deal: Deal) -> IllegalMove | None:
    """Why this deal cannot be drawn; `None` when it can."""
    if len(deal.factories) != factories:
        return IllegalMove(
            "wrong_factories",
            "A deal here fills {factories} factories, but this one names {named}.",
            factories=factories,
            named=len(deal.factories),
        )
    left = size(bag) + size(lid)
    for number, heap in enumerate(deal.factories, start=1):
        due = min(FACTORY_TILES, left)
        if size(heap) != due:
            return IllegalMove(
                "wrong_count",
                "Factory {number} gets {due} tiles here, but the deal puts {given} on it.",
                number=number,
                due=due,
                given=size(heap),
            )
        left -= due
    return _not_there(bag, lid, deal)


def _not_there(bag: int, lid: int, deal: Deal) -> IllegalMove | None:
    """Tells a deal of more tiles of a colour than there are, or of tiles of the lid before the bag is empty."""
    dealt = sum(deal.factories)
    short = _short(bag + lid, dealt)
    if short is not None:
        return short
    early = NO_TILE
    for heap in deal.factories:
        if size(early) + size(heap) > size(bag):
            # The bag runs out on this factory, so the factories to here have all that was in it.
            if holds(early + heap, bag):
                return None
            return IllegalMove(
                "bag_first",
                "The bag is emptied before the lid is poured into it, but this deal leaves tiles in the bag.",
            )
        early += heap
        short = _short(bag, early)
        if short is not None:
            return short
    return None


def _short(heap: int, part: int) -> IllegalMove | None:
    if holds(heap, part):
        return None
    colour = next(colour for colour in COLOURS if count(part, colour) > count(heap, colour))
    return IllegalMove(
        "not_in_bag",
        "There are only {count} tiles of {colour} to draw from, but the deal has {dealt}.",
        count=count(heap, colour),
        colour=LABELS[colour],
        dealt=count(part, colour),
    )
