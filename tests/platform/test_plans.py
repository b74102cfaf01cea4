"""Conditional moves: what is planned is played once, at once and as if by hand, and nobody else learns of it."""

from __future__ import annotations

import json
import random
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client

from accounts.models import User
from games import registry
from games.kit.protocol import CHANCE, Game, IllegalMove, InvalidMove, is_chance
from matches import offers, planning, plans
from matches.clock import TimeControl
from matches.errors import MatchOver, NotNow, NotSeated, StalePly
from matches.models import Event, FollowUp, Match, Move, Plan
from matches.planning import BadPlan
from matches.plans import ANY, Branch
from matches.replay import position_of
from matches.services import BotSeat, Person, SeatPlan, play_move, resign, start_match
from tests.games.fake_cards import CARDS
from tests.platform.conftest import NOW, now_at
from tests.platform.worlds import Worlds, two_worlds
from tests.threads import at_once, kinds

pytestmark = [pytest.mark.django_db, pytest.mark.long]

DAYS = TimeControl.parse("3d")
SECRET = b"\x07" * 32
LATER = NOW + timedelta(hours=5)


def begun(game: str, variant: str, *seats: User | str, control: TimeControl = DAYS, **more: Any) -> Match:
    plan: list[SeatPlan] = [BotSeat(seat) if isinstance(seat, str) else Person(seat) for seat in seats]
    return now_at(start_match(game, variant, seats=plan, control=control, now=NOW, secret=SECRET, **more))


def if_(when: str | list[str], play: str, *then: Branch) -> Branch:
    return {"when": [when] if isinstance(when, str) else when, "play": play, "then": list(then)}


def save(match: Match, seat: int, *branches: Branch) -> list[Branch]:
    return planning.save(match.pk, seat, list(branches), ply=now_at(match).ply, now=NOW)


def play(match: Match, text: str, **more: Any) -> Match:
    match = now_at(match)
    assert match.to_move is not None
    play_move(match.pk, match.to_move, text, **{"ply": match.ply, "now": LATER} | more)
    return now_at(match)


def texts(match: Match) -> list[str]:
    return list(Move.objects.filter(match=match).values_list("text", flat=True))


def playout(match: Match, seed: str, plies: int | None = None) -> list[tuple[int, str]]:
    """Seat and text of random legal moves from here on, to the end, the next draw, or for so many plies."""
    chance, state, line = random.Random(seed), position_of(now_at(match)).state, []
    while isinstance(state.to_move, int) and plies != len(line):
        legal = state.legal_moves()
        move = legal[chance.randrange(len(legal))]
        line.append((state.to_move, str(move)))
        state = state.play(move)
    return line


def planned(line: list[tuple[int, str]], seat: int) -> list[Branch]:
    """The plan of a seat that follows the line, as far as plans go."""
    tree: list[Branch] = []
    at, when, own = tree, [], 0
    for mover, text in line:
        if mover != seat:
            when.append(text)
        elif own < planning.DEEPEST:
            branch = if_(when, text)
            at.append(branch)
            at, when, own = branch["then"], [], own + 1
    return tree


@pytest.fixture
def duel(cast) -> Match:
    return begun("blokus", "duo-2", cast.alice, cast.bob)


# --- Carried out


def test_an_answer_is_there_as_soon_as_the_others_have_moved(duel):
    (_, first), (_, answer) = line = playout(duel, "a", 2)
    save(duel, 1, *planned(line, 1))
    after = play(duel, first)
    assert texts(duel) == [first, answer]
    assert (after.ply, after.to_move, after.version) == (2, 0, duel.version + 2)
    assert plans.of(after, 1).ended == "Your plan was played to its end at move 2."


def test_a_planned_answer_costs_no_time_and_starts_the_next_clock(duel):
    line = playout(duel, "a", 2)
    save(duel, 1, *planned(line, 1))
    after = play(duel, line[0][1])
    assert list(Move.objects.filter(match=duel).values_list("used_ms", flat=True)) == [5 * 3_600_000, 0]
    assert (after.since, after.deadline) == (LATER, LATER + timedelta(days=3))


