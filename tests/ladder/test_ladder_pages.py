"""The pages of the ladders and seasons: what they show, to whom, and that nothing odd in an address breaks them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import ties
from accounts.models import User
from ladder import course, divisions, listing, periods, season, seasons, standings, tables, tasks
from ladder.charts import Chart, Series
from ladder.models import Placing, Pool, RatedMatch, RatingChange, Season, SeasonPlace
from tests.ladder.conftest import POOL, People
from tests.ladder.test_standings import PROVISIONAL, place, placed

LADDER = "/ladders/blokus/live/"
_numbers = count(1)


@pytest.fixture
def crowd(people: People) -> list[User]:
    """Sixty people from the first to the last: more than two pages."""
    users = placed(people, *(40.0 - number / 4 for number in range(60)), country="NL")
    User.objects.filter(pk__in=[user.pk for user in users]).update(country="NL")
    return users


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def shown(answer: Any) -> list[str]:
    return [row["user"].username for row in answer.context["rows"]]


def test_the_list_leads_down_and_back_and_to_where_one_is(crowd: list[User]) -> None:
    client = signed_in(crowd[40])
    first = client.get(LADDER)
    assert shown(first) == [f"p{number}" for number in range(25)]
    second = client.get(first.context["on"])
    third = client.get(second.context["on"])
    assert shown(second)[0] == "p25" and shown(third)[-1] == "p59" and not third.context["on"]
    assert shown(client.get(third.context["back"])) == shown(second)
    assert shown(client.get(second.context["back"])) == shown(first)
    around = client.get(first.context["own"]["url"])
    assert shown(around)[12] == "p40"
    assert b'id="own"' in around.content


def test_ones_own_place_stands_on_every_page_with_the_neighbours(crowd: list[User]) -> None:
    own = signed_in(crowd[40]).get(LADDER).context["own"]
    assert (own["rank"], own["ahead_of"], own["listed"]) == (41, 32, True)
    assert [row["user"].username for row in own["rows"]] == ["p38", "p39", "p40", "p41", "p42"]
    assert "Rank 41" in signed_in(crowd[40]).get(LADDER).content.decode()
    assert signed_in(crowd[40]).get(LADDER + "?among=country").context["own"]["rank"] == 41


def test_who_is_not_ranked_yet_reads_how_many_matches_it_takes(crowd: list[User], people: People) -> None:
    place(people.new, 30.1, sigma=PROVISIONAL)
    answer = signed_in(people.new).get(LADDER)
    to_go = answer.context["own"]["to_go"]
    assert to_go > 1
    assert f"About {to_go} more matches and you are ranked" in answer.content.decode()
    assert "With your rating of now you would be rank 41." in answer.content.decode()


def test_a_young_ladder_shows_those_who_are_on_the_way_and_a_full_page_does_not(people: People) -> None:
    place(people.new, 30.1, sigma=PROVISIONAL)
    assert [row["user"].username for row in Client().get(LADDER).context["waiting"]] == ["new"]
    assert "On the way to a rank" in Client().get(LADDER).content.decode()
    placed(people, *(40.0 - number / 4 for number in range(standings.PAGE)))
    assert Client().get(LADDER).context["waiting"] == []


def test_friends_are_those_one_made_friends_and_oneself(crowd: list[User]) -> None:
    me, friend, follow = crowd[10], crowd[3], crowd[5]
    ties.tie(me, friend, ties.Tie.Kind.FRIEND, now=timezone.now())
    ties.tie(me, follow, ties.Tie.Kind.FOLLOW, now=timezone.now())
    assert shown(signed_in(me).get(LADDER + "?among=friends")) == ["p3", "p10"]
    assert shown(signed_in(friend).get(LADDER + "?among=friends")) == ["p3"], "a friend is one's own choice"
    assert "Sign in to compare" in Client().get(LADDER + "?among=friends").content.decode()


def test_a_country_is_ones_own_or_the_one_that_was_chosen(crowd: list[User], people: People) -> None:
    place(people.ida, 33.3, country="IT")
    assert signed_in(crowd[0]).get(LADDER + "?among=country").context["people"] == 60
    assert shown(Client().get(LADDER + "?among=country&country=IT")) == ["ida"]
    assert "Choose a country" in Client().get(LADDER + "?among=country").content.decode()
    assert Client().get(LADDER + "?among=country&country=XX").status_code == 200


def test_earlier_months_and_seasons_can_be_looked_at(people: People) -> None:
    place(people.ann, 30.0, period="2026-02")
    answer = Client().get(LADDER + "?period=2026-02")
    assert shown(answer) == ["ann"]
    assert ("2026-02", "February 2026") in answer.context["periods"]
    now = timezone.now()
    assert [key for key, _ in answer.context["periods"]] == ["", periods.season_of(now), periods.month_of(now), "2026-02"]


PERIODS = ("period=2026-13", "period=x", "among=x", "country=%00")
PLACES = ("after=", "after=x_1", "before=nan_1", "around=1e400_1", "after=0_1", "before=99_1", "around=-5_7")


@pytest.mark.parametrize("query", [*PERIODS, *PLACES])
def test_an_address_that_makes_no_sense_still_shows_a_list(crowd: list[User], query: str) -> None:
    answer = signed_in(crowd[0]).get(f"{LADDER}?{query}", follow=True)
    assert answer.status_code == 200
    assert shown(answer)


def test_there_is_no_ladder_of_what_does_not_exist(db: None) -> None:
    ladders = ("/ladders/chess/live/", "/ladders/blokus/blitz/")
    for path in (*ladders, "/seasons/blokus/live/2026-11/", "/seasons/blokus/live/2999-Q1/", "/seasons/chess/live/"):
        assert Client().get(path).status_code == 404


def test_all_ladders_are_shown_with_their_first_three_and_ones_own_rank(crowd: list[User]) -> None:
    answer = signed_in(crowd[9]).get("/ladders/")
    pool = next(game for game in answer.context["games"] if game["key"] == "blokus")["pools"][0]
    assert [row["user"].username for row in pool["rows"]] == ["p0", "p1", "p2"]
    assert pool["own"]["rank"] == 10
    assert "You: rank 10" in answer.content.decode()


def test_a_page_takes_as_many_queries_for_the_last_as_for_the_first(crowd: list[User]) -> None:
    client = signed_in(crowd[59])
    counts = []
    for query in ("", "?around=" + str(standings.cursor_of(Placing.objects.get(user=crowd[55])))):
        client.get(LADDER + query)
        with CaptureQueriesContext(connection) as sent:
            client.get(LADDER + query)
        counts.append(len([1 for each in sent if "ladder_" in each["sql"]]))
    assert max(counts) <= 14
    assert abs(counts[0] - counts[1]) <= 1


def rated(user: User, mu: float, at: datetime) -> None:
    """A match that brought somebody to this strength."""
    number = next(_numbers)
    match = RatedMatch.objects.create(match_id=number, game=POOL[0], pace=POOL[1], number=number, ended_at=at, ranks=[1, 2], applied_at=at)
    RatingChange.objects.create(rated=match, seat=0, user=user, mu_before=mu, sigma_before=2, mu_after=mu, sigma_after=2)


def test_the_figures_show_the_rating_match_by_match_and_the_rank_month_by_month(people: People) -> None:
    ann, bob = people.ann, people.bob
    start = datetime(2026, 1, 20, tzinfo=UTC)
    for number in range(3):
        rated(ann, 25.0 + number, start + timedelta(days=15 * number))
    for period, own, other in (("2026-01", 25.0, 26.0), ("2026-02", 27.0, 26.0)):
        place(ann, own, period=period)
        place(bob, other, period=period)
    rating, rank = course.charts_of(ann, *POOL)
    assert [list(series.y) for series in (*rating.series, *rank.series)] == [[1500, 1530, 1560], [2, 1]]
    assert rank.reverse and rank.data["labels"] == ["Jan 2026", "Feb 2026"]
    (february,) = course.charts_of(ann, *POOL, "2026-02")
    assert list(february.series[0].y) == [1530, 1560]
    page = signed_in(ann).get(LADDER).content.decode()
    assert 'data-chart="line"' in page and "The same in numbers" in page


def test_a_chart_says_in_its_table_what_it_draws() -> None:
    day = datetime(2026, 3, 1, tzinfo=UTC)
    both = [Series("All", [12_345, None]), Series("Won", [1.2, 0])]
    chart = Chart("x", "Matches", "Day", [day, day + timedelta(days=1)], both, unit="%", decimals=1)
    assert chart.head == ["Day", "All", "Won"]
    assert chart.rows == [["March 1, 2026", "12,345.0\xa0%", "1.2\xa0%"], ["March 2, 2026", "–", "0.0\xa0%"]]
    assert chart.data["x"] == [day.timestamp(), day.timestamp() + 86400]
    with pytest.raises(ValueError):
        Chart("x", "Matches", "Day", [day], [Series("All", [])])


# --- Seasons


def in_season(people: People, division: int, *rows: tuple[int, int], key: str = "", prefix: str = "s") -> list[User]:
    """People of a division with these points and matches, in the season that runs unless another is named."""
    of = seasons.open_season(*POOL, key or periods.season_of(timezone.now()))
    users = [getattr(people, f"{prefix}{number}") for number in range(len(rows))]
    SeasonPlace.objects.bulk_create(
        SeasonPlace(season=of, user=user, division=division, points=points, matches=matches)
        for user, (points, matches) in zip(users, rows, strict=True)
    )
    return users


def season_page(client: Client, query: str = "") -> Any:
    return client.get(reverse("season_now", args=POOL) + query, follow=True) if not query else client.get(
        reverse("season", args=[*POOL, periods.season_of(timezone.now())]) + query
    )


def test_a_season_shows_ones_own_division_first_with_the_lines(people: People) -> None:
    users = in_season(people, 3, *((100 - 10 * number, 5) for number in range(8)))
    in_season(people, 1, (500, 9), (400, 9), prefix="low")
    answer = season_page(signed_in(users[6]))
    assert [division.number for division, _, _ in answer.context["divisions"]] == [3, 1]
    assert answer.context["division"] == divisions.called(3)
    assert (answer.context["up"], answer.context["down"], answer.context["down_from"]) == (2, 2, 7)
    assert [(row["place"], row["leads"], row["line"]) for row in answer.context["rows"]] == [
        (1, "up", ""), (2, "up", "below"), (3, "", ""), (4, "", ""), (5, "", ""), (6, "", ""), (7, "down", "above"), (8, "down", ""),
    ]  # fmt: skip
    assert answer.context["own"]["place"] == 7
    assert "You are in Lapis" in answer.content.decode()
    assert shown(season_page(Client(), "?division=1")) == ["low0", "low1"]
    assert season_page(Client(), "?division=²").status_code == season_page(Client(), "?after=x").status_code == 200


def test_places_while_a_season_runs_are_those_that_closing_gives(people: People) -> None:
    rows = [(90, 5), (80, 4), (80, 5), (80, 5), (80, 6), (70, 9), (60, 1), (60, 5)]
    in_season(people, 2, *rows, key="2026-Q1")
    of = Season.objects.get(key="2026-Q1")
    Pool.objects.create(game=POOL[0], pace=POOL[1])

    def places(size: int) -> dict[str, int | None]:
        found: dict[str, int | None] = {}
        stretch = tables.top(of, 2, size)
        while True:
            found |= {placed.row.user.username: placed.place for placed in stretch.rows if placed.row.user}
            if not stretch.more_below:
                return found
            stretch = tables.after(of, 2, tables.spot_of(stretch.rows[-1].row), size)

    running = places(50)
    assert running == places(1) == places(3)
    seasons.close_ended(*POOL, periods.span("2026-Q1").ends)
    assert dict(SeasonPlace.objects.values_list("user__username", "place")) == running


def test_the_archive_has_the_winners_of_the_highest_division_of_each_season(people: People) -> None:
    in_season(people, 1, (900, 9), key="2026-Q1", prefix="low")
    in_season(people, 4, (50, 9), (40, 9), (40, 9), (10, 9), key="2026-Q1", prefix="high")
    Pool.objects.create(game=POOL[0], pace=POOL[1])
    tasks.close_seasons()
    answer = Client().get("/seasons/")
    (past,) = answer.context["archive"]
    assert past["name"] == "Season Jan–Mar 2026"
    assert [(row.user.username, row.place) for row in past["pools"][0]["best"]] == [("high0", 1), ("high1", 2), ("high2", 2)]
    assert [row.place for row in tables.badges_of(people.high1)] == [2]
    closed = Client().get(reverse("season", args=[*POOL, "2026-Q1"]))
    assert closed.context["closed"] and closed.context["division"].number == 4
    listing.unlist(people.high2)
    assert [row.user.username for row in Client().get("/seasons/").context["archive"][0]["pools"][0]["best"]] == ["high0", "high1"]
    people.high0.delete()
    assert "Somebody who has left" in Client().get("/seasons/").content.decode()
    assert "Somebody who has left" in Client().get(reverse("season", args=[*POOL, "2026-Q1"])).content.decode()


def test_a_season_that_is_over_is_closed_though_nobody_plays(people: People) -> None:
    in_season(people, 2, (50, season.ENOUGH), key="2025-Q4")
    in_season(people, 2, (50, season.ENOUGH))
    tasks.close_seasons()
    closed = {row.key: row.closed_at is not None for row in Season.objects.all()}
    assert closed == {"2025-Q4": True, periods.season_of(timezone.now()): False}


def test_who_is_shut_out_is_not_in_the_table_of_a_season(people: People) -> None:
    users = in_season(people, 2, (50, 9), (40, 9))
    listing.unlist(users[0])
    assert shown(season_page(Client())) == ["s1"]
    listing.relist(users[0])
    assert shown(season_page(Client())) == ["s0", "s1"]


def test_a_guest_and_a_stranger_are_told_how_to_be_counted(db: None) -> None:
    guest = Client()
    guest.post("/play/", {"game": "blokus", "variant": "duo-2", "level": "beginner", "seat": "first"})
    for client in (guest, Client()):
        for path in (LADDER, reverse("season", args=[*POOL, periods.season_of(timezone.now())])):
            assert "With an account your rated matches count here." in client.get(path).content.decode()


def test_a_badge_says_its_division_and_a_place_among_the_first_three(db: None) -> None:
    draw = Template("{% load ladders %}{% division_badge 5 2 %}|{% division_badge 4 4 %}")
    second, fourth = draw.render(Context()).split("|")
    assert 'aria-label="Gold division, place 2"' in second and "badge-gold" in second and ">2</text>" in second
    assert 'aria-label="Jade division"' in fourth and "</text>" not in fourth
