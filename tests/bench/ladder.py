"""How fast the ladders are read with a million people in one: `python -m tests.bench ladder`, or `make bench ARGS=ladder`.

The rows are made by the database itself, in a database of its own that is thrown away afterwards, on the server of the tests. Every
page is asked for nine times with the caches warm. What is printed is the median time of a whole page through Django, middleware and
template included, the processor's part of it in our process, and of its queries about ladders the time and the rows that the
database went over. `--plans` prints the plans, too; docs/ladder.md keeps a run.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PEOPLE = 1_000_000
IN_THE_MONTH = 100_000
ROUNDS = 9
POOL = {"game": "blokus", "pace": "live"}
FRIENDS = 120

# A strength drawn from the usual bell curve, as a sum of twelve even chances, and countries of very different size.
PERSONS = """
    INSERT INTO accounts_user (
        username, name_key, password, is_superuser, is_staff, is_active, is_guest, date_joined, first_name, last_name, email,
        avatar, country, languages, about, favourites, preferences
    )
    SELECT 'player' || n, 'player' || n, '!', false, false, true, false, now(), '', '', '', '',
        (ARRAY['', 'NL', 'IT', 'FR', 'TW', 'US', 'DE', 'NU'])[CASE WHEN n %% 1000 = 0 THEN 8 ELSE 1 + n %% 7 END], '[]', '', '[]', '{}'
    FROM generate_series(1, %s) AS n
"""
PLACINGS = """
    INSERT INTO ladder_placing (user_id, game, pace, period, country, mu, sigma, matches, listed, updated_at)
    SELECT id, %(game)s, %(pace)s, %(period)s, country,
        round((25 + 6 * (random() + random() + random() + random() + random() + random() + random() + random() + random() + random()
            + random() + random() - 6))::numeric, 6), 2 + random(), 20 + id %% 300, true, now()
    FROM (SELECT id, country FROM accounts_user WHERE username LIKE 'player%%' ORDER BY id LIMIT %(people)s) AS people
"""


def fill(people: int, **periods: int) -> None:
    """So many people, most of a country, and by period so many rows of them; `_` stands for all time."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SELECT setseed(0.5)")
        cursor.execute(PERSONS, [people])
        for period, rows in periods.items():
            cursor.execute(PLACINGS, POOL | {"period": "" if period == "_" else period, "people": rows})
        cursor.execute("RESET statement_timeout")


def settle() -> None:
    """Let the planner know what there is, as autovacuum does by itself. Not within a transaction."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("RESET statement_timeout")


@contextmanager
def database() -> Iterator[None]:
    """A database of its own with all tables, gone afterwards; our server is started where none is given."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
    import django

    django.setup()
    from django.conf import settings
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    for service in settings.SERVICES:
        service.acquire()
    setup_test_environment()
    made = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        teardown_databases(made, verbosity=0)
        for service in settings.SERVICES:
            service.release()


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All steps of a plan."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def rows_read(plan: dict[str, Any]) -> int:
    """How many rows the scans of a plan went over, those they threw away included."""
    return round(
        sum(
            (node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0))
            * node.get("Actual Loops", 1)
            for node in nodes(plan)
            if "Relation Name" in node
        )
    )


def explained(query: str) -> tuple[dict[str, Any], float]:
    """The plan of a query, and the milliseconds it took."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + query.replace("%", "%%"), [])
        (answer,) = cursor.fetchone()
    found = (json.loads(answer) if isinstance(answer, str) else answer)[0]
    return found["Plan"], found["Execution Time"]


def queries_of(ask: Callable[[], object]) -> list[str]:
    """The queries about ladders that a page sends."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as sent:
        ask()
    return [query["sql"] for query in sent if "ladder_" in query["sql"]]


