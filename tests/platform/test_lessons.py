"""The pages of the lessons, and the answers to what their readers try."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import registry
from games.kit import lesson
from games.kit.protocol import Game

pytestmark = pytest.mark.django_db
every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in registry.all_games() if game.lesson()])


def tried(client: Client, game: Game, number: int, body: object, **more: str) -> tuple[int, dict]:
    content = body if isinstance(body, str) else json.dumps(body)
    response = client.post(reverse("lesson_answer", args=[game.key, number]), content, content_type="application/json", **more)
    return response.status_code, response.json() if response["Content-Type"] == "application/json" else {}


@every_game
def test_the_page_holds_every_step_and_names_nobody_new(client, game):
    response = client.get(reverse("lesson", args=[game.key]))
    page = response.context["page"]
    assert [step["title"] for step in page["steps"]] == [step.title for step in game.lesson()]
    for shown, step in zip(page["steps"], game.lesson(), strict=True):
        assert (shown["position"]["offer"] is not None) == shown["asks"] == step.asks
        assert shown["position"]["view"] == lesson.position(game, step).view(step.seat)
    assert not User.objects.exists()
    for name in ("home", "game"):
        assert reverse("lesson", args=[game.key]) in client.get(reverse(name, args=[game.key] if name == "game" else [])).content.decode()


@every_game
def test_a_move_that_is_asked_for_is_praised_and_shown(client, game):
    number, step = next((number, step) for number, step in enumerate(game.lesson(), 1) if step.asks)
    legal = [str(move) for move in lesson.position(game, step).legal_moves()]
    text = next(text for text in legal if lesson.answer(game, step, text).done)
    status, told = tried(client, game, number, {"text": text})
    assert (status, told["done"], told["legal"], told["message"]) == (200, True, True, step.praise)
    assert told["position"]["offer"] is None
    assert told["position"]["ply"] == len(step.plies) + 1


@every_game
def test_nonsense_is_refused_by_the_rules_and_no_json_by_the_site(client, game):
    number = next(number for number, step in enumerate(game.lesson(), 1) if step.asks)
    status, told = tried(client, game, number, {"text": "nonsense"})
    assert (status, told["done"], told["legal"], told["position"]) == (200, False, False, None)
    assert told["message"]
    for body in ("", "[]", "{", '"x"', {"text": 1}, {"text": "x" * 1000}, {}, "[" * 3000, "x" * 10_000):
        assert tried(client, game, number, body)[0] == 400


def test_a_legal_move_that_is_not_asked_for_gets_the_hint(client):
    game = registry.get("blokus")
    number, step = next((number, step) for number, step in enumerate(game.lesson(), 1) if step.hint)
    legal = [str(move) for move in lesson.position(game, step).legal_moves()]
    text = next(text for text in legal if not lesson.answer(game, step, text).done)
    assert tried(client, game, number, {"text": text})[1] == {"done": False, "legal": True, "message": step.hint, "position": None}


def test_what_does_not_exist_is_a_404_and_an_answer_needs_its_token(client):
    game = registry.get("blokus")
    assert client.get(reverse("lesson", args=["cards"])).status_code == 404
    assert client.get(reverse("lesson", args=["chess"])).status_code == 404
    for number in (0, len(game.lesson()) + 1):
        assert tried(client, game, number, {"text": "a1"})[0] == 404
    assert client.get(reverse("lesson_answer", args=["blokus", 1])).status_code == 405
    assert tried(Client(enforce_csrf_checks=True), game, 1, {"text": "a1"})[0] == 403
