"""The analysis board, and the studies that are kept of it: list, page, saving as JSON, sharing, copying, deleting."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.players import ensure_player, player_of
from games import registry
from games.kit.protocol import laid_open
from matches import words
from matches.errors import MatchError
from studies import guard, keeping, positions, trees
from studies.keeping import Content
from studies.models import Study
from studies.positions import Line, NotPlayable, StillRunning, Way

Payload = dict[str, Any]
LONGEST_BODY = 1024 * 1024
"""As much as the longest notes to the most moves take."""
PER_PAGE = 20
MOST_IN_ADDRESS = 60
"""Tried moves that an address may name."""
NEW, KEPT = {"source", "title", "shared", "tree"}, {"version", "title", "shared", "tree"}
STATUS: dict[type[MatchError], HTTPStatus] = {
    trees.BadTree: HTTPStatus.BAD_REQUEST,
    positions.BadQuestion: HTTPStatus.BAD_REQUEST,
    positions.NoSuchLine: HTTPStatus.NOT_FOUND,
    keeping.NoSuchStudy: HTTPStatus.NOT_FOUND,
}


# --- The board


@never_cache
@require_safe
def of_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Try moves from any ply of a match that is over; `?ply=17&move=…&move=…` opens it there. A running one is played, not analysed."""
    home = (reverse("replay", args=[match_id]), gettext("Replay"))
    try:
        return _board(request, {"match": match_id}, home)
    except StillRunning as reason:
        messages.info(request, words.say(reason))
        return redirect("match", match_id=match_id)


@never_cache
@require_safe
def of_imported(request: HttpRequest, token: str) -> HttpResponse:
    """The same from a record that somebody brought."""
    return _board(request, {"imported": token}, (reverse("imported", args=[token]), gettext("Replay")))


@never_cache
@require_safe
def of_game(request: HttpRequest, game: str, variant: str) -> HttpResponse:
    """The same from the start of a variant."""
    return _board(request, {"game": game, "variant": variant}, (reverse("studies"), gettext("Your studies")))


def _board(request: HttpRequest, source: Payload, home: tuple[str, str]) -> HttpResponse:
    player = player_of(request.session, request.user)
    try:
        line = trees.spelt(positions.line_of(source, player))
    except (positions.NoSuchLine, positions.BadQuestion) as reason:
        raise Http404(str(reason)) from None
    page = _page(request, line, (), default=len(line.plies))
    page |= {"source": source, "title": keeping.title_for(line), "study": None}
    return render(request, "studies/analysis.html", _context(line, page, (), home))


def _page(request: HttpRequest, line: Line, tree: Sequence[trees.Node], *, default: int) -> Payload:
    """What the script starts from, but for the source and what is kept."""
    player = player_of(request.session, request.user)
    movers, tried = trees.seats(line, tree)
    way = _way(request, line, default)
    return {
        **positions.table_of(line),
        "seats": positions.seats_of(line),
        "private": line.match is not None and line.match.private,
        "line": [{"text": text, "seat": seat} for text, seat in zip(line.plies, movers, strict=True)],
        "tree": [node | {"seat": tried[node["id"]]} for node in tree],
        "end_view": laid_open(line.positions()[-1].state).view(None),
        "ply": way.ply,
        "tried": [{"text": str(one.last.move), "seat": one.last.seat} for one in way.positions[way.ply + 1 :] if one.last is not None],
        **_shown(player, way),
        "look_url": reverse("analysis_look"),
        "evaluate_url": reverse("analysis_evaluate"),
        "save_url": reverse("studies"),
        "longest_note": trees.LONGEST_NOTE,
        "longest_title": keeping.LONGEST_TITLE,
    }


