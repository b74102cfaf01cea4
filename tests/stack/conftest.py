"""A folder for servers of a test's own, removed with what they keep elsewhere."""

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from stack.postgres import Postgres


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty folder, as the `var` of a site or the home of a server."""
    path = tmp_path_factory.mktemp("var")
    yield path
    shutil.rmtree(Postgres(path).data, ignore_errors=True)


@pytest.fixture(scope="module")
def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
