"""`manage.py up`, run as a person runs it: from nothing to a page, through kills, to a clean end."""

import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from stack import processes
from stack.places import ROOT
from stack.postgres import Postgres
from stack.service import Service
from stack.valkey import Valkey

pytestmark = pytest.mark.e2e
PATIENCE = 90.0
"""Seconds that anything may take on a machine that does much else."""


class Up:
    """One `up` in a folder and on a port of its own."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.log = folder / "up.log"
        kept = {name: value for name, value in os.environ.items() if name in ("HOME", "LANG", "PATH", "PYTHONPATH", "TMPDIR")}
        self.environment = kept | {"TESSERA_VAR": str(folder / "var"), "DJANGO_SETTINGS_MODULE": "config.settings"}
        self.popen: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.log.unlink(missing_ok=True)
        with open(self.log, "wb") as log:
            self.popen = subprocess.Popen(
                processes.manage("up", "--port", str(self.port)), cwd=ROOT, env=self.environment, stdout=log, stderr=log
            )
        eventually(lambda: "ready at" in self.text(), self)

    def text(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def page(self) -> int:
        """The status of the sign-in page; 0 when nobody answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/account/login/", timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def tree(self) -> list[psutil.Process]:
        """`up`, its children and theirs."""
        assert self.popen is not None
        top = psutil.Process(self.popen.pid)
        return [top, *top.children(recursive=True)]

    def child(self, *words: str) -> psutil.Process | None:
        """The direct child with all `words` in its command line, when it runs just now."""
        return next((process for process in self.tree()[0].children() if set(words) <= set(command_line(process))), None)

    def services(self) -> list[Service]:
        return [Postgres(self.folder / "var"), Valkey(self.folder / "var")]


def eventually(true: Callable[[], bool], site: Up) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, site.text()
        assert site.popen is not None
        try:
            site.popen.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        pytest.fail(f"`up` ended:\n{site.text()}")


def command_line(process: psutil.Process) -> list[str]:
    """Nothing for one that has just ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def lives(process: psutil.Process) -> bool:
    """Whether it still runs; one that only waits for its parent to notice the end does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(scope="module")
def site(folder: Path, free_port: int) -> Iterator[Up]:
    """A running `up`, started from nothing; a test that ends it starts it again."""
    up = Up(folder, free_port)
    up.start()
    yield up
    if up.popen is not None and up.popen.poll() is None:
        up.popen.terminate()
        up.popen.wait(PATIENCE)
    for service in up.services():
        service.acquire()
        service.release()


def test_a_page_is_served(site: Up) -> None:
    assert site.page() == 200


def test_a_second_run_is_refused_with_a_sentence(site: Up) -> None:
    done = subprocess.run(processes.manage("up"), cwd=ROOT, env=site.environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"The site already runs from here \(process \d+\)\. .+\n", done.stderr)


def test_a_port_in_use_is_refused_with_a_sentence(site: Up, tmp_path: Path) -> None:
    environment = site.environment | {"TESSERA_VAR": str(tmp_path)}
    command = processes.manage("up", "--port", str(site.port))
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"Port {site.port} is in use by another program\. .+\n", done.stderr)


@pytest.mark.parametrize("words", [("stack.web",), ("celery", "bots@%h"), ("celery", "default@%h")], ids=["web", "bots", "default"])
def test_a_killed_process_comes_back(site: Up, words: tuple[str, ...]) -> None:
    eventually(lambda: site.child(*words) is not None, site)
    killed = site.child(*words)
    assert killed is not None
    family = [killed, *killed.children(recursive=True)]
    killed.kill()
    eventually(lambda: not any(lives(process) for process in family), site)
    eventually(lambda: site.page() == 200 and site.child(*words) not in (None, killed), site)


@pytest.mark.parametrize("kind", [Postgres, Valkey])
def test_a_killed_server_comes_back(site: Up, kind: type[Service]) -> None:
    service = next(service for service in site.services() if isinstance(service, kind))
    killed = service.pid()
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    eventually(lambda: service.pid() != killed and service.answers(), site)
    eventually(lambda: site.page() == 200, site)


def test_another_command_shares_the_servers(site: Up) -> None:
    command = processes.manage("shell", "-c", "from accounts.models import User; User.objects.create(username='kept')")
    subprocess.run(command, cwd=ROOT, env=site.environment, check=True, capture_output=True)
    assert all(service.answers() for service in site.services())


def test_after_a_kill_of_everything_the_next_start_has_all_that_was_stored(site: Up) -> None:
    everything = site.tree()
    everything += [psutil.Process(pid) for service in site.services() if (pid := service.pid()) is not None]
    for process in everything:
        process.kill()
    assert site.popen is not None
    site.popen.wait()
    site.start()
    assert site.page() == 200
    command = processes.manage("shell", "-c", "from accounts.models import User; print(User.objects.filter(username='kept').count())")
    done = subprocess.run(command, cwd=ROOT, env=site.environment, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "1"


def test_after_a_kill_of_the_supervisor_the_next_start_takes_over(site: Up) -> None:
    orphans = [psutil.Process(pid) for service in site.services() if (pid := service.pid()) is not None]
    assert site.popen is not None
    site.popen.kill()
    site.popen.wait()
    site.start()
    assert site.page() == 200
    assert [process.pid for process in orphans] == [service.pid() for service in site.services()]


def test_ctrl_c_ends_everything(site: Up) -> None:
    everything = site.tree()
    everything += [psutil.Process(pid) for service in site.services() if (pid := service.pid()) is not None]
    assert site.popen is not None
    site.popen.send_signal(signal.SIGINT)
    assert site.popen.wait(PATIENCE) == 0
    assert not psutil.wait_procs([process for process in everything if lives(process)], timeout=5)[1]
    assert site.text().endswith("| stopped\n")
    assert "Traceback" not in site.text()
