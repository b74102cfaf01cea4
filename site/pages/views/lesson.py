"""Lessons: the page of a game's lesson, and the answers to the moves that its reader tries. Nothing is stored."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.players import player_of
from games import registry
from games.kit import lesson as lessons
from games.kit.lesson import Step
from games.kit.protocol import Game
from matches import payloads, words
from matches.services import LONGEST_TEXT
from pages.views.home import choice_of

LONGEST_BODY = 4 * 1024


def found(key: str) -> tuple[Game, tuple[Step, ...]]:
    """A game and the steps of its lesson, or the page that says there is none."""
    try:
        game = registry.get(key)
    except registry.UnknownGame as reason:
        raise Http404(str(reason)) from None
    steps = game.lesson()
    if not steps:
        raise Http404(f"{game.name} has no lesson.")
    return game, steps


@never_cache
@require_safe
def lesson(request: HttpRequest, key: str) -> HttpResponse:
    """The lesson of a game, all steps at once; the script shows one at a time."""
    game, steps = found(key)
    page = {"game": game.key, "steps": [payloads.lesson_step(game, step) for step in steps], "answer_url": reverse("lesson", args=[key])}
    choice = choice_of(request, player_of(request.session, request.user), game)
    return render(request, "pages/lesson.html", {"game": words.in_words(game), "page": page, "choice": choice})


@require_POST
def answer(request: HttpRequest, key: str, number: int) -> JsonResponse:
    """Judges the move `{text}` in step `number`, counted from 1: `{done, legal, message, position}`.

    The position is the one after the move when the step is done, else null. 400 for what is no such JSON.
    """
    game, steps = found(key)
    if not 1 <= number <= len(steps):
        raise Http404
    step, text = steps[number - 1], _text(request)
    if text is None:
        return JsonResponse({"done": False, "legal": False, "message": "", "position": None}, status=HTTPStatus.BAD_REQUEST)
    verdict = lessons.answer(game, step, text)
    after = payloads.lesson_position(game, step, verdict.after, over=True) if verdict.done and verdict.after else None
    told = {"done": verdict.done, "legal": verdict.after is not None, "message": words.say(verdict.message), "position": after}
    return JsonResponse(told)


def _text(request: HttpRequest) -> str | None:
    """The move that was posted; `None` when the body holds none."""
    if request.content_type != "application/json" or len(request.body) > LONGEST_BODY:
        return None
    try:
        data: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    text = data.get("text") if isinstance(data, dict) else None
    return text if isinstance(text, str) and len(text) <= LONGEST_TEXT else None
