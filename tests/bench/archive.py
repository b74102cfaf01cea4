"""How fast the archive is searched: `python -m tests.bench archive`, or `make bench ARGS=archive`.

A million public matches with sixty million plies are made by the database itself (`tests.bench.archive_rows`), in a database of its own
that is thrown away afterwards; that takes some six minutes and 16 GB of disk. `--matches=20000 --plies=1200000` is done in
seconds. Every search is asked for several times with the caches warm. What is printed is the median time of the whole page through
Django, middleware and template included, the processor's part of it in our process, and of its queries about the archive the time, the
part of the database's processor, and the rows that it went over. `--plans` prints the plans, too; docs/archive.md
keeps a run.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.archive_rows import KNOWN, fill
from tests.bench.ladder import database, explained, outlined, rows_read, timed

MATCHES, PLIES = 1_035_000, 63_500_000
"""Three in a hundred are private, and not in the archive."""
BUSY, *_, USUAL = KNOWN
ROUNDS = 9


def searches() -> dict[str, tuple[str, int | None]]:
    """What is measured: the address, and the person who looks, if any."""
    from archive.models import Filed

    line = Filed.objects.filter(game="blokus", variant="duo-2").order_by("-finished_at").values_list("line", flat=True)[10] or ""
    move = Filed.objects.filter(game="azul").order_by("-finished_at").values_list("first_move", flat=True)[10]
    one, two = (f"{move_}|" for move_ in line.split("|")[:2])
    plain = {
        "everything": "",
        "a game": "game=blokus",
        "a variant": "game=blokus&variant=duo-2",
        "a pace": "pace=correspondence",
        "rated": "rated=rated",
        "resigned": "ended=resigned",
        "somebody went away (one in a hundred)": "ended=abandoned",
        "against a strong bot": "level=strong",
        "a rating band": "band=1800",
        "a month": "since=2025-03-01&until=2025-03-31",
        "a day": "since=2025-03-14&until=2025-03-14",
        "at least 150 moves": "least=150",
        "between 40 and 42 moves": "least=40&most=42",
        "a kind of first move": f"game=azul&first={move}",
        "a first move": f"game=blokus&variant=duo-2&line={one}",
        "two first moves": f"game=blokus&variant=duo-2&line={one}{two}",
        "all at once": (
            "game=azul&variant=coloured-3&pace=live&rated=rated&ended=resigned&band=1500&level=casual"
            "&since=2024-03-01&until=2026-03-31&least=20&most=60"
        ),
        "nothing is like that": "game=nibble&variant=hex-13&level=strong&ended=abandoned&rated=rated&band=1800&least=60",
        "an old year, abandoned, with a bot": "since=2024-01-01&until=2024-12-31&ended=abandoned&level=strong",
    }
    orders = {
        "longest": "sort=longest",
        "longest of a game": "sort=longest&game=nibble",
        "longest that were resigned": "sort=longest&ended=resigned",
        "longest that somebody left, of a game": "sort=longest&game=blockers&ended=abandoned",
        "longest of a month": "sort=longest&since=2025-03-01&until=2025-03-31",
        "highest rated": "sort=highest",
        "highest rated of a variant on time": "sort=highest&game=azul&variant=grey-2&ended=timeout",
        "highest rated of a band over days": "sort=highest&band=1200&pace=correspondence",
        "highest rated without stakes": "sort=highest&rated=casual&level=skilled",
    }
    people = {
        "a busy person": f"player=player{BUSY}",
        "its longest": f"player=player{BUSY}&sort=longest",
        "its wins in a game": f"player=player{BUSY}&result=won&game=nibble",
        "its losses on time": f"player=player{BUSY}&left=timeout",
        "with somebody else who is busy": f"player=player{BUSY}&opponents=player2",
        "with two others": f"player=player{BUSY}&opponents=player2,player3",
        "its first moves": f"player=player{BUSY}&game=blokus&variant=duo-2&line={one}",
        "somebody with few matches": f"player=player{USUAL}",
    }
    own = {"my losses on time": "mine=1&left=timeout", "my favourites": "favourite=1", "a tag of mine": "tag=tag&rated=rated"}
    far = {f"{name}, far down": f"{asked}&{_deep(asked)}".strip("&") for name, asked in plain.items() if name in DEEP}
    return {name: (f"/archive/?{asked}", None) for name, asked in (plain | far | orders | people).items()} | {
        name: (f"/archive/?{asked}", BUSY) for name, asked in own.items()
    }


DEEP = ("everything", "a variant", "resigned", "somebody went away (one in a hundred)")


def _deep(asked: str) -> str:
    """The place of a page that lies far down."""
    from archive.models import Filed
    from archive.search import Cursor

    row = Filed.objects.order_by("finished_at")[Filed.objects.count() // 20]
    return f"after={Cursor(int(row.finished_at.timestamp() * 1_000_000), row.match_id)}"


def keep() -> None:
    """Put some on the shelf of the busy person."""
    from django.utils import timezone

    from archive.models import FiledSeat
    from shelf.models import Favourite, Tag, Tagged

    now = timezone.now()
    numbers = list(FiledSeat.objects.filter(user=BUSY).order_by("plies", "filed").values_list("filed", flat=True)[:2000])
    Favourite.objects.bulk_create((Favourite(user_id=BUSY, match_id=number, at=now) for number in numbers), ignore_conflicts=True)
    tag, _ = Tag.objects.get_or_create(user_id=BUSY, key="tag", defaults={"name": "tag"})
    Tagged.objects.bulk_create((Tagged(tag=tag, match_id=number, at=now) for number in numbers[:500]), ignore_conflicts=True)


def queries_of(ask: Callable[[], object]) -> list[str]:
    """The queries about the archive that a page sends."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as sent:
        ask()
    return [query["sql"] for query in sent if "archive_" in query["sql"] and "archive_firstmove" not in query["sql"]]


