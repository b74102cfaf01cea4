"""The command `up`: the whole site as one, from the database to the workers."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser
from http.client import HTTPConnection
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, get_commands
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from stack import catalogues, statics
from stack.demand import check_external
from stack.places import python_path
from stack.preflight import ORPHAN_SECONDS, check_disk, check_port, sole_run
from stack.processes import analysis_worker, bots_worker, default_worker, manage, web
from stack.supervisor import Output, Process, Supervisor
from stack.trouble import Trouble

READY_SECONDS = 60.0


class Command(BaseCommand):
    """Checks what can be checked, then hands over to the supervisor."""

    help = "Run the whole site: database, broker, web, workers. Ctrl-C stops it; a second one does not wait."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s, this machine only)")
        parser.add_argument("--port", type=int, default=8000, help="port of the first web process (default: %(default)s)")
        parser.add_argument("--web", type=int, default=1, metavar="N", help="web processes, on ports counted up (default: %(default)s)")
        parser.add_argument("--workers", type=int, default=1, metavar="N", help="workers for bots (default: %(default)s)")

    def handle(self, *args: Any, host: str, port: int, web: int, workers: int, **options: Any) -> None:
        begun = time.monotonic()
        check_disk(settings.VAR_DIR, *(service.data for service in settings.SERVICES))
        with sole_run(settings.VAR_DIR / "up.lock") as killed:
            for number in range(port, port + web):
                check_port(host, number, patience=ORPHAN_SECONDS if killed else 0)
            check_external()
            site = Site(host, port, web, workers)
            site.run(begun)


class Site:
    """One run of the whole."""

    def __init__(self, host: str, port: int, webs: int, workers: int) -> None:
        self.host, self.port, self.webs, self.workers = host, port, webs, workers
        self.url = os.environ.get("SITE_URL") or f"http://localhost:{port}"
        environment = os.environ | {
            "PYTHONPATH": python_path(),
            "PYTHONUNBUFFERED": "1",
            "SITE_URL": self.url,
        }
        self.supervisor = Supervisor(settings.SERVICES, environment, Output(sys.stdout))

    def run(self, begun: float) -> None:
        """From the start of the servers to their stop."""
        supervisor = self.supervisor
        with supervisor.running():
            self.migrate()
            catalogues.compile_all()
            statics.collect()
            self.serve(begun)
            supervisor.say("stopping")
        supervisor.say("stopped")

    def serve(self, begun: float) -> None:
        """Start the processes, say when pages are served, and watch until told to stop."""
        for process in self.processes():
            self.supervisor.start(process)
        deadline = time.monotonic() + READY_SECONDS
        self.supervisor.watch(until=lambda: self.answers() or time.monotonic() > deadline)
        if self.supervisor.stopping:
            return
        if not self.answers():
            raise Trouble(f"The web process does not answer after {READY_SECONDS:.0f} s; its lines above say why.")
        self.supervisor.say(f"ready at {self.url} after {time.monotonic() - begun:.1f} s (Ctrl-C stops it)")
        self.seed()
        self.supervisor.watch()

    def migrate(self) -> None:
        """Bring the tables up to date, by a command of its own, which may take longer than a page's statement."""
        executor = MigrationExecutor(connection)
        due = executor.migration_plan(executor.loader.graph.leaf_nodes())
        connection.close()
        connections[connection.alias].close_pool()  # type: ignore[attr-defined]  # its threads would outlive their use
        if not due:
            return
        self.supervisor.say(f"bringing the database up to date ({len(due)} migrations)")
        migration = Process("migrate", manage("migrate", "--no-input", "-v", "0"), once=True)
        if not self.supervisor.run_to_end(migration) and not self.supervisor.stopping:
            raise Trouble("The database could not be brought up to date; the lines above say why.")

    def processes(self) -> list[Process]:
        """What has to run, in the order of their stop."""
        webs = [Process(f"web{n + 1}" if self.webs > 1 else "web", web(self.host, self.port + n), grace=5) for n in range(self.webs)]
        names = [f"bots{n + 1}" if self.workers > 1 else "bots" for n in range(self.workers)]
        bots = [Process(name, bots_worker(name)) for name in names]
        return [*webs, *bots, Process("analysis", analysis_worker()), Process("default", default_worker(settings.VAR_DIR / "beat"))]

    def answers(self) -> bool:
        """Whether the first web process answers, with whatever."""
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 (from where we are)
        connection = HTTPConnection(here, self.port, timeout=5)
        try:
            connection.request("GET", "/healthz", headers={"Host": "localhost"})
            connection.getresponse()
        except OSError:
            return False
        finally:
            connection.close()
        return True

    def seed(self) -> None:
        """Fill an empty site with something to look at, while it already serves."""
        if "seed" in get_commands():
            self.supervisor.start(Process("seed", manage("seed", "--if-empty", "--small"), grace=3, once=True))