def _way(request: HttpRequest, line: Line, default: int) -> Way:
    """The way that the address names, as far as it can be played."""
    asked, moves = request.GET.get("ply", ""), request.GET.getlist("move")[:MOST_IN_ADDRESS]
    ply = min(int(asked), len(line.plies)) if asked.isascii() and asked.isdecimal() and len(asked) < 7 else default
    try:
        return positions.way_to(line, ply, moves)
    except NotPlayable as refused:
        return positions.way_to(line, ply, moves[: refused.at])
    except positions.BadQuestion:
        return positions.way_to(line, ply, [])


def _shown(player: User | None, way: Way) -> Payload:
    """The position that the page opens at, so that it need not ask; nothing where `player` may not look."""
    try:
        guard.check(player, way, bot=False)
    except guard.PlayedNow:
        return {"position": None, "due": None}
    return {"position": positions.shown(way), "due": positions.due(way.end)}


def _context(line: Line, page: Payload, tree: Sequence[trees.Node], home: tuple[str, str]) -> Payload:
    """What the template needs beside the page's data: the same for reading without scripts."""
    drawn = page["position"] and line.rules.picture(line.variant.key, page["position"]["view"])
    return {
        "page": page,
        "game": words.in_words(line.rules),
        "variant": words.variant_in_words(line.variant),
        "match": line.match,
        "imported": line.imported,
        "home": {"url": home[0], "name": home[1]},
        "strands": _strands(line, tree),
        "picture": mark_safe(drawn) if drawn else "",  # noqa: S308 - built by games.kit.svg, which escapes
    }


def _strands(line: Line, tree: Sequence[trees.Node]) -> list[trees.Strand]:
    """The tree as text, each tried move with the address at which it is shown."""
    ways: dict[int, tuple[int, list[str]]] = {}
    for node in tree:
        ply, moves = (-node["parent"], []) if node["parent"] <= 0 else ways[node["parent"]]
        ways[node["id"]] = ply, [*moves, node["text"]]
    found = trees.strands(line, tree)
    for told in (told for strand in found for told in strand.plies if not told["line"]):
        ply, moves = ways[told["id"]]
        told["way"] = urlencode([("ply", ply), *(("move", text) for text in moves)])
    return found


