"""Keeps test runs apart: each has a folder and a database of its own, which the next run removes if it was killed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import psycopg
from psycopg import sql

from stack.service import runs

PREFIX = "test_run_"


def new_name() -> str:
    """The name of the run that this process leads."""
    return f"{PREFIX}{os.getpid()}"


def sweep(folder: Path) -> None:
    """Remove the folders of killed runs below `folder`."""
    for left in folder.glob(f"{PREFIX}*"):
        if not _lives(left.name):
            shutil.rmtree(left, ignore_errors=True)


def sweep_databases(connection: psycopg.Connection) -> None:
    """Drop the databases of killed runs, through a connection that commits by itself."""
    for (name,) in connection.execute("select datname from pg_database where starts_with(datname, %s)", [PREFIX]).fetchall():
        if not _lives(name):
            connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))


def _lives(name: str) -> bool:
    return runs(int(name.removeprefix(PREFIX)), "")
