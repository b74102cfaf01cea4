"""Ratings, ladders and seasons in the admin: read only, since they follow from the results and from nothing else."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.staff import ReadOnly, ReadOnlyRows
from ladder.models import Placing, Pool, RatedMatch, Rating, RatingChange, Season, SeasonPlace

MOST_PLACES = 20
"""Places per division that a season's page shows; the list of all is a link away."""


@admin.register(Pool)
class PoolAdmin(ReadOnly):
    """Shows how far the rating of a game has come."""

    list_display = ("game", "pace", "next_number", "applied_number")


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    """Who stands where."""

    list_display = ("user", "game", "pace", "mu", "sigma", "matches", "updated_at")
    list_filter = ("game", "pace")
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(Placing)
class PlacingAdmin(ReadOnly):
    """The rows of the ladders."""

    list_display = ("user", "game", "pace", "period", "country", "mu", "sigma", "matches", "listed", "updated_at")
    list_filter = ("game", "pace", "period", "listed")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    show_full_result_count = False


class Changes(ReadOnlyRows):
    """What a match changed, seat by seat."""

    model = RatingChange
    fields = readonly_fields = ("seat", "user", "level", "mu_before", "sigma_before", "mu_after", "sigma_after")


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnly):
    """Shows what counts, and what waits."""

    list_display = ("match_id", "game", "pace", "number", "ranks", "ended_at", "applied_at")
    list_filter = ("game", "pace", "applied_at")
    search_fields = ("=match_id",)
    inlines = (Changes,)


@admin.register(Season)
class SeasonAdmin(ReadOnly):
    """Seasons, with the first places of each division."""

    list_display = ("key", "game", "pace", "closed_at")
    list_filter = ("game", "pace", "key")
    ordering = ("-key", "game", "pace")
    fields = ("key", "game", "pace", "closed_at", "places")
    readonly_fields = ("places",)

    @admin.display(description=_("places"))
    def places(self, season: Season) -> str:
        """Who leads each division, and the way to all of them."""
        found: list[SeasonPlace] = []
        for division in season.places.order_by("division").values_list("division", flat=True).distinct():
            found += season.places.filter(division=division).select_related("user").order_by("-points", "pk")[:MOST_PLACES]
        rows = format_html_join(
            "", "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            ((one.division, one.user or "–", one.points, one.place or "–", one.get_outcome_display() or "–") for one in found),
        )  # fmt: skip
        heads = format_html_join("", "<th>{}</th>", ((head,) for head in (_("division"), _("user"), _("points"), _("place"), _("outcome"))))
        count = season.places.count()
        every = ngettext("{n} place", "{n} places", count).format(n=count)
        address = f"{reverse('admin:ladder_seasonplace_changelist')}?{urlencode({'season__id__exact': season.pk})}"
        table = format_html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", heads, rows)
        return format_html('{}<p><a href="{}">{}</a></p>', table, address, every)


@admin.register(SeasonPlace)
class SeasonPlaceAdmin(ReadOnly):
    """Everybody's part in the seasons."""

    list_display = ("user", "season", "division", "points", "matches", "place", "outcome")
    list_filter = ("season", "division", "outcome")
    list_select_related = ("user", "season")
    search_fields = ("user__username",)
    show_full_result_count = False