def pages() -> dict[str, tuple[str, int | None]]:
    """The pages that are measured: the address, and the person who looks, if any."""
    from ladder.models import Placing
    from ladder.standings import Ladder, cursor_of

    everybody, dutch = Ladder(**POOL), Ladder(**POOL, country="NL")
    listed = Placing.objects.filter(**POOL, period="").order_by("-mu", "id")
    some = listed.filter(country="NL", user__placings__period="2026-11")[IN_THE_MONTH // 20]
    path = "/ladders/{game}/{pace}/".format(**POOL)
    deep = cursor_of(everybody.rows().order_by("mu", "-id")[100])
    deep_dutch = cursor_of(dutch.rows().order_by("mu", "-id")[100])
    middle = cursor_of(some)
    return {
        "first page, a stranger": (path, None),
        "page at the other end": (f"{path}?after={deep}", None),
        "page before a place in the middle": (f"{path}?before={middle}", None),
        "first page with one's own place": (path, some.user_id),
        "where I am": (f"{path}?around={middle}", some.user_id),
        "country with one's own place": (f"{path}?among=country", some.user_id),
        "country, page at the other end": (f"{path}?among=country&country=NL&after={deep_dutch}", some.user_id),
        "this month with one's own place": (f"{path}?period=2026-11", some.user_id),
        f"{FRIENDS} friends": (f"{path}?among=friends", some.user_id),
        "all ladders": ("/ladders/", some.user_id),
    }


def befriend(user_id: int) -> None:
    """Give somebody friends all over the ladder."""
    from django.utils import timezone

    from accounts.models import Tie, User

    names = [f"player{7919 * number % PEOPLE + 1}" for number in range(FRIENDS)]
    others = User.objects.filter(username__in=names).exclude(pk=user_id)
    Tie.objects.bulk_create(Tie(user_id=user_id, other=other, kind="friend", made_at=timezone.now()) for other in others)


def report(plans: bool) -> None:
    """Measure every page and print it."""
    from django.test import Client

    from accounts.models import User

    measured = pages()
    befriend(next(user for _, user in measured.values() if user))
    for name, (address, user_id) in measured.items():
        client = Client()
        if user_id:
            client.force_login(User.objects.get(pk=user_id))
        best, whole, ours = timed(lambda client=client, address=address: client.get(address))
        asked = [(query, *explained(query)) for query in queries_of(lambda client=client, address=address: client.get(address))]
        took, rows = sum(ms for _, _, ms in asked), sum(rows_read(plan) for _, plan, _ in asked)
        queries = f"{took:.1f} ms in {len(asked)} queries over {rows:,} rows"
        print(f"{name}: {whole:.0f} ms the whole page (at best {best:.0f}, processor {ours:.0f}), {queries}", flush=True)
        for query, plan, ms in asked if plans else ():
            print(f"\n  {query}\n  -> {ms:.2f} ms, {rows_read(plan):,} rows\n{outlined(plan)}")


def timed(ask: Callable[[], Any]) -> tuple[float, float, float]:
    """The least and the median milliseconds that a page takes, and those that the processor spends on it in this process."""
    rounds = []
    for _ in range(ROUNDS + 1):
        clock, processor = time.perf_counter(), time.process_time()
        answer = ask()
        rounds.append((1000 * (time.perf_counter() - clock), 1000 * (time.process_time() - processor)))
        if answer.status_code != 200:
            raise RuntimeError(f"the page could not be shown: {answer.status_code}")
    clocks, processors = zip(*rounds[1:], strict=True)
    return min(clocks), statistics.median(clocks), statistics.median(processors)


def outlined(plan: dict[str, Any], depth: int = 2) -> str:
    """A plan for people: each step with its rows and the pages it touched, and what it looks for."""
    rows = plan.get("Actual Rows", 0) * plan.get("Actual Loops", 1)
    touched = plan.get("Shared Hit Blocks", 0) + plan.get("Shared Read Blocks", 0)
    name = " ".join(filter(None, [plan["Node Type"], plan.get("Index Name") or plan.get("Relation Name", "")]))
    lines = ["  " * depth + f"{name} ({rows:,.0f} rows, {touched} pages)"]
    lines += ["  " * (depth + 2) + f"{key}: {plan[key]}" for key in ("Index Cond", "Filter") if key in plan]
    return "\n".join([*lines, *(outlined(child, depth + 1) for child in plan.get("Plans", ()))])


def main(*arguments: str) -> None:
    with database():
        start = time.perf_counter()
        fill(PEOPLE, **{"_": PEOPLE, "2026-11": IN_THE_MONTH})
        settle()
        print(f"{PEOPLE:,} people in one list, {IN_THE_MONTH:,} in that of a month; made in {time.perf_counter() - start:.0f} s")
        report("--plans" in arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
