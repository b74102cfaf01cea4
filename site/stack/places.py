"""Where the embedded servers keep their files, within what the system allows for socket paths."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from stack.trouble import Trouble

ROOT = Path(__file__).resolve().parents[2]
SOCKET_PATH_LIMIT = 100
"""Bytes. A socket's path ends at 107 bytes on Linux and at 103 on macOS."""


def var_dir() -> Path:
    """The folder of everything the site writes beside the database; `TESSERA_VAR` moves it."""
    return Path(os.environ.get("TESSERA_VAR") or ROOT / "var").absolute()


def python_path() -> str:
    """Where our modules are found: `site/` is a folder of packages and none itself, beside the module of that name."""
    return f"{ROOT / 'site'}{os.pathsep}{ROOT}"


def short_hash(path: Path) -> str:
    """A short name for a folder, so that each checkout has places of its own."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:10]


def socket_dir(wanted: Path, name: str) -> Path:
    """`wanted`, or a folder in the system's temporary one when a socket called `name` would be out of reach there."""
    if len(os.fsencode(wanted / name)) <= SOCKET_PATH_LIMIT:
        return wanted
    return Path(tempfile.gettempdir()) / f"tessera-{os.getuid()}-{short_hash(wanted)}"


def make_private(folder: Path) -> None:
    """Make `folder` for this user alone. Raises `Trouble` when it belongs to somebody else or cannot be made."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise Trouble(f"{folder} cannot be made ({error.strerror}). Make it writable, or set TESSERA_VAR.") from error
    if status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise Trouble(f"{folder} can be reached by other users. Remove it, or take their rights with: chmod 700 {folder}")
