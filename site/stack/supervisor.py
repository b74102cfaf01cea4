"""Runs processes and servers as one: prefixes their output, restarts what dies, and stops all in order."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from stack.kin import die_with_parent
from stack.places import ROOT
from stack.service import Service
from stack.trouble import Trouble

TICK = 0.2
SERVICE_CHECK_SECONDS = 1.0
QUICK_DEATH_SECONDS = 10.0
QUICK_DEATHS_ALLOWED = 5
IMPATIENT_AFTER = 0.5
"""Seconds. One Ctrl-C may arrive twice, from the terminal and from `make`; only a later one is a second."""

COLOURS = (36, 33, 32, 35, 34, 31)
NAME_WIDTH = 9


@dataclass
class Process:
    """A child to keep running; with `once`, one that may end by itself. `grace` is in seconds."""

    name: str
    command: Sequence[str]
    grace: float = 15.0
    once: bool = False
    popen: subprocess.Popen[bytes] | None = field(default=None, init=False)
    started_at: float = field(default=0.0, init=False)
    quick_deaths: int = field(default=0, init=False)

    def running(self) -> bool:
        return self.popen is not None and self.popen.poll() is None

    def kill(self) -> None:
        """End it and whatever it started, at once."""
        if self.popen is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
            self.popen.wait()


class Output:
    """One log for all: whole lines, each with the name of its process in front, in colour on a terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._names: dict[str, int] = {}
        self._coloured = stream.isatty() and "NO_COLOR" not in os.environ

    def line(self, name: str, text: str) -> None:
        label = f"{name:<{NAME_WIDTH}}|"
        if self._coloured:
            colour = COLOURS[self._names.setdefault(name, len(self._names)) % len(COLOURS)]
            label = f"\x1b[{colour}m{label}\x1b[0m"
        with self._lock, contextlib.suppress(OSError):  # nobody may be reading any more
            self._stream.write(f"{label} {text}\n")
            self._stream.flush()

    def follow(self, name: str, stream: IO[bytes]) -> None:
        """Copy `stream` until its end, in a thread of its own."""

        def copy() -> None:
            for line in stream:
                if text := line.decode(errors="replace").rstrip():
                    self.line(name, text)

        threading.Thread(target=copy, name=f"log of {name}", daemon=True).start()


class Supervisor:
    """Owns the children and watches the services until it is told to stop.

    Signals only raise a counter, which the loop looks at: an event set inside a handler can deadlock when two
    signals come quickly.
    """

    def __init__(self, services: Sequence[Service], environment: Mapping[str, str], output: Output) -> None:
        self._services = services
        self._environment = environment
        self._output = output
        self._processes: list[Process] = []
        self._service_failures = 0
        self._services_checked_at = 0.0
        self._stop_at: float | None = None
        self._impatient = False

    def say(self, text: str) -> None:
        self._output.line("site", text)

    @property
    def stopping(self) -> bool:
        return self._stop_at is not None

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """The services run inside the block; on the way out all children are stopped, then the services.

        A second Ctrl-C ends the block, and then nothing is waited for but the services, which stop quickly.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        used: list[Service] = []
        try:
            for service in self._services:
                service.acquire()
                used.append(service)
            with contextlib.suppress(KeyboardInterrupt):
                yield
        finally:
            self._stop_children()
            for service in reversed(used):
                service.release()

    def start(self, process: Process) -> None:
        """Start a child and watch it from now on; not when we are to stop already."""
        if self.stopping:
            return
        process.started_at = time.monotonic()
        process.popen = subprocess.Popen(
            process.command, env=dict(self._environment), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=die_with_parent,
        )
        assert process.popen.stdout is not None
        self._output.follow(process.name, process.popen.stdout)
        if process not in self._processes:
            self._processes.append(process)

    def run_to_end(self, process: Process) -> bool:
        """Start a child and wait for it; whether it succeeded."""
        self.start(process)
        while process.running() and not self.stopping:
            time.sleep(0.02)
        return process.popen is not None and process.popen.poll() == 0

    def watch(self, until: Callable[[], bool] = lambda: False) -> None:
        """Restart what dies, until told to stop or `until()` is true. Raises `Trouble` when something does not stay up."""
        while not self.stopping and not until():
            self._watch_services()
            for process in list(self._processes):
                if not process.running():
                    self._bury(process)
            time.sleep(TICK)

    def _bury(self, process: Process) -> None:
        assert process.popen is not None
        code = process.popen.returncode
        process.kill()  # its own children may have outlived it
        if process.once:
            self._processes.remove(process)
            if code:
                self.say(f"{process.name} ended with code {code}")
            return
        quick = time.monotonic() - process.started_at < QUICK_DEATH_SECONDS
        process.quick_deaths = process.quick_deaths + 1 if quick else 0
        if process.quick_deaths >= QUICK_DEATHS_ALLOWED:
            raise Trouble(f"{process.name} does not stay up (code {code}). Its lines above say why.")
        self.say(f"{process.name} ended with code {code}: starting it again")
        self.start(process)

    def _watch_services(self) -> None:
        if time.monotonic() - self._services_checked_at < SERVICE_CHECK_SECONDS:
            return
        for service in self._services:
            try:
                if service.revive():
                    self.say(f"{service.name} had died: it runs again")
                    self._service_failures = 0
            except Trouble as trouble:
                self._service_failures += 1
                if self._service_failures >= QUICK_DEATHS_ALLOWED:
                    raise
                self.say(str(trouble))
        self._services_checked_at = time.monotonic()

    def _on_signal(self, number: int, frame: object) -> None:
        now = time.monotonic()
        if self._stop_at is None:
            self._stop_at = now
        elif now - self._stop_at > IMPATIENT_AFTER and not self._impatient:
            self._impatient = True
            raise KeyboardInterrupt  # out of whatever is waited for

    def _stop_children(self) -> None:
        running = [process.popen for process in self._processes if process.popen is not None and process.running()]
        asked_at = time.monotonic()
        try:
            for popen in running:
                popen.terminate()  # to it alone, not to its children: a task that runs in one of them may end well
            for process in self._processes:
                if process.popen is not None and not self._impatient:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.popen.wait(max(0.1, asked_at + process.grace - time.monotonic()))
        except KeyboardInterrupt:
            self.say("killing what still runs")
        for process in self._processes:
            process.kill()
