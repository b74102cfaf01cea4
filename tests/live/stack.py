"""A whole site of its own, on servers that wait for the disk: for the long runs, which kill them too.

`own_site` must be entered before Django is set up, since the settings read the addresses from the environment.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from stack.places import ROOT, python_path
from stack.postgres import Postgres
from stack.service import Service
from stack.valkey import Valkey

if TYPE_CHECKING:
    from tests.conftest import LiveSite


class OwnSite:
    """The processes and the servers of a run; `site.kill` and `site.start` are for the processes."""

    def __init__(self, folder: Path) -> None:
        self.postgres, self.valkey = Postgres(folder), Valkey(folder)
        self.site: LiveSite

    def kill_server(self, name: str) -> None:
        """`kill -9` of `postgres` or `valkey`, to its end."""
        server = self.server(name)
        pid = server.pid()
        assert pid is not None
        os.kill(pid, 9)
        while server.alive():
            time.sleep(0.01)

    def server(self, name: str) -> Service:
        """The server of that name."""
        return {"postgres": self.postgres, "valkey": self.valkey}[name]


@contextmanager
def own_site() -> Iterator[OwnSite]:
    """The site, running and empty; everything of it is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="tessera-live-"))
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings", "TESSERA_VAR": str(folder), "PYTHONPATH": python_path(), "SECRET_KEY": "of no value",
        "BOT_PACE_SECONDS": "0", "LOG_LEVEL": "WARNING",
    }  # fmt: skip
    own = OwnSite(folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # by way of what follows
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell takes from what runs in its background
    try:
        for service in (own.postgres, own.valkey):
            service.acquire()
        yield from _processes(own, folder)
    finally:
        for service in (own.valkey, own.postgres):
            service.release()
        for data in (folder, own.postgres.data):
            shutil.rmtree(data, ignore_errors=True)


def _processes(own: OwnSite, folder: Path) -> Iterator[OwnSite]:
    from tests.conftest import LiveSite

    own.site = LiveSite(folder)
    # The address is known only now; the settings of this very process must name the same.
    os.environ["SITE_URL"] = own.site.url
    own.site.environment = dict(os.environ)
    subprocess.run([sys.executable, str(ROOT / "manage.py"), "migrate", "-v", "0"], check=True, env=own.site.environment, cwd=ROOT)
    import django

    django.setup()
    try:
        for name in own.site.ALWAYS:
            own.site.start(name)
        yield own
    finally:
        own.site.stop()
