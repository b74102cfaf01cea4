"""What is told of a match ply by ply, in the reader's language, and when the lead changes."""

from __future__ import annotations

from django.utils.translation import override

from games import registry
from games.kit.checks import play_out
from games.kit.protocol import Label, Opening, Remark
from games.kit.record import Record, replay
from matches import payloads, story, words
from tests.games.fake_cards import CARDS
from tests.games.sources import source

PLIES = ("=2.12/1.11", "12", "=3", "1", "=10", "2", "11", "3", "10")
"""Seat 0 is ahead of seat 1 after every ply but the last; after `12` by twelve to nothing."""


def told(*options: str) -> list[list[story.Told]]:
    states = list(replay(Record("cards", "cards-2", PLIES, options=options)))
    return story.tell(CARDS, states, [CARDS.parse_move(text) for text in PLIES])


def test_a_lead_that_changes_hands_is_told_at_its_ply_after_what_the_game_tells() -> None:
    kinds = [[one["kind"] for one in ply] for ply in told()]
    assert kinds == [[], ["high"], [], [], [], [], ["high"], [], ["high", "lead"]]
    assert told()[-1][-1] == {"kind": "lead", "seat": 1, "text": "Takes the lead"}


def test_where_the_fewest_points_win_the_lead_is_the_lowest_score() -> None:
    assert [one["seat"] for ply in told("low-wins") for one in ply if one["kind"] == "lead"] == [0]


def test_a_lead_that_the_next_answer_ends_is_not_told() -> None:
    seesaw = ("=5.6/7.8", "5", "=1", "7", "=2", "6", "8", "1", "2")
    states = list(replay(Record("cards", "cards-2", seesaw)))
    assert [state.ranks().index(1) for state in states[2:]] == [0, 0, 1, 1, 0, 1, 1, 1]
    assert list(story.lead_changes(states)) == []


def test_a_lead_of_a_match_that_runs_counts_only_once_the_others_have_answered() -> None:
    states = list(replay(Record("cards", "cards-2", PLIES)))
    assert list(story.lead_changes(states[:-1])) == []
    assert list(story.lead_changes(states)) == [(9, 1)]


def test_there_is_a_list_for_every_ply_of_every_game() -> None:
    for game in registry.all_games():
        variant = game.variants[0].key
        start = game.start(variant)
        steps = list(play_out(start, source(f"told {game.key}")))
        plies = story.tell(game, [start, *(state for _, state in steps)], [move for move, _ in steps])
        assert len(plies) == len(steps)
        assert any(plies)


def test_a_replay_of_a_record_tells_the_story() -> None:
    assert payloads.replay_of_record(Record("cards", "cards-2", PLIES))["events"] == told()


def test_what_a_game_says_is_said_in_the_readers_language_with_its_words() -> None:
    remark = Remark("x", "{colour}: {count}", (("colour", Label("Red")), ("count", "3")), 0)
    with override("it"):
        assert words.say(remark) == "Rosso: 3"
        assert words.say(Opening("{colour}", (("colour", Label("Red")),))) == "Rosso"
        assert words.say(Opening("{colour}", (("colour", "Red"),))) == "Red"
    assert words.say(remark) == "Red: 3"
