"""How somebody's rating went, and the ranks month by month: the figures on a ladder's page."""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from ladder import periods, scale, standings
from ladder.charts import Chart, Series
from ladder.models import Placing, RatingChange

MATCHES = 200
"""How far back a line goes."""
MONTHS = 24


def charts_of(user: User, game: str, pace: str, period: str = periods.ALL_TIME) -> list[Chart]:
    """The rating after each of the last matches of the period; for all time also the rank in each month. Those with two points or more."""
    charts = [rating_chart(user, game, pace, period)]
    if period == periods.ALL_TIME:
        charts.append(rank_chart(user, game, pace))
    return [chart for chart in charts if len(chart.x) > 1]


def rating_chart(user: User, game: str, pace: str, period: str = periods.ALL_TIME) -> Chart:
    """The rating after each of the last matches. One query."""
    changes = RatingChange.objects.filter(user=user, rated__game=game, rated__pace=pace, mu_after__isnull=False)
    if period != periods.ALL_TIME:
        span = periods.span(period)
        changes = changes.filter(rated__ended_at__gte=span.starts, rated__ended_at__lt=span.ends)
    newest = changes.order_by("-rated__number").values_list("rated__ended_at", "mu_after")[:MATCHES]
    points = [(at, scale.shown(mu)) for at, mu in newest if mu is not None][::-1]
    series = Series(_("Rating"), [rating for _at, rating in points])
    return Chart("own-rating", _("Your rating"), _("Day"), [at for at, _rating in points], [series])


def rank_chart(user: User, game: str, pace: str) -> Chart:
    """The rank at the end of each month in which the person was listed, the running one included. Two queries."""
    rows = Placing.objects.filter(user=user, game=game, pace=pace, listed=True, period__regex=r"^\d{4}-\d\d$")
    months = list(rows.order_by("-period")[:MONTHS])[::-1]
    series = Series(_("Rank"), [rank.number for rank in standings.ranks_of(months)])
    names = [date_format(periods.span(row.period).starts, "M Y") for row in months]
    return Chart("own-rank", _("Your rank, month by month"), _("Month"), names, [series], reverse=True)