def test_nothing_but_the_move_is_written_of_an_answer(duel):
    line = playout(duel, "a", 2)
    save(duel, 1, *planned(line, 1))
    play(duel, line[0][1])
    assert not Event.objects.filter(match=duel).exists()
    assert now_at(duel).seats.get(number=1).seen_ply == 0


def test_an_exact_move_goes_before_anything_however_they_are_listed(duel):
    (_, first), (_, exact) = playout(duel, "a", 2)
    any_ = playout(duel, "b", 2)[1][1]
    tree = save(duel, 1, if_(ANY, any_), if_(first, exact))
    assert [branch["when"] for branch in tree] == [[first], [ANY]]
    play(duel, first)
    assert texts(duel) == [first, exact]


def test_anything_answers_what_is_not_planned_exactly(duel):
    (_, first), (_, exact) = playout(duel, "a", 2)
    (_, other), (_, any_) = playout(duel, "b", 2)
    assert first != other
    save(duel, 1, if_(ANY, any_), if_(first, exact))
    play(duel, other)
    assert texts(duel) == [other, any_]


def test_a_plan_without_an_answer_ends_and_its_owner_is_asked(duel):
    save(duel, 1, *planned(playout(duel, "a", 2), 1))
    after = play(duel, playout(duel, "b", 1)[0][1])
    assert (after.ply, after.to_move) == (1, 1)
    assert plans.of(after, 1) == plans.Standing([], "Your plan ended at move 1: it had no answer to what was played.")


def test_an_answer_that_is_not_possible_ends_the_plan_and_the_opponent_notices_nothing(duel):
    (_, first), (_, answer) = playout(duel, "a", 2)
    save(duel, 1, if_(ANY, first))
    after = play(duel, first)
    assert texts(duel) == [first]
    assert (after.to_move, after.version) == (1, duel.version + 1)
    assert plans.of(after, 1).ended == f"Your plan ended at move 1: your answer {first} was not possible."
    assert play(duel, answer).ply == 2


@pytest.mark.parametrize(("game", "variant"), [("nibble", "standard-2"), ("blokus", "duo-2")])
def test_a_whole_match_by_plans_of_both_sides_is_the_match_played_by_hand(game, variant, cast):
    if variant not in {one.key for one in registry.get(game).variants}:
        variant = next(one.key for one in registry.get(game).variants if one.seats == 2)
    by_hand = begun(game, variant, cast.alice, cast.bob)
    by_plan = begun(game, variant, cast.carol, cast.dave)
    assert texts(by_hand) == texts(by_plan)
    line = playout(by_hand, game)
    for _, text in line:
        play(by_hand, text)
    hands, wanted, first = [0, 0], now_at(by_hand), by_plan.ply
    while (match := now_at(by_plan)).running:
        rest = line[match.ply - first :]
        mover, text = rest[0]
        if not Plan.objects.filter(match=match).exclude(tree__has_key="why").exists():
            save(match, 1 - mover, *planned(rest, 1 - mover))
        play(match, text)
        hands[mover] += 1
    assert texts(by_plan) == texts(by_hand)
    assert (match.scores, match.ranks, match.termination) == (wanted.scores, wanted.ranks, wanted.termination)
    assert sum(hands) <= len(line) // 2 + 1
    assert not Plan.objects.exists()


def test_plans_of_several_seats_answer_each_other_in_one_go(cast):
    match = begun("blokus", "classic-4", cast.alice, cast.bob, cast.carol, cast.dave)
    line = playout(match, "a", 12)
    for seat in (1, 2, 3):
        save(match, seat, *planned(line, seat))
    for ply in (0, 4, 8):
        assert play(match, line[ply][1]).ply == ply + 4
    assert texts(match) == [text for _, text in line]


def test_a_wildcard_at_the_end_covers_every_seat_until_the_turn(cast):
    match = begun("blokus", "classic-4", cast.alice, cast.bob, cast.carol, cast.dave)
    line = playout(match, "a", 4)
    save(match, 3, if_([line[0][1], ANY], line[3][1]))
    for _, text in line[:3]:
        play(match, text)
    assert texts(match) == [text for _, text in line]


