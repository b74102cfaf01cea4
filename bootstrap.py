#!/usr/bin/env python3
"""Makes the virtual environment, installs the requirements when they changed, and runs what was asked for.

Standard library only, since it runs before anything is installed. `python3 bootstrap.py help` lists the words.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("TESSERA_VENV") or ROOT / ".venv")
PYTHON = VENV / "bin" / "python"
PIP = (PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check")
OLDEST = (3, 11)
UV = "uv==0.13.9"
RUN, TEST = "requirements.txt", "requirements-test.txt"
SHARED_OUT = ("-n", "auto", "--dist", "loadgroup", "--no-loadscope-reorder")
"""Tests on all cores, in our order; each process has a database and a running site of its own. What must stay together is a group."""
ONCE_MORE = ("--reruns", "1")
"""For tests with many processes on a machine that others use too: what fails twice running is a fault. The summary counts them."""
BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
HELP = """python3 bootstrap.py WORD [ARGUMENTS], or make WORD [ARGS="ARGUMENTS"]

run        the site (--port N, --host ADDRESS, --web N, --workers N)
test       all tests, those in a real browser included (arguments go to pytest)
test-fast  the tests without the browser, the whole running site and whatever takes seconds by itself
lint       style, and who may import whom
types      the type checker
bench      the benchmarks of the rules and of ladders with a million people (rules or ladder for one of them; --plans)
load       how fast live play is on this machine, beside a bare relay that stores (--seconds N, --sockets N)
chaos      many matches while everything is killed in turn, and what was lost (--matches N, --kills N, --seed N)
lock       the requirement files anew from their .in files (an argument such as --upgrade goes to uv)
Any other word is a command of manage.py."""


def main(word: str = "run", *arguments: str) -> None:
    """Do what `word` says; ends with the exit code of the last program."""
    if word in ("help", "-h", "--help"):
        print(HELP)
    elif word == "test":
        prepare(RUN, TEST)
        no_browser = find_browser()
        become("-m", "pytest", *SHARED_OUT, *ONCE_MORE, *arguments, **({"TESSERA_NO_BROWSER": no_browser} if no_browser else {}))
    elif word == "test-fast":
        prepare(RUN, TEST)
        become("-m", "pytest", "-m", "not e2e and not long", *SHARED_OUT, *arguments)
    elif word == "lint":
        prepare(RUN, TEST)
        run(PYTHON, "-m", "ruff", "check", *arguments)
        become("-c", "import sys; from importlinter.cli import lint_imports_command as main; sys.exit(main())")
    elif word == "types":
        prepare(RUN, TEST)
        become("-m", "mypy", *arguments)
    elif word == "bench":
        prepare(RUN, TEST)
        # The peers we are measured beside; a machine they do not run on sees our figures alone.
        succeeds(*PIP, "--no-deps", "--ignore-requires-python", "-r", ROOT / "requirements-bench.txt")
        become("-m", "tests.bench", *arguments)
    elif word in ("load", "chaos"):
        prepare(RUN, TEST)
        become("-m", f"tests.live.{word}", *arguments)
    elif word == "lock":
        prepare(RUN, TEST)
        lock(*arguments)
    else:
        prepare(RUN)
        become(ROOT / "manage.py", *(("up",) if word == "run" else (word,)), *arguments)


def prepare(*files: str) -> None:
    """A virtual environment with what `files` list. Costs nothing when it is there already."""
    wanted = "".join((ROOT / name).read_text() for name in files) + sys.version + str(ROOT) + UV
    mark = hashlib.sha256(wanted.encode()).hexdigest()
    stamp = VENV / f"tessera-{files[-1]}.stamp"
    if stamp.exists() and stamp.read_text() == mark:
        return
    import fcntl  # not at the top: Windows has none, and is told so first

    try:
        VENV.mkdir(parents=True, exist_ok=True)
        turn = open(VENV / "tessera.lock", "w")
    except OSError as error:
        sys.exit(f"{VENV} cannot be written: {error.strerror}. Use a checkout of your own, or set TESSERA_VENV to another folder.")
    with turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # two commands at once would install into each other's half-made packages
        make_environment()
        install(*files)
        stamp.write_text(mark)


def make_environment() -> None:
    """The virtual environment, and in it the two folders that our modules are imported from."""
    if not succeeds(PYTHON, "-m", "pip", "--version"):
        if not succeeds(sys.executable, "-c", "import ensurepip, venv"):
            install_venv_module()
        say("making", VENV)
        run(sys.executable, "-m", "venv", VENV)
    packages = subprocess.check_output([PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True)
    Path(packages.strip(), "tessera.pth").write_text(f"{ROOT / 'site'}\n{ROOT}\n")


def install_venv_module() -> None:
    """Debian and Ubuntu keep a part of Python in a package of its own."""
    package = f"python3.{sys.version_info.minor}-venv"
    if not can_apt():
        sys.exit(f"Python's venv module is incomplete. Install it with: sudo apt-get install {package}")
    say("installing", package)
    apt(package)


def install(*files: str) -> None:
    """Bring the environment to what `files` list, by uv where it can be had, else by pip."""
    say("installing", *files)
    wanted = [word for name in files for word in ("-r", ROOT / name)]
    # uv knows neither of these by pip's names.
    names = {"SSL_CERT_FILE": "PIP_CERT", "UV_DEFAULT_INDEX": "PIP_INDEX_URL"}
    settings = {new: os.environ[old] for new, old in names.items() if old in os.environ and new not in os.environ}
    uv = (VENV / "bin" / "uv", "pip", "install", "-q", "--compile-bytecode", "--python", PYTHON)
    if succeeds(*PIP, UV) and succeeds(*uv, *wanted, env={**os.environ, **settings}):
        return
    if subprocess.run([*PIP, *wanted]).returncode:
        sys.exit("The packages could not be installed; pip says why above. It needs PyPI, or a mirror of it named in PIP_INDEX_URL.")


def find_browser() -> str:
    """See that there is a Chromium for the tests; otherwise the reason why their part is left out."""
    if not succeeds(PYTHON, "-m", "playwright", "--version") and can_apt():
        apt("libatomic1")  # Playwright's own program needs it, and a bare Debian has none
    chosen = os.environ.get("CHROMIUM", "")
    if any(os.access(path, os.X_OK) for path in (chosen, *BROWSERS) if path):
        return ""
    if can_apt():
        say("installing Chromium")
        if apt("chromium", "libatomic1", must=False) and os.access(BROWSERS[0], os.X_OK):
            return ""
    if succeeds(PYTHON, "-m", "playwright", "install", "chromium"):
        return ""
    reason = "There is no Chromium for the browser tests: set CHROMIUM to the path of one, or sudo apt-get install chromium libatomic1"
    if os.environ.get("CI"):
        sys.exit(reason)
    say(reason)
    return reason


def lock(*arguments: str) -> None:
    """Write the requirement files from what we ask for by hand, for the oldest Python we support."""
    version = ".".join(map(str, (*OLDEST, 0)))
    for name in (RUN, TEST):
        run(
            VENV / "bin" / "uv", "pip", "compile", "-q", "--python-version", version, "--no-header", "--no-annotate", "--no-emit-index-url",
            *arguments, Path(name).with_suffix(".in"), "-o", name,
        )


def can_apt() -> bool:
    """Whether we may install packages of the system."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt(*packages: str, must: bool = True) -> bool:
    """Install packages of the system; whether it worked. It ends us if they `must` be there."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    if subprocess.run(["apt-get", "update", "-qq"], env=quiet).returncode == 0 and succeeds(*install, env=quiet):
        return True
    if must:
        sys.exit(f"apt-get could not install {' '.join(packages)}. Install it by hand and try again.")
    return False


def run(*command: str | Path) -> None:
    """Run a program in the project's folder; its failure ends us with its exit code."""
    code = subprocess.run([str(word) for word in command], cwd=ROOT).returncode
    if code:
        sys.exit(code)


def succeeds(*command: str | Path, env: dict[str, str] | None = None) -> bool:
    """Whether a program runs without complaint; it says nothing."""
    try:
        return subprocess.run([str(word) for word in command], env=env, capture_output=True).returncode == 0
    except OSError:
        return False


def become(*arguments: str | Path, **variables: str) -> None:
    """Let the environment's Python take our place, so that signals reach it and its exit code is ours."""
    os.chdir(ROOT)
    os.environ.update(variables)
    os.execv(PYTHON, [str(PYTHON), *(str(word) for word in arguments)])


def say(*words: object) -> None:
    """Tell the person what takes its time."""
    print(*words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    if os.name != "posix":
        sys.exit("Tessera runs on Linux and macOS. On Windows, run it inside WSL.")
    if sys.version_info < OLDEST:
        oldest, this = ".".join(map(str, OLDEST)), sys.version.split()[0]
        sys.exit(f"Python {oldest} or newer is needed, and this is {this}. With a newer one, say: make run PYTHON=python3.12")
    main(*sys.argv[1:])
