"""A tiny card game with hidden hands and draws, for tests of what the platform does with any such game.

Twelve cards, 1 to 12. Each seat is dealt two; then, in turn, a seat plays one of its cards face up and draws one while
the pile lasts. After three cards each the match ends, and the highest total wins. A deal ply reads `=1.2/3.4`, a draw
ply `=5`, a move `7`. Who has not drawn a card sees `=?`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, cast

from games.kit.chance import Source, shuffled
from games.kit.protocol import (
    CHANCE,
    Analysis,
    Candidate,
    Game,
    IllegalMove,
    InvalidMove,
    Level,
    Move,
    Opening,
    Option,
    Outcome,
    Remark,
    State,
    ToMove,
    Variant,
)
from games.kit.ranking import rank
from games.kit.svg import rect, svg

DECK = tuple(range(1, 13))
HAND = 2
TURNS = 3
_COLOURS = ("blue", "red", "green")


@dataclass(frozen=True, slots=True)
class Card:
    """A move: the card to play."""

    number: int

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Deal:
    """A chance ply: the cards each of one or more seats gets."""

    hands: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return "=" + "/".join(".".join(map(str, hand)) for hand in self.hands)


def parse(text: str) -> Card | Deal:
    try:
        if text.startswith("="):
            return Deal(tuple(tuple(sorted(_number(card) for card in hand.split("."))) for hand in text[1:].split("/")))
        return Card(_number(text))
    except ValueError:
        raise InvalidMove("no_card", "“{move}” is not a card or a deal.", move=ascii(text[:40])) from None


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 2:
        raise ValueError("not a card")
    return int(text)


@dataclass(frozen=True, slots=True)
class Table:
    """A position of the card game. `drawn` tells whose draw led here: a seat, or `None`."""

    hands: tuple[tuple[int, ...], ...]
    played: tuple[tuple[int, ...], ...]
    turn: int = 0
    due: bool = True
    low_wins: bool = False
    last_drawer: int | None = None
    shown: bool = False

    @property
    def to_move(self) -> ToMove:
        if self.due:
            return CHANCE
        return None if all(len(cards) == TURNS for cards in self.played) else self.turn

    @property
    def chance_label(self) -> str:
        if not self.due:
            raise LookupError("no draw is due")
        return f"draw {sum(map(len, self.played))}"

    def legal_moves(self) -> tuple[Card, ...]:
        return tuple(Card(card) for card in self.hands[self.turn]) if isinstance(self.to_move, int) else ()

    def _pile(self) -> list[int]:
        seen = {card for cards in (*self.hands, *self.played) for card in cards}
        return [card for card in DECK if card not in seen]

    def draw(self, source: Source) -> Deal:
        if not self.due:
            raise LookupError("no draw is due")
        cards = shuffled(self._pile(), source)
        if not any(self.hands):
            return Deal(tuple(tuple(sorted(cards[HAND * s : HAND * s + HAND])) for s in range(len(self.hands))))
        return Deal(((cards[0],),))

    def play(self, move: Move) -> Table:
        if isinstance(move, Deal):
            return self._dealt(move)
        if self.due or not isinstance(move, Card) or move not in self.legal_moves():
            raise IllegalMove("not_held", "The card {card} cannot be played.", card=move)
        hands = list(self.hands)
        played = list(self.played)
        hands[self.turn] = tuple(card for card in hands[self.turn] if card != move.number)
        played[self.turn] += (move.number,)
        after = replace(self, hands=tuple(hands), played=tuple(played), last_drawer=None)
        owed = TURNS - len(played[self.turn]) - len(hands[self.turn])
        return replace(after, due=True) if owed > 0 else after._passed_on()

    def _passed_on(self) -> Table:
        return replace(self, due=False, turn=(self.turn + 1) % len(self.hands))

    def _dealt(self, deal: Deal) -> Table:
        cards = [card for hand in deal.hands for card in hand]
        first = not any(self.hands) and not any(self.played)
        sizes = [len(hand) for hand in deal.hands]
        fits = sizes == ([HAND] * len(self.hands) if first else [1])
        if not self.due or not fits or len(set(cards)) < len(cards) or not set(cards) <= set(self._pile()):
            raise IllegalMove("bad_deal", "The deal {deal} is not possible here.", deal=deal)
        if first:
            return replace(self, hands=deal.hands, due=False)
        hands = list(self.hands)
        hands[self.turn] = tuple(sorted((*hands[self.turn], *cards)))
        return replace(self, hands=tuple(hands), last_drawer=self.turn)._passed_on()

    def scores(self) -> tuple[int, ...]:
        return tuple(map(sum, self.played))

    def ranks(self) -> tuple[int, ...]:
        return rank([-score for score in self.scores()] if self.low_wins else self.scores())

    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        return Outcome(self.scores(), self.ranks())

    def view(self, seat: int | None) -> dict[str, Any]:
        return {
            "played": [list(cards) for cards in self.played],
            "held": [len(cards) for cards in self.hands],
            "hand": [] if seat is None else list(self.hands[seat]),
            "hands": [list(hand) for hand in self.hands] if self.shown else None,
        }

    def laid_open(self) -> Table:
        return replace(self, shown=True)

    def offer(self) -> list[str]:
        return [str(move) for move in self.legal_moves()]

    def visible(self, ply: Move, seat: int | None) -> str:
        """The first deal is shown hand by hand, so nobody can read it whole."""
        if not isinstance(ply, Deal) or self.shown or (self.last_drawer is not None and self.last_drawer == seat):
            return str(ply)
        return "=?"

    def determinize(self, seat: int, source: Source) -> Table:
        unseen = self._pile() + [card for other, hand in enumerate(self.hands) if other != seat for card in hand]
        cards = shuffled(sorted(unseen), source)  # sorted, or where a card lies would decide where it goes
        hands = [
            hand if other == seat else tuple(sorted(cards.pop() for _ in hand)) for other, hand in enumerate(self.hands)
        ]
        return replace(self, hands=tuple(hands))

    def ahead(self, seat: int) -> Table:
        if not isinstance(self.to_move, int) or not self.hands[seat]:
            raise LookupError("no card can be chosen now")
        return replace(self, turn=seat)


def picture(variant: str, view: dict[str, Any]) -> str:
    """A row per seat: a bar for each card it has played, as high as the card."""
    bars = [
        rect(10 * turn + 1, 14 * seat + 13 - card, 8, card, "#3a70b8")
        for seat, cards in enumerate(view["played"])
        for turn, card in enumerate(cards)
    ]
    return svg(10 * TURNS, 14 * len(view["played"]), rect(0, 0, 100, 100, "#e7dece"), *bars)


def start(variant: str, options: Collection[str]) -> Table:
    seats = int(variant.rpartition("-")[2])
    return Table(((),) * seats, ((),) * seats, low_wins="low-wins" in options)


def _variant(seats: int) -> Variant:
    return Variant(f"cards-{seats}", f"{seats} seats", seats, "A test game.", tuple((c,) for c in _COLOURS[:seats]))


def events(before: State, ply: Move, after: State) -> tuple[Remark, ...]:
    """Cards of ten and more."""
    if not isinstance(ply, Card) or ply.number < 10:
        return ()
    return (Remark("high", "Plays the high card {card}", (("card", str(ply)),), cast("Table", before).turn),)


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """The higher card, unless low wins."""
    table, more, less = cast("Table", state), cast("Card", better).number, cast("Card", played).number
    text = "Card {more} is less than {less}." if table.low_wins else "Card {more} is more than {less}."
    return Remark("card", text, (("more", str(more)), ("less", str(less))), table.turn) if (more > less) != table.low_wins else None


class FirstCard:
    """Plays its lowest card."""

    def choose(self, state: State, source: Source) -> Move:
        return state.legal_moves()[0]


class AnyCard:
    """Plays any card."""

    def choose(self, state: State, source: Source) -> Move:
        legal = state.legal_moves()
        return legal[source.below(len(legal))]


class HighIsGood:
    """Thinks that a seat stands as well as the card it plays is high, or low where low wins; never looks at the cards of others."""

    def analyse(
        self, state: State, source: Source, *, playouts: int, also: Move | None = None, tell: Callable[[int], None] | None = None
    ) -> Analysis:
        table = cast("Table", state)
        found = sorted((self._candidate(table, move) for move in table.legal_moves()), key=lambda one: -one.values[table.turn])
        if tell is not None:
            tell(playouts)
        return Analysis(found[0].values, tuple(found), playouts)

    def _candidate(self, table: Table, move: Card) -> Candidate:
        value = move.number / len(DECK)
        value = 1 - value if table.low_wins else value
        rest = (1 - value) / (len(table.hands) - 1)
        return Candidate(move, tuple(value if seat == table.turn else rest for seat in range(len(table.hands))), 0.5, (move,))


BOTS = {"any": AnyCard(), "low": FirstCard()}
ANALYST = HighIsGood()

CARDS = Game(
    key="cards",
    name="Cards",
    tagline="A game for tests.",
    version=1,
    variants=(_variant(2), _variant(3)),
    levels=(Level("any", "Any card"), Level("low", "Lowest card")),
    initial_state=start,
    parse_move=parse,
    board_data=lambda variant: {"cards": list(DECK)},
    bots_module="tests.games.fake_cards",
    picture=picture,
    opening=lambda move: Opening(str(move)),
    events=events,
    reason=reason,
    options=(Option("low-wins", "Low wins", "The lowest total wins."),),
)