def test_a_wildcard_before_an_exact_move_stands_for_one_seat(cast):
    match = begun("cards", "cards-3", cast.alice, cast.bob, cast.carol)
    hands = position_of(match).state.hands
    first, second, mine = (str(hand[0]) for hand in hands)
    save(match, 2, if_([ANY, second], mine), if_(ANY, str(hands[2][1])))
    play(match, first)
    after = play(match, second)
    assert [text for text in texts(after) if not is_chance(text)] == [first, second, mine]


def test_a_bot_that_moves_is_answered_too_and_is_asked_again(cast):
    match = begun("blokus", "duo-2", "beginner", cast.bob)
    line = playout(match, "a", 2)
    save(match, 1, *planned(line, 1))
    play(match, line[0][1], automatic=True)
    assert texts(match) == [text for _, text in line]
    assert FollowUp.objects.filter(match=match, kind="think", ply=2).count() == 1


def test_a_plan_ends_with_a_draw_that_its_seat_can_read(cast):
    match = begun("azul", registry.get("azul").variants[0].key, cast.alice, cast.bob)
    line = playout(match, "a")
    state = position_of(match).state
    for _, text in line:
        state = state.play(match.rules.parse_move(text))
    assert state.to_move is CHANCE
    last = max(index for index, (seat, _) in enumerate(line) if seat == 0)
    for _, text in line[:last]:
        play(match, text)
    if now_at(match).to_move == 1:
        play(match, line[last][1])
    while (match := now_at(match)).to_move == 0:
        play(match, str(position_of(match).state.legal_moves()[0]))
    save(match, 0, if_(ANY, line[last][1]))
    before = match.ply
    while match.to_move == 1 and not any(is_chance(text) for text in texts(match)[before:]):
        match = play(match, str(position_of(match).state.legal_moves()[0]))
    assert "something was drawn" in plans.of(match, 0).ended
    assert Move.objects.filter(match=match, ply__gt=before, seat=0).count() == 0


def test_a_draw_that_its_seat_cannot_read_does_not_end_a_plan(cast):
    match = begun("cards", "cards-2", cast.alice, cast.bob)
    hands = position_of(match).state.hands
    save(match, 1, if_(ANY, str(hands[1][0]), if_(ANY, str(hands[1][1]))))
    after = play(match, str(hands[0][0]))
    assert [text for text in texts(after)[1:] if not is_chance(text)] == [str(hands[0][0]), str(hands[1][0])]
    assert "something was drawn" in plans.of(after, 1).ended  # its own new card


@pytest.mark.django_db(transaction=True)
def test_one_intent_delivered_twice_at_once_is_answered_once(duel):
    line, intent = playout(duel, "a", 2), uuid4()
    save(duel, 1, *planned(line, 1))
    act = lambda: play_move(duel.pk, 0, line[0][1], ply=0, client_id=intent, now=LATER)  # noqa: E731
    results = at_once(*[act] * 6)
    assert kinds(results) == {"Receipt": 6}
    assert {(result.ply, result.version) for result in results} == {(1, duel.version + 1)}
    assert texts(duel) == [text for _, text in line]


@pytest.mark.django_db(transaction=True)
def test_a_plan_saved_while_the_move_arrives_is_either_carried_out_or_too_late(duel):
    line = playout(duel, "a", 2)
    tree = planned(line, 1)
    saved, moved = at_once(
        lambda: planning.save(duel.pk, 1, tree, ply=0, now=NOW),
        lambda: play_move(duel.pk, 0, line[0][1], ply=0, now=LATER),
    )
    late = isinstance(saved, StalePly | NotNow)
    assert texts(duel) == [text for _, text in line[: 1 if late else 2]]
    assert moved.ply == 1


