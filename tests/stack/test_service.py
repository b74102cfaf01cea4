"""The embedded servers: shared by whoever needs them, and never in the way after a violent end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from stack.places import ROOT, python_path
from stack.postgres import Postgres
from stack.service import Service
from stack.trouble import Trouble
from stack.valkey import Valkey, addresses, binary

pytestmark = pytest.mark.long


def postgres(folder: Path) -> Postgres:
    return Postgres(folder, durable=False)


def valkey(folder: Path) -> Valkey:
    return Valkey(folder, durable=True)


@pytest.fixture(params=[postgres, valkey])
def service(request: pytest.FixtureRequest, folder: Path) -> Iterator[Service]:
    used = request.param(folder)
    yield used
    used.release()


@pytest.fixture
def server(folder: Path) -> Iterator[Postgres]:
    """A running Postgres as the site has it."""
    used = Postgres(folder)
    used.acquire()
    yield used
    used.release()


def kill(service: Service) -> None:
    """`kill -9`, and see that the service is taken for dead soon."""
    pid = service.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while service.alive():
        assert time.monotonic() < deadline


def test_the_last_user_stops_the_server(service: Service) -> None:
    other = type(service)(service.folder, durable=False)
    service.acquire()
    other.acquire()
    assert service.pid() == other.pid()
    service.release()
    assert other.answers()
    other.release()
    assert not other.alive()
    assert not other.answers()


def test_a_killed_server_starts_again_beside_what_it_left(service: Service) -> None:
    service.acquire()
    kill(service)
    assert service.revive()
    assert service.answers()
    assert not service.revive()


def test_a_server_whose_user_was_killed_is_adopted(service: Service) -> None:
    script = f"""
from pathlib import Path
from {type(service).__module__} import {type(service).__name__} as Kind
service = Kind(Path({str(service.folder)!r}), durable=False)
service.acquire()
print(service.pid(), flush=True)
input()
"""
    user = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | {"PYTHONPATH": python_path()},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )
    assert user.stdout is not None
    pid = int(user.stdout.readline())
    user.kill()
    user.communicate()
    assert service.alive()
    service.acquire()
    assert service.pid() == pid
    service.release()
    assert not service.alive()


def test_postgres_keeps_what_was_committed_through_a_kill(server: Postgres) -> None:
    with server.connect() as connection:
        connection.execute("create table kept (n int)")
        connection.execute("insert into kept values (1)")
    kill(server)
    server.revive()
    with server.connect() as connection:
        assert connection.execute("select count(*) from kept").fetchone() == (1,)


def test_lock_files_with_the_number_of_a_stranger_do_not_stop_postgres(server: Postgres) -> None:
    left = [server.data / "postmaster.pid", server.socket_dir / ".s.PGSQL.5432.lock"]
    rest = [path.read_text().split("\n", 1)[1] for path in left]
    kill(server)
    stranger = subprocess.Popen(["cat"], stdin=subprocess.PIPE, **server.popen_options())
    for path, lines in zip(left, rest, strict=True):
        path.write_text(f"{stranger.pid}\n{lines}")
    assert server.revive()
    stranger.communicate()


def test_postgres_waits_for_the_disk_and_listens_on_no_port(server: Postgres) -> None:
    with server.connect() as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums"):
            assert connection.execute(f"show {name}").fetchone() == ("on",), name
        assert connection.execute("show listen_addresses").fetchone() == ("",)


def test_valkey_refuses_rather_than_forget(folder: Path) -> None:
    server = valkey(folder)
    server.acquire()
    with redis.Redis(unix_socket_path=str(server.socket_path)) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert client.config_get("appendonly") == {"appendonly": "yes"}
    server.release()


def test_sockets_stay_within_the_reach_of_the_system(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120)
    server = valkey(deep)
    server.acquire()
    assert len(os.fsencode(server.socket_path)) < 104
    assert server.socket_path.parent.stat().st_mode & 0o077 == 0
    server.release()
    assert not server.socket_path.parent.exists()


def test_a_folder_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    server = valkey(tmp_path)
    server.data.mkdir(mode=0o755)
    with pytest.raises(Trouble, match="chmod 700"):
        server.acquire()


def test_a_server_that_cannot_start_says_where_its_words_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VALKEY_BIN", "/does/not/exist")
    with pytest.raises(Trouble, match="/does/not/exist"):
        valkey(tmp_path).acquire()


def test_another_valkey_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VALKEY_BIN", "/opt/valkey-server")
    assert binary() == Path("/opt/valkey-server")


@pytest.mark.parametrize(
    ("url", "layer", "broker"),
    [
        ("redis://host:6379", "redis://host:6379/0", "redis://host:6379/2"),
        ("rediss://:secret@host", "rediss://:secret@host/0", "rediss://:secret@host/2"),
        ("redis://host:6379/5", "redis://host:6379/5", "redis://host:6379/5"),
        ("unix:///run/v.sock", "unix:///run/v.sock?db=0", "redis+socket:///run/v.sock?virtual_host=2"),
    ],
)
def test_one_address_gives_three(url: str, layer: str, broker: str) -> None:
    assert (addresses(url).layer, addresses(url).broker) == (layer, broker)
