#!/usr/bin/env python3
"""The command line of the site: finds `site/`, starts the servers a command needs, and runs it."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main(argv: list[str]) -> None:
    """Run one management command; a `Trouble` ends it with its sentence and exit code 1."""
    sys.path.insert(0, str(ROOT / "site"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from stack.demand import serve
    from stack.trouble import Trouble

    try:
        serve(argv[1:])
        from django.core.management import execute_from_command_line

        execute_from_command_line(argv)
    except Trouble as trouble:
        sys.exit(str(trouble))


if __name__ == "__main__":
    main(sys.argv)
