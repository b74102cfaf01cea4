"""The key that signs sessions and links, made on the first start and kept beside the data."""

import contextlib
import os
import secrets
from pathlib import Path

from stack.service import explain
from stack.trouble import Trouble


def secret_key(folder: Path) -> str:
    """The key in `folder`, made when there is none. Two first starts at once agree on one. Raises `Trouble`."""
    path = folder / "secret_key"
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            fresh = folder / f"secret_key.{os.getpid()}"
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(48))
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)  # whole or not at all, and never over another's
            fresh.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise Trouble(explain(error, folder)) from error
