"""Fetches the few browser files that others wrote, pinned and checked, into static/vendor and static/fonts.

Run `python tools/vendor.py` after changing a pin below; it needs npm. The result is committed, so nobody who runs or
tests the site needs npm, and the browser gets the files as they are: there is no build step.
"""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "static"


@dataclass(frozen=True)
class Package:
    """An npm package at one version, and the files we take from it."""

    name: str
    version: str
    sha512: str
    target: str
    """Folder below `static/`."""
    files: tuple[str, ...]
    """Paths inside the package; kept below `target`, without the folder `files/` that the font packages add."""


PACKAGES = (
    Package(
        "lit-html",
        "3.3.3",
        "el8M6jK2o3RXBnrSHX3ZKrsN8zEV63pSExTO1wYJz7QndGYZ8353e2a5PPX+qHe2aGayfnchQmkAojaWAREOIA==",
        "vendor/lit-html",
        ("lit-html.js",),
    ),
    Package(
        "uplot",
        "1.6.32",
        "KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw==",
        "vendor/uplot",
        ("dist/uPlot.esm.js", "dist/uPlot.min.css"),
    ),
    Package(
        "@fontsource/marcellus",
        "5.3.0",
        "cMnanjpiPIC7Rq4GXIA/Zal5WLSoDV5Mc681tMkWsWfKHXnRnLGlhuGeBnLF6HrqtFkiSdiuy4NCSPfOrz266w==",
        "fonts/marcellus",
        ("files/marcellus-latin-400-normal.woff2", "files/marcellus-latin-ext-400-normal.woff2"),
    ),
    Package(
        "@fontsource-variable/atkinson-hyperlegible-next",
        "5.3.0",
        "UnLzNUy1RWoLDfydAatP4NaRm99X/WbQEph7q/PymJnCFIOOwKOx3pBmp5ys8trO0dM+CKGuJgeZP9fAR4mQpA==",
        "fonts/atkinson-hyperlegible-next",
        (
            "files/atkinson-hyperlegible-next-latin-wght-normal.woff2",
            "files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2",
            "files/atkinson-hyperlegible-next-latin-wght-italic.woff2",
            "files/atkinson-hyperlegible-next-latin-ext-wght-italic.woff2",
        ),
    ),
)


def download(package: Package, folder: Path) -> Path:
    """The package's archive, as npm's own client fetches it. Exits when it is not the pinned one."""
    spec = f"{package.name}@{package.version}"
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder), spec]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    archive = folder / answer.stdout.split()[-1]
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != package.sha512:
        raise SystemExit(f"{spec} has the checksum {found}, not the pinned one. Nothing was taken from it.")
    return archive


def without_source_map(path: str, content: bytes) -> bytes:
    """Scripts lose the pointer to a map that we do not ship: the hashing of static files would look for it."""
    return re.sub(rb"\n?//# sourceMappingURL=.*\n?", b"\n", content) if path.endswith(".js") else content


def extract(package: Package, archive: Path) -> None:
    """Write the package's files and its licence below `static/`."""
    with tarfile.open(archive) as tar:
        for path in (*package.files, "LICENSE"):
            member = tar.extractfile(f"package/{path}")
            if member is None:
                raise SystemExit(f"{package.name} has no file {path}.")
            target = STATIC / package.target / path.removeprefix("files/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(without_source_map(path, member.read()))


def main() -> None:
    """Bring every package to the pinned state."""
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            extract(package, download(package, Path(folder)))
            print(f"{package.name} {package.version} -> static/{package.target}")


if __name__ == "__main__":
    main()
