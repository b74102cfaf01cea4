"""The settings of the test run: the same, on servers of their own that do not wait for the disk."""

import os

from stack.places import var_dir

if var_dir().name != "test":  # the processes that a test starts inherit it
    os.environ["TESSERA_VAR"] = str(var_dir() / "test")
os.environ.setdefault("BOT_PACE_SECONDS", "0")

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, SERVICES, STORAGES  # noqa: E402

for _service in SERVICES:
    _service.durable = False

if _name := os.environ.get("TEST_DB_NAME"):  # the processes under a browser test use the database of the test run
    DATABASES["default"]["NAME"] = _name
else:
    STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
