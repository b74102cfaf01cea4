"""The keys of the site: what signs sessions and links, and what signs pushes. Made on the first start and kept beside the data."""

import base64
import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec

from stack.service import explain
from stack.trouble import Trouble


def secret_key(folder: Path) -> str:
    """The key in `folder` that signs sessions and links. Raises `Trouble`."""
    return _kept(folder, "secret_key", lambda: secrets.token_urlsafe(48))


def vapid_key(folder: Path) -> str:
    """The private key in `folder` by which push services know us: 32 bytes of P-256 as base64url. Raises `Trouble`.

    Browsers subscribe with its public half, so a new one silences them all.
    """
    return _kept(folder, "vapid_key", _new_vapid_key)


def _new_vapid_key() -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")


def _kept(folder: Path, name: str, make: Callable[[], str]) -> str:
    """The key in the file, made when there is none. Two first starts at once agree on one."""
    path = folder / name
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            fresh = folder / f"{name}.{os.getpid()}"
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(make())
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)  # whole or not at all, and never over another's
            fresh.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise Trouble(explain(error, folder)) from error
