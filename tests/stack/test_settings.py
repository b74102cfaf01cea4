"""The settings: strict in public, ready for use on one machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from config.secret import secret_key
from stack import processes
from stack.places import ROOT, python_path

pytestmark = pytest.mark.long

PUBLIC = {
    "SITE_URL": "https://play.example.org",
    "DATABASE_URL": "postgres://db.example.org/tessera",
    "REDIS_URL": "redis://redis.example.org",
}


def show(expression: str, tmp_path: Path, **environment: str) -> str:
    """The value of an expression on the settings that an environment gives."""
    code = f"from config import settings; print({expression})"
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": python_path(), "TESSERA_VAR": str(tmp_path)}
    return subprocess.check_output([sys.executable, "-c", code], env=kept | environment, text=True).strip()


def test_a_public_site_passes_the_deployment_check(tmp_path: Path) -> None:
    command = processes.manage("check", "--deploy", "--fail-level", "WARNING")
    environment = {"PATH": os.environ["PATH"], "TESSERA_VAR": str(tmp_path), **PUBLIC}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_sockets_of_a_public_site_come_from_its_own_pages_only(tmp_path: Path) -> None:
    assert show("settings.SOCKET_ORIGINS", tmp_path, **PUBLIC) == "['https://play.example.org']"


def test_sockets_of_a_local_site_may_use_any_name_of_this_machine(tmp_path: Path) -> None:
    origins = show("settings.SOCKET_ORIGINS", tmp_path, SITE_URL="http://localhost:9000")
    assert origins == "['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000']"


def test_given_addresses_leave_no_server_of_our_own(tmp_path: Path) -> None:
    assert show("[service.name for service in settings.SERVICES]", tmp_path, **PUBLIC) == "[]"
    only_redis = {"REDIS_URL": PUBLIC["REDIS_URL"]}
    assert show("[service.name for service in settings.SERVICES]", tmp_path, **only_redis) == "['postgres']"


def test_another_broker_can_be_named(tmp_path: Path) -> None:
    assert show("settings.CELERY_BROKER_URL", tmp_path, **PUBLIC, CELERY_BROKER_URL="amqp://mq") == "amqp://mq"


def test_a_task_ends_before_the_broker_gives_it_away(settings) -> None:
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] > settings.CELERY_TASK_TIME_LIMIT


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    key = secret_key(tmp_path / "var")
    assert len(key) >= 50
    assert secret_key(tmp_path / "var") == key
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret_key"]


@pytest.mark.django_db
def test_every_page_carries_the_headers(client) -> None:
    headers = client.get("/account/login/").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]


@pytest.mark.django_db
def test_nothing_waits_in_the_database_for_ever() -> None:
    with connection.cursor() as cursor:
        for limit in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
            cursor.execute(f"show {limit}")
            assert cursor.fetchone()[0] not in ("0", "-1"), limit
