"""What all tests share: the servers, the order of the tests, the browser, and a whole running site for the browser tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from stack import catalogues, processes, testrun
from stack.places import ROOT, python_path
from stack.postgres import Postgres

CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
LONGEST = ("test_up", "test_restarts", "test_whole_matches", "test_links", "test_outages", "test_azul", "test_play", "test_live")
"""The files of browser tests that take longest."""
TOGETHER = ("test_up",)
"""Files whose tests share one site and leave it to each other in their order."""
NO_WINDOW = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
"""Parts of the window of Chromium, each a page of its own, which nobody sees here: opening a page takes twice as long with them."""


@pytest.fixture(autouse=True)
def _plain_english() -> Iterator[None]:
    """A request leaves its language active in its thread, and the next test asks in the same one."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def services() -> Iterator[None]:
    """The Postgres and Valkey of the test run."""
    from django.conf import settings

    testrun.sweep(settings.VAR_DIR.parent)
    for service in settings.SERVICES:
        service.acquire()
        if isinstance(service, Postgres):
            with service.connect() as connection:
                testrun.sweep_databases(connection)
    yield
    for service in settings.SERVICES:
        service.release()
    shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


@pytest.fixture(scope="session")
def django_db_setup(
    services: None, django_test_environment: None, django_db_blocker: Any, request: pytest.FixtureRequest
) -> Iterator[None]:
    """The test database. pytest-django's own fixture makes one only when a test has its mark, which browser tests have not."""
    from django.test.utils import setup_databases, teardown_databases

    with django_db_blocker.unblock():
        made = setup_databases(verbosity=request.config.option.verbose, interactive=False)
    yield
    with django_db_blocker.unblock():
        _end_sessions()
        teardown_databases(made, verbosity=request.config.option.verbose)


def _end_sessions() -> None:
    """Playwright's loop gives this thread another context, where the connection opened before it is out of reach."""
    from django.db import connection

    with connection._nodb_cursor() as cursor:
        name = connection.settings_dict["NAME"]
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


def pytest_configure() -> None:
    """Make the folder of the static files, which whitenoise warns about when there is none, and the translations."""
    from django.conf import settings

    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    catalogues.compile_all()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: Playwright leaves an event loop running, and theirs is a database that stays filled.

    Among them first what takes longest, so that in the end no core waits for another. Each process has a running site of its
    own, so that the tests of a file need not stay in one, but for those of `TOGETHER`.
    """
    for item in items:
        names = getattr(item, "fixturenames", ())
        if {"page", "browser", "live_site"} & set(names):
            item.add_marker("e2e")
            if "live_site" in names and item.get_closest_marker("django_db"):
                raise pytest.UsageError(f"{item.nodeid}: live_site opens the database itself, and is not emptied after a test")
    items.sort(key=lambda item: (item.get_closest_marker("e2e") is not None, _place(item.path.stem)))


class Shares(LoadScopeScheduling):  # type: ignore[misc]
    """Hands the tests out one by one, and a file of `TOGETHER` as one. Marks of groups no longer reach the scheduler with pytest 9."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return file if Path(file).stem in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Shares | None:
    """Where tests are shared out by groups, the groups are ours."""
    return Shares(config, log) if config.getoption("dist") == "loadgroup" else None


def _place(stem: str) -> int:
    """Where a file of browser tests stands among the others."""
    return LONGEST.index(stem) if stem in LONGEST else len(LONGEST)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return browser_type_launch_args | chromium()


def chromium() -> dict[str, Any]:
    """How to launch the system's Chromium where there is one: quiet, and without a sandbox for root only."""
    quiet = ("gpu", "quic", "background-networking", "component-update", "sync", "dev-shm-usage")
    flags = ["--no-first-run", *(f"--disable-{word}" for word in quiet), f"--disable-features={','.join(NO_WINDOW)}"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    found = [path for path in (os.environ.get("CHROMIUM", ""), *CHROMIUM) if path and os.access(path, os.X_OK)]
    return {"args": flags} | ({"executable_path": found[0]} if found else {})


class LiveSite:
    """daphne and the workers on the test database: what the browser tests play on.

    `start`, `kill` and `restart` take the name of a process: `web`, `bots`, `default` or `analysis`; the last one runs only for
    tests that `need` it.
    """

    ALWAYS = ("web", "bots", "default")

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings_test",
            "PYTHONPATH": python_path(),
            "PYTHONUNBUFFERED": "1",
            "SITE_URL": self.url,
            "TEST_LIVE": "1",
        }
        self.commands = {
            "web": processes.web("127.0.0.1", self.port),
            "bots": processes.bots_worker(),
            "default": processes.default_worker(folder / "beat"),
            "analysis": processes.analysis_worker(),
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str) -> None:
        """Start a process; for `web`, wait until it answers."""
        with open(self.log(name), "ab") as log:
            self.processes[name] = subprocess.Popen(
                self.commands[name],
                env=self.environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )
        if name == "web":
            self._await_answer()

    def need(self, name: str) -> None:
        """Start a process that not every test needs, unless it runs."""
        if name not in self.processes:
            self.start(name)

    def kill(self, name: str) -> None:
        """End a process and its children with `kill -9`."""
        os.killpg(self.processes[name].pid, 9)
        self.processes[name].wait()

    def restart(self, name: str) -> None:
        """`kill`, then `start`."""
        self.kill(name)
        self.start(name)

    def stop(self) -> None:
        """End all politely."""
        for process in self.processes.values():
            process.terminate()
        for name, process in self.processes.items():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill(name)

    def log(self, name: str) -> Path:
        """What a process wrote so far."""
        return self.folder / f"{name}.log"

    def _await_answer(self) -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if self.processes["web"].poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=5).close()
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"daphne does not answer:\n{self.log('web').read_text()}")


@pytest.fixture(scope="session")
def live_site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """The running site, and the database open to the test itself.

    It is never emptied: a truncation would wait for the worker's locks. So each test makes its own people and
    matches, and carries no `django_db` mark.
    """
    # Playwright's sync API keeps an event loop in this thread, which Django would take for an async caller.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with django_db_blocker.unblock():
        site = LiveSite(tmp_path_factory.mktemp("site"))
        collect = "import django; django.setup(); from stack.statics import collect; collect()"
        subprocess.run([sys.executable, "-c", collect], check=True, env=site.environment, cwd=ROOT)
        try:
            for name in site.ALWAYS:
                site.start(name)
            yield site
        finally:
            site.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Show the end of the site's logs below a failed browser test."""
    report = yield
    site = getattr(item, "funcargs", {}).get("live_site")
    if report.failed and isinstance(site, LiveSite):
        for name in site.processes:
            report.sections.append((f"the end of {name}.log", "\n".join(site.log(name).read_text(errors="replace").splitlines()[-40:])))
    return report
