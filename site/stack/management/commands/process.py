"""The command `process`: one process of the site, for a machine where something else than `up` watches over them."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

from stack.places import python_path
from stack.processes import analysis_worker, bots_worker, default_worker, web


class Command(BaseCommand):
    """Gives its place to the process, so that signals reach it."""

    help = "Become one process of the site: web, bots and analysis (as many as wanted), or default (one only, it has the clock)."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=["web", "bots", "analysis", "default"])
        parser.add_argument("--host", default="0.0.0.0", help="for web: the address to listen on (default: %(default)s)")  # noqa: S104
        parser.add_argument("--port", type=int, default=8000, help="for web: the port (default: %(default)s)")

    def handle(self, *args: Any, name: str, host: str, port: int, **options: Any) -> None:
        commands = {
            "web": web(host, port),
            "bots": bots_worker(),
            "analysis": analysis_worker(),
            "default": default_worker(settings.VAR_DIR / "beat"),
        }
        program, *words = commands[name]
        os.execve(program, [program, *words], os.environ | {"PYTHONPATH": python_path()})