def test_a_failure_after_the_answer_undoes_the_move_too(duel, monkeypatch):
    line = playout(duel, "a", 2)
    save(duel, 1, *planned(line, 1))
    monkeypatch.setattr(Plan.objects, "bulk_update", None)
    with pytest.raises(TypeError):
        play(duel, line[0][1])
    assert texts(duel) == []


# --- How plans end


def test_a_plan_waits_while_the_match_is_paused_and_goes_on_with_it(cast):
    match = begun("blokus", "classic-4", cast.alice, "beginner", cast.carol, cast.dave)
    line = playout(match, "a", 3)
    save(match, 2, if_(ANY, line[2][1]))
    play(match, line[0][1])
    for seat in (0, 2, 3):
        offers.offer(match.pk, seat, "pause", now=NOW)
    assert play(match, line[1][1], automatic=True).to_move == 2
    offers.resume(match.pk, 2, now=LATER)
    assert texts(match) == [text for _, text in line]


def test_taken_back_moves_end_a_plan_even_when_the_ply_is_reached_again(duel):
    line = playout(duel, "a", 4)
    play(duel, line[0][1])
    play(duel, line[1][1])
    save(duel, 1, if_(ANY, line[3][1]))
    for seat in (1, 0):
        offers.offer(duel.pk, seat, "takeback", now=LATER)
    assert (now_at(duel).ply, plans.of(now_at(duel), 1).ended) == (1, "Your plan ended: moves were taken back.")
    play(duel, line[1][1])
    after = play(duel, line[2][1])
    assert (after.ply, after.to_move) == (3, 1)


def test_a_plan_goes_with_the_seat_that_leaves_and_with_the_match(cast):
    match = begun("blokus", "classic-4", cast.alice, cast.bob, cast.carol, cast.dave)
    line = playout(match, "a", 2)
    save(match, 1, if_(line[0][1], line[1][1]))
    save(match, 2, if_(ANY, line[1][1]))
    resign(match.pk, 1, now=NOW)
    assert list(Plan.objects.values_list("seat", flat=True)) == [2]
    assert play(match, line[0][1]).to_move == 1
    for seat in (2, 3):
        resign(match.pk, seat, now=NOW)
    assert not now_at(match).running
    assert not Plan.objects.exists()


# --- What can be planned


def test_only_a_seated_person_plans_and_only_while_others_move(cast, duel):
    line = playout(duel, "a", 2)
    with pytest.raises(NotNow, match="your turn"):
        save(duel, 0, if_(ANY, line[0][1]))
    with pytest.raises(NotSeated):
        save(duel, 7, if_(ANY, line[0][1]))
    with pytest.raises(StalePly):
        planning.save(duel.pk, 1, [if_(ANY, line[1][1])], ply=1, now=NOW)
    live = begun("blokus", "duo-2", cast.carol, cast.dave, control=TimeControl.parse("5m+5s"))
    with pytest.raises(NotNow, match="over days"):
        save(live, 1, if_(ANY, line[1][1]))
    resign(duel.pk, 1, now=NOW)
    with pytest.raises((MatchOver, NotSeated)):
        save(duel, 1, if_(ANY, line[1][1]))


BENT: list[Any] = [
    None, {}, "plan", 7, [7], [[]], [{}],
    [{"when": ["*"], "play": "a1"}],
    [{"when": ["*"], "play": "a1", "then": [], "note": ""}],
    [{"when": "*", "play": "a1", "then": []}],
    [{"when": [1], "play": "a1", "then": []}],
    [{"when": ["*"], "play": None, "then": []}],
    [{"when": ["*"], "play": "a1", "then": None}],
    [{"when": ["*"] * 13, "play": "a1", "then": []}],
]  # fmt: skip


@pytest.mark.parametrize("tree", BENT, ids=lambda tree: json.dumps(tree)[:50])
def test_what_is_not_a_plan_is_refused(tree, duel):
    with pytest.raises(BadPlan):
        planning.save(duel.pk, 1, tree, ply=0, now=NOW)
    assert not Plan.objects.exists()


