"""Gathers the static files for whitenoise, when they changed since the last time."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from stack.places import ROOT


def collect() -> bool:
    """Make `STATIC_ROOT` current; whether there was anything to do. Files of older versions stay for pages still open."""
    stamp = settings.STATIC_ROOT.with_name("static.stamp")
    now = fingerprint()
    if stamp.exists() and stamp.read_text() == now and settings.STATIC_ROOT.is_dir():
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(now)
    return True


def fingerprint() -> str:
    """A hash that changes with every file, its size or time, and with the storage and the packages that rewrite them."""
    digest = hashlib.sha256(repr((settings.STORAGES["staticfiles"], (ROOT / "requirements.txt").read_bytes())).encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            status = storage.path(path)
            digest.update(f"{path} {storage.size(path)} {storage.get_modified_time(path)} {status}\n".encode())
    return digest.hexdigest()
