"""The settings of a test run: the same, on a Postgres that does not wait for the disk, and with nearly all else of its own.

Two runs at once share the Postgres, where each has its database, and the static files, but not the Valkey: the workers of
one would take the other's tasks.
"""

import os
from pathlib import Path

from stack.places import var_dir
from stack.testrun import new_name

# The processes that a test starts inherit all this. Each of several that share the tests out leads a run of its own.
_leader = os.environ.get("PYTEST_XDIST_WORKER", "main")
if os.environ.get("TEST_RUN_LEADER") != _leader:
    _folder = Path(os.environ.get("POSTGRES_DIR") or var_dir() / "test")
    os.environ["TEST_RUN_LEADER"] = _leader
    os.environ["TEST_RUN"] = new_name()
    os.environ["POSTGRES_DIR"] = str(_folder)
    os.environ["TESSERA_VAR"] = str(_folder / os.environ["TEST_RUN"])
    os.environ["SECRET_KEY"] = "of no value"
    os.environ.setdefault("BOT_PACE_SECONDS", "0")
    os.environ.setdefault("LEAKED_PASSWORDS_URL", "")
    # A site that nobody is at, for its addresses to be there; a test says which one it means.
    os.environ |= {"OIDC_CLIENT_ID": "tessera", "OIDC_CLIENT_SECRET": "of no value", "OIDC_SERVER_URL": "http://127.0.0.1:9"}
    os.environ["OIDC_NAME"] = "Tile Club"

from config.settings import *
from config.settings import BASE_DIR, DATABASES, SERVICES, STORAGES, TEMPLATES, VAR_DIR

for _service in SERVICES:
    _service.durable = False

STATIC_ROOT = VAR_DIR.parent / "static"  # kept, since gathering takes its time
DATABASES["default"]["TEST"] = {"NAME": os.environ["TEST_RUN"]}
if os.environ.get("TEST_LIVE"):  # the processes under a browser test
    DATABASES["default"]["NAME"] = os.environ["TEST_RUN"]
else:
    STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    WHITENOISE_AUTOREFRESH = True  # else each client of a test would look at every file first

_card_game = BASE_DIR / "tests" / "platform" / "templates"  # the game of the tests has a board of its own
TEMPLATES = [TEMPLATES[0] | {"DIRS": [BASE_DIR / "templates", _card_game]}]

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
PUSH_TO_LOOPBACK = True