def test_a_plan_has_a_largest_size_and_depth(duel):
    legal = [str(move) for move in position_of(duel).state.legal_moves()]
    answer = playout(duel, "a", 2)[1][1]
    wide = [if_(text, answer, *(if_(ANY, answer) for _ in range(1))) for text in legal[:101]]
    with pytest.raises(BadPlan, match="200 answers"):
        save(duel, 1, *wide)
    deep = if_(ANY, answer)
    for _ in range(planning.DEEPEST):
        deep = if_(ANY, answer, deep)
    with pytest.raises(BadPlan, match="12 of your moves"):
        save(duel, 1, deep)
    save(duel, 1, deep["then"][0])


def test_an_open_line_is_played_through_and_refused_where_it_cannot_be_played(duel):
    (_, first), (_, answer), (_, third) = playout(duel, "a", 3)
    with pytest.raises(IllegalMove):
        save(duel, 1, if_(first, first))
    with pytest.raises(IllegalMove):
        save(duel, 1, if_(first, answer, if_(first, answer)))
    with pytest.raises(InvalidMove):
        save(duel, 1, if_(first, "nonsense"))
    with pytest.raises(InvalidMove, match="chance"):
        save(duel, 1, if_("=?", answer))
    with pytest.raises(BadPlan, match="when it is your turn"):
        save(duel, 1, if_([first, third], answer))
    with pytest.raises(BadPlan, match="before your turn"):
        save(duel, 1, if_([], answer))
    with pytest.raises(BadPlan, match="the same moves"):
        save(duel, 1, if_(ANY, answer), if_(ANY, third))


def test_nobody_can_plan_beyond_a_draw(cast):
    match = begun("azul", registry.get("azul").variants[0].key, cast.alice, cast.bob)
    line = playout(match, "a")
    last = max(index for index, (seat, _) in enumerate(line) if seat == 0)
    for _, text in line[:last]:
        play(match, text)
    rest = [text for _, text in line[last:]]
    beyond = if_([*rest, "1B1"], "1B2") if len(rest) == 1 else if_(rest[0], rest[1], if_("1B1", "1B2"))
    with pytest.raises(BadPlan, match="drawn"):
        save(match, 1, beyond)
    assert planning.look(now_at(match), 1, rest).closed
    with pytest.raises(NotNow, match="beyond this"):
        planning.look(now_at(match), 1, [*rest, "1B1"])


def test_other_spellings_are_kept_in_the_one_that_is_played(duel):
    line = playout(duel, "a", 2)
    turned = ",".join(reversed(line[0][1].split(",")))
    assert str(duel.rules.parse_move(turned)) == line[0][1] != turned
    assert save(duel, 1, if_(turned, line[1][1]))[0]["when"] == [line[0][1]]


def test_an_empty_plan_removes_the_one_before(duel):
    save(duel, 1, *planned(playout(duel, "a", 2), 1))
    assert save(duel, 1) == []
    assert not Plan.objects.exists()


# --- Nobody else learns of it

HIDING = [
    pytest.param(game, game.variants[0].key, id=game.key)
    for game in (CARDS, *registry.all_games())
    if not planning.is_open(game.start(game.variants[0].key))
]
OTHERS_PAGES = ("", "replay/", "record.json", "history/", "history.json", "since/", "plan/", "fairness/")


CHANGING = re.compile(
    r"""(?<=csrfmiddlewaretoken"\ value=")\w+ | (?<=csrf-token"\ content=")\w+   # masked anew for each page
      | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}                                   # ids of intents
      | \d{4}-\d\d-\d\dT[\d:.]+(\+\d\d:\d\d|Z)?                                # moments""",
    re.VERBOSE,
)


def bare(response: Any) -> str:
    """What was answered, without what is new with every answer."""
    return f"{response.status_code} {CHANGING.sub('', response.content.decode())}"


def differences(one: list[str], other: list[str]) -> list[str]:
    """Where two lists of answers part."""
    parted = []
    for here, there in zip(one, other, strict=True):
        if here != there:
            at = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
            parted.append(f"{here[max(0, at - 60) : at + 60]} | {there[max(0, at - 60) : at + 60]}")
    return parted