def report(plans: bool) -> None:
    """Measure every search and print it."""
    from django.db import connection, transaction
    from django.test import Client

    from accounts.models import User
    from archive.search import PLANNING

    keep()
    for name, (address, user_id) in searches().items():
        client = Client()
        if user_id:
            client.force_login(User.objects.get(pk=user_id))
        _, whole, ours = timed(lambda client=client, address=address: client.get(address))
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(PLANNING)
            sent = queries_of(lambda client=client, address=address: client.get(address))
            asked = [(query, *explained(query)) for query in sent]
            spent = processor_of(sent)
        took, rows = sum(ms for _, _, ms in asked), sum(rows_read(plan) for _, plan, _ in asked)
        queries = f"{took:.1f} ms (processor {spent:.0f}) in {len(asked)} queries over {rows:,} rows"
        print(f"{name}: {whole:.0f} ms the whole page (processor {ours:.0f}), {queries}", flush=True)
        for query, plan, ms in asked if plans else ():
            print(f"\n  {query}\n  -> {ms:.2f} ms, {rows_read(plan):,} rows\n{outlined(plan)}")


def processor_of(queries: Sequence[str]) -> float:
    """Milliseconds that the database's processor spends on these queries, whoever else uses the machine; nothing outside Linux."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = Path(f"/proc/{cursor.fetchone()[0]}/stat")
        if not backend.exists():
            return float("nan")

        def spent() -> float:
            user, system = backend.read_text().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

        before = spent()
        for _ in range(ROUNDS):
            for query in queries:
                cursor.execute(query.replace("%", "%%"), [])
        return 1000 * (spent() - before) / ROUNDS


def main(*arguments: str) -> None:
    given = dict(argument.removeprefix("--").split("=", 1) for argument in arguments if "=" in argument)
    matches, plies = int(given.get("matches", MATCHES)), int(given.get("plies", PLIES))
    with database():
        from archive.models import Filed
        from matches.models import Move

        start = time.perf_counter()
        fill(matches, plies, lambda step: print(f"  {step}", flush=True))
        made = f"{Filed.objects.count():,} public matches and {Move.objects.count():,} plies"
        print(f"{made}; made in {time.perf_counter() - start:.0f} s")
        report("--plans" in arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
