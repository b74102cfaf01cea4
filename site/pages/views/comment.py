"""Telling the moderators about a comment to a ply: the shelf knows the comment, fair play has the form."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.players import player_of
from care.views import reports
from matches.models import Match
from shelf import comments
from shelf.subject import subject_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, comment_id: int) -> HttpResponse:
    """Report a comment that everybody may read."""
    player = player_of(request.session, request.user)
    row = comments.seen_by(comment_id, player)
    if row is None or row.match is None or row.user == player:
        raise Http404("There is no such comment.")
    match = Match.objects.with_seats().get(pk=row.match.pk)
    back = f"{subject_of(row).url}?ply={row.ply}#comment-{row.pk}"
    return reports.written(request, row.user, match, row.text, back)