def test_others_get_the_same_bytes_whether_there_is_a_plan_or_not(cast, duel):
    line = playout(duel, "a", 4)
    play(duel, line[0][1])
    play(duel, line[1][1])
    browsers = [cast.at_browser(cast.alice), cast.at_browser(cast.carol), Client()]

    def heard() -> list[str]:
        return [bare(browser.get(f"/match/{duel.pk}/{page}")) for browser in browsers for page in (*OTHERS_PAGES, "?moves=all")]

    without = heard()
    save(duel, 1, if_(line[2][1], line[3][1]))
    assert not differences(heard(), without)
    Plan.objects.update(tree={"why": "illegal", "ply": 2, "text": line[3][1]})
    assert not differences(heard(), without)


def test_the_page_of_a_plan_is_only_there_for_its_seat(cast, duel):
    pages = [cast.at_browser(cast.carol), Client()]
    for browser in pages:
        for method, path in (("get", "plan/"), ("post", "plan/"), ("post", "plan/look/")):
            assert getattr(browser, method)(f"/match/{duel.pk}/{path}").status_code == 404
    assert cast.at_browser(cast.bob).get(f"/match/{duel.pk}/plan/").status_code == 200


def test_staff_cannot_look_at_plans():
    assert Plan not in admin.site._registry


@pytest.mark.long
@pytest.mark.parametrize(("game", "variant"), HIDING)
def test_planning_tells_nothing_of_two_worlds_that_the_seat_cannot_tell_apart(game: Game, variant: str, cast):
    worlds = two_worlds(game, variant, 1)
    assert worlds.differ
    heard = [told_in(worlds, number, cast) for number in (0, 1)]
    assert len(heard[0]) > 20
    assert not differences(*heard)


