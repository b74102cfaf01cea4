"""Which commands start the servers, and what a person is told when something is wrong around us."""

import os
import subprocess
from pathlib import Path

import pytest

from stack import preflight, processes
from stack.demand import needs_servers
from stack.places import ROOT
from stack.trouble import Trouble

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    "words",
    ["", "help", "check", "check --deploy", "record check games.json", "record legal - --ply 3", "migrate --help", "up", "process web"],
)
def test_some_commands_run_on_an_idle_machine(words: str) -> None:
    assert not needs_servers(words.split())


@pytest.mark.parametrize("words", ["migrate", "shell", "record export 7", "seed --if-empty", "createsuperuser", "runserver"])
def test_the_others_find_the_servers_running(words: str) -> None:
    assert needs_servers(words.split())


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        (
            {"DATABASE_URL": "postgres://me:hidden@127.0.0.1:1/games"},
            "The database “games” at 127.0.0.1:1 cannot be used: ",
        ),
        ({"REDIS_URL": "redis://:hidden@127.0.0.1:1"}, "Redis or Valkey at 127.0.0.1:1 cannot be used: "),
        ({"TESSERA_VAR": "/proc/nowhere"}, "/proc/nowhere"),
    ],
)
@pytest.mark.parametrize("command", ["migrate", "up --port {free}"])
def test_what_is_out_of_reach_is_told_in_a_sentence(
    command: str, environment: dict[str, str], sentence: str, tmp_path: Path, free_port: int
) -> None:
    around = {"PATH": os.environ["PATH"], "TESSERA_VAR": str(tmp_path), **environment}
    words = command.format(free=free_port).split()
    done = subprocess.run(processes.manage(*words), cwd=ROOT, env=around, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(sentence)
    assert len(done.stderr.splitlines()) == 1
    assert "hidden" not in done.stderr


def test_a_full_disk_is_told_before_anything_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(preflight, "LEAST_FREE_MEBIBYTES", 10**12)
    with pytest.raises(Trouble, match=r"^The disk with .+ is full: \d+ MiB are free, and the site needs \d+\. Free some space"):
        preflight.check_disk(tmp_path / "not" / "yet" / "there")


def test_a_port_that_does_not_exist_is_told() -> None:
    with pytest.raises(Trouble, match="There is no port 70000"):
        preflight.check_port("127.0.0.1", 70_000)


def test_a_foreign_address_is_told() -> None:
    with pytest.raises(Trouble, match=r"Nothing can listen on 192\.0\.2\.1"):
        preflight.check_port("192.0.2.1", 8000)


def test_the_run_after_a_killed_one_knows(tmp_path: Path) -> None:
    path = tmp_path / "up.lock"
    path.write_text("123")
    with preflight.sole_run(path) as killed:
        assert killed
    with preflight.sole_run(path) as killed:
        assert not killed
