"""A folder for servers of a test's own, removed with what they keep elsewhere."""

import shutil
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