def told_in(worlds: Worlds, number: int, cast: Any) -> list[str]:
    """All that the viewer hears while it plans, at some moments of the match of that world."""
    people = [cast.alice, cast.bob, cast.carol, cast.dave][: worlds.game.variant(worlds.variant).seats]
    browser = cast.at_browser(people[1])
    plies = worlds.plies[number]
    chance = iter([ply for ply in plies if is_chance(str(ply))])

    def draw(match: Match, state: Any) -> Any:
        return next(chance)

    with connection.cursor() as cursor:  # a number that is nowhere else on a page
        cursor.execute("SELECT setval(pg_get_serial_sequence('matches_match', 'id'), %s, false)", [900_001 + number])
    seats = [Person(user) for user in people]
    match = start_match(worlds.game.key, worlds.variant, seats=seats, control=DAYS, now=NOW, secret=SECRET, draw=draw)
    others = [index for index, state in enumerate(worlds.states(number)) if state.to_move == 0]
    moments = set(others[:: max(1, len(others) // 5)])
    told: list[str] = []
    for index, ply in enumerate(plies):
        match = now_at(match)
        if index in moments:
            told += asked(browser, match, [str(move) for one in worlds.plies for move in one[index : index + 4]])
            Plan.objects.all().delete()
        if not is_chance(str(ply)):
            assert match.to_move is not None
            play_move(match.pk, match.to_move, str(ply), ply=match.ply, now=NOW, draw=draw)
    match.delete()
    return told


def asked(browser: Client, match: Match, moves: list[str]) -> list[str]:
    """What the owner is told of plans with these moves, some possible and some not."""
    url, ply, json_ = f"/match/{match.pk}/plan/", match.ply, "application/json"
    trees = [[if_(when, move)] for move in moves for when in (ANY, moves[0])]
    answers = [browser.post(url, {"tree": tree, "ply": ply}, content_type=json_) for tree in trees]
    answers += [browser.post(f"{url}look/", {"line": line, "ply": ply}, content_type=json_) for line in ([], [ANY], moves[:1])]
    return [bare(answer).replace(str(match.pk), "MATCH") for answer in (browser.get(url), *answers)]


# --- The page


def test_a_plan_is_saved_as_json_and_the_page_shows_it_again(cast, duel):
    line = playout(duel, "a", 2)
    browser = cast.at_browser(cast.bob)
    tree = planned(line, 1)
    answer = browser.post(f"/match/{duel.pk}/plan/", {"tree": tree, "ply": 0}, content_type="application/json")
    assert (answer.status_code, answer.json()) == (200, {"tree": tree, "lines": 1})
    page = browser.get(f"/match/{duel.pk}/plan/").context["page"]
    assert (page["tree"], page["ply"], page["may"], page["open"]) == (tree, 0, True, True)
    shown = browser.get(f"/match/{duel.pk}/").context["page"]
    assert (shown["plan_url"], shown["plan"]) == (f"/match/{duel.pk}/plan/", {"lines": 1, "ended": ""})


@pytest.mark.parametrize(
    ("body", "status"),
    [({"tree": [], "ply": 3}, 409), ({"tree": 3, "ply": 0}, 400), ({"tree": []}, 400), ({"tree": [], "ply": True}, 400),
     ({"tree": [], "ply": 0, "seat": 0}, 400), ({"tree": [{"when": ["*"], "play": "x", "then": []}], "ply": 0}, 400)],
)  # fmt: skip
def test_what_cannot_be_saved_is_refused_with_a_sentence(body, status, cast, duel):
    answer = cast.at_browser(cast.bob).post(f"/match/{duel.pk}/plan/", body, content_type="application/json")
    assert answer.status_code == status
    assert answer.json()["message"].endswith(".")


def test_a_body_that_is_too_deep_or_too_long_is_refused(cast, duel):
    browser = cast.at_browser(cast.bob)
    for body in ("[" * 100_000, '{"tree": "' + "x" * 200_000 + '", "ply": 0}', "\x00", " "):
        assert browser.post(f"/match/{duel.pk}/plan/", body, content_type="application/json").status_code == 400


def test_the_board_looks_ahead_along_a_line(cast, duel):
    line = playout(duel, "a", 3)
    browser = cast.at_browser(cast.bob)

    def look(*moves: str, ply: int = 0) -> Any:
        return browser.post(f"/match/{duel.pk}/plan/look/", {"line": list(moves), "ply": ply}, content_type="application/json")

    for count in range(4):
        told = look(*(text for _, text in line[:count])).json()
        assert (told["to_move"], told["ended"], bool(told["position"]["offer"])) == (count % 2, False, True)
    assert (look(ANY).json()["to_move"], look(ANY, line[1][1]).json()["ended"]) == (1, True)
    assert look(ANY, line[1][1], line[2][1]).status_code == 409
    assert look("nonsense").status_code == look(line[0][1], ply=1).status_code == 409
    assert browser.post(f"/match/{duel.pk}/plan/look/", {"line": [3], "ply": 0}, content_type="application/json").status_code == 400


def test_without_script_a_form_plans_one_answer_to_anything(cast, duel):
    browser = cast.at_browser(cast.bob)
    page = browser.get(f"/match/{duel.pk}/plan/")
    answer = page.context["moves"][5]
    assert f"<option>{answer}</option>" in page.content.decode()
    told = browser.post(f"/match/{duel.pk}/plan/", {"play": answer, "ply": 0}, follow=True)
    assert "Your plan is saved." in told.content.decode()
    assert f"After anything: {answer}" in told.content.decode()
    play(duel, playout(duel, "a", 1)[0][1])
    assert texts(duel)[1] == answer
    told = browser.post(f"/match/{duel.pk}/plan/", {"play": answer, "ply": 0}, follow=True)
    assert "The position has changed" in told.content.decode()


def test_in_a_live_match_there_is_nothing_to_plan(cast):
    match = begun("blokus", "duo-2", cast.alice, cast.bob, control=TimeControl.parse("5m+5s"))
    browser = cast.at_browser(cast.bob)
    assert browser.get(f"/match/{match.pk}/plan/").status_code == 302
    assert browser.get(f"/match/{match.pk}/").context["page"]["plan_url"] is None
