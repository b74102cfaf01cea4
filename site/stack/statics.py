"""Gathers the static files for whitenoise, when they changed since the last time."""

from __future__ import annotations

import fcntl
import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from stack.places import ROOT
from stack.service import explain
from stack.trouble import Trouble


def collect() -> bool:
    """Make `STATIC_ROOT` current; whether there was anything to do. Raises `Trouble`.

    The files of older versions stay, for the pages that are still open. With `DEBUG` files are served from their source.
    """
    if settings.DEBUG:
        return False
    root: Path = settings.STATIC_ROOT
    stamp = root.with_name("static.stamp")
    now = fingerprint()
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        with open(root.with_name("static.lock"), "w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            if stamp.exists() and stamp.read_text() == now and root.is_dir():
                return False
            call_command("collectstatic", interactive=False, verbosity=0)
            stamp.write_text(now)
    except OSError as error:
        raise Trouble(explain(error, root)) from error
    return True


def fingerprint() -> str:
    """A hash that changes with every file's path, size or time, and with the packages that rewrite the files."""
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for finder in get_finders():
        for path, storage in finder.list([]):
            digest.update(f"{storage.path(path)} {storage.size(path)} {storage.get_modified_time(path)}\n".encode())
    return digest.hexdigest()