# --- Studies


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def studies(request: HttpRequest) -> HttpResponse:
    """One's studies; a POST keeps a new one: JSON `{source, title, shared, tree}`, answered as `_told` says."""
    if request.method == "POST":
        return _answered(lambda: _made(request))
    player = player_of(request.session, request.user)
    own = Study.objects.filter(owner=player).order_by("-changed_at", "-id") if player else Study.objects.none()
    page = Paginator(own.select_related("match"), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "studies": page,
        "rows": [_row(study) for study in page],
        "games": [words.in_words(game) for game in registry.all_games()],
    }
    return render(request, "studies/studies.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, token: str) -> HttpResponse:
    """A study, for its owner and, where it is shared, for who has the link; a POST keeps it: JSON `{version, title, shared, tree}`."""
    if request.method == "POST":
        return _answered(lambda: _kept(request, token))
    player = player_of(request.session, request.user)
    try:
        shown = keeping.readable(token, player)
    except keeping.NoSuchStudy as reason:
        raise Http404(str(reason)) from None
    line = positions.of_study(shown)
    page = _page(request, line, shown.tree, default=_first(line, shown.tree))
    own = player is not None and shown.owner_id == player.pk
    page |= {"source": {"study": shown.token}, "title": shown.title, "study": _told(shown) | {"own": own}}
    context = _context(line, page, shown.tree, (reverse("studies"), gettext("Your studies")))
    return render(request, "studies/study.html", context | {"study": shown, "own": own})


@require_POST
def copy(request: HttpRequest, token: str) -> HttpResponse:
    """Make a study that one may read one's own, too."""
    try:
        fresh = keeping.copy(token, ensure_player(request), timezone.now())
    except keeping.NoSuchStudy as reason:
        raise Http404(str(reason)) from None
    except MatchError as reason:
        messages.error(request, words.say(reason))
        return redirect("study", token=token)
    messages.success(request, gettext("This is your copy. What you change here changes nothing for others."))
    return redirect("study", token=fresh.token)


@require_POST
def share(request: HttpRequest, token: str) -> HttpResponse:
    """Let who has the link read a study, `shared=1`, or nobody else."""
    try:
        kept = keeping.share(token, player_of(request.session, request.user), request.POST.get("shared") == "1", timezone.now())
    except keeping.NoSuchStudy as reason:
        raise Http404(str(reason)) from None
    messages.success(request, gettext("Who has the link may read it now.") if kept.shared else gettext("Only you can read it now."))
    return redirect("study", token=token)


@require_POST
def delete(request: HttpRequest, token: str) -> HttpResponse:
    """Delete one's study."""
    try:
        gone = keeping.own(token, player_of(request.session, request.user))
    except keeping.NoSuchStudy as reason:
        raise Http404(str(reason)) from None
    gone.delete()
    messages.success(request, gettext("“{title}” is deleted.").format(title=gone.title))
    return redirect("studies")


def _made(request: HttpRequest) -> Study:
    body = _body(request, NEW)
    source, player = body["source"], player_of(request.session, request.user)
    line = positions.line_of(source, player)
    if isinstance(source, dict) and "study" in source:
        line = positions.of_study(keeping.readable(source["study"], player))
    return keeping.make(ensure_player(request), line, _content(body), timezone.now())


def _kept(request: HttpRequest, token: str) -> Study:
    body = _body(request, KEPT)
    version = body["version"]
    if version is not None and type(version) is not int:
        raise trees.BadTree
    return keeping.change(token, player_of(request.session, request.user), _content(body), version, timezone.now())


def _content(body: Payload) -> Content:
    if not isinstance(body["title"], str) or not isinstance(body["shared"], bool) or "\0" in body["title"]:
        raise trees.BadTree
    return Content(body["title"], body["shared"], body["tree"])


def _answered(act: Callable[[], Study]) -> JsonResponse:
    """What was kept, or the refusal `{code, message}`."""
    try:
        return JsonResponse(_told(act()))
    except trees.Unplayable as refused:
        sentence = gettext("The move {move} cannot be played: {reason}").format(move=refused.text, reason=words.say(refused.cause))
        return JsonResponse({"code": "unplayable", "message": sentence, "node": refused.node}, status=HTTPStatus.BAD_REQUEST)
    except MatchError as reason:
        fitting = next((STATUS[kind] for kind in type(reason).__mro__ if kind in STATUS), HTTPStatus.CONFLICT)
        return JsonResponse({"code": reason.code, "message": words.say(reason)}, status=fitting)


def _told(kept: Study) -> Payload:
    """A study as its page knows it: `{token, url, title, shared, version}`."""
    url = reverse("study", args=[kept.token])
    return {"token": kept.token, "url": url, "title": kept.title, "shared": kept.shared, "version": kept.version}


def _row(kept: Study) -> Payload:
    """A study in the list."""
    rules = kept.rules
    return {
        "study": kept,
        "url": reverse("study", args=[kept.token]),
        "about": f"{words.say(rules.name)} · {words.say(kept.rules_variant.name)}",
        "emblem": f"{kept.game}/emblem.svg",
        "tried": len(kept.tree),
        "notes": sum(bool(node["note"]) for node in kept.tree),
    }


def _first(line: Line, tree: Sequence[trees.Node]) -> int:
    """The ply at which a study begins to differ from its line; the end where it does not."""
    return next((-node["parent"] for node in tree if node["parent"] <= 0), len(line.plies))


def _body(request: HttpRequest, fields: set[str]) -> Payload:
    """The JSON object that was posted, with exactly these fields. Raises `BadTree` for anything else."""
    if request.content_type != "application/json" or len(request.body) > LONGEST_BODY:
        raise trees.BadTree
    try:
        data: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        raise trees.BadTree from None
    if not isinstance(data, dict) or data.keys() != fields:
        raise trees.BadTree
    return data
