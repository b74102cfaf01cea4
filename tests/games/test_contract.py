"""What every game and variant must keep, the hidden-card game of the tests included."""

from __future__ import annotations

import copy
import json
import pickle
from importlib import import_module
from itertools import islice

import pytest

from games import registry
from games.kit.chance import SystemSource, new_secret
from games.kit.checks import play_match, play_out, random_record
from games.kit.protocol import (
    CHANCE,
    Game,
    Hides,
    IllegalMove,
    InvalidMove,
    Outcome,
    RuleError,
    State,
    is_chance,
    laid_open,
)
from games.kit.ranking import rank
from games.kit.record import Record, check, legal_counts, read_records, replay
from tests.games.fake_cards import CARDS
from tests.games.sources import SECRET, source

GAMES = (*registry.all_games(), CARDS)
VARIANTS = [
    pytest.param(game, variant.key, id=f"{game.key}:{variant.key}") for game in GAMES for variant in game.variants
]
every_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)
HIDING = [(game, variant.key) for game in GAMES for variant in game.variants if isinstance(game.start(variant.key), Hides)]
every_hiding_variant = pytest.mark.parametrize(
    ("game", "variant"), [pytest.param(game, variant, id=f"{game.key}:{variant}") for game, variant in HIDING]
)
every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in GAMES])
NO_MOVES = [
    "",
    " ",
    ",",
    "=",
    "=?",
    "==",
    "?",
    "\x00",
    "é",
    "a" * 10_000,
    "1" * 10_000,
    "a1,",
    ",a1",
    "{}",
    "a1;b2",
    "١",
    "-1",
    "0x1",
]


def positions(game: Game, variant: str, every: int = 5) -> list[State]:
    """Positions of a random match, its start and end among them."""
    start = game.start(variant)
    states = [start, *(state for _, state in play_out(start, source(f"{game.key} {variant}")))]
    return [*states[:3], *states[3:-3:every], *states[-3:]]


@every_variant
def test_the_spelling_of_every_ply_is_read_as_that_ply(game: Game, variant: str) -> None:
    for state in positions(game, variant):
        plies = [state.draw(source("x"))] if state.to_move is CHANCE else list(state.legal_moves())
        texts = [str(ply) for ply in plies]
        assert [game.parse_move(text) for text in texts] == plies
        assert len(set(texts)) == len(texts)
        assert all(text.isprintable() and is_chance(text) == (state.to_move is CHANCE) for text in texts)


@every_variant
@pytest.mark.parametrize("text", NO_MOVES, ids=lambda text: repr(text[:12]))
def test_a_text_that_is_no_move_is_refused_with_a_short_reason(game: Game, variant: str, text: str) -> None:
    try:
        move = game.parse_move(text)
    except InvalidMove as error:
        assert error.code
        assert len(str(error)) < 250
        assert str(error).isprintable()
    else:
        assert game.parse_move(str(move)) == move


@every_variant
def test_playing_leaves_the_position_as_it_was(game: Game, variant: str) -> None:
    for state in positions(game, variant):
        before, twin, view = hash(state), copy.deepcopy(state), json.dumps(state.view(None))
        for _ in islice(play_out(state, source("on")), 6):
            pass
        state.offer()
        assert hash(state) == before
        assert state == twin
        assert json.dumps(state.view(None)) == view


@every_variant
def test_equal_plies_lead_to_equal_positions(game: Game, variant: str) -> None:
    record = random_record(game, variant, source("twice"))
    first, second = list(replay(record)), list(replay(record))
    assert first == second
    assert [hash(state) for state in first] == [hash(state) for state in second]
    assert len(set(first)) == len(first)
    assert pickle.loads(pickle.dumps(first[-1])) == first[-1]


