"""A local server shared by the processes of one checkout: the first to need it starts it, the last to leave stops it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, ClassVar

from stack.trouble import Trouble

START_SECONDS = 60
"""How long a living server may take to answer, as after a crash, when it first reads its log again."""
RETRY_SECONDS = 10
"""How long a server that ends at once is started anew: the remains of a killed one may be in its way for a moment."""
STOP_SECONDS = 20
RETRY_PAUSE = 0.25
POLL = 0.02
NO_SPACE = "No space left on device"


class Service(ABC):
    """Counts its users with file locks, which the kernel drops even when a user is killed.

    Each user holds a shared lock on `<name>.users`; on leaving, whoever can make it exclusive is the last and
    stops the server. Starting and stopping happen under `<name>.lock`. A server left behind by a killed user is
    simply found running by the next one.
    """

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        """Whether it waits for the disk. Tests need not."""
        self.data = folder / self.name
        self._child: subprocess.Popen[bytes] | None = None
        self._use: IO[str] | None = None
        self._log_read_from = 0

    @abstractmethod
    def prepare(self) -> None:
        """Make ready what a start needs; cheap when nothing is to be done."""

    @abstractmethod
    def command(self) -> list[str]:
        """The command line of the server, which stays in the foreground."""

    @abstractmethod
    def pid(self) -> int | None:
        """The process id the server wrote down, whether or not it still lives."""

    @abstractmethod
    def marker(self) -> str:
        """What stands in the command line of this very server, and of no other process."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether a client would be served now."""

    def started(self) -> None:
        """Called whenever the server was found answering."""
        return

    def stopped(self) -> None:
        """Called after the server's end."""
        return

    def popen_options(self) -> dict[str, Any]:
        """How the server's processes are started: account, environment, folder."""
        return {}

    @property
    def log(self) -> Path:
        """What the server itself says."""
        return self.folder / f"{self.name}.log"

    def acquire(self) -> None:
        """Become a user of the server, which runs and answers afterwards. Raises `Trouble`."""
        with self._locked():
            if self._use is None:
                self._use = open(self.folder / f"{self.name}.users", "a")
                fcntl.flock(self._use, fcntl.LOCK_SH)
            try:
                self._ensure_running()
            except BaseException:
                self._use.close()
                self._use = None
                raise

    def revive(self) -> bool:
        """Start the server again if it died; whether that was needed. Only for a user. Raises `Trouble`."""
        if self.alive():
            return False
        with self._locked():
            self._ensure_running()
        return True

    def release(self) -> None:
        """Stop being a user; the last one stops the server and waits for its end."""
        if self._use is None:
            return
        with self._locked():
            try:
                fcntl.flock(self._use, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass
            else:
                self._stop()
            self._use.close()
            self._use = None

    def alive(self) -> bool:
        """Whether the server's process lives; a zombie and a stranger that got its number do not count."""
        if self._child is not None:
            if self._child.poll() is None:
                return True
            self._child = None
        pid = self.pid()
        return pid is not None and runs(pid, self.marker())

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = open(self.folder / f"{self.name}.lock", "w")
        except OSError as error:
            raise Trouble(explain(error, self.folder)) from error
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _ensure_running(self) -> None:
        begun = time.monotonic()
        starts = 0
        try:
            while not self._answers_before(begun + START_SECONDS):
                if starts:
                    if time.monotonic() > begun + RETRY_SECONDS or NO_SPACE in self._last_words():
                        raise Trouble(self._failure())
                    time.sleep(RETRY_PAUSE)
                self.prepare()
                self._launch()
                starts += 1
        except OSError as error:
            raise Trouble(explain(error, self.folder)) from error
        self.started()

    def _answers_before(self, deadline: float) -> bool:
        """Wait until it answers; false as soon as no server lives."""
        pause = POLL
        while not self.answers():
            if not self.alive():
                return False
            if time.monotonic() > deadline:
                raise Trouble(self._failure())
            time.sleep(pause)
            pause = min(2 * pause, RETRY_PAUSE)  # it notes each try in its log
        return True

    def _launch(self) -> None:
        with open(self.log, "ab") as log:
            self._log_read_from = log.tell()
            self._child = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **self.popen_options()
            )

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            words = self.log.read_bytes()[self._log_read_from :]
            return "\n".join(words.decode(errors="replace").splitlines()[-5:])
        return ""

    def _failure(self) -> str:
        words = self._last_words()
        if NO_SPACE in words:
            return f"{self.name} cannot start: the disk with {self.data} is full. Free some space and try again."
        return f"{self.name} did not start. The end of {self.log} says why:\n{words}"

    def _stop(self) -> None:
        pid = self.pid()
        if pid is None or not self.alive():
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, self.stop_signal)
        deadline = time.monotonic() + STOP_SECONDS
        while self.alive():
            if time.monotonic() > deadline:
                raise Trouble(f"{self.name} (process {pid}) does not stop. End it with: kill -9 {pid}")
            time.sleep(POLL)
        self.stopped()


def explain(error: OSError, folder: Path) -> str:
    """The sentence for a system error met while writing below `folder` or starting a program."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk with {folder} is full. Free some space and try again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{error.filename or folder} is not yours to write or run. Change its owner, or set TESSERA_VAR to a folder of your own."
    return f"{error.filename or folder}: {error.strerror}."


def runs(pid: int, marker: str) -> bool:
    """Whether process `pid` lives and has `marker` in its command line (where /proc tells; elsewhere, whether it lives)."""
    process = Path(f"/proc/{pid}")
    if process.parent.joinpath("self").exists():
        try:
            return os.fsencode(marker) in process.joinpath("cmdline").read_bytes()
        except OSError:
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