@every_variant
def test_the_legal_moves_are_those_that_can_be_played(game: Game, variant: str) -> None:
    known = {move for state in positions(game, variant, 9) for move in islice(state.legal_moves(), 200)}
    for state in positions(game, variant, 9):
        legal = state.legal_moves()
        moves = list(legal)
        assert len(legal) == len(moves) == len(set(moves))
        assert bool(moves) == isinstance(state.to_move, int)
        assert all(move in legal for move in moves)
        assert [legal[index] for index in range(len(moves))] == moves
        assert "no move" not in legal
        for move in [*moves[:50], *islice(known, 400)]:
            try:
                state.play(move)
            except IllegalMove as error:
                assert error.code
                assert str(error)
                assert move not in legal
            else:
                assert move in legal


@every_variant
def test_an_index_beyond_the_legal_moves_is_an_error(game: Game, variant: str) -> None:
    for state in positions(game, variant, 9):
        with pytest.raises(IndexError):
            state.legal_moves()[len(state.legal_moves())]


@every_variant
def test_a_move_is_refused_when_a_draw_is_due_or_the_match_is_over(game: Game, variant: str) -> None:
    states = positions(game, variant, 1)
    moves = [move for state in states[:3] for move in state.legal_moves()]
    for state in (state for state in states if not isinstance(state.to_move, int)):
        for move in moves[:5]:
            with pytest.raises(IllegalMove):
                state.play(move)


@every_variant
def test_a_draw_is_made_only_when_one_is_due_and_under_a_label_of_its_own(game: Game, variant: str) -> None:
    labels = []
    for state in positions(game, variant, 1):
        if state.to_move is CHANCE:
            labels.append(state.chance_label)
            assert state.draw(source("same")) == state.draw(source("same"))
        else:
            with pytest.raises(LookupError):
                state.draw(SystemSource())
            with pytest.raises(LookupError):
                _ = state.chance_label
    assert len(set(labels)) == len(labels)


@every_variant
def test_an_outcome_is_known_exactly_when_nobody_is_to_move(game: Game, variant: str) -> None:
    seats = game.variant(variant).seats
    for state in positions(game, variant):
        outcome = state.outcome()
        assert (outcome is not None) == (state.to_move is None)
        assert len(state.scores()) == seats
        if outcome is not None:
            assert outcome == Outcome(state.scores(), outcome.ranks)
            assert outcome.ranks == rank([-place for place in outcome.ranks])


@every_variant
def test_every_option_can_be_played_with(game: Game, variant: str) -> None:
    for option in game.options:
        record = random_record(game, variant, source(option.key), [option.key])
        assert record.result is not None
        assert check(record) == []


@every_variant
def test_a_view_can_be_sent_and_tells_nothing_that_its_viewer_cannot_know(game: Game, variant: str) -> None:
    seats = range(game.variant(variant).seats)
    for state in positions(game, variant):
        json.dumps([state.view(None), state.offer(), game.board_data(variant)], allow_nan=False)
        for seat in seats:
            other = state.determinize(seat, source("dealt anew"))
            assert json.dumps(other.view(seat)) == json.dumps(state.view(seat))
            assert json.dumps(other.view(None)) == json.dumps(state.view(None))
            assert (other.to_move, other.scores(), other.outcome()) == (state.to_move, state.scores(), state.outcome())
            if state.to_move == seat:
                assert list(other.legal_moves()) == list(state.legal_moves())


@every_variant
def test_a_viewer_reads_each_ply_or_a_draw_hidden_as_a_whole_or_in_part(game: Game, variant: str) -> None:
    for ply, state in play_out(game.start(variant), source("shown")):
        for seat in (None, *range(game.variant(variant).seats)):
            shown = state.visible(ply, seat)
            if shown != str(ply):
                assert is_chance(str(ply))
                assert is_chance(shown)
                assert "?" in shown
                with pytest.raises(InvalidMove):
                    game.parse_move(shown)


@every_variant
def test_a_position_of_a_match_that_is_over_hides_nothing(game: Game, variant: str) -> None:
    """However it ended: positions that a seat could not tell apart, everybody can once they are laid open."""
    for state in positions(game, variant):
        other = state.determinize(0, source("dealt anew"))
        told = [json.dumps(laid_open(one).view(None)) for one in (state, other)]
        assert (told[0] != told[1]) == (other != state)
        assert laid_open(state).scores() == state.scores()


def ahead(state: State, seat: int) -> State | None:
    """What `seat` may choose from ahead of its turn; `None` where there is nothing to choose."""
    try:
        return state.ahead(seat)
    except LookupError:
        return None


@every_variant
def test_a_seat_chooses_ahead_from_moves_that_can_be_read_and_played(game: Game, variant: str) -> None:
    waited = 0
    for state in positions(game, variant, 3):
        for seat in range(game.variant(variant).seats):
            mine = ahead(state, seat)
            if not isinstance(state.to_move, int):
                assert mine is None
            elif seat == state.to_move:
                assert mine == state
            elif mine is not None:
                waited += 1
                assert mine.to_move == seat
                moves = mine.legal_moves()
                assert moves
                for move in islice(moves, 40):
                    assert game.parse_move(str(move)) == move
                    mine.play(move)
    assert waited


@every_hiding_variant
def test_what_a_seat_chooses_from_ahead_tells_nothing_that_it_cannot_know(game: Game, variant: str) -> None:
    differed = 0
    for state in positions(game, variant, 3):
        for seat in range(game.variant(variant).seats):
            other = state.determinize(seat, source("dealt anew"))
            mine, same = ahead(state, seat), ahead(other, seat)
            assert (mine is None) == (same is None)
            if mine is not None and same is not None:
                differed += state != other
                assert json.dumps(mine.offer()) == json.dumps(same.offer())
                assert json.dumps(mine.view(seat)) == json.dumps(same.view(seat))
                assert list(map(str, mine.legal_moves())) == list(map(str, same.legal_moves()))
    assert differed


@every_variant
def test_a_match_goes_out_as_a_record_and_comes_back(game: Game, variant: str) -> None:
    record = play_match(game, variant, [game.bot(game.levels[0].key)] * game.variant(variant).seats, SECRET)
    assert check(record) == []
    assert read_records(json.dumps(record.to_json())) == [record]
    assert Record.from_json(record.to_json()) == record
    counts = legal_counts(record)
    assert len(counts) == len(record.plies)
    assert [count is None for count in counts] == [is_chance(ply) for ply in record.plies]


@pytest.mark.long
@every_variant
def test_every_bot_gives_a_legal_move_and_repeats_itself(game: Game, variant: str) -> None:
    states = [state for state in positions(game, variant, 20) if isinstance(state.to_move, int)]
    for state in (states[0], states[len(states) // 2]):
        for level in game.levels:
            move = game.bot(level.key).choose(state, source("bot"))
            assert move in state.legal_moves()
            assert game.bot(level.key).choose(state, source("bot")) == move


@every_game
def test_there_is_a_bot_for_every_level(game: Game) -> None:
    assert list(import_module(game.bots_module).BOTS) == [level.key for level in game.levels]


@every_game
def test_a_game_introduces_itself(game: Game) -> None:
    assert game.name and game.tagline and game.version >= 1
    for variant in game.variants:
        assert len(variant.colours) == variant.seats == len(game.start(variant.key).scores())
        assert variant.name and variant.description
    for named in (game.variants, game.levels, game.options):
        assert len({item.key for item in named}) == len(named)


@every_game
def test_an_unknown_variant_or_option_is_refused_by_name(game: Game) -> None:
    with pytest.raises(RuleError, match="nonsense-7"):
        game.start("nonsense-7")
    with pytest.raises(RuleError, match="house-of-cards"):
        game.start(game.variants[0].key, ["house-of-cards"])


def test_an_unknown_game_is_refused_with_those_that_exist() -> None:
    with pytest.raises(registry.UnknownGame, match="blokus"):
        registry.get("chess")


def test_matches_with_fresh_secrets_differ() -> None:
    bots = [CARDS.bot("any")] * 2
    assert len({play_match(CARDS, "cards-2", bots, new_secret()).plies for _ in range(5)}) > 1
